/**
 * Twilio's Programmable Messaging, described.
 *
 * Receipts are posted to the address that each request names, with the message's reference and delivery in its query.
 * Their signature has no time in it, so a receipt can be replayed; a replayed one repeats facts that the record already
 * has.
 *
 * Source: Twilio's documentation, "Messages resource", "Outbound message status in status callbacks", "Webhooks
 * security", "Webhooks connection overrides", "20429: too many requests", "TwiML for Programmable SMS: your response".
 */
import { type Gateway, Authentication, type Secret, type WebhookRequest, redacted } from "@watchword/send/gateway"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { SmsStatus } from "@watchword/schemas/Sms"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { SmsGateway } from "../../SmsGateway.ts"
import { at, codeOf, deliveryOf, detailsOf, idOf, numberOf, referenceOf } from "./Fields.ts"
import { make } from "./HttpGateway.ts"
import {
  type CommonOptions,
  type SmsHttpOptionsError,
  address,
  callback,
  named,
  secret,
  takesTexts
} from "./Options.ts"
import {
  type Answer,
  type Outgoing,
  type Provider,
  type Reason,
  type Receipts,
  answerOfStatus,
  other
} from "./Provider.ts"
import { isHmac } from "./Signature.ts"

export interface TwilioOptions extends CommonOptions {
  /** `AC` and 32 hexadecimal digits. */
  readonly accountSid: string
  /** Signs receipts, and authenticates requests unless there is an API key. */
  readonly authToken: Secret
  /** Authenticates requests instead of the auth token. */
  readonly apiKey?: { readonly sid: string; readonly secret: Secret } | undefined
  /** A messaging service (`MG…`) that chooses the sender; the message's sender is then only for the record. */
  readonly messagingServiceSid?: string | undefined
}

/**
 * Texts through Twilio.
 *
 * @example
 * ```ts
 * import { twilio } from "@watchword/sms/http"
 *
 * const sms = twilio({
 *   accountSid: "AC0123456789abcdef0123456789abcdef",
 *   authToken: "a secret of Twilio's console"
 * })
 * ```
 */
export const twilio = (options: TwilioOptions): Gateway<SmsGateway, SmsHttpOptionsError> =>
  Layer.effect(
    SmsGateway,
    Effect.flatMap(describe(options), (provider) => make(provider, options))
  )

const BASE_URL = "https://api.twilio.com"

/** In characters. */
const LONGEST_TEXT = 1600

/** In seconds. */
const LONGEST_VALIDITY = 36_000

/** The description, checked. */
export const describe = Effect.fnUntraced(function* (options: TwilioOptions) {
  const { apiKey, messagingServiceSid: service } = options
  const account = yield* named(
    "accountSid",
    options.accountSid,
    /^AC[\da-f]{32}$/i,
    "must be AC and 32 hexadecimal digits"
  )
  yield* secret("authToken", options.authToken)
  if (apiKey !== undefined) {
    yield* named("apiKey.sid", apiKey.sid, /^SK[\da-f]{32}$/i, "must be SK and 32 hexadecimal digits")
    yield* secret("apiKey.secret", apiKey.secret)
  }
  if (service !== undefined) {
    yield* named("messagingServiceSid", service, /^MG[\da-f]{32}$/i, "must be MG and 32 hexadecimal digits")
  }
  const callbackUrl = yield* callback(options)
  const need = "callbackUrl, or the publicUrl of the service: Twilio signs the address that it posts texts to"
  yield* takesTexts(options, callbackUrl !== undefined, need)
  const baseUrl = yield* address("baseUrl", options.baseUrl ?? BASE_URL)
  const provider: Provider = {
    name: "twilio",
    baseUrl: `${baseUrl}/2010-04-01/Accounts/${account}`,
    authentication: Effect.suspend(() => authenticationOf(options)),
    longestText: LONGEST_TEXT,
    tlvs: [],
    request: (message) => ({
      path: "Messages.json",
      encoding: "form",
      body: {
        To: message.to,
        ...(service === undefined ? { From: senderOf(message) } : { MessagingServiceSid: service }),
        Body: message.text.source,
        ...(message.validity === null ? {} : { ValidityPeriod: Math.min(message.validity, LONGEST_VALIDITY) }),
        ...(callbackUrl === undefined
          ? {}
          : { StatusCallback: statusCallback(callbackUrl, message.reference, message.delivery) + RETRIES })
      }
    }),
    answer,
    isKnown: (code) => reasonByCode.has(code) || code === TOO_MANY,
    said: (body) => at(body, "message"),
    receipts: callbackUrl === undefined ? null : receiptsOf(callbackUrl, options)
  }
  return provider
})

const authenticationOf = ({ accountSid, apiKey, authToken }: TwilioOptions): Authentication.Authentication =>
  apiKey === undefined
    ? Authentication.basic(accountSid, redacted(authToken))
    : Authentication.basic(apiKey.sid, redacted(apiKey.secret))

/** At Twilio, a number has a plus sign unless it is a short code. */
const senderOf = ({ from }: Outgoing): string => (/^\d{7,15}$/.test(from) ? `+${from}` : from)

/** @param delivery null in the addresses that releases before have named */
const statusCallback = (callbackUrl: string, reference: number, delivery: DeliveryId | null): string =>
  `${callbackUrl}?reference=${reference}${delivery === null ? "" : `&delivery=${delivery}`}`

/** Asks for five repeats of a receipt that is answered 5xx, or not in time. */
const RETRIES = "#rc=5&rp=5xx,ct,rt"

