/**
 * Who is asking: from the headers of a request to the account behind its API key.
 */
import { Unauthorized } from "@watchword/schemas/Errors"
import type { AccountId, KeyId } from "@watchword/schemas/Ids"
import type { Principal } from "@watchword/schemas/Principal"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as AllowList from "./internal/AllowList.ts"
import * as ApiKey from "./internal/ApiKey.ts"
import { BoundedCache } from "./internal/BoundedCache.ts"

/** Credentials of a request; null for those it does not have. */
export interface Credentials {
  readonly apiKey: string | null
  readonly accountId: string | null
  /** The client's address, as `clientAddress` finds it. */
  readonly remoteAddress: string | null
  /** Whether the account id may be left out. When it is there, it must match in any case. */
  readonly accountRequired: boolean
}

export interface Service {
  /**
   * The account and the permissions behind an API key. Every refusal reads the same, so that it does not
   * tell which part was wrong.
   */
  readonly authenticate: (credentials: Credentials) => Effect.Effect<Principal, Unauthorized | StoreError>

  /** Makes this process ask the store about a key again; to be called when it is revoked. */
  readonly forget: (key: KeyId) => Effect.Effect<void>
}

/**
 * @example
 * ```ts
 * import { Authenticator, layer } from "@watchword/auth/Authenticator"
 * import * as MemoryStore from "@watchword/store/MemoryStore"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const program = Authenticator.use((authenticator) =>
 *   authenticator.authenticate({ apiKey: "sk_live_…", accountId: "acc_…", remoteAddress: null, accountRequired: true })
 * )
 * program.pipe(Effect.provide(layer.pipe(Layer.provide(MemoryStore.layer))))
 * ```
 */
export class Authenticator extends Context.Service<Authenticator, Service>()("@watchword/auth/Authenticator") {}

/** In milliseconds: found keys are not looked up again for this long, unknown ones for that long. */
const KNOWN_FOR = 5 * 60_000
const UNKNOWN_FOR = 2_000

/** How many keys of each kind are remembered. */
const CAPACITY = 10_000

/** In milliseconds: how often other processes' revocations are asked for, and how late they may be heard of. */
const LOOK_EVERY = 1_000
const LOOK_LATEST = 3_000

/** In milliseconds: how far the clocks of processes may differ, and how long storing a revocation may take. */
const SKEW = 10_000

/** Whether `now` is less than `duration` after `then`, and not before it: clocks are sometimes set back. */
const isWithin = (duration: number, then: number, now: number): boolean => now >= then && now - then < duration

interface Known {
  readonly id: KeyId
  readonly account: AccountId
  readonly allow: AllowList.AllowList
  readonly expiresAt: number | null
  readonly foundAt: number
  readonly answer: Effect.Effect<Principal>
}

// Made once, because refusals come in floods.
const refusal = Effect.fail(
  new Unauthorized({
    message: "The header x-api-key or x-account-id is missing or not valid, or the key may not be used from here."
  })
)

const decide = (key: Known, { accountId, remoteAddress }: Credentials, now: number) =>
  (accountId === null || accountId === key.account) &&
  (key.expiresAt === null || now < key.expiresAt) &&
  AllowList.permits(key.allow, remoteAddress)
    ? key.answer
    : refusal

/*
 * Nothing runs in the background and no request waits for what another one began: Cloudflare Workers
 * allow neither. Keys are remembered as they came, since their hash can only be computed asynchronously.
 */
