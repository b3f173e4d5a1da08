/**
 * API keys: make one, list those of an account, replace one, end one.
 */
import type { Keys } from "@watchword/auth/Keys"
import * as KeyCommands from "@watchword/operator/commands/KeyCommands"
import * as Effect from "effect/Effect"
import { type Run, objectOf, withOptions } from "./Run.ts"

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

export const make = (run: Run<Keys>): KeyOperator => ({
  createKey: (wanted) => run(Effect.flatMap(objectOf(wanted, "createKey({ account })"), KeyCommands.create.call)),
  keys: async (account) => (await run(KeyCommands.list.call({ account }))).keys,
  rotateKey: (keyId, options = {}) =>
    run(Effect.flatMap(withOptions(KeyCommands.rotate, { keyId }, options), KeyCommands.rotate.call)),
  revokeKey: async (keyId) => void (await run(KeyCommands.revoke.call({ keyId })))
})
