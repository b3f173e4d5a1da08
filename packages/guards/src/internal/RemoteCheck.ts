/**
 * A check before a send that is asked over HTTP: one POST of the question as JSON, in the form of a webhook and signed
 * like one (Standard Webhooks),
 * without redirects and without a second try.
 */
import { signWebhook } from "@watchword/callback-signature/webhook"
import { USER_AGENT } from "@watchword/send/gateway"
import * as Redacted from "effect/Redacted"
import type { Settings } from "./BeforeSend.ts"

export interface Remote {
  readonly url: string
  /** The secret that questions are signed with, `whsec_` and base 64. */
  readonly secret: Redacted.Redacted
}

const TYPE = "send.check"

export const remote =
  ({ secret, url }: Remote): Settings["check"] =>
  async (question, signal) => {
    const body = JSON.stringify({ type: TYPE, timestamp: new Date().toISOString(), data: question })
    const signed = await signWebhook(body, { secrets: [Redacted.value(secret)], id: `chk_${crypto.randomUUID()}` })
    const headers = {
      ...signed,
      "content-type": "application/json",
      accept: "application/json",
      "user-agent": USER_AGENT
    }
    const answer = await fetch(url, { method: "POST", headers, body, redirect: "error", signal })
    if (answer.status !== 200) {
      await answer.body?.cancel()
      throw new Error(`status ${answer.status}`)
    }
    return JSON.parse(await textOf(answer))
  }

/** More than an answer has: a reason, and channels. */
const MOST_BYTES = 16_384

const textOf = async ({ body }: Response): Promise<string> => {
  if (body === null) return ""
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.length
    if (bytes > MOST_BYTES) {
      await reader.cancel()
      throw new Error(`an answer of more than ${MOST_BYTES} bytes`)
    }
    text += decoder.decode(value, { stream: true })
  }
}
