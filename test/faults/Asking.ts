/**
 * Requests of the account, each with its answer in a log. A request with a key is repeated until it is answered.
 */
import { setTimeout as delay } from "node:timers/promises"
import type { Site } from "./Site.ts"

export interface Asked {
  /** The number that it is about. */
  readonly number: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>> | null
  /** The idempotency key. */
  readonly key: string | null
  /** Null if no answer came. */
  readonly status: number | null
  readonly answer: Readonly<Record<string, unknown>>
  /** The answer as it came, where it is no JSON object. */
  readonly odd: string | null
  readonly at: number
}

export interface Asking {
  readonly log: ReadonlyArray<Asked>
  /** Asks once, or with a key until there is an answer or the round is over. GET without a body, else POST. */
  readonly ask: (
    number: string,
    path: string,
    body: Readonly<Record<string, unknown>> | null,
    keyed?: boolean
  ) => Promise<Asked>
  /** Repeats a request with its key. */
  readonly again: (asked: Asked) => Promise<Asked>
  /** Has requests be repeated no longer than until then. */
  giveUpAt: number
}

/** How long an answer is waited for, in milliseconds. */
const PATIENCE = 6_000

export const asking = ({ account, key: apiKey, servers }: Pick<Site, "account" | "key" | "servers">): Asking => {
  const log: Array<Asked> = []
  let turn = 0

  const once = async (number: string, path: string, body: Asked["body"], key: string | null): Promise<Asked> => {
    const server = servers[turn++ % servers.length]
    const at = Date.now()
    const note = (status: number | null, answer: Asked["answer"], odd: string | null = null): Asked => {
      const asked = { number, path, body, key, status, answer, odd, at }
      log.push(asked)
      return asked
    }
    try {
      const response = await fetch(`${server?.origin}/v1${path}`, {
        method: body === null ? "GET" : "POST",
        headers: {
          "x-api-key": apiKey,
          "x-account-id": account,
          "content-type": "application/json",
          ...(key === null ? {} : { "idempotency-key": key })
        },
        ...(body === null ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE)
      })
      const text = await response.text()
      const answer = parsed(text)
      return note(response.status, answer ?? {}, answer === null ? text : null)
    } catch {
      return note(null, {})
    }
  }

  const repeated = async (number: string, path: string, body: Asked["body"], key: string): Promise<Asked> => {
    for (;;) {
      const asked = await once(number, path, body, key)
      const isOpen = asked.status === null || (asked.status === 409 && asked.answer["reason"] === "in_flight")
      if (!isOpen || Date.now() > self.giveUpAt) return asked
      await delay(100)
    }
  }

  const self: Asking = {
    log,
    giveUpAt: Infinity,
    ask: (number, path, body, keyed = false) =>
      keyed ? repeated(number, path, body, crypto.randomUUID()) : once(number, path, body, null),
    again: ({ body, key, number, path }) => once(number, path, body, key)
  }
  return self
}

const parsed = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
