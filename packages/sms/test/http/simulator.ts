/**
 * Providers of SMS on ports of their own: they take texts as their documentation has it, post receipts to the address
 * that a text names, again where these are not answered 200, and can be told to misbehave.
 */
import type { IncomingHttpHeaders } from "node:http"
import { setTimeout as delay } from "node:timers/promises"
import { buffer } from "node:stream/consumers"
import type { Webhook } from "@watchword/send/gateway"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { type Fault, drop, listen } from "../../../../test/provider.ts"

/** A text that a provider was asked to send. */
export interface Call {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly fields: Readonly<Record<string, unknown>>
  /** With the plus sign. */
  readonly to: string
  readonly reference: string
  readonly callbackUrl: string | null
}

export interface SignedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Outcome = "sent" | "delivered" | "undelivered"

/** How a provider speaks. */
export interface Dialect {
  readonly read: (path: string, headers: IncomingHttpHeaders, body: string) => Call
  /** Null where the credentials are right. */
  readonly unauthorised: (call: Call) => Fault | null
  readonly accepted: (id: string) => Fault
  readonly refused: Fault
  readonly id: (count: number) => string
  readonly receipt: (call: Call, id: string, outcome: Outcome) => SignedRequest
}

/** What becomes of a text, by the last four digits of its number. */
export const numbers = { delivered: "0000", undelivered: "0001", refused: "0002", silent: "0003" } as const

const REPEATS = 5

export const startProvider = async (dialect: Dialect) => {
  const calls: Array<Call & { readonly id: string }> = []
  const faults: Array<Fault> = []
  const acknowledgements: Array<number> = []
  const posting = new Set<Promise<void>>()
  const ending = new AbortController()
  let hasReceipts = true
  let count = 0

  const post = async ({ body, headers, url }: SignedRequest): Promise<number> => {
    const response = await fetch(url, { method: "POST", headers, body, signal: ending.signal })
    await response.text()
    acknowledgements.push(response.status)
    return response.status
  }

  /** Posts a receipt until it is acknowledged. */
  const deliver = async (call: Call, id: string, outcome: Outcome): Promise<void> => {
    for (let attempt = 0; attempt <= REPEATS; attempt++) {
      if ((await post(dialect.receipt(call, id, outcome)).catch(() => 0)) === 200 || ending.signal.aborted) return
      await delay(20)
    }
  }

  const background = (work: Promise<void>): void => {
    posting.add(work)
    work.finally(() => posting.delete(work)).catch(() => undefined)
  }

  const receipts = async (call: Call, id: string): Promise<void> => {
    await delay(10)
    await deliver(call, id, call.to.endsWith(numbers.undelivered) ? "undelivered" : "delivered")
  }

  const { close, url } = await listen(async (request, response) => {
    const body = (await buffer(request)).toString()
    const id = dialect.id(++count)
    const call = { ...dialect.read(request.url ?? "", request.headers, body), id }
    calls.push(call)
    const fault = faults.shift() ?? dialect.unauthorised(call)
    if (fault !== null) return fault(response, request)
    if (call.to.endsWith(numbers.refused)) return dialect.refused(response, request)
    if (call.to.endsWith(numbers.silent)) return drop(response, request)
    dialect.accepted(id)(response, request)
    if (hasReceipts && call.callbackUrl !== null) background(receipts(call, id))
  })

  return {
    url,
    calls,
    acknowledgements,
    dialect,
    deliver,
    post,
    /** Misbehaves at the next call. */
    fail: (...next: ReadonlyArray<Fault>) => void faults.push(...next),
    /** Posts no receipts but those that a test asks for. */
    holdReceipts: () => void (hasReceipts = false),
    close: async () => {
      ending.abort()
      await close()
      await Promise.all(posting)
    }
  }
}

export type ProviderServer = Awaited<ReturnType<typeof startProvider>>

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
    close
  }
}

export const acquire = <A extends { readonly close: () => Promise<void> }>(start: () => Promise<A>) =>
  Effect.acquireRelease(Effect.promise(start), ({ close }) => Effect.promise(close))
