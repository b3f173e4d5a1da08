/**
 * Receipts of a provider that a description explains, and texts of users, as JSON or as a form.
 */
import type { WebhookRequest } from "@watchword/send/gateway"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Hex from "effect/encoding/Hex"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Receipt } from "../../SmsGateway.ts"
import type { Description } from "./Description.ts"
import { codeOf, deliveryOf, detailsOf, idOf, numberOf, referenceOf } from "./Fields.ts"
import { jsonOf } from "./Json.ts"
import { first, valuesAt } from "./Paths.ts"
import { type Other, type Receipts, type Texted, other } from "./Provider.ts"
import { isHmac } from "./Signature.ts"

type Fields = NonNullable<Description["receipts"]>
type TextFields = Description["texts"]

/** @param secret that of the moment, which no signature fits while it is empty */
export const receiptsOf = (fields: Fields, texts: TextFields, secret: () => Redacted.Redacted): Receipts => ({
  ...signatureOf(fields.signature, secret),
  read: ({ headers, rawBody }) => {
    const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers["content-type"] ?? "")
    const body = isForm ? formOf(rawBody) : jsonOf(rawBody)
    if (body === undefined) return null
    const textsOf = (one: unknown) => (texts === undefined ? [] : textOf(texts, fields, one))
    const written = texts === undefined ? [] : itemsOf(body, texts.each).flatMap(textsOf)
    const others = itemsOf(body, fields.each).filter((one) => textsOf(one).length === 0)
    const receipts = others.map((one) => receiptOf(fields, one))
    return written.length === 0 ? receipts : [...written, ...receipts.filter(({ _tag }) => _tag === "Receipt")]
  }
})

const itemsOf = (body: unknown, each: string | undefined): ReadonlyArray<unknown> =>
  each === undefined ? [body] : valuesAt(body, each)

/** Receipts often repeat the text: an item with a status is a receipt. */
const textOf = (texts: NonNullable<TextFields>, { status }: Fields, body: unknown): ReadonlyArray<Texted> => {
  const text = first(body, texts.text)
  const to = numberOf(first(body, texts.to))
  if (typeof text !== "string" || to === null || codeOf(first(body, status)) !== null) return []
  return [{ _tag: "Texted", from: numberOf(first(body, texts.from)) ?? "", to, text, word: "" }]
}

const formOf = (rawBody: Uint8Array): unknown =>
  Object.fromEntries(new URLSearchParams(new TextDecoder().decode(rawBody)))

const receiptOf = (fields: Fields, body: unknown): Receipt | Other => {
  const id = idOf(first(body, fields.id))
  const word = codeOf(first(body, fields.status))
  if (id === null || word === null) return other("receipt", id === null ? "no id" : "no status")
  return {
    _tag: "Receipt",
    refs: [id],
    isOfAllParts: fields.of !== "part",
    to: numberOf(first(body, fields.to)),
    reference: referenceOf(first(body, fields.reference)),
    of: deliveryOf(first(body, fields.delivery)),
    status: (Object.hasOwn(fields.statuses, word) ? fields.statuses[word] : undefined) ?? null,
    carrierStatus: word,
    carrierError: codeOf(first(body, fields.error)),
    details: detailsOf({
      parts: first(body, fields.parts),
      price: first(body, fields.price),
      currency: first(body, fields.currency),
      time: first(body, fields.time)
    })
  }
}

const signatureOf = (
  signature: Fields["signature"],
  secret: () => Redacted.Redacted
): Pick<Receipts, "signatureHeaders" | "isGenuine"> =>
  signature.scheme === "standard-webhooks" ? standardWebhooks(secret) : bodyHmac(signature, secret)

const bodyHmac = (
  { encoding, header, prefix = "" }: Extract<Fields["signature"], { readonly scheme: "hmac-sha256" }>,
  secret: () => Redacted.Redacted
) => {
  const name = header.toLowerCase()
  const decode = encoding === "hex" ? Hex.decode : Base64.decode
  return {
    signatureHeaders: [name],
    isGenuine: ({ headers, rawBody }: WebhookRequest) => {
      const given = headers[name] ?? ""
      const signature = given.startsWith(prefix) ? Result.getOrNull(decode(given.slice(prefix.length))) : null
      return isHmac("SHA-256", secret(), signature, rawBody)
    }
  }
}

/** Seconds that the time of a signature may be away from now. */
const TOLERANCE = 300

/** Signatures of one request: two while a secret is replaced. */
const MOST_SIGNATURES = 4

const standardWebhooks = (secret: () => Redacted.Redacted) => {
  const isGenuine = Effect.fnUntraced(function* ({ headers, rawBody }: WebhookRequest) {
    const { "webhook-id": id = "", "webhook-signature": signatures = "", "webhook-timestamp": timestamp = "" } = headers
    const seconds = (yield* Clock.currentTimeMillis) / 1000
    if (!/^\d{1,12}$/.test(timestamp) || Math.abs(seconds - Number(timestamp)) > TOLERANCE) return false
    const key = keyOf(secret())
    const line = new TextEncoder().encode(`${id}.${timestamp}.`)
    const signed = new Uint8Array(line.length + rawBody.length)
    signed.set(line)
    signed.set(rawBody, line.length)
    for (const entry of signatures.split(" ", MOST_SIGNATURES)) {
      const signature = entry.startsWith("v1,") ? Result.getOrNull(Base64.decode(entry.slice("v1,".length))) : null
      if (yield* isHmac("SHA-256", key, signature, signed)) return true
    }
    return false
  })
  return { signatureHeaders: ["webhook-id", "webhook-timestamp", "webhook-signature"], isGenuine }
}

const keyOf = (secret: Redacted.Redacted): Redacted.Redacted<Uint8Array> =>
  Redacted.make(Result.getOrElse(Base64.decode(Redacted.value(secret).replace(/^whsec_/, "")), () => new Uint8Array()))
