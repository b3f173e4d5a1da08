/**
 * Webhooks by `fetch`, on runtimes that resolve names by themselves: nothing is known of a name here, and only
 * addresses in URLs are checked.
 */
import * as Effect from "effect/Effect"
import {
  type Limits,
  MOST_SAID,
  type Service,
  type WebhookAnswer,
  type WebhookRequest,
  answeredWith,
  isTaking,
  refused,
  refusing,
  unanswered
} from "./sending.ts"

/** How long the body of an answer is waited for, in milliseconds. */
const READ_FOR = 1_000

/** The first bytes of an answer's body; null if they do not come in time. */
const beginningOf = async ({ body: stream }: Response): Promise<Uint8Array | null> => {
  if (stream === null) return null
  const reader = stream.getReader()
  const late = new Promise<null>((resolve) => setTimeout(resolve, READ_FOR, null))
  const first = await Promise.race([reader.read().catch(() => null), late])
  await reader.cancel().catch(() => {})
  reader.releaseLock()
  return first?.value?.subarray(0, MOST_SAID) ?? null
}

export const make = ({ allowPrivate, timeout }: Limits): Service => {
  const refuses = refusing(allowPrivate)

  const send = async ({ body, headers, url }: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer> => {
    if (refuses(url)) return refused
    const response = await fetch(url, { method: "POST", headers: { ...headers }, body, redirect: "manual", signal })
    const said = isTaking(response.status) ? null : await beginningOf(response)
    // An answer that is not read keeps a connection busy.
    await response.body?.cancel().catch(() => {})
    return answeredWith(response.status, said)
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
