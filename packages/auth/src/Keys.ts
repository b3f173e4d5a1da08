/**
 * API keys, for operators of the service: create, list, rotate, revoke.
 */
import type { Mode, Scope } from "@watchword/schemas/Channel"
import { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import { BadRequest, Conflict, type Issue, NotFound } from "@watchword/schemas/Errors"
import { type AccountId, type KeyId, nextKeyId } from "@watchword/schemas/Ids"
import type { Key } from "@watchword/store/Account"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as ApiKey from "./internal/ApiKey.ts"
import { Authenticator } from "./Authenticator.ts"
import * as Networks from "./Networks.ts"

export { hash as keyHash, isApiKey, isSameHash, make as makeApiKey, randomText } from "./internal/ApiKey.ts"

/** A new key. */
export interface CreateKey {
  readonly account: AccountId
  readonly mode: Mode
  /** For example `["sms:send"]`; all scopes if omitted. */
  readonly scopes?: ReadonlyArray<string> | null
  /** Addresses and CIDR ranges that it may be used from; anywhere if omitted. An empty list is refused as a mistake. */
  readonly allow?: ReadonlyArray<string>
  /** Milliseconds since the epoch; if omitted, the key does not expire. */
  readonly expiresAt?: number | null
}

/** How a key is replaced. */
export interface RotateKey {
  /**
   * How long the old key works after the new key exists, in milliseconds; a day by default. Either 0 or at least 10
   * minutes, because other processes may remember a key for five minutes before they learn that it expires.
   */
  readonly overlap?: number
  /** When the new key expires; never if omitted. */
  readonly expiresAt?: number | null
}

/** A key that was created. The secret cannot be shown again. */
export interface Created {
  readonly key: Key
  readonly secret: Redacted.Redacted
}

export interface Service {
  /**
   * Makes a key, which works at once. Fails with `BadRequest` when a scope, an allow-list entry or the
   * expiry is not valid, with `NotFound` for an unknown account.
   */
  readonly create: (key: CreateKey) => Effect.Effect<Created, BadRequest | NotFound | StoreError>

  /** The keys of an account, revoked and expired ones too, oldest first. */
  readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<Key>, StoreError>

  /**
   * Makes a key with the account, mode, scopes and allow-list of another key, which expires after the overlap. Fails
   * with `BadRequest` if a time is not valid, with `NotFound` for an unknown key, and with `Conflict` for a key that
   * has expired or was revoked.
   */
  readonly rotate: (
    id: KeyId,
    options?: RotateKey
  ) => Effect.Effect<Created, BadRequest | NotFound | Conflict | StoreError>

  /**
   * Ends a key for good: at once in this process, within seconds in others on the same store. Repeating
   * it changes nothing. Fails with `NotFound` for an unknown key.
   */
  readonly revoke: (id: KeyId) => Effect.Effect<void, NotFound | StoreError>
}

/**
 * @example
 * ```ts
 * import * as Authenticator from "@watchword/auth/Authenticator"
 * import * as Keys from "@watchword/auth/Keys"
 * import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
 * import { AccountId } from "@watchword/schemas/Ids"
 * import { memory } from "@watchword/store/MemoryStore"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const account = AccountId.make("acc_01KAJ3T8ZZ0000000000000000")
 * const program = Keys.Keys.use((keys) => keys.create({ account, mode: "sandbox", scopes: ["sms:send"] }))
 * const needed = Layer.merge(memory(), ChannelRegistry.layerBuiltIn)
 * program.pipe(Effect.provide(Keys.layer.pipe(Layer.provide(Authenticator.layer), Layer.provide(needed))))
 * ```
 */
export class Keys extends Context.Service<Keys, Service>()("@watchword/auth/Keys") {}

export const make: Effect.Effect<Service, never, Authenticator | ChannelRegistry | Store> = Effect.gen(function* () {
  const store = yield* Store
  const authenticator = yield* Authenticator
  const registry = yield* ChannelRegistry

  const create = Effect.fnUntraced(function* (wanted: CreateKey) {
    const createdAt = yield* Clock.currentTimeMillis
    const { allow, expiresAt, scopes } = yield* Effect.fromResult(checked(wanted, registry.scopes, createdAt))
    return yield* add({ account: wanted.account, mode: wanted.mode, scopes, allow, expiresAt }, createdAt)
  })

  const add = Effect.fnUntraced(function* (rights: Rights, createdAt: number) {
    const { hash, lastFour, prefix, secret } = yield* ApiKey.make(rights.mode)
    const key: Key = {
      ...rights,
      id: nextKeyId(createdAt),
      hash,
      prefix,
      lastFour,
      createdAt,
      revokedAt: null,
      lastUsedAt: null
    }
    if (!(yield* store.createKey(key))) return yield* new NotFound({ message: "There is no such account." })
    return { key, secret }
  })

  // The old key expires last: a process that dies in between leaves the old key, and a new key whose secret was never
  // returned.
  const rotate = Effect.fnUntraced(function* (id: KeyId, { expiresAt = null, overlap = DAY }: RotateKey = {}) {
    const now = yield* Clock.currentTimeMillis
    const issues = [...overlapIssues(overlap), ...expiryIssues(expiresAt, now)]
    if (issues.length > 0) return yield* new BadRequest({ message: "The key cannot be rotated.", issues })
    const old = yield* Effect.mapError(Effect.fromOption(yield* store.key(id)), noSuchKey)
    if (old.revokedAt !== null || (old.expiresAt !== null && old.expiresAt <= now)) {
      return yield* new Conflict({ message: "This key has ended; create another one.", reason: "key_ended" })
    }
    const { account, allow, mode, scopes } = old
    const created = yield* add({ account, allow, mode, scopes, expiresAt }, now)
    yield* overlap === 0 ? revoke(id) : store.expireKey(id, now + overlap)
    yield* authenticator.forget(id)
    return created
  })

  const revoke = Effect.fnUntraced(function* (id: KeyId) {
    // Even if the answer was lost: the key may be revoked then, and has to be looked up again.
    const existed = yield* Effect.ensuring(store.revokeKey(id), authenticator.forget(id))
    if (!existed) return yield* noSuchKey()
  })

  return Keys.of({ create, list: (account) => store.keys(account), rotate, revoke })
})

const noSuchKey = () => new NotFound({ message: "There is no such key." })

/** The permissions of a key, and when they expire. */
type Rights = Pick<Key, "account" | "mode" | "scopes" | "allow" | "expiresAt">

const DAY = 24 * 60 * 60_000
const SHORTEST_OVERLAP = 10 * 60_000

export const layer: Layer.Layer<Keys, never, Authenticator | ChannelRegistry | Store> = Layer.effect(Keys, make)

const checked = (
  { allow, expiresAt = null, scopes = null }: CreateKey,
  known: ReadonlyArray<Scope>,
  now: number
): Result.Result<Pick<Key, "scopes" | "allow" | "expiresAt">, BadRequest> => {
  const networks = Networks.parse(allow ?? [])
  const issues = [
    ...(scopes === null ? [] : scopeIssues(scopes, known)),
    ...(allow?.length === 0 ? [openToAll] : []),
    ...Result.match(networks, { onFailure: allowIssues, onSuccess: () => [] }),
    ...expiryIssues(expiresAt, now)
  ]
  return issues.length === 0 && Result.isSuccess(networks)
    ? Result.succeed({
        scopes: scopes === null ? null : known.filter((scope) => scopes.includes(scope)),
        allow: Networks.format(networks.success),
        expiresAt
      })
    : Result.fail(new BadRequest({ message: "The key cannot be created.", issues }))
}

const expiryIssues = (expiresAt: number | null, now: number): ReadonlyArray<Issue> =>
  expiresAt === null || (Number.isSafeInteger(expiresAt) && expiresAt > now)
    ? []
    : [{ path: "expiresAt", message: "must be in the future" }]

const overlapIssues = (overlap: number): ReadonlyArray<Issue> =>
  overlap === 0 || (Number.isSafeInteger(overlap) && overlap >= SHORTEST_OVERLAP && overlap <= 366 * DAY)
    ? []
    : [{ path: "overlap", message: "must be 0, or from 10 minutes to a year" }]

const scopeIssues = (scopes: ReadonlyArray<string>, known: ReadonlyArray<string>): ReadonlyArray<Issue> =>
  scopes.length === 0
    ? [{ path: "scopes", message: "must have at least one scope, or be left out for all" }]
    : scopes.flatMap((scope, index) =>
        known.includes(scope)
          ? []
          : [
              {
                path: `scopes[${index}]`,
                message: `must be one of ${known.join(", ")}, but is ${JSON.stringify(scope)}`
              }
            ]
      )

// An unset variable in a script makes an empty list where the script meant to restrict the key.
const openToAll: Issue = { path: "allow", message: "must have at least one address, or be left out for anywhere" }

const allowIssues = ({ entry, index, message }: Networks.NetworkError): ReadonlyArray<Issue> => [
  { path: `allow[${index}]`, message: `${message}, but is ${JSON.stringify(entry)}` }
]
