/**
 * Access to the operators' API: tokens, and links that sign a browser in once. The installation keeps both as
 * settings, and of each secret only a hash.
 */
import type { BadRequest, NotFound } from "@watchword/schemas/Errors"
import { OperatorId, nextOperatorId, timeOfUlid } from "@watchword/schemas/Ids"
import type { Role } from "../command/Command.ts"
import * as Setting from "@watchword/store/Setting"
import { Settings, values } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { isSameHash, keyHash, randomText } from "@watchword/auth/Keys"

export const Roles = Schema.Literals(["support", "operator", "admin"])

const Grant = Schema.Struct({
  name: Schema.String,
  role: Roles,
  /** A token is shown to a server with each request, or exchanged for a session; a link is only exchanged. */
  kind: Schema.Literals(["token", "link"]),
  /** SHA-256 of the whole secret, lower-case hexadecimal. */
  hash: Schema.String,
  /** Milliseconds since the epoch. */
  createdAt: Schema.Finite,
  /** When it ends, and each session with it. */
  expiresAt: Schema.Finite
})

/** The grant of a secret. */
export interface Granted extends Omit<typeof Grant.Type, "hash"> {
  readonly id: OperatorId
}

const MOST = 100

const grants = Setting.family({ prefix: "operator:", title: "operator", most: MOST, schema: Grant })

/** In milliseconds: how long a link signs in, and how long its session lasts at most. */
export const LINK = 60_000
export const SESSION = 12 * 60 * 60_000

/** Milliseconds; more than known settings are old. Another machine may be ahead by any time. */
const LATE = 5_000

/** How long a link is kept that has not been opened. */
const UNOPENED = LINK + LATE

/** The most characters of a name. */
export const NAME = 64

const prefixes = { token: "wwo_", link: "wwl_" } as const

type Needs = Settings | Store
type Failure = BadRequest | NotFound | StoreError

/** A grant with its secret, which is shown once. */
export interface Made {
  readonly granted: Granted
  readonly secret: Redacted.Redacted
}

/** @param lasting in milliseconds: how long the token works */
export const grant = (name: string, role: Role, lasting: number): Effect.Effect<Made, Failure, Needs> =>
  add({ name, role, kind: "token" }, lasting)

/** A link that works once, within a minute. Once opened it has a session, which is listed and ends like a token. */
export const openLink = (name: string, role: Role): Effect.Effect<Made, Failure, Needs> =>
  add({ name, role, kind: "link" }, UNOPENED)

const add = Effect.fnUntraced(function* (of: Pick<Granted, "name" | "role" | "kind">, lasting: number) {
  const settings = yield* Settings
  const createdAt = yield* Clock.currentTimeMillis
  yield* prune(createdAt)
  const id = nextOperatorId(createdAt)
  const secret = `${prefixes[of.kind]}${id.slice(ID_PREFIX.length)}_${randomText()}`
  const granted = { ...of, createdAt, expiresAt: createdAt + lasting }
  yield* settings.set(null, grants.of(id), { ...granted, hash: keyHash(secret) })
  return { granted: { ...granted, id }, secret: Redacted.make(secret, { label: "OperatorToken" }) }
})

/** Removes ended grants, so that they no longer count towards the limit. */
const prune = Effect.fnUntraced(function* (now: number) {
  const settings = yield* Settings
  for (const [id, { expiresAt }] of yield* settings.all(null, grants)) {
    if (expiresAt <= now) yield* settings.remove(null, grants.of(id))
  }
})

/** Working tokens and opened links, the oldest first. */
export const list: Effect.Effect<ReadonlyArray<Granted>, StoreError, Settings> = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  const all = yield* Settings.use((settings) => settings.all(null, grants))
  return [...all]
    .filter(([, grant]) => grant.expiresAt > now && !isUnopened(grant))
    .map(([id, grant]) => grantedOf(id, grant))
})

/** Ends a token or a session of a link, and answers whether there was one. */
export const revoke = (id: OperatorId): Effect.Effect<boolean, NotFound | StoreError, Settings> =>
  Settings.use((settings) => settings.remove(null, grants.of(id)))

/** Ends all tokens and links, and answers how many there were. */
export const revokeAll: Effect.Effect<number, NotFound | StoreError, Settings> = Effect.gen(function* () {
  const settings = yield* Settings
  const all = yield* settings.all(null, grants)
  yield* Effect.forEach(all.keys(), (id) => settings.remove(null, grants.of(id)), { discard: true })
  return all.size
})

