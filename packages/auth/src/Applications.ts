/**
 * Applications: public keys of an account's apps, which sign each of their requests with a token (JWT) of their own
 * instead of sending an API key. Interfaces that apps of other services speak verify the tokens.
 *
 * Keys are a setting of the account. The installation has the account of each application, so that a token need not
 * name it. Source: RFC 7519 (JWT); RFC 5280, section 4.1 (SubjectPublicKeyInfo).
 */
import { BadRequest, Conflict, type Issue, NotFound, invalid } from "@watchword/schemas/Errors"
import { AccountId } from "@watchword/schemas/Ids"
import { sha256 } from "@watchword/schemas/Sha256"
import * as Setting from "@watchword/store/Setting"
import { Settings, exists } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as PublicKey from "./internal/PublicKey.ts"

/** A public key of an application. */
const ApplicationKey = Schema.Struct({
  /** The beginning of the key's digest in hexadecimal, which names it. */
  id: Schema.String,
  /** The key as PEM, `-----BEGIN PUBLIC KEY-----`. */
  pem: Schema.String,
  /** Whether its tokens act in the sandbox. */
  sandbox: Schema.Boolean,
  /** Milliseconds since the epoch. */
  addedAt: Schema.Int,
  /** When it ends, in milliseconds since the epoch; null if it was not replaced. */
  expiresAt: Schema.NullOr(Schema.Int)
})
export type ApplicationKey = typeof ApplicationKey.Type

const applications = Setting.family({
  prefix: "application:",
  title: "application",
  most: 20,
  schema: Schema.Struct({ keys: Schema.Array(ApplicationKey) })
})

/** The account of each application, among the installation's settings. */
const accounts = Setting.family({
  prefix: "application-account:",
  title: "application",
  most: 1_000,
  schema: Schema.Struct({ account: AccountId })
})

/** A key to add. */
export interface AddKey {
  /** The application's id, as its tokens name it. */
  readonly application: string
  /** A public key of RSA as PEM. */
  readonly publicKey: string
  /** Whether tokens that it verifies act in the sandbox; false unless given. */
  readonly sandbox?: boolean
  /** How long the earlier keys of the application, of the same mode, stay valid, in milliseconds; a day by default. */
  readonly overlap?: number
}

/** An application's account and its valid keys. */
export interface Application {
  readonly account: AccountId
  readonly keys: ReadonlyArray<ApplicationKey>
}

const DAY = 86_400_000

/** The keys that a token is tried with. */
const MOST_KEYS = 4

/**
 * Adds a key to an application, which may be new. Its earlier keys of the same mode end after the overlap. Fails with
 * `BadRequest` if a value is not valid, with `NotFound` for an unknown account, and with `Conflict` if the application
 * is another account's.
 */
export const add = Effect.fnUntraced(function* (
  account: AccountId,
  { application, overlap = DAY, publicKey, sandbox = false }: AddKey
): Effect.fn.Return<ApplicationKey, BadRequest | Conflict | NotFound | StoreError, Settings | Store> {
  const settings = yield* Settings
  yield* exists(account)
  const read = yield* Effect.promise(() => PublicKey.read(publicKey))
  const issues = [...nameIssues(application), ...("issue" in read ? [{ path: "publicKey", message: read.issue }] : [])]
  if ("issue" in read || issues.length > 0) return yield* invalid(issues)
  const owner = yield* ownerOf(application)
  if (owner !== null && owner !== account) {
    return yield* new Conflict({
      message: "Another account has this application: revoke its keys there first.",
      reason: "application_taken"
    })
  }
  const now = yield* Clock.currentTimeMillis
  const added: ApplicationKey = { id: read.id, pem: read.pem, sandbox, addedAt: now, expiresAt: null }
  const others = (yield* keysOf(account, application))
    .filter((key) => key.id !== added.id && isValid(key, now))
    .map((key) =>
      key.sandbox === sandbox ? { ...key, expiresAt: Math.min(key.expiresAt ?? Infinity, now + overlap) } : key
    )
    .filter((key) => isValid(key, now))
  if (others.length >= MOST_KEYS) {
    return yield* new BadRequest({ message: `An application has at most ${MOST_KEYS} keys: revoke one first.` })
  }
  // First, because a key whose application has no account verifies nothing, and adding it again completes both.
  yield* settings.set(null, accounts.of(application), { account })
  yield* settings.set(account, applications.of(application), { keys: [...others, added] })
  return added
})

/**
 * Has an installation know the applications of an account that was moved into it. An application that another account
 * has there stays that account's.
 */
