/**
 * Snapshots of owners' settings. One is used for a second; concurrent callers share one read.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import { RequestsMayWait } from "../RequestsMayWait.ts"
import { Store } from "../../Store.ts"
import type { StoreError } from "../../StoreError.ts"
import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** An account, or null for the installation. */
type Owner = AccountId | null

/** The texts of values by the names of settings. */
export type Texts = ReadonlyMap<string, string>

export interface Snapshots<A> {
  /** The value computed from an owner's settings; undefined if they have to be read first. */
  readonly known: (owner: Owner, now: number) => A | undefined
  /** The same, read where that is needed. */
  readonly of: (owner: Owner) => Effect.Effect<A, StoreError>
  /** Makes later callers read an owner's settings again. */
  readonly forget: (owner: Owner) => Effect.Effect<void>
}

/** For how many owners settings are kept in memory; the most recently read stay. */
const CAPACITY = 10_000

/** In milliseconds: how long they are used. */
const KEPT_FOR = 1_000

/** @param make the value to cache of an owner's settings */
export const make = <A extends NonNullable<unknown>>(
  make: (texts: Texts) => A
): Effect.Effect<Snapshots<A>, never, Store> =>
  Effect.gen(function* () {
    const store = yield* Store
    const mayWait = yield* RequestsMayWait
    // In the order of the reads: the first one is the oldest.
    const snapshots = new Map<Owner, { readonly value: A; readonly readAt: number }>()
    let forgotten = 0

    const known = (owner: Owner, now: number): A | undefined => {
      const snapshot = snapshots.get(owner)
      if (snapshot === undefined) return undefined
      // A clock may be set back.
      const age = now - snapshot.readAt
      return age >= 0 && age < KEPT_FOR ? snapshot.value : undefined
    }

    const keep = (owner: Owner, value: A, readAt: number): void => {
      snapshots.delete(owner)
      snapshots.set(owner, { value, readAt })
      if (snapshots.size <= CAPACITY) return
      for (const oldest of snapshots.keys()) return void snapshots.delete(oldest)
    }

    const read = (owner: Owner): Effect.Effect<A, StoreError> =>
      Effect.suspend(() => {
        const before = forgotten
        return Effect.zipWith(store.settings(owner), Clock.currentTimeMillis, (rows, readAt) => {
          const value = make(new Map(rows.map(({ name, value }) => [name, value])))
          // The read may miss a concurrent change.
          if (forgotten === before) keep(owner, value, readAt)
          return value
        })
      })

    // Has reads that are under way, and keeps none that has ended.
    const reads = yield* Cache.makeWith(read, { capacity: CAPACITY, timeToLive: () => 0 })
    const shared = (owner: Owner) => (mayWait ? Cache.get(reads, owner) : read(owner))

    const of = (owner: Owner): Effect.Effect<A, StoreError> =>
      Clock.clockWith((clock) => {
        const value = known(owner, clock.currentTimeMillisUnsafe())
        return value === undefined ? shared(owner) : Effect.succeed(value)
      })

    const forget = (owner: Owner): Effect.Effect<void> =>
      Effect.suspend(() => {
        forgotten++
        snapshots.delete(owner)
        return Cache.invalidate(reads, owner)
      })

    return { known, of, forget }
  })
