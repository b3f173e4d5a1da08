/**
 * Twilio's dialect.
 *
 * Source: Twilio's documentation, "Messages resource", "Track outbound message status" and "Webhooks security".
 */
import { createHmac } from "node:crypto"
import type { ApiReceipt, ApiText, Dialect } from "./SmsApi.ts"
import type { Reply } from "./Script.ts"

export interface TwilioCredentials {
  readonly accountSid: string
  readonly authToken: string
}

/** An error as Twilio answers it: `twilioError(21211)`. */
export const twilioError = (code: number, status = 400, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers,
  body: { code, message: "…", more_info: `https://www.twilio.com/docs/errors/${code}`, status }
})

/** The signature of a callback with a form. */
export const twilioSignature = (url: string, form: URLSearchParams, authToken: string): string => {
  const fields = [...new Set(form.keys())].sort().map((name) => name + form.get(name))
  return createHmac("sha1", authToken)
    .update(url + fields.join(""))
    .digest("base64")
}

export const twilioDialect = ({ accountSid, authToken }: TwilioCredentials): Dialect => ({
  read: ({ body }) => {
    const callbackUrl = textOf(body["StatusCallback"])?.replace(/#.*$/, "") ?? null
    const reference = callbackUrl === null ? null : new URL(callbackUrl).searchParams.get("reference")
    return {
      to: textOf(body["To"]) ?? "",
      from: textOf(body["From"]) ?? "",
      text: textOf(body["Body"]) ?? "",
      reference: reference ?? "",
      callbackUrl
    }
  },
  unauthorized: ({ headers, path }) =>
    headers["authorization"] === basic(accountSid, authToken) &&
    path === `/2010-04-01/Accounts/${accountSid}/Messages.json`
      ? null
      : twilioError(20003, 401),
  id: (nth) => `SM${nth.toString(16).padStart(32, "0")}`,
  accepted: ({ id }) => ({
    status: 201,
    body: {
      sid: id,
      account_sid: accountSid,
      status: "queued",
      num_segments: "1",
      price: null,
      price_unit: "USD",
      error_code: null,
      error_message: null
    }
  }),
  receipt: (text, outcome) => {
    const form = formOf(accountSid, text, outcome)
    const url = text.callbackUrl ?? ""
    const headers = {
      "content-type": "application/x-www-form-urlencoded; charset=utf-8",
      "x-twilio-signature": twilioSignature(url, form, authToken)
    }
    return { url, headers, body: form.toString() }
  }
})

const formOf = (accountSid: string, { from, id, to }: ApiText, outcome: ApiReceipt["outcome"]): URLSearchParams =>
  new URLSearchParams({
    AccountSid: accountSid,
    ApiVersion: "2010-04-01",
    From: from,
    MessageSid: id,
    MessageStatus: outcome,
    SmsSid: id,
    SmsStatus: outcome,
    To: to,
    ...(outcome === "undelivered" ? { ErrorCode: "30003" } : {})
  })

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`

export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)
