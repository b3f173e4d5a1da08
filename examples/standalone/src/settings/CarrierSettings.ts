/**
 * The setting of carriers: a JSON file with carriers by name, their costs, and routes over them.
 */
import { createHash } from "node:crypto"
import { resolve } from "node:path"
import { webhookPath } from "@watchword/send/channel/Channel"
import * as Costs from "@watchword/send/internal/routes/Costs"
import * as RouteTable from "@watchword/send/internal/routes/RouteTable"
import { type RoutesError, fault as faultAt } from "@watchword/send/internal/routes/RoutesError"
import * as Smpp from "@watchword/sms/internal/smpp/Options"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { reachable } from "./ChatSettings.ts"
import * as CarrierProviders from "./CarrierProviders.ts"
import { type Environment, type Parse, type Read, type SettingError, fault, fileText, jsonFile } from "./Reading.ts"
import { isSet, optionalSetting, readOptional } from "./Setting.ts"
import { type SmsHttp, sms } from "./SmsSettings.ts"

export interface Carrier {
  readonly name: string
  readonly sms:
    | { readonly _tag: "Smpp"; readonly options: Smpp.Options }
    | { readonly _tag: "Http"; readonly http: SmsHttp }
  readonly costs: Costs.Costs | null
  /** A digest of its connection, with its secrets. */
  readonly connection: string
}

export interface Carriers {
  readonly file: string
  readonly carriers: ReadonlyArray<Carrier>
  /** By channel. */
  readonly routes: ReadonlyMap<string, RouteTable.RouteTable>
}

const carriersFile: Parse<Carriers> = (file) =>
  Result.flatMap(jsonFile(file), (json) =>
    Result.mapError(read(file, json), ({ fix, path }) => locate(file, path, fix))
  )

export const carriers = {
  file: optionalSetting("CARRIERS", carriersFile, {
    description:
      "path of a JSON file with [carriers by name, their costs and routes](../routes.md), in place of `SMPP_URL` and " +
      "`SMS_HTTP_PROVIDER`",
    isFile: true,
    reloads: "carriers"
  })
}

/** @param baseUrl how providers reach the interface */
export const readCarriers = (environment: Environment, baseUrl: string): Read<Option.Option<Carriers>> =>
  Result.gen(function* () {
    const read = yield* readOptional(environment, carriers.file)
    if (Option.isNone(read)) return Option.none()
    for (const { name } of [sms.carriers, sms.provider]) {
      if (!isSet(environment, name)) continue
      return yield* Result.fail(
        fault(name, `must not be set together with ${carriers.file.name}: put it into the file`)
      )
    }
    return Option.some({ ...read.value, carriers: read.value.carriers.map((carrier) => calledBack(carrier, baseUrl)) })
  })

/** A carrier whose provider posts receipts to the service. */
const calledBack = (carrier: Carrier, baseUrl: string): Carrier => {
  if (carrier.sms._tag === "Smpp") return carrier
  const { http } = carrier.sms
  const isReachable = reachable(baseUrl, Option.fromUndefinedOr(http.options.baseUrl))
  const callbackUrl = isReachable ? `${baseUrl}${webhookPath({ name: "sms" })}` : undefined
  return { ...carrier, sms: { _tag: "Http", http: CarrierProviders.calledBack(http, callbackUrl) } }
}

/** The sentence of carriers that cannot be used. */
export const unusable =
  ({ file }: Pick<Carriers, "file">) =>
  ({ fix, path }: Pick<RoutesError, "fix" | "path">): SettingError =>
    fault(carriers.file.name, locate(file, path, fix))

const locate = (file: string, path: string, fix: string): string => `names the file ${file}, in which ${path} ${fix}`

/** What a digest of the file says: its content, and that of the files that it names. */
export const contentOf = (file: string): string | null => {
  const content = Result.getOrElse(fileText(file), () => null)
  if (content === null) return null
  const json = Result.getOrElse(jsonFile(file), () => null)
  return [content, ...filesIn(json).map((name) => Result.getOrElse(fileText(name), () => ""))].join("\0")
}

