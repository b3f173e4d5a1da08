/**
 * Vonage's Messages API, described.
 *
 * The Messages API is used and not the older SMS API, because its receipts can be verified on every account: a JWT in
 * the Authorization header is signed with HMAC-SHA256 and has the hash of the body. The SMS API signs its receipts only
 * where the support has switched that on, and with MD5 unless asked for better.
 *
 * Source: Vonage's documentation, "Messages API reference", "Messages API status callbacks", "Signed webhooks",
 * "Authentication".
 */
import { type Gateway, Authentication, type Secret, redacted, textOf } from "@watchword/send/gateway"
import type { SmsStatus } from "@watchword/schemas/Sms"
import type { Tlv } from "../../SmsGateway.ts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SmsGateway } from "../../SmsGateway.ts"
import { at, codeOf, deliveryOf, detailsOf, idOf, numberOf, referenceOf } from "./Fields.ts"
import { make } from "./HttpGateway.ts"
import { jsonOf } from "./Json.ts"
import { applicationToken, isSigned } from "./Jwt.ts"
import {
  type CommonOptions,
  type SmsHttpOptionsError,
  address,
  callback,
  invalid,
  named,
  secret,
  takesTexts
} from "./Options.ts"
import { type Answer, type Provider, type Reason, type Receipts, answerOfStatus, other } from "./Provider.ts"

export type VonageOptions = CommonOptions &
  (AccountKey | Application) & {
    /** Signs receipts, as the dashboard shows it; without it none is taken. */
    readonly signatureSecret?: Secret | undefined
  }

/** Credentials of the account. Receipts are signed for the account, and go where the request says. */
interface AccountKey {
  readonly apiKey: string
  readonly apiSecret: Secret
}

/** Credentials of an application, which Vonage recommends. */
interface Application {
  readonly applicationId: string
  /** In PEM form, `-----BEGIN PRIVATE KEY-----…`. */
  readonly privateKey: Secret
}

/**
 * Texts through Vonage.
 *
 * @example
 * ```ts
 * import { vonage } from "@watchword/sms/http"
 *
 * const sms = vonage({
 *   apiKey: "abcd1234",
 *   apiSecret: "a secret of Vonage's dashboard",
 *   signatureSecret: "another one"
 * })
 * ```
 */
export const vonage = (options: VonageOptions): Gateway<SmsGateway, SmsHttpOptionsError> =>
  Layer.effect(
    SmsGateway,
    Effect.flatMap(describe(options), (provider) => make(provider, options))
  )

const BASE_URL = "https://api.nexmo.com"

/** In characters. */
const LONGEST_TEXT = 1000

/** The ids of an entity and of a template, which India's operators ask for. */
const ENTITY = 0x1400
const TEMPLATE = 0x1401

/** The description, checked. */
export const describe = Effect.fnUntraced(function* (options: VonageOptions) {
  const callbackUrl = yield* callback(options)
  yield* takesTexts(options, options.signatureSecret !== undefined, "signatureSecret, which texts are signed with")
  yield* checkCredentials(options)
  if (options.signatureSecret !== undefined) yield* secret("signatureSecret", options.signatureSecret)
  const provider: Provider = {
    name: "vonage",
    baseUrl: yield* address("baseUrl", options.baseUrl ?? BASE_URL),
    authentication: Effect.suspend(() => authenticationOf(options)),
    longestText: LONGEST_TEXT,
    tlvs: [ENTITY, TEMPLATE],
    request: ({ delivery, from, reference, text, tlvs, to, validity }) => ({
      path: "v1/messages",
      body: {
        message_type: "text",
        channel: "sms",
        to: to.slice(1),
        from: from.replace(/^\+/, ""),
        text: text.source,
        client_ref: `${reference}.${delivery}`,
        ...(validity === null ? {} : { ttl: validity }),
        ...(tlvs.length === 0 ? {} : { sms: registered(tlvs) }),
        ...(callbackUrl === undefined ? {} : { webhook_url: callbackUrl, webhook_version: "v1" })
      }
    }),
    answer,
    isKnown: (code) => CODE.test(code),
    said: (body) => at(body, "detail") ?? at(body, "title"),
    receipts: options.signatureSecret === undefined ? null : receiptsOf(options)
  }
  return provider
})

