/**
 * An entry of the file of carriers: a name, a connection, costs.
 */
import { createHash } from "node:crypto"
import { resolve } from "node:path"
import * as Sip from "@watchword/call/options"
import {
  CARRIER_NAME_MUST,
  type Costs,
  type RoutesError,
  fault as faultAt,
  isCarrierName,
  parseCosts
} from "@watchword/send/routes"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import * as Smpp from "@watchword/sms/options"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as providers from "./providers/All.ts"
import type { SmsHttp } from "./providers/Provider.ts"
import { CURRENCY_MUST, isCurrency } from "./RateSettings.ts"
import { fileText, secret as oneLine } from "./Reading.ts"

interface Common {
  readonly name: string
  readonly costs: Costs | null
  /** The currency of its costs, as the file has them. */
  readonly currency: string
  /** A digest of its connection, with its secrets. */
  readonly connection: string
}

export interface TextCarrier extends Common {
  readonly channel: "sms"
  readonly by:
    | { readonly _tag: "Smpp"; readonly options: Smpp.Options }
    | { readonly _tag: "Http"; readonly http: SmsHttp }
}

export interface CallCarrier extends Common {
  readonly channel: "call"
  readonly by: { readonly _tag: "Sip"; readonly options: Sip.Options }
}

export type Carrier = TextCarrier | CallCarrier

/** How a carrier is connected. */
export type By = Carrier["by"]

type Parsed<A> = Result.Result<A, RoutesError>

/** @param file that of the entry, which no entry may name as its secret */
export const parse = (file: string, name: string, entry: unknown): Parsed<Carrier> =>
  Result.gen(function* () {
    const path = `carriers.${name}`
    if (!isCarrierName(name)) return yield* faultAt(path, CARRIER_NAME_MUST)
    const given = yield* objectAt(entry, path, ["sms", "call", "password", "listen", "receives", "cost", "currency"])
    const channel = given["call"] === undefined ? "sms" : "call"
    if (given["sms"] === undefined && channel === "sms") return yield* faultAt(`${path}.sms`, SMS_MUST)
    if (given["sms"] !== undefined && channel === "call") {
      return yield* faultAt(path, "must be of sms or of call: give each a name of its own")
    }
    const { call, listen, password, sms } = yield* withSecrets(file, given, path)
    if (password !== undefined && typeof password !== "string") {
      return yield* faultAt(`${path}.password`, 'must be a text, or {"file": "…"}')
    }
    if (password !== undefined && (password.trim() !== password || Result.isFailure(oneLine(password)))) {
      const must = "must have no blanks around it, no line ends and no invisible characters"
      return yield* faultAt(`${path}.password`, must)
    }
    if (listen !== undefined && channel === "sms") {
      return yield* faultAt(`${path}.listen`, "is only for calls: leave it out")
    }
    const receives = yield* numbers(given["receives"], path)
    const { cost, currency = "EUR" } = given
    if (!isCurrency(currency)) return yield* faultAt(`${path}.currency`, CURRENCY_MUST)
    const costs = cost === undefined ? null : yield* parseCosts(cost, `${path}.cost`, currency)
    const connection = createHash("sha256")
      .update(JSON.stringify([sms, call, listen, password, receives]))
      .digest("hex")
    const common = { name, costs, currency, connection }
    if (channel === "call") return { ...common, channel, by: yield* trunks(call, password, listen, receives, path) }
    const by = yield* typeof sms === "string" ? links(name, sms, password, path) : provider(sms, password, path)
    return { ...common, channel, by: receives === null ? by : yield* receiving(by, receives, path) }
  })

/** The numbers that users write to or call; null if the entry has no such field. */
const numbers = (given: unknown, path: string): Parsed<ReadonlyArray<E164> | null> => {
  if (given === undefined) return Result.succeed(null)
  return Result.mapError(Smpp.readReceives(given), (must) =>
    Result.getOrThrow(Result.flip(faultAt(`${path}.receives`, must)))
  )
}

/** A carrier that brings the texts to these numbers: all links that receive do, or the provider's webhook. */
const receiving = (by: TextCarrier["by"], receives: ReadonlyArray<E164>, path: string): Parsed<TextCarrier["by"]> => {
  if (by._tag === "Http") return Result.succeed({ _tag: "Http", http: by.http.receiving(receives) })
  const { links } = by.options
  if (links.every(({ bind }) => bind === "transmitter")) {
    return faultAt(`${path}.receives`, "needs a link that receives: these are transmitters")
  }
  if (links.some((link) => link.receives.length > 0)) {
    return faultAt(`${path}.receives`, "is in the URL, too: leave one out")
  }
  const receivingToo = links.map((link) => (link.bind === "transmitter" ? link : { ...link, receives }))
  return Result.succeed({ _tag: "Smpp", options: { ...by.options, links: receivingToo } })
}

