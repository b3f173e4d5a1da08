/**
 * Authentication of requests: from the headers to the account behind the API key.
 */
import type { ServiceUnavailable, Unauthorized } from "@watchword/schemas/Errors"
import type { AccountId, KeyId } from "@watchword/schemas/Ids"
import type { Principal } from "@watchword/schemas/Account"
import { RequestsMayWait } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import QuickLRU from "quick-lru"
import * as AllowList from "./internal/AllowList.ts"
import * as ApiKey from "./internal/ApiKey.ts"
import * as Bearer from "./internal/Bearer.ts"
import { failedAttempts } from "./internal/FailedAttempts.ts"
import * as KnownKeys from "./internal/KnownKeys.ts"
import { type OfKeys, type Refusal, firstOfEach, ofBearer } from "./internal/Refusals.ts"
import { makeLimit, unlimited } from "./internal/Sharing.ts"

export { hash as keyHash } from "./internal/ApiKey.ts"
export { type Demand, authorize } from "./internal/Authorize.ts"
export { type FailedAttempts, failedAttempts } from "./internal/FailedAttempts.ts"

/** Credentials of a request; null for those it does not have. */
export interface Credentials {
  readonly apiKey: string | null
  readonly accountId: string | null
  /** The header `authorization`: `Bearer` and an API key, which needs no account id. */
  readonly authorization?: string | null
  /** The hash of an API key instead of the key, from a token that this service has issued for it. */
  readonly keyHash?: string
  /** The client's address, as `clientAddress` finds it. */
  readonly remoteAddress: string | null
  /** Whether the account id may be left out. When it is there, it must match in any case. */
  readonly accountRequired: boolean
  readonly witness?: Witness
}

/** Learns what no client is informed of, for logs. */
export interface Witness {
  /** The account behind a key that there is, even if it is refused. */
  principal: Principal | null
  /** Why a key was refused, in the words of the metric of failures. */
  keyRefusal: string | null
}

export interface Service {
  /**
   * The account and the permissions behind an API key. A refusal names the headers that are absent. Where both are
   * there it always reads the same, so that it does not tell which one was wrong: the log does, at the level `Debug`.
   * Fails with `ServiceUnavailable` when too many unknown keys are looked up at once.
   */
  readonly authenticate: (
    credentials: Credentials
  ) => Effect.Effect<Principal, Unauthorized | ServiceUnavailable | StoreError>

  /** Makes this process ask the store about a key again; to be called when it is revoked. */
  readonly forget: (key: KeyId) => Effect.Effect<void>

  /** The same for the keys of an account, to be called when the account is changed. */
  readonly forgetAccount: (account: AccountId) => Effect.Effect<void>
}

/**
 * @example
 * ```ts
 * import { Authenticator, layer } from "@watchword/auth/Authenticator"
 * import { memory } from "@watchword/store/MemoryStore"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const program = Authenticator.use((authenticator) =>
 *   authenticator.authenticate({ apiKey: "sk_live_…", accountId: "acc_…", remoteAddress: null, accountRequired: true })
 * )
 * program.pipe(Effect.provide(layer.pipe(Layer.provide(memory()))))
 * ```
 */
export class Authenticator extends Context.Service<Authenticator, Service>()("@watchword/auth/Authenticator") {}

/** In milliseconds: how long an unknown key is not looked up again, and how many are remembered. */
const UNKNOWN_FOR = 2_000
const UNKNOWN_CAPACITY = 10_000

/**
 * How many keys that are not in the cache are looked up at once, and how many wait. They leave connections of the store
 * to requests with known keys.
 */
const LOOK_UPS = 4
const WAITING = 1_000

/** Credentials with one key, and in what words it is refused. */
interface Asked extends Credentials {
  readonly refusals: OfKeys
}

type Refused = Unauthorized | ServiceUnavailable | StoreError