const filesIn = (json: unknown): ReadonlyArray<string> => {
  if (!Predicate.isObject(json)) return []
  const named = Predicate.hasProperty(json, "file") && typeof json.file === "string" ? [json.file] : []
  return [...named, ...Object.values(json).flatMap(filesIn)]
}

type Parsed<A> = Result.Result<A, RoutesError>

const read = (file: string, json: unknown): Parsed<Carriers> =>
  Result.gen(function* () {
    const fields = yield* objectAt(json, "the file", ["carriers", "routes"])
    const entries = Object.entries(yield* objectAt(fields["carriers"], "carriers", null))
    if (entries.length === 0) return yield* faultAt("carriers", "must have a carrier")
    const all: Array<Carrier> = []
    for (const [name, entry] of entries) all.push(yield* carrierOf(file, name, entry))
    const channels = new Map(all.map(({ name }) => [name, "sms"]))
    const routes =
      fields["routes"] === undefined
        ? new Map([["sms", RouteTable.inOrder([...channels.keys()])]])
        : yield* RouteTable.parse(fields["routes"], channels, null)
    return { file, carriers: all, routes }
  })

const carrierOf = (file: string, name: string, entry: unknown): Parsed<Carrier> =>
  Result.gen(function* () {
    const path = `carriers.${name}`
    if (!RouteTable.isCarrierName(name)) return yield* faultAt(path, RouteTable.CARRIER_NAME_MUST)
    const given = yield* objectAt(entry, path, ["sms", "password", "cost"])
    if (given["sms"] === undefined) return yield* faultAt(`${path}.sms`, SMS_MUST)
    const resolved = yield* withSecrets(file, given, path)
    const costs = given["cost"] === undefined ? null : yield* Costs.parse(given["cost"], `${path}.cost`)
    const { password, sms } = resolved
    const connection = createHash("sha256")
      .update(JSON.stringify([sms, password]))
      .digest("hex")
    if (typeof sms !== "string") {
      if (password !== undefined) return yield* faultAt(`${path}.password`, "is for an SMPP URL: leave it out")
      return { name, sms: { _tag: "Http", http: yield* CarrierProviders.read(sms, `${path}.sms`) }, costs, connection }
    }
    const options = yield* Result.mapError(Smpp.fromUrls(sms), ({ message }) => sentence(`${path}.sms`, message))
    if (password !== undefined && typeof password !== "string") {
      return yield* faultAt(`${path}.password`, 'must be a text, or {"file": "…"}')
    }
    const links = options.links.map((link) => ({
      ...link,
      carrier: link.carrier === "" ? name : link.carrier,
      password: password === undefined ? link.password : Redacted.make(password)
    }))
    return { name, sms: { _tag: "Smpp", options: { ...options, links } }, costs, connection }
  })

const SMS_MUST = 'is required: an SMPP URL, or {"twilio": {…}}, {"vonage": {…}} or {"generic": {…}}'

const sentence = (path: string, message: string): RoutesError =>
  Result.getOrThrow(Result.flip(faultAt(path, `cannot be used: ${message.replace(/\.$/, "")}`)))

type Fields = Readonly<Record<string, unknown>>

/** @param known the names of its fields; null for any */
const objectAt = (json: unknown, path: string, known: ReadonlyArray<string> | null): Parsed<Fields> => {
  if (!isRecord(json)) return faultAt(path, "must be an object")
  const stranger = known === null ? undefined : Object.keys(json).find((name) => !known.includes(name))
  if (stranger === undefined || known === null) return Result.succeed(json)
  return faultAt(path === "the file" ? stranger : `${path}.${stranger}`, `is no field; use one of ${known.join(", ")}`)
}

const isRecord = (json: unknown): json is Fields => Predicate.isObject(json) && !Array.isArray(json)

/** An entry with the secrets of files in place of `{"file": "…"}`. */
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
    return faultAt(`${path}.file`, "names this very file: name one with the secret alone")
  const content = fileText(file)
  if (Result.isFailure(content)) return faultAt(`${path}.file`, content.failure)
  const secret = content.success.replace(/\r?\n$/, "")
  return secret.trim() === ""
    ? faultAt(`${path}.file`, `names the file ${file}, which is empty`)
    : Result.succeed(secret)
}