export const make: Effect.Effect<Service, never, Store> = Effect.gen(function* () {
  const store = yield* Store
  const known = new BoundedCache<string, Known>(CAPACITY)
  const unknown = new BoundedCache<string, number>(CAPACITY)
  let forgotten = 0
  let askedAt = Number.NEGATIVE_INFINITY
  let lookedAt = Number.NEGATIVE_INFINITY

  const authenticate = (credentials: Credentials): Effect.Effect<Principal, Unauthorized | StoreError> => {
    const { accountId, accountRequired, apiKey } = credentials
    if (apiKey === null || apiKey.length !== ApiKey.LENGTH || (accountId === null && accountRequired)) return refusal
    return Clock.clockWith((clock) => {
      const now = clock.currentTimeMillisUnsafe()
      return revocationsMayBeMissing(now) && known.get(apiKey) !== undefined
        ? Effect.andThen(dropRevoked(now), () => decideOrLookUp(apiKey, credentials, now))
        : decideOrLookUp(apiKey, credentials, now)
    })
  }

  const decideOrLookUp = (apiKey: string, credentials: Credentials, now: number) => {
    const key = known.get(apiKey)
    return key !== undefined && isWithin(KNOWN_FOR, key.foundAt, now)
      ? decide(key, credentials, now)
      : lookUp(apiKey, credentials, now)
  }

  // One request a second asks the store. The others use the cache, unless it has become too old.
  const revocationsMayBeMissing = (now: number): boolean =>
    !isWithin(LOOK_EVERY, lookedAt, now) &&
    !(isWithin(LOOK_EVERY, askedAt, now) && isWithin(LOOK_LATEST, lookedAt, now))

  const dropRevoked = (now: number): Effect.Effect<void, StoreError> => {
    askedAt = now
    // Whatever is still used was found after `now - KNOWN_FOR`.
    const since = Math.max(Math.min(lookedAt, now), now - KNOWN_FOR) - SKEW
    return Effect.map(store.revokedSince(since), (ids) => {
      lookedAt = now
      if (ids.length === 0) return
      const revoked = new Set(ids)
      known.deleteWhere((key) => revoked.has(key.id))
    })
  }

  const lookUp = Effect.fnUntraced(function* (apiKey: string, credentials: Credentials, now: number) {
    const unknownAt = unknown.get(apiKey)
    if (unknownAt !== undefined && isWithin(UNKNOWN_FOR, unknownAt, now)) return yield* refusal
    if (!ApiKey.isApiKey(apiKey)) return yield* refusal
    const forgottenBefore = forgotten
    const key = yield* find(apiKey, now)
    if (key === undefined) {
      unknown.set(apiKey, now)
      return yield* refusal
    }
    const foundAt = yield* Clock.currentTimeMillis
    // A key that was revoked during a slow look-up would otherwise be remembered after it was dropped.
    if (forgotten === forgottenBefore && isWithin(LOOK_LATEST, now, foundAt)) known.set(apiKey, key)
    return yield* decide(key, credentials, foundAt)
  })

  const find = Effect.fnUntraced(function* (apiKey: string, now: number) {
    const hash = yield* ApiKey.hash(apiKey)
    const row = Option.getOrUndefined(yield* store.keyByHash(hash))
    if (row === undefined || row.key.revokedAt !== null || !ApiKey.isSameHash(row.key.hash, hash)) return undefined
    const { account, key } = row
    const allow = AllowList.parse(key.allow)
    if (Result.isFailure(allow)) {
      yield* Effect.logWarning(`The allow-list of ${key.id} cannot be read: ${allow.failure.entry}`)
      return undefined
    }
    const principal: Principal = {
      account,
      mode: key.mode,
      key: key.id,
      scopes: key.scopes === null ? null : new Set(key.scopes)
    }
    const found: Known = {
      id: key.id,
      account: account.id,
      allow: allow.success,
      expiresAt: key.expiresAt,
      foundAt: now,
      answer: Effect.succeed(principal)
    }
    return found
  })

  const forget = (id: KeyId): Effect.Effect<void> =>
    Effect.sync(() => {
      forgotten++
      known.deleteWhere((key) => key.id === id)
    })

  return Authenticator.of({ authenticate, forget })
})

export const layer: Layer.Layer<Authenticator, never, Store> = Layer.effect(Authenticator, make)