export const make: Effect.Effect<Service, never, Store> = Effect.gen(function* () {
  const store = yield* Store
  const mayWait = yield* RequestsMayWait
  const known = KnownKeys.make(store, mayWait)
  const unknown = new QuickLRU<string, number>({ maxSize: UNKNOWN_CAPACITY })
  const limited = mayWait ? makeLimit(LOOK_UPS, WAITING) : unlimited
  const failures = failedAttempts()
  const warn = firstOfEach()

  const authenticate = (credentials: Credentials): Effect.Effect<Principal, Refused> =>
    Clock.clockWith((clock) => {
      const now = clock.currentTimeMillisUnsafe()
      if (credentials.keyHash !== undefined) {
        return ofHash(null, credentials.keyHash, { ...credentials, refusals: ofBearer }, now)
      }
      const given = Bearer.givenIn(credentials)
      if ("refuse" in given) return refuse(given, credentials, now)
      const { apiKey, refusals } = given
      if (apiKey.length !== ApiKey.LENGTH) return refuse(refusals.malformed, credentials, now)
      return ofHash(apiKey, ApiKey.hash(apiKey), { ...credentials, refusals }, now)
    })

  const ofHash = (apiKey: string | null, hash: string, asked: Asked, now: number) => {
    const refreshed = known.refresh(hash, now)
    const found = () => decideOrLookUp(apiKey, hash, asked, now)
    return refreshed === null ? found() : Effect.andThen(refreshed, found)
  }

  /** @param apiKey null if only its hash is known */
  const decideOrLookUp = (apiKey: string | null, hash: string, credentials: Asked, now: number) => {
    const { refusals } = credentials
    const key = known.get(hash, now)
    if (key !== undefined) return decide(key, credentials, now)
    if (apiKey !== null && !ApiKey.isApiKey(apiKey)) return refuse(refusals.malformed, credentials, now)
    const unknownAt = unknown.get(hash)
    return unknownAt !== undefined && KnownKeys.isWithin(UNKNOWN_FOR, unknownAt, now)
      ? refuse(refusals.unknown, credentials, now)
      : limited(lookUp(hash, credentials))
  }

  const decide = (key: KnownKeys.KnownKey, credentials: Asked, now: number) => {
    const { accountId, refusals, remoteAddress, witness } = credentials
    if (witness !== undefined) witness.principal = key.principal
    if (accountId !== null && accountId !== key.principal.account.id) return refuse(refusals.account, credentials, now)
    if (key.expiresAt !== null && now >= key.expiresAt) return refuse(refusals.expired, credentials, now)
    return AllowList.permits(key.allow, remoteAddress) ? key.answer : refuse(refusals.address, credentials, now)
  }

  const refuse = (refused: Refusal, { remoteAddress, witness }: Credentials, now: number) => {
    if (witness !== undefined) witness.keyRefusal = refused.reason
    return Effect.andThen(
      Effect.andThen(failures.note(remoteAddress, now, refused.reason), warn(refused)),
      refused.refuse
    )
  }

  const lookUp = Effect.fnUntraced(function* (hash: string, credentials: Asked) {
    const startedAt = yield* Clock.currentTimeMillis
    // Another request may have found it meanwhile.
    const before = known.get(hash, startedAt)
    if (before !== undefined) return yield* decide(before, credentials, startedAt)
    const remember = known.looking(startedAt)
    const key = yield* find(hash, startedAt)
    if (key === undefined) {
      unknown.set(hash, startedAt)
      return yield* refuse(credentials.refusals.unknown, credentials, startedAt)
    }
    const foundAt = yield* Clock.currentTimeMillis
    remember(hash, key, foundAt)
    const principal = yield* decide(key, credentials, foundAt)
    // A use is noted with a look-up, so every five minutes. The request succeeds whether it can be noted or not.
    yield* Effect.ignore(store.useKey(key.id, foundAt))
    return principal
  })

  const find = Effect.fnUntraced(function* (hash: string, now: number) {
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
    const found: KnownKeys.KnownKey = {
      id: key.id,
      allow: allow.success,
      expiresAt: key.expiresAt,
      foundAt: now,
      principal,
      answer: Effect.succeed(principal)
    }
    return found
  })

  return Authenticator.of({
    authenticate,
    forget: (id) => Effect.sync(() => known.forget((key) => key.id === id)),
    forgetAccount: (id) => Effect.sync(() => known.forget(({ principal }) => principal.account.id === id))
  })
})

export const layer: Layer.Layer<Authenticator, never, Store> = Layer.effect(Authenticator, make)
