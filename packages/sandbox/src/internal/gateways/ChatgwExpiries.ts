/**
 * Expiry of the sandbox's codes: one timer for all of them, and a bound on how many it knows.
 *
 * A code beyond the bound, and one of a process that has died, is found expired by the next look at its record.
 */
import { BackgroundAllowed } from "@watchword/send/pipeline"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type { Scope } from "effect/Scope"

export interface ChatgwExpiries {
  /** Has a request announced once its time is over, in milliseconds since the epoch. */
  readonly add: (requestId: string, expiresAt: number) => void
}

/** How many codes are known at a time. */
const CAPACITY = 10_000

export const make = Effect.fnUntraced(function* (
  announce: (requestId: string) => Effect.Effect<void, unknown>
): Effect.fn.Return<ChatgwExpiries, never, Scope> {
  /** Requests by the second in which they expire. */
  const due = new Map<number, Array<string>>()
  let size = 0

  const takeDue = (now: number): ReadonlyArray<string> => {
    const taken: Array<string> = []
    for (const [second, requests] of due) {
      if (second * 1000 > now) continue
      taken.push(...requests)
      due.delete(second)
    }
    size -= taken.length
    return taken
  }

  const announceDue = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.forEach(takeDue(now), (requestId) => Effect.ignore(announce(requestId)), { concurrency: 16, discard: true })
  )
  const untilNoneIsDue = Effect.repeat(Effect.delay(announceDue, "1 second"), { until: () => due.size === 0 })
  const isAllowed = yield* BackgroundAllowed
  const fork = yield* FiberSet.makeRuntime<never>()

  const add = (requestId: string, expiresAt: number): void => {
    if (!isAllowed || size >= CAPACITY) return
    size++
    const second = Math.ceil(expiresAt / 1000)
    const known = due.get(second)
    if (known === undefined) due.set(second, [requestId])
    else known.push(requestId)
    if (size === 1) fork(untilNoneIsDue)
  }

  return { add }
})
