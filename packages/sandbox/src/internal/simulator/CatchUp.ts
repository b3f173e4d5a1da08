/**
 * Sandbox events that were due when a process died, made again from the records.
 *
 * A pass looks for sandbox records in the statuses that an event moves on and whose owner has no lease. It runs when
 * the service starts and, in a cluster, as a periodic job after that. On a host without background work its `pass` is
 * run by maintenance.
 */
import type { Product } from "@watchword/schemas/Channel"
import { BackgroundAllowed, keepJob } from "@watchword/send/pipeline"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"

export interface Options {
  readonly product: Product
  /** The statuses that a later event moves on. */
  readonly statuses: ReadonlyArray<string>
  /** How long after a send its last event may be due. */
  readonly within: Duration.Input
  /** Handles the due events of a record; other records are not touched. */
  readonly resume: (delivery: Delivery) => Effect.Effect<void, unknown>
}

const PAGE = 500
/** How far back a pass looks in addition to `within`: the time until a dead process is noticed. */
const NOTICED_WITHIN = Duration.toMillis("10 minutes")
/** How far back the first pass of a process looks. */
const DOWN_FOR = Duration.toMillis("24 hours")
/** The age at which a record counts as left where processes have no leases: its request has ended by then. */
const LEFT_AFTER = Duration.toMillis("30 seconds")

/** Catches up from now on, and answers one pass. */
export const keep = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Effect.Effect<void, StoreError>, never, Store | Scope> {
  const store = yield* Store
  const hasLeases = yield* BackgroundAllowed
  const leftAfter = hasLeases ? 0 : LEFT_AFTER

  const catchUp = Effect.fnUntraced(function* (status: string, from: number, to: number) {
    for (let after = from; ;) {
      const page = yield* store.abandoned({
        channel: options.product,
        status,
        mode: "sandbox",
        createdFrom: after,
        createdBefore: to,
        limit: PAGE
      })
      // The next pass repeats a failed one.
      yield* Effect.forEach(page, (delivery) => Effect.ignore(options.resume(delivery)), { concurrency: 16 })
      const last = page.at(-1)?.createdAt ?? after
      if (page.length < PAGE || last === after) return
      after = last
    }
  })

  const since = Effect.fnUntraced(function* (age: number) {
    const now = yield* Clock.currentTimeMillis
    const from = now - age - Duration.toMillis(options.within)
    for (const status of options.statuses) yield* catchUp(status, from, now + 1 - leftAfter)
  })

  const pass = since(NOTICED_WITHIN)
  if (!hasLeases) return pass
  yield* Effect.forkScoped(Effect.andThen(logged(since(DOWN_FOR)), keepJob("sandbox events", pass)))
  return pass
})

const logged = (pass: Effect.Effect<void, StoreError>): Effect.Effect<void> =>
  Effect.catchCause(pass, (cause) => Effect.logError("catching up on sandbox events failed", cause))
