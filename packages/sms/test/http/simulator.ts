/**
 * Providers of SMS by HTTP whose texts end by the last digits of their numbers, and the host of a gateway's webhook.
 */
import { type Answer, type Dialect, type SmsApi, smsApi } from "@watchword/sandbox/http"
import { buffer } from "node:stream/consumers"
import type { Webhook } from "@watchword/send/gateway"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { listen } from "../../../../test/provider.ts"

/** What becomes of a text, by the last four digits of its number. */
export const numbers = { delivered: "0000", undelivered: "0001", refused: "0002", silent: "0003" } as const

/** @param refused the answer to texts for the number that is refused */
export const startProvider = (dialect: Dialect, refused: Answer = {}): Promise<SmsApi> =>
  smsApi({
    dialect,
    retry: 20,
    script: {
      answer: (call, take) => {
        const { to } = dialect.read(call)
        if (to.endsWith(numbers.refused)) return refused
        if (!to.endsWith(numbers.silent)) return {}
        take()
        return "drop"
      },
      reports: ({ to }) =>
        to.endsWith(numbers.silent)
          ? []
          : [{ after: 10, outcome: to.endsWith(numbers.undelivered) ? "undelivered" : "delivered" }]
    }
  })

/** Makes a provider post only the receipts that a test asks for. */
export const holdReceipts = ({ script }: SmsApi): void => {
  script.reports = () => []
}

/** The host of a gateway's webhook, and its address. */
export const startReceiver = async () => {
  let webhook: Webhook | null = null
  const { close, url } = await listen(async (request, response) => {
    if (webhook === null) return response.writeHead(404).end()
    const { searchParams } = new URL(request.url ?? "", "http://localhost")
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const rawBody = new Uint8Array(await buffer(request))
    const method = request.method === "GET" ? ("GET" as const) : ("POST" as const)
    const query = Object.fromEntries(searchParams)
    const handled = webhook.handle({ method, query, headers, rawBody })
    const answer = await Effect.runPromise(Effect.provide(handled, Logger.layer([])))
    return response.writeHead(answer.status).end(answer.body)
  })
  return {
    url: `${url}/v1/sms/events`,
    serve: (next: Webhook | null | undefined) => void (webhook = next ?? null),
    stop: close
  }
}

export const acquire = <A extends { readonly stop: () => Promise<void> }>(start: () => Promise<A>) =>
  Effect.acquireRelease(Effect.promise(start), (server) => Effect.promise(() => server.stop()))
