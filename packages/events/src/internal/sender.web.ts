/**
 * Webhooks by `fetch`, on runtimes that resolve names by themselves: of a name nothing is known here, and addresses in
 * URLs alone are checked.
 */
import * as Effect from "effect/Effect"
import { isAddress, isPublic, unbracketed } from "../Addresses.ts"
import { type Limits, type Service, type WebhookAnswer, type WebhookRequest, refused, unanswered } from "./sending.ts"

export const make = ({ allowPrivate, timeout }: Limits): Service => {
  const send = async ({ body, headers, url }: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer> => {
    const { hostname } = new URL(url)
    const isPrivate = isAddress(hostname) ? !isPublic(unbracketed(hostname)) : isLocal(hostname)
    if (!allowPrivate && isPrivate) return refused
    const response = await fetch(url, { method: "POST", headers: { ...headers }, body, redirect: "manual", signal })
    // An answer that is not read keeps a connection busy.
    await response.body?.cancel().catch(() => {})
    return { _tag: "Answered", status: response.status }
  }

  return {
    send: (webhook) =>
      Effect.promise((interrupted) => {
        const signal = AbortSignal.any([interrupted, AbortSignal.timeout(timeout)])
        return send(webhook, signal).catch((error: unknown) => unanswered(error, signal))
      })
  }
}

const isLocal = (host: string): boolean => host === "localhost" || host.endsWith(".localhost")
