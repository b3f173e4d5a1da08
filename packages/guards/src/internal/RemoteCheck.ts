/**
 * A check before a send that is asked over HTTP: one POST of the question as JSON, in the form of a webhook and signed
 * like one (Standard Webhooks),
 * without redirects and without a second try.
 */
import { signWebhook } from "@watchword/callback-signature/webhook"
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
    const headers = { ...signed, "content-type": "application/json", accept: "application/json" }
    const answer = await fetch(url, { method: "POST", headers, body, redirect: "error", signal })
    if (answer.status !== 200) {
      await answer.body?.cancel()
      throw new Error(`status ${answer.status}`)
    }
    return answer.json()
  }