/** "Requests that receive 429 responses aren't processed": the documentation of this error. */
const TOO_MANY = "20429"

const answer = (status: number, body: unknown): Answer => {
  const id = status < 300 ? idOf(at(body, "sid")) : null
  if (id !== null) {
    const price = at(body, "price")
    const currency = price === null ? null : at(body, "price_unit")
    return { _tag: "Accepted", ids: [id], details: detailsOf({ parts: at(body, "num_segments"), price, currency }) }
  }
  const code = codeOf(at(body, "code"))
  const byStatus = answerOfStatus(status, code)
  if (byStatus._tag === "Throttled") return { ...byStatus, maySendAgain: true }
  const reason = byStatus._tag === "Refused" && code !== null ? reasonByCode.get(code) : undefined
  return reason === undefined ? byStatus : { _tag: "Refused", reason, code }
}

// Other codes follow the status of the answer.
const codes: ReadonlyArray<readonly [Reason, ReadonlyArray<number>]> = [
  ["recipient", [21211, 21214, 21217, 21265, 21408, 21421, 21604, 21610, 21612, 21614, 21635]],
  ["sender", [21212, 21266, 21267, 21603, 21606, 21618, 21659, 21660, 21661]],
  ["text", [21602, 21605, 21617, 21619]],
  ["temporary", [14107, 20500, 20503, 21611, 30001]],
  ["account", [20001, 20003, 20005, 20403, 20404, 21608, 21703, 21704, 21705, 30002, 63038]]
]

const reasonByCode = new Map(
  codes.flatMap(([reason, numbers]) => numbers.map((code) => [String(code), reason] as const))
)

const SIGNATURE_HEADER = "x-twilio-signature"

const receiptsOf = (callbackUrl: string, options: TwilioOptions): Receipts => ({
  signatureHeaders: [SIGNATURE_HEADER],
  isGenuine: Effect.fnUntraced(function* ({ headers, query, rawBody }: WebhookRequest) {
    const decoded = Base64.decode(headers[SIGNATURE_HEADER] ?? "")
    const signature = Result.isSuccess(decoded) ? decoded.success : null
    const fields = signedFields(formOf(rawBody))
    for (const url of signedUrls(callbackUrl, query)) {
      if (yield* isHmac("SHA-1", redacted(options.authToken), signature, encoder.encode(url + fields))) return true
    }
    return false
  }),
  read: ({ query, rawBody }) => {
    const form = formOf(rawBody)
    const id = idOf(form.get("MessageSid") ?? form.get("SmsSid"))
    const word = codeOf(form.get("MessageStatus") ?? form.get("SmsStatus"))
    if (word !== null && INBOUND.has(word)) {
      const [from = "", to = "", text = ""] = ["From", "To", "Body"].map((name) => form.get(name) ?? "")
      return [{ _tag: "Texted", from, to, text, word }]
    }
    if (id === null || word === null) return [other("receipt", id === null ? "no id" : "no status")]
    return [
      {
        _tag: "Receipt",
        refs: [id],
        isOfAllParts: true,
        to: numberOf(form.get("To")),
        reference: referenceOf(query["reference"]),
        of: deliveryOf(query["delivery"]),
        status: statuses.get(word) ?? null,
        carrierStatus: word,
        carrierError: codeOf(form.get("ErrorCode"))
      }
    ]
  }
})

/**
 * Texts of users, which Twilio posts to the same address where an account says so. An answer in plain text would be
 * sent back to the phone, so answers are empty.
 */
const INBOUND = new Set(["received", "receiving"])

const statuses = new Map<string, SmsStatus>([
  ["accepted", "sent"],
  ["scheduled", "sent"],
  ["queued", "sent"],
  ["sending", "sent"],
  ["sent", "sent"],
  ["delivered", "delivered"],
  ["read", "delivered"],
  ["undelivered", "undelivered"],
  ["failed", "failed"],
  ["canceled", "failed"]
])

const encoder = new TextEncoder()

const formOf = (rawBody: Uint8Array): URLSearchParams => new URLSearchParams(new TextDecoder().decode(rawBody))

/** Names with their values, by name, without anything between them; values of one name once each. */
const signedFields = (form: URLSearchParams): string =>
  [...new Set(form.keys())]
    .sort()
    .flatMap((name) => [...new Set(form.getAll(name))].sort().map((value) => name + value))
    .join("")

/**
 * The spellings under which Twilio may have signed the address that it was given: with the usual port or without one,
 * with the overrides of its fragment or without.
 */
const signedUrls = (callbackUrl: string, query: WebhookRequest["query"]): ReadonlySet<string> => {
  const { delivery: named, reference: numbered, ...others } = query
  const reference = referenceOf(numbered)
  const delivery = deliveryOf(named)
  if (Object.keys(others).length > 0) return new Set()
  if (
    (numbered !== undefined && reference === null) ||
    (named !== undefined && (delivery === null || reference === null))
  ) {
    return new Set()
  }
  const asked = reference === null ? callbackUrl : statusCallback(callbackUrl, reference, delivery)
  const [, scheme = "", host = "", rest = ""] = /^(https?:\/\/)(\[[^\]]*\]|[^/:?]*)(?::\d+)?(.*)$/i.exec(asked) ?? []
  const spellings = [asked, `${scheme}${host}${rest}`, `${scheme}${host}:${scheme === "http://" ? 80 : 443}${rest}`]
  return new Set(spellings.flatMap((url) => [url, url + RETRIES]))
}
