/**
 * How the providers of tests speak: Twilio, Vonage's Messages API, and a provider that the tests describe.
 */
import { createHmac, randomUUID } from "node:crypto"
import {
  type ApiReceipt,
  type Dialect,
  type Reply,
  twilioDialect,
  twilioError,
  twilioSignature as signatureOf,
  vonageDialect,
  vonageError,
  vonageToken as tokenOf
} from "@watchword/sandbox/http"

export const ACCOUNT = "AC0123456789abcdef0123456789abcdef"
export const AUTH_TOKEN = "twilio-auth-token"

export const twilio = twilioDialect({ accountSid: ACCOUNT, authToken: AUTH_TOKEN })

export const twilioSignature = (url: string, form: URLSearchParams, token = AUTH_TOKEN): string =>
  signatureOf(url, form, token)

export const API_KEY = "abcd1234"
export const API_SECRET = "vonage-api-secret"
export const SIGNATURE_SECRET = "vonage-signature-secret-of-32-bytes"

export const vonage = vonageDialect({ apiKey: API_KEY, apiSecret: API_SECRET, signatureSecret: SIGNATURE_SECRET })

export const vonageToken = (body: string, signatureSecret = SIGNATURE_SECRET, claims = {}): string =>
  tokenOf(body, { apiKey: API_KEY, signatureSecret }, claims)

export const ACME_TOKEN = "acme-token"
export const ACME_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"

/** Source: the specification of Standard Webhooks. */
export const standardHeaders = (body: string, secret = ACME_SECRET, seconds = Math.floor(Date.now() / 1000)) => {
  const id = `msg_${randomUUID()}`
  const key = Buffer.from(secret.replace("whsec_", ""), "base64")
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": `v1,${signature}` }
}

/** The description that `generic` is given for the provider below. */
export const acmeDescription = {
  name: "acme",
  authentication: { scheme: "bearer" },
  headers: { "idempotency-key": "{{delivery}}" },
  body: {
    recipient: "{{to}}",
    sender: "{{from}}",
    message: { text: "{{text}}", ttl: "{{validity}}" },
    ref: "{{reference}}",
    callback: "{{callback_url}}"
  },
  answer: {
    id: "messages.*.id",
    error: "error.code",
    refused: { "bad-number": "recipient", "no-credit": "account", busy: "temporary" },
    throttled: ["slow-down"],
    throttledIsNotTaken: true,
    parts: "segments"
  },
  receipts: {
    signature: { scheme: "standard-webhooks" },
    each: "results.*",
    id: "id",
    status: "state",
    statuses: { ACCEPTD: "sent", DELIVRD: "delivered", UNDELIV: "undelivered" },
    error: "error",
    to: "recipient",
    reference: "ref"
  },
  texts: { each: "messages.*", from: "sender", to: "recipient", text: "content" }
} as const

const acmeStates: { readonly [O in ApiReceipt["outcome"]]: string } = {
  sent: "ACCEPTD",
  delivered: "DELIVRD",
  undelivered: "UNDELIV"
}

export const acmeError = (code: string, status = 400): Reply => ({ status, body: { error: { code } } })

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

export const acme: Dialect = {
  read: ({ body }) => {
    const message: unknown = body["message"]
    const text = typeof message === "object" && message !== null && "text" in message ? textOf(message.text) : ""
    return {
      to: textOf(body["recipient"]),
      from: textOf(body["sender"]),
      text,
      reference: String(body["ref"]),
      callbackUrl: textOf(body["callback"]) || null
    }
  },
  unauthorized: ({ headers }) =>
    headers["authorization"] === `Bearer ${ACME_TOKEN}` ? null : acmeError("unauthorised", 401),
  id: (nth) => `acme-${nth}`,
  accepted: ({ id }) => ({ status: 200, body: { messages: [{ id }], segments: 1 } }),
  receipt: ({ callbackUrl, id, reference, to }, outcome) => {
    const result = { id, state: acmeStates[outcome], recipient: to, ref: Number(reference), error: 0 }
    const body = JSON.stringify({ results: [result] })
    const headers = { "content-type": "application/json", ...standardHeaders(body) }
    return { url: callbackUrl ?? "", headers, body }
  }
}

/** How each refuses a number. */
export const refusals: { readonly [Name in "twilio" | "vonage" | "generic"]: Reply } = {
  twilio: twilioError(21211),
  vonage: vonageError("1150", 422, { invalid_parameters: [{ name: "to", reason: "…" }] }),
  generic: acmeError("bad-number")
}
