/**
 * API keys: make one, replace one, end one.
 */
import { Keys } from "@watchword/auth/Keys"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Run, accountId, keyId } from "./Run.ts"

export interface NewKey {
  readonly account: string
  readonly sandbox?: boolean
  /** For example `["sms:send"]`; everything when left out. */
  readonly scopes?: ReadonlyArray<string>
  /** Addresses and CIDR ranges the key may be used from; anywhere when left out. An empty list is refused. */
  readonly allow?: ReadonlyArray<string>
  readonly expires?: Date
}

export interface KeyOperator {
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
  readonly revokeKey: (keyId: string) => Promise<void>
}

export const make = (run: Run<Keys>): KeyOperator => ({
  createKey: ({ account, sandbox = false, expires, ...rest }) =>
    run(
      Effect.gen(function* () {
        const keys = yield* Keys
        const { key, secret } = yield* keys.create({
          ...rest,
          account: yield* accountId(account),
          mode: sandbox ? "sandbox" : "live",
          expiresAt: expires?.getTime() ?? null
        })
        return { keyId: key.id, key: Redacted.value(secret) }
      })
    ),

  rotateKey: (old, { expires, ...options } = {}) =>
    run(
      Effect.gen(function* () {
        const keys = yield* Keys
        const { key, secret } = yield* keys.rotate(yield* keyId(old), {
          ...options,
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
