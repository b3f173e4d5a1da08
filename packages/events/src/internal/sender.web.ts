/**
 * Webhooks by `fetch`, on runtimes that resolve names by themselves: nothing is known of a name here, and only
 * addresses in URLs are checked.
 */
import * as Effect from "effect/Effect"
import {
  type Limits,
  type Service,
  type WebhookAnswer,
  type WebhookRequest,
  refused,
  refusing,
  unanswered
} from "./sending.ts"

export const make = ({ allowPrivate, timeout }: Limits): Service => {
  const refuses = refusing(allowPrivate)

  const send = async ({ body, headers, url }: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer> => {
    if (refuses(url)) return refused
    const response = await fetch(url, { method: "POST", headers: { ...headers }, body, redirect: "manual", signal })
    // An answer that is not read keeps a connection busy.
    await response.body?.cancel().catch(() => {})
    return { _tag: "Answered", status: response.status }
  }

  return {
    refuses,
    send: (webhook) =>
      Effect.promise((interrupted) => {
        const signal = AbortSignal.any([interrupted, AbortSignal.timeout(timeout)])
        return send(webhook, signal).catch((error: unknown) => unanswered(error, signal.aborted))
      })
  }
}