const SMS_MUST = `is required: ${providers.MUST}; or call, a SIP URL`

const links = (name: string, url: string, password: string | undefined, path: string): Parsed<TextCarrier["by"]> =>
  Result.mapBoth(Smpp.fromUrls(url), {
    onFailure: ({ message }) => unusable(`${path}.sms`, message),
    onSuccess: (options) => ({
      _tag: "Smpp",
      options: {
        ...options,
        links: options.links.map((link) => ({
          ...link,
          carrier: link.carrier === "" ? name : link.carrier,
          password: password === undefined ? link.password : Redacted.make(password)
        }))
      }
    })
  })

const provider = (sms: unknown, password: string | undefined, path: string): Parsed<TextCarrier["by"]> =>
  password === undefined
    ? Result.map(providers.ofJson(sms, `${path}.sms`), (http) => ({ _tag: "Http", http }))
    : faultAt(`${path}.password`, "is for an SMPP or SIP URL: leave it out")

/** Trunks that listen at an address of their own: two gateways cannot share one. */
const trunks = (
  url: unknown,
  password: string | undefined,
  listen: unknown,
  receives: ReadonlyArray<E164> | null,
  path: string
): Parsed<CallCarrier["by"]> =>
  Result.gen(function* () {
    if (typeof url !== "string") return yield* faultAt(`${path}.call`, "must be a SIP URL")
    if (listen !== undefined && typeof listen !== "string") {
      return yield* faultAt(`${path}.listen`, "must be an IP address and a port, such as 192.0.2.10:5060")
    }
    const { trunks } = yield* Result.mapError(Sip.fromUrls(url, receives ?? []), ({ message }) =>
      unusable(`${path}.call`, message)
    )
    if (receives !== null && trunks.some((trunk) => trunk.receives !== receives)) {
      return yield* faultAt(`${path}.receives`, "is in the URL, too: leave one out")
    }
    const address = yield* Result.mapError(Sip.listenAt(listen ?? "127.0.0.1:0"), ({ message }) =>
      unusable(`${path}.listen`, message)
    )
    const secret = password === undefined ? {} : { password: Redacted.make(password, { label: "SIP password" }) }
    return { _tag: "Sip", options: { trunks: trunks.map((trunk) => ({ ...trunk, ...secret })), listen: address } }
  })

const unusable = (path: string, message: string): RoutesError =>
  Result.getOrThrow(Result.flip(faultAt(path, `cannot be used: ${message.replace(/\.$/, "")}`)))

type Fields = Readonly<Record<string, unknown>>

/** @param known the names of its fields; null for any */
export const objectAt = (json: unknown, path: string, known: ReadonlyArray<string> | null): Parsed<Fields> => {
  if (!isRecord(json)) return faultAt(path, "must be an object")
  const stranger = known === null ? undefined : Object.keys(json).find((name) => !known.includes(name))
  if (stranger === undefined || known === null) return Result.succeed(json)
  return faultAt(
    path === "the file" ? stranger : `${path}.${stranger}`,
    `is not a field; use one of ${known.join(", ")}`
  )
}

const isRecord = (json: unknown): json is Fields => Predicate.isObject(json) && !Array.isArray(json)

/** An entry with the secrets of files instead of `{"file": "…"}`. */
const withSecrets = (own: string, json: Fields, path: string): Parsed<Fields> =>
  Result.gen(function* () {
    const resolved: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(json)) {
      const at = `${path}.${name}`
      if (!isRecord(value)) resolved[name] = value
      else if (Object.keys(value).join() === "file") resolved[name] = yield* secretIn(own, value["file"], at)
      else resolved[name] = yield* withSecrets(own, value, at)
    }
    return resolved
  })

const secretIn = (own: string, file: unknown, path: string): Parsed<string> => {
  if (typeof file !== "string") return faultAt(`${path}.file`, "must be the path of a file")
  if (resolve(file) === resolve(own))
    return faultAt(`${path}.file`, "names this file itself: name a file that has only the secret")
  const content = fileText(file)
  if (Result.isFailure(content)) return faultAt(`${path}.file`, content.failure)
  const secret = content.success.trim()
  return secret === "" ? faultAt(`${path}.file`, `names the file ${file}, which is empty`) : Result.succeed(secret)
}
