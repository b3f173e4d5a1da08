/**
 * The dialect of Vonage's Messages API.
 *
 * Source: Vonage's documentation, "Messages API reference", "Message status" and "Signed webhooks".
 */
import { createHash, createHmac, randomUUID } from "node:crypto"
import type { ApiReceipt, Dialect } from "./SmsApi.ts"
import type { Reply } from "./Script.ts"
import { basic, textOf } from "./Twilio.ts"

export interface VonageCredentials {
  readonly apiKey: string
  readonly apiSecret: string
  /** By which receipts are signed. */
  readonly signatureSecret: string
}

const ERRORS = "https://developer.vonage.com/api-errors/messages"

/** An error as Vonage answers it: `vonageError("1150", 422)`. */
export const vonageError = (code: string, status: number, more: Readonly<Record<string, unknown>> = {}): Reply => ({
  status,
  body: { type: `${ERRORS}#${code}`, title: "…", detail: "…", ...more }
})

/** The token that signs a receipt, with claims in addition to or instead of its own. */
export const vonageToken = (
  body: string,
  { apiKey, signatureSecret }: Omit<VonageCredentials, "apiSecret">,
  claims: Readonly<Record<string, unknown>> = {}
): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const payload = {
    iss: "Vonage",
    iat: Math.floor(Date.now() / 1000),
    jti: randomUUID(),
    api_key: apiKey,
    payload_hash: createHash("sha256").update(body).digest("hex"),
    ...claims
  }
  const signed = `${part({ alg: "HS256", typ: "JWT" })}.${part(payload)}`
  return `${signed}.${createHmac("sha256", signatureSecret).update(signed).digest("base64url")}`
}

const STATUSES: Readonly<Record<ApiReceipt["outcome"], string>> = {
  sent: "submitted",
  delivered: "delivered",
  undelivered: "undeliverable"
}

export const vonageDialect = (credentials: VonageCredentials): Dialect => ({
  read: ({ body }) => ({
    to: `+${textOf(body["to"]) ?? ""}`,
    from: textOf(body["from"]) ?? "",
    text: textOf(body["text"]) ?? "",
    reference: textOf(body["client_ref"]) ?? "",
    callbackUrl: textOf(body["webhook_url"]) ?? null
  }),
  unauthorized: ({ headers, path }) =>
    headers["authorization"] === basic(credentials.apiKey, credentials.apiSecret) && path === "/v1/messages"
      ? null
      : vonageError("unauthorized", 401),
  id: () => randomUUID(),
  accepted: ({ id }) => ({ status: 202, body: { message_uuid: id } }),
  receipt: ({ callbackUrl, from, id, reference, to }, outcome) => {
    const body = JSON.stringify({
      message_uuid: id,
      to: to.slice(1),
      from,
      timestamp: new Date().toISOString(),
      status: STATUSES[outcome],
      ...(outcome === "undelivered"
        ? { error: { type: `${ERRORS}#1260`, title: 1260 } }
        : { usage: { currency: "EUR", price: "0.0333" } }),
      client_ref: reference,
      channel: "sms",
      sms: { count_total: "2" }
    })
    const headers = { "content-type": "application/json", authorization: `Bearer ${vonageToken(body, credentials)}` }
    return { url: callbackUrl ?? "", headers, body }
  }
})
