/**
 * API keys: make one, list those of an account, replace one, end one.
 */
import { Keys } from "@watchword/auth/Keys"
import { AccountId } from "@watchword/schemas/Ids"
import type { Key } from "@watchword/store/Account"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { reading } from "../Reading.ts"
import { Overlap, type Run, accountId, keyId } from "./Run.ts"

/** The rights of a new API key. */
export interface NewKey {
  /** The account that pays for its sends. */
  readonly account: string
  /** Whether it is a sandbox key, which reaches no carrier and costs nothing; false unless given. */
  readonly sandbox?: boolean
  /** For example `["sms:send"]`; everything when left out. */
  readonly scopes?: ReadonlyArray<string>
  /** Addresses and CIDR ranges the key may be used from; anywhere when left out. An empty list is refused. */
  readonly allow?: ReadonlyArray<string>
  /** When it ends; never when left out. */
  readonly expires?: Date
}

/** A key as lists have it: without the secret. */
export interface KeyInList {
  readonly keyId: string
  /** Its beginning and its last four characters, by which people recognise it. */
  readonly key: string
  readonly sandbox: boolean
  /** What it may do; null for everything. */
  readonly scopes: ReadonlyArray<string> | null
  /** Addresses and CIDR ranges that it may be used from; empty for anywhere. */
  readonly allow: ReadonlyArray<string>
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  /** Noted every five minutes. */
  readonly lastUsedAt: Date | null
}

export interface KeyOperator {
  /** The keys of an account, oldest first, with those that have ended. */
  readonly keys: (account: string) => Promise<ReadonlyArray<KeyInList>>
  /** Makes a key; `key` is the secret, which cannot be had again. */
  readonly createKey: (key: NewKey) => Promise<{ readonly keyId: string; readonly key: string }>
  /**
   * Makes a key with the rights of another one, which works beside it for `overlap` milliseconds: a day unless given, 0,
   * or 10 minutes at least.
   */
  readonly rotateKey: (
    keyId: string,
    options?: { readonly overlap?: number; readonly expires?: Date }
  ) => Promise<{ readonly keyId: string; readonly key: string }>
  /** Ends a key for good, in this process at once and in others within seconds. */
  readonly revokeKey: (keyId: string) => Promise<void>
}

const texts = Schema.optionalKey(Schema.Array(Schema.String))
const Expires = Schema.optional(Schema.Date)

const newKey = reading(
  Schema.Struct({
    account: AccountId,
    sandbox: Schema.optional(Schema.Boolean),
    scopes: texts,
    allow: texts,
    expires: Expires
  }).annotate({ message: "must be an object: createKey({ account })" })
)
const rotation = reading(Schema.Struct({ overlap: Overlap, expires: Expires }))

export const make = (run: Run<Keys>): KeyOperator => ({
  createKey: (wanted) =>
    run(
      Effect.gen(function* () {
        const keys = yield* Keys
        const { expires, sandbox = false, ...rest } = yield* newKey(wanted)
        const { key, secret } = yield* keys.create({
          ...rest,
          mode: sandbox ? "sandbox" : "live",
          expiresAt: expires?.getTime() ?? null
        })
        return { keyId: key.id, key: Redacted.value(secret) }
      })
    ),

  keys: (account) =>
    run(
      Effect.gen(function* () {
        const keys = yield* Keys
        return (yield* keys.list(yield* accountId(account))).map(inList)
      })
    ),

  rotateKey: (old, options = {}) =>
    run(
      Effect.gen(function* () {
        const keys = yield* Keys
        const { expires, overlap } = yield* rotation(options)
        const { key, secret } = yield* keys.rotate(yield* keyId(old), {
          ...(overlap === undefined ? {} : { overlap }),
          expiresAt: expires?.getTime() ?? null
        })
        return { keyId: key.id, key: Redacted.value(secret) }
      })
    ),

  revokeKey: (old) =>
    run(
      Effect.gen(function* () {
        const keys = yield* Keys
        yield* keys.revoke(yield* keyId(old))
      })
    )
})

const inList = (key: Key): KeyInList => ({
  keyId: key.id,
  key: `${key.prefix}…${key.lastFour}`,
  sandbox: key.mode === "sandbox",
  scopes: key.scopes,
  allow: key.allow,
  createdAt: new Date(key.createdAt),
  expiresAt: dateOf(key.expiresAt),
  revokedAt: dateOf(key.revokedAt),
  lastUsedAt: dateOf(key.lastUsedAt)
})

const dateOf = (time: number | null): Date | null => (time === null ? null : new Date(time))