const checkCredentials = Effect.fnUntraced(function* (options: AccountKey | Application) {
  if ("apiKey" in options) {
    yield* named("apiKey", options.apiKey, /^\w{4,32}$/, "must be the key of the account")
    yield* secret("apiSecret", options.apiSecret)
    return
  }
  yield* named("applicationId", options.applicationId, /^[\da-f-]{36}$/i, "must be the UUID of an application")
  if (!/^\s*-----BEGIN PRIVATE KEY-----/.test(textOf(options.privateKey))) {
    return yield* invalid("privateKey", "must be a private key in PEM form (PKCS #8)")
  }
})

const authenticationOf = (options: AccountKey | Application): Authentication.Authentication =>
  "apiKey" in options
    ? Authentication.basic(options.apiKey, redacted(options.apiSecret))
    : applicationToken(options.applicationId, redacted(options.privateKey))

const registered = (tlvs: ReadonlyArray<Tlv>) =>
  Object.fromEntries(
    tlvs.map(({ tag, value }) => [tag === ENTITY ? "entity_id" : "content_id", value.replace(/\0$/, "")])
  )

const answer = (status: number, body: unknown): Answer => {
  const id = status < 300 ? idOf(at(body, "message_uuid")) : null
  if (id !== null) return { _tag: "Accepted", ids: [id] }
  const code = errorOf(body)
  const byStatus = answerOfStatus(status, code)
  // "Please wait and retry": the documentation of error 1000.
  if (byStatus._tag === "Throttled") return { ...byStatus, maySendAgain: true }
  return byStatus._tag === "Refused" && byStatus.reason === "message"
    ? { ...byStatus, reason: reasonOf(body) }
    : byStatus
}

/** The last part of the error's address, such as `1150` of `https://developer.vonage.com/api-errors/messages#1150`. */
const errorOf = (body: unknown): string | null => {
  const type = at(body, "type")
  return typeof type === "string" ? codeOf(type.slice(type.lastIndexOf("#") + 1)) : null
}

/** The field that is wrong, where the answer names one. */
const reasonOf = (body: unknown): Reason => {
  const field = at(at(at(body, "invalid_parameters"), "0"), "name")
  return (typeof field === "string" ? reasonByField.get(field) : undefined) ?? "message"
}

const reasonByField = new Map<string, Reason>([
  ["to", "recipient"],
  ["from", "sender"],
  ["text", "text"]
])

/** Errors of the Messages API have 1000 and more. Source: "Messages API errors". */
const CODE = /^1\d{3}$/

const SIGNATURE_HEADER = "authorization"

const receiptsOf = (options: VonageOptions): Receipts => ({
  signatureHeaders: [SIGNATURE_HEADER],
  isGenuine: ({ headers, rawBody }) =>
    options.signatureSecret === undefined
      ? Effect.succeed(false)
      : isSigned(headers[SIGNATURE_HEADER], redacted(options.signatureSecret), rawBody),
  read: ({ rawBody }) => {
    const body = jsonOf(rawBody)
    if (body === undefined) return null
    const id = idOf(at(body, "message_uuid"))
    const word = codeOf(at(body, "status"))
    if (word === null && at(body, "message_type") !== undefined) {
      const word = codeOf(at(body, "message_type")) ?? "no type"
      const [from, to] = [numberOf(at(body, "from")), numberOf(at(body, "to"))]
      const text = at(body, "text")
      return typeof text === "string" && to !== null && at(body, "channel") === "sms"
        ? [{ _tag: "Texted", from: from ?? "", to, text, word }]
        : [other("subscriber_text", word)]
    }
    if (id === null || word === null) return [other("receipt", id === null ? "no id" : "no status")]
    const [reference, delivery] = String(at(body, "client_ref")).split(".")
    const usage = at(body, "usage")
    return [
      {
        _tag: "Receipt",
        refs: [id],
        isOfAllParts: true,
        to: numberOf(at(body, "to")),
        reference: referenceOf(reference),
        of: deliveryOf(delivery),
        status: statuses.get(word) ?? null,
        carrierStatus: word,
        carrierError: errorOf(at(body, "error")) ?? codeOf(at(at(body, "error"), "title")),
        details: detailsOf({
          parts: at(at(body, "sms"), "count_total"),
          price: at(usage, "price"),
          currency: at(usage, "currency"),
          time: at(body, "timestamp")
        })
      }
    ]
  }
})

const statuses = new Map<string, SmsStatus>([
  ["submitted", "sent"],
  ["delivered", "delivered"],
  ["read", "delivered"],
  ["undeliverable", "undelivered"],
  ["rejected", "failed"]
])
