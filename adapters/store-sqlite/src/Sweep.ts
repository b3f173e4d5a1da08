import type { Product } from "@watchword/schemas/Channel"
import type { Sweep, Swept } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Claims } from "./Claims.ts"
import type { Counters } from "./Counters.ts"
import type { Events } from "./Events.ts"
import type { Traffic } from "./Traffic.ts"
import type { Unmatched } from "./Unmatched.ts"

/** How many claims, and reports of a channel, one step deletes, and how many buckets of counters it looks at. */
const LIMIT = 1_000

export interface Tables {
  readonly claims: Claims
  readonly counters: Counters
  readonly traffic: Traffic
  readonly unmatched: Unmatched
  readonly channels: ReadonlyArray<Product>
}

/** The port's `sweep`, in steps between which others have their turn. */
export const make = (
  submit: <A>(step: () => A) => Effect.Effect<A, StoreError>,
  { channels, claims, counters, traffic, unmatched }: Tables
): ((sweep: Sweep) => Effect.Effect<Swept, StoreError>) =>
  Effect.fnUntraced(function* ({ at, unmatchedBefore, unmatchedLimit }) {
    const now = yield* Clock.currentTimeMillis
    const sweepSome = (): boolean => {
      const deleted = Math.max(claims.sweep(at, LIMIT), unmatched.sweep(unmatchedBefore, LIMIT))
      return counters.sweep(now, LIMIT) || deleted === LIMIT
    }
    while (yield* submit(sweepSome)) continue
    yield* submit(() => traffic.sweep(at))
    const dropped = new Map<Product, number>()
    for (const channel of channels) {
      let deleted: number
      do {
        deleted = yield* submit(() => unmatched.trim(channel, unmatchedLimit, LIMIT))
        if (deleted > 0) dropped.set(channel, (dropped.get(channel) ?? 0) + deleted)
      } while (deleted === LIMIT)
    }
    return { dropped }
  })

/** The port's `pruneEvents`, in steps. */
export const ofEvents = (
  submit: <A>(step: () => A) => Effect.Effect<A, StoreError>,
  { prune }: Events
): ((before: number) => Effect.Effect<void, StoreError>) =>
  Effect.fnUntraced(function* (before) {
    let deleted = LIMIT
    while (deleted === LIMIT) deleted = yield* submit(() => prune(before, LIMIT))
  })