/** The grant of an id, as it was within the last second; null if it has ended. */
export const find = (id: string): Effect.Effect<Granted | null, StoreError, Needs> =>
  knownOrNewest(id, (read) => Effect.flatMap(read, (all) => among(all, id, () => true)))

/** The grant of a token that comes with a request; null for a text that is not a token, or whose token has ended. */
export const ofToken = Effect.fnUntraced(function* (
  token: string
): Effect.fn.Return<Granted | null, StoreError, Needs> {
  const id = `${ID_PREFIX}${SECRET.exec(token)?.[2] ?? ""}`
  return yield* knownOrNewest(id, (read) => ofSecret("token", token, read))
})

/**
 * Looks a grant up in the cache, and in the store if its id is so young that another process may have made it since.
 */
const knownOrNewest = Effect.fnUntraced(function* (
  id: string,
  look: <R>(read: Effect.Effect<Grants, StoreError, R>) => Effect.Effect<Granted | null, StoreError, R>
): Effect.fn.Return<Granted | null, StoreError, Needs> {
  return (yield* look(known)) ?? ((yield* isLate(id)) ? yield* look(newest) : null)
})

const isLate = (id: string): Effect.Effect<boolean> =>
  isOperatorId(id)
    ? Effect.map(Clock.currentTimeMillis, (now) => now - timeOfUlid(id.slice(ID_PREFIX.length)) < LATE)
    : Effect.succeed(false)

const isOperatorId = Schema.is(OperatorId)

/** The same for a token that opens a session, which may be a moment old. */
export const signIn = (token: string): Effect.Effect<Granted | null, StoreError, Store> =>
  ofSecret("token", token, newest)

const isUnopened = ({ createdAt, expiresAt, kind }: Pick<Granted, "createdAt" | "expiresAt" | "kind">): boolean =>
  kind === "link" && expiresAt - createdAt <= UNOPENED

/**
 * Opens a link that is younger than a minute and was not opened before, in any process, and answers its grant; null
 * otherwise.
 */
export const redeem = Effect.fnUntraced(function* (link: string): Effect.fn.Return<Granted | null, Failure, Needs> {
  const granted = yield* ofSecret("link", link, newest)
  if (granted === null || (yield* Clock.currentTimeMillis) >= granted.createdAt + LINK) return null
  // Of two at the same time the store counts one.
  const once = { key: `operator-link:${granted.id}`, window: 10 * LINK, slice: LINK, amount: 1, limit: 1 }
  const { counted } = yield* Store.use((store) => store.count([once]))
  if (!counted) return null
  const { id, ...opened } = { ...granted, expiresAt: granted.createdAt + SESSION }
  const hash = keyHash(link)
  yield* Settings.use((settings) => settings.set(null, grants.of(id), { ...opened, hash }))
  return { ...opened, id }
})

type Grants = ReadonlyMap<string, typeof Grant.Type>

/** As they were within the last second. */
const known = Settings.use((settings) => settings.all(null, grants))

/** As they are now, by a read of the store. */
const newest = Effect.flatMap(
  Store.use((store) => store.settings(null)),
  (all) => Effect.fromResult(values(new Map(all.map(({ name, value }) => [name, value]))).all(grants))
)

const ofSecret = Effect.fnUntraced(function* <R>(
  kind: Granted["kind"],
  secret: string,
  read: Effect.Effect<Grants, StoreError, R>
) {
  const [, prefix, ulid] = SECRET.exec(secret) ?? []
  if (prefix !== prefixes[kind]) return null
  const isIts = (grant: typeof Grant.Type) => grant.kind === kind && isSameHash(grant.hash, keyHash(secret))
  return yield* among(yield* read, `${ID_PREFIX}${ulid}`, isIts)
})

const among = (all: Grants, id: string, isIts: (grant: typeof Grant.Type) => boolean): Effect.Effect<Granted | null> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const found = all.get(id)
    return found !== undefined && found.expiresAt > now && isIts(found) ? grantedOf(id, found) : null
  })

const ID_PREFIX = "opr_"
const SECRET = /^(ww[ol]_)([0-9A-Z]{26})_[0-9A-Za-z]{43}$/

const grantedOf = (id: string, grant: typeof Grant.Type): Granted => ({
  ...Struct.omit(grant, ["hash"]),
  id: OperatorId.make(id)
})
