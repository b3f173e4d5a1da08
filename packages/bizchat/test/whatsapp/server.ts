/**
 * A WhatsApp Cloud API on a port of its own, as its documentation has it, which can be told to misbehave.
 */
import { createHmac } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import type { Service } from "@watchword/bizchat/BusinessChatGateway"
import type { WebhookResponse } from "@watchword/send/gateway"
import * as Effect from "effect/Effect"
import { type Fault, answer, listen } from "../../../../test/provider.ts"

export interface Call {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

/** A message that was taken. */
export interface Message {
  readonly id: string
  readonly to: string
  readonly body: Call["body"]
}

/** An error as the Graph API writes it. */
export const error = (code: number, status = 400): Fault =>
  answer(
    status,
    JSON.stringify({
      error: { message: `(#${code}) …`, type: "OAuthException", code, error_data: { details: "…" }, fbtrace_id: "A1" }
    })
  )

/** The answer to a message that the platform takes under an id. */
export const taken = (id: string): Fault =>
  answer(200, JSON.stringify({ messaging_product: "whatsapp", messages: [{ id, message_status: "accepted" }] }))

/** @param token what it has to be asked with */
export const startWhatsApp = async (token = "token") => {
  const calls: Array<Call> = []
  const faults: Array<Fault> = []
  const messages: Array<Message> = []
  let languages: ReadonlyArray<string> | null = null

  const answerTo = async (request: IncomingMessage, response: ServerResponse) => {
    const body: Call["body"] = JSON.parse(await text(request))
    calls.push({ path: request.url ?? "", authorization: request.headers.authorization, body })
    const fault = faults.shift()
    if (fault !== undefined) return fault(response, request)
    if (request.headers.authorization !== `Bearer ${token}`) return error(190, 401)(response, request)
    if (String(body["to"]).endsWith("0003")) return error(131026)(response, request)
    const language = JSON.stringify(body).match(/"language":\{"code":"(.*?)"\}/)?.[1]
    if (languages !== null && language !== undefined && !languages.includes(language)) {
      return error(132001, 404)(response, request)
    }
    const id = `wamid.${messages.length + 1}`
    messages.push({ id, to: String(body["to"]), body })
    taken(id)(response, request)
  }

  const { url, close } = await listen(answerTo)

  return {
    url,
    calls,
    /** Those that were taken, in order. */
    messages,
    /** Misbehaves once, at the next call. */
    fail: (fault: Fault) => void faults.push(fault),
    /** Has templates in some languages only. */
    translate: (some: ReadonlyArray<string>) => void (languages = some),
    close
  }
}

/** A notification of statuses, and its signature. */
export const notification = (statuses: ReadonlyArray<unknown>, secret = "secret") => {
  const value = {
    messaging_product: "whatsapp",
    metadata: { display_phone_number: "1", phone_number_id: "2" },
    statuses
  }
  const body = JSON.stringify({
    object: "whatsapp_business_account",
    entry: [{ id: "3", changes: [{ value, field: "messages" }] }]
  })
  return signed(body, secret)
}

export interface Notification {
  readonly body: Uint8Array
  readonly signature: string | undefined
}

export const signed = (body: string | Uint8Array, secret = "secret") => ({
  body: Buffer.from(body),
  signature: `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`
})

/** Gives a notification to a gateway's webhook. */
export const receive = ({ webhook }: Service, { body, signature }: Notification): Effect.Effect<WebhookResponse> => {
  if (webhook === null) return Effect.die(new Error("the gateway has no webhook"))
  const headers = { "content-type": "application/json", "x-hub-signature-256": signature }
  return webhook.handle({ method: "POST", query: {}, headers, rawBody: body })
}

/** Asks a gateway's webhook to let the platform subscribe. */
export const subscribe = (
  { webhook }: Service,
  query: Readonly<Record<string, string>>
): Effect.Effect<WebhookResponse> => {
  if (webhook === null) return Effect.die(new Error("the gateway has no webhook"))
  return webhook.handle({ method: "GET", query, headers: {}, rawBody: new Uint8Array() })
}
