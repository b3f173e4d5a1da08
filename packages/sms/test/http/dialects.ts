/**
 * How the simulated providers speak: Twilio, Vonage's Messages API, and one that the tests describe.
 */
import { createHash, createHmac, randomUUID } from "node:crypto"
import { answer } from "../../../../test/provider.ts"
import type { Dialect, Outcome } from "./simulator.ts"

export const ACCOUNT = "AC0123456789abcdef0123456789abcdef"
export const AUTH_TOKEN = "twilio-auth-token"

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`

const json = (status: number, body: object, headers: Record<string, string> = {}) =>
  answer(status, JSON.stringify(body), { "content-type": "application/json", ...headers })

/** An error as Twilio writes it. */
export const twilioError = (code: number, status = 400, headers: Record<string, string> = {}) =>
  json(status, { code, message: "…", more_info: `https://www.twilio.com/docs/errors/${code}`, status }, headers)

/** Source: Twilio's documentation, "Webhooks security". */
export const twilioSignature = (url: string, form: URLSearchParams, token = AUTH_TOKEN): string => {
  const fields = [...new Set(form.keys())].sort().map((name) => name + form.get(name))
  return createHmac("sha1", token)
    .update(url + fields.join(""))
    .digest("base64")
}

const twilioMessage = (sid: string) => ({
  sid,
  account_sid: ACCOUNT,
  status: "queued",
  num_segments: "1",
  price: null,
  price_unit: "USD",
  error_code: null,
  error_message: null
})

export const twilio: Dialect = {
  read: (path, headers, body) => {
    const fields = Object.fromEntries(new URLSearchParams(body))
    const callbackUrl = fields["StatusCallback"]?.replace(/#.*$/, "") ?? null
    const reference = callbackUrl === null ? null : new URL(callbackUrl).searchParams.get("reference")
    return { path, headers, fields, to: fields["To"] ?? "", reference: reference ?? "", callbackUrl }
  },
  unauthorised: ({ headers, path }) =>
    headers.authorization === basic(ACCOUNT, AUTH_TOKEN) && path === `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`
      ? null
      : twilioError(20003, 401),
  accepted: (id) => json(201, twilioMessage(id)),
  refused: twilioError(21211),
  id: (count) => `SM${count.toString(16).padStart(32, "0")}`,
  receipt: ({ callbackUrl, fields, to }, id, outcome) => {
    const form = new URLSearchParams({
      AccountSid: ACCOUNT,
      ApiVersion: "2010-04-01",
      From: String(fields["From"] ?? ""),
      MessageSid: id,
      MessageStatus: outcome,
      SmsSid: id,
      SmsStatus: outcome,
      To: to,
      ...(outcome === "undelivered" ? { ErrorCode: "30003" } : {})
    })
    const url = callbackUrl ?? ""
    const headers = {
      "content-type": "application/x-www-form-urlencoded; charset=utf-8",
      "x-twilio-signature": twilioSignature(url, form)
    }
    return { url, headers, body: form.toString() }
  }
}

export const API_KEY = "abcd1234"
export const API_SECRET = "vonage-api-secret"
export const SIGNATURE_SECRET = "vonage-signature-secret-of-32-bytes"

export const vonageError = (code: string, status: number, more: object = {}) =>
  json(status, { type: `https://developer.vonage.com/api-errors/messages#${code}`, title: "…", detail: "…", ...more })

/** Source: Vonage's documentation, "Signed webhooks". */
export const vonageToken = (body: string, secret = SIGNATURE_SECRET, claims: object = {}): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const payload = {
    iss: "Vonage",
    iat: Math.floor(Date.now() / 1000),
    jti: randomUUID(),
    api_key: API_KEY,
    payload_hash: createHash("sha256").update(body).digest("hex"),
    ...claims
  }
  const signed = `${part({ alg: "HS256", typ: "JWT" })}.${part(payload)}`
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`
}

const vonageStatuses: { readonly [O in Outcome]: string } = {
  sent: "submitted",
  delivered: "delivered",
  undelivered: "undeliverable"
}

export const vonage: Dialect = {
  read: (path, headers, body) => {
    const fields: Record<string, unknown> = JSON.parse(body)
    const callbackUrl = typeof fields["webhook_url"] === "string" ? fields["webhook_url"] : null
    return { path, headers, fields, to: `+${fields["to"]}`, reference: String(fields["client_ref"]), callbackUrl }
  },
  unauthorised: ({ headers, path }) =>
    headers.authorization === basic(API_KEY, API_SECRET) && path === "/v1/messages"
      ? null
      : vonageError("unauthorized", 401),
  accepted: (id) => json(202, { message_uuid: id }),
  refused: vonageError("1150", 422, { invalid_parameters: [{ name: "to", reason: "…" }] }),
  id: () => randomUUID(),
  receipt: ({ callbackUrl, fields, reference, to }, id, outcome) => {
    const body = JSON.stringify({
      message_uuid: id,
      to: to.slice(1),
      from: fields["from"],
      timestamp: "2027-01-31T12:00:00.000Z",
      status: vonageStatuses[outcome],
      ...(outcome === "undelivered"
        ? { error: { type: "https://developer.vonage.com/api-errors/messages#1260", title: 1260 } }
        : { usage: { currency: "EUR", price: "0.0333" } }),
      client_ref: reference,
      channel: "sms",
      sms: { count_total: "2" }
    })
    const headers = { "content-type": "application/json", authorization: `Bearer ${vonageToken(body)}` }
    return { url: callbackUrl ?? "", headers, body }
  }
}

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
  }
} as const

const acmeStates: { readonly [O in Outcome]: string } = {
  sent: "ACCEPTD",
  delivered: "DELIVRD",
  undelivered: "UNDELIV"
}

export const acmeError = (code: string, status = 400) => json(status, { error: { code } })

export const acme: Dialect = {
  read: (path, headers, body) => {
    const fields: Record<string, unknown> = JSON.parse(body)
    const callbackUrl = typeof fields["callback"] === "string" ? fields["callback"] : null
    return { path, headers, fields, to: String(fields["recipient"]), reference: String(fields["ref"]), callbackUrl }
  },
  unauthorised: ({ headers }) =>
    headers.authorization === `Bearer ${ACME_TOKEN}` ? null : acmeError("unauthorised", 401),
  accepted: (id) => json(200, { messages: [{ id }], segments: 1 }),
  refused: acmeError("bad-number"),
  id: (count) => `acme-${count}`,
  receipt: ({ callbackUrl, reference, to }, id, outcome) => {
    const result = { id, state: acmeStates[outcome], recipient: to, ref: Number(reference), error: 0 }
    const body = JSON.stringify({ results: [result] })
    return {
      url: callbackUrl ?? "",
      headers: { "content-type": "application/json", ...standardHeaders(body) },
      body
    }
  }
}