export const arrived = Effect.fnUntraced(function* (account: AccountId): Effect.fn.Return<void, StoreError, Settings> {
  const settings = yield* Settings
  for (const application of (yield* settings.all(account, applications)).keys()) {
    if ((yield* ownerOf(application)) !== null) continue
    yield* settings.set(null, accounts.of(application), { account }).pipe(
      Effect.catchTags({
        BAD_REQUEST: () => Effect.logWarning("an application was not moved with its account", { account, application }),
        NOT_FOUND: () => Effect.void
      })
    )
  }
})

/** The account that has keys of an application; null without one. */
const ownerOf = Effect.fnUntraced(function* (application: string) {
  const named = yield* (yield* Settings).get(null, accounts.of(application))
  if (Option.isNone(named)) return null
  const { account } = named.value
  return (yield* keysOf(account, application)).length > 0 ? account : null
})

const keysOf = Effect.fnUntraced(function* (account: AccountId, application: string) {
  const known = yield* (yield* Settings).get(account, applications.of(application))
  return Option.match(known, { onNone: () => [], onSome: ({ keys }) => keys })
})

/**
 * Takes keys of an application away: one, or all. Its tokens are refused within a second, in every process. Fails with
 * `NotFound` where the account has no such key.
 *
 * @param key the id of a key; all keys if null
 */
export const revoke = Effect.fnUntraced(function* (
  account: AccountId,
  application: string,
  key: string | null
): Effect.fn.Return<ReadonlyArray<ApplicationKey>, BadRequest | NotFound | StoreError, Settings> {
  const settings = yield* Settings
  const keys = yield* keysOf(account, application)
  const revoked = keys.filter(({ id }) => key === null || id === key)
  if (revoked.length === 0) return yield* new NotFound({ message: "The account has no such key of this application." })
  const left = keys.filter((other) => !revoked.includes(other))
  if (left.length > 0) {
    yield* settings.set(account, applications.of(application), { keys: left })
  } else {
    yield* settings.remove(account, applications.of(application))
    yield* settings.remove(null, accounts.of(application))
  }
  return revoked
})

/** The applications of an account with their keys, ended ones too. */
export const list = Effect.fnUntraced(function* (
  account: AccountId
): Effect.fn.Return<ReadonlyMap<string, ReadonlyArray<ApplicationKey>>, NotFound | StoreError, Settings | Store> {
  yield* exists(account)
  const all = yield* (yield* Settings).all(account, applications)
  return new Map([...all].map(([application, { keys }]) => [application, keys]))
})

/**
 * An application by the id in a token; null for one without valid keys.
 *
 * @example
 * ```ts
 * import { find } from "@watchword/auth/Applications"
 * import { memory } from "@watchword/store/MemoryStore"
 * import * as Settings from "@watchword/store/Settings"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const program = find("aaaaaaaa-bbbb-cccc-dddd-0123456789ab")
 * program.pipe(Effect.provide(Settings.layer.pipe(Layer.provide(memory())))) // { account, keys } or null
 * ```
 */
export const find = Effect.fnUntraced(function* (
  application: string
): Effect.fn.Return<Application | null, StoreError, Settings> {
  if (nameIssues(application).length > 0) return null
  const named = yield* (yield* Settings).get(null, accounts.of(application))
  if (Option.isNone(named)) return null
  const now = yield* Clock.currentTimeMillis
  const { account } = named.value
  const keys = (yield* keysOf(account, application)).filter((key) => isValid(key, now))
  return keys.length === 0 ? null : { account, keys }
})

/**
 * Whether a token is used for the first time. Its id is remembered until the token ends, for all processes.
 *
 * @param id of the token, `jti`
 * @param endsAt milliseconds since the epoch
 */
export const isFirstUse = Effect.fnUntraced(function* (
  application: string,
  id: string,
  endsAt: number
): Effect.fn.Return<boolean, StoreError, Store> {
  const now = yield* Clock.currentTimeMillis
  const key = `jti.${sha256(JSON.stringify([application, id])).slice(0, 40)}`
  const window = Math.max(1, Math.ceil(endsAt - now))
  const { counted } = yield* Store.use((store) => store.count([{ key, window, slice: 1, amount: 1, limit: 1 }]))
  return counted
})

const isValid = ({ expiresAt }: ApplicationKey, now: number): boolean => expiresAt === null || expiresAt > now

const nameIssues = (application: string): ReadonlyArray<Issue> =>
  /^[A-Za-z0-9_.-]{1,64}$/.test(application)
    ? []
    : [{ path: "application", message: "must be 1 to 64 letters, digits, hyphens, underscores or dots" }]
