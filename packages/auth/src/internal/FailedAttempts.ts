/**
 * Counts failed authentication by client address: one metric for all, and at most once a minute a log line that names
 * the addresses with the most failures. A few mistakes produce no line.
 */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Result from "effect/Result"
import * as Networks from "../Networks.ts"

const failures = Metric.counter("watchword_authentication_failures_total", {
  description:
    "Requests that were refused for their API key, account id or address, or an operator's token or link, by the reason.",
  incremental: true
})

/** The minimum time between log lines, in milliseconds. */
const LOG_EVERY = 60_000

/** The fewest failures that a line is written for. */
const LEAST = 10

/** How many addresses are distinguished between two lines, and how many a line names. */
const ADDRESSES = 1_000
const NAMED = 5

const OTHERS = "others"

export interface FailedAttempts {
  /** Counts a failure. Logs the counts once there are enough failures and the last line is at least a minute old. */
  readonly note: (remoteAddress: string | null, now: number, reason?: string) => Effect.Effect<void>
}

/** @param line the message of the log lines */
export const failedAttempts = (line = "requests failed to authenticate"): FailedAttempts => {
  let byClient = new Map<string, number>()
  let total = 0
  let loggedAt = Number.NEGATIVE_INFINITY

  const count = (client: string): void => {
    total++
    const name = byClient.size < ADDRESSES || byClient.has(client) ? client : OTHERS
    byClient.set(name, (byClient.get(name) ?? 0) + 1)
  }

  const summary = (now: number) => {
    const worst = [...byClient].sort(([, a], [, b]) => b - a).slice(0, NAMED)
    const counted = { failures: total, clients: Object.fromEntries(worst) }
    byClient = new Map()
    total = 0
    loggedAt = now
    return counted
  }

  const note = (remoteAddress: string | null, now: number, reason = "other") =>
    Effect.suspend(() => {
      count(clientOf(remoteAddress))
      const counted = Metric.update(Metric.withAttributes(failures, { reason }), 1)
      // A clock that was set back must not silence the log until it has caught up.
      return total < LEAST || (now - loggedAt < LOG_EVERY && now >= loggedAt)
        ? counted
        : Effect.andThen(counted, Effect.logWarning(line, summary(now)))
    })

  return { note }
}

/** An IPv6 client has at least a /64, and can change its address within it at will. */
const clientOf = (remoteAddress: string | null): string => {
  if (remoteAddress === null) return "unknown"
  if (!remoteAddress.includes(":")) return remoteAddress.slice(0, 64)
  return Result.match(Networks.parse([`${remoteAddress}/64`]), {
    onFailure: () => remoteAddress.slice(0, 64),
    onSuccess: (network) => Networks.format(network).join()
  })
}
