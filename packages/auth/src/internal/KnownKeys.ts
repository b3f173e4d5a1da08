/**
 * Cache of keys that were found, with their accounts, by key hash. It forgets a key that is revoked or whose account
 * changes.
 *
 * Once a second, a request asks for other processes' changes: nothing runs in the background, because Cloudflare
 * Workers do not allow it.
 */
import type { KeyId } from "@watchword/schemas/Ids"
import type { Principal } from "@watchword/schemas/Account"
import type { Service as Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type * as AllowList from "./AllowList.ts"
import QuickLRU from "quick-lru"
import { makeShared } from "./Sharing.ts"

export interface KnownKey {
  readonly id: KeyId
  readonly allow: AllowList.AllowList
  readonly expiresAt: number | null
  readonly foundAt: number
  readonly principal: Principal
  readonly answer: Effect.Effect<Principal>
}

export interface KnownKeys {
  /** A key that does not need to be looked up again. */
  readonly get: (hash: string, now: number) => KnownKey | undefined
  /** Asks the store for changed keys if that is due, and forgets them. */
  readonly refresh: (hash: string, now: number) => Effect.Effect<void, StoreError> | null
  /** Starts a look-up. Returns a function that remembers the key that the look-up finds. */
  readonly looking: (startedAt: number) => (hash: string, key: KnownKey, now: number) => void
  readonly forget: (is: (key: KnownKey) => boolean) => void
}

/** In milliseconds: how long a found key is not looked up again. */
const KNOWN_FOR = 5 * 60_000

/** How many keys are remembered. */
const CAPACITY = 10_000

/** How often other processes' changes are asked for, and how late they may be noticed, in milliseconds. */
const LOOK_EVERY = 1_000
const LOOK_LATEST = 3_000

/** How far a clock may be set between two queries, and how long storing a change may take, in milliseconds. */
const MARGIN = 5 * 60_000

/** Whether `now` is less than `duration` after `then`, and not before it: clocks are sometimes set back. */
export const isWithin = (duration: number, then: number, now: number): boolean => now >= then && now - then < duration

/** @param mayWait whether a request may wait for a query that another request started */
export const make = (store: Pick<Store, "keysChangedWithin">, mayWait: boolean): KnownKeys => {
  const known = new QuickLRU<string, KnownKey>({ maxSize: CAPACITY })
  const asked = mayWait ? makeShared<void, StoreError>() : (ask: Effect.Effect<void, StoreError>) => ask
  let forgotten = 0
  let askedAt = Number.NEGATIVE_INFINITY
  let lookedAt = Number.NEGATIVE_INFINITY

  const get = (hash: string, now: number): KnownKey | undefined => {
    const key = known.get(hash)
    return key !== undefined && isWithin(KNOWN_FOR, key.foundAt, now) ? key : undefined
  }

  const refresh = (hash: string, now: number): Effect.Effect<void, StoreError> | null =>
    changesMayBeMissing(now) && known.get(hash) !== undefined ? asked(dropChanged(now)) : null

  // One request a second asks the store. The others use the cache, unless it has become too old.
  const changesMayBeMissing = (now: number): boolean =>
    !isWithin(LOOK_EVERY, lookedAt, now) &&
    !(isWithin(LOOK_EVERY, askedAt, now) && isWithin(LOOK_LATEST, lookedAt, now))

  const dropChanged = (now: number): Effect.Effect<void, StoreError> =>
    Effect.suspend(() => {
      askedAt = now
      // Each key that is still used was found after `now - KNOWN_FOR`.
      const unasked = Math.min(Math.max(now - lookedAt, 0), KNOWN_FOR)
      return Effect.map(store.keysChangedWithin(unasked + MARGIN), (ids) => {
        lookedAt = now
        if (ids.length === 0) return
        const changed = new Set(ids)
        drop((key) => changed.has(key.id))
      })
    })

  const drop = (is: (key: KnownKey) => boolean): void => {
    for (const [hash, key] of known) if (is(key)) known.delete(hash)
  }

  const looking = (startedAt: number) => {
    const before = forgotten
    // A key that was changed during a slow look-up would otherwise be remembered after it was dropped.
    return (hash: string, key: KnownKey, now: number): void => {
      if (forgotten === before && isWithin(LOOK_LATEST, startedAt, now)) known.set(hash, key)
    }
  }

  const forget = (is: (key: KnownKey) => boolean): void => {
    forgotten++
    drop(is)
  }

  return { get, refresh, looking, forget }
}
