/**
 * A store with an account in it, and one or more processes that authenticate against it.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import * as Authenticator from "@watchword/auth/Authenticator"
import * as Keys from "@watchword/auth/Keys"
import { Unauthorized } from "@watchword/schemas/Errors"
import { AccountId } from "@watchword/schemas/Ids"
import { memory } from "@watchword/store/MemoryStore"
import { type Service, Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { crc32 } from "node:zlib"
import { someAccount } from "../../../test/accounts.ts"

export const account = someAccount()

export const otherAccount = someAccount({ id: AccountId.make("acc_01KAJ3T8ZZ0000000000000001") })

/** The store's verbs as they are, counted, and out of order while `down`. */
class Watched {
  down = false
  lookUps = 0
  looks = 0
  /** Runs between reading a key and answering with it. */
  beforeAnswer: Effect.Effect<void> = Effect.void
  /** Runs between reading revocations and answering with them. */
  beforeRevoked: Effect.Effect<void> = Effect.void
  /** What noting a use fails with. */
  failUses: StoreError | null = null
  readonly store: Service

  constructor(store: Service) {
    const unlessDown = <A>(effect: Effect.Effect<A, StoreError>): Effect.Effect<A, StoreError> =>
      Effect.suspend(() =>
        this.down ? Effect.fail(new StoreError({ reason: "Unavailable", message: "The store is down." })) : effect
      )
    this.store = {
      ...store,
      keyByHash: (hash) => {
        this.lookUps++
        return unlessDown(Effect.tap(store.keyByHash(hash), () => this.beforeAnswer))
      },
      useKey: (id, at) => (this.failUses === null ? store.useKey(id, at) : Effect.fail(this.failUses)),
      keysChangedWithin: (duration) => {
        this.looks++
        return unlessDown(Effect.tap(store.keysChangedWithin(duration), () => this.beforeRevoked))
      }
    }
  }
}

/** One process: its own caches, the common store. */
export const startProcess = Effect.gen(function* () {
  const watched = new Watched(yield* Store)
  const authenticator = yield* Effect.provideService(Authenticator.make, Store, watched.store)
  const keys = yield* Keys.make.pipe(
    Effect.provideService(Store, watched.store),
    Effect.provideService(Authenticator.Authenticator, authenticator)
  )
  const ask = (apiKey: string | null, more: Partial<Authenticator.Credentials> = {}) =>
    authenticator.authenticate({ apiKey, accountId: account.id, remoteAddress: null, accountRequired: true, ...more })
  return { ask, authenticator, keys, watched }
})

/** A process with a store that knows the accounts, and a live key. */
export const setUp = Effect.gen(function* () {
  const store = yield* Store
  yield* store.createAccount(account)
  yield* store.createAccount(otherAccount)
  const started = yield* startProcess
  const { key, secret } = yield* started.keys.create({ account: account.id, mode: "live" })
  return { ...started, store, key, secret: Redacted.value(secret) }
})

export type Process = Effect.Success<typeof setUp>

export type Program = Effect.Effect<void, unknown, ChannelRegistry.ChannelRegistry | Store>

/** A test with a store of its own. */
export const test = (name: string, program: () => Program) =>
  // oxlint-disable-next-line vitest/expect-expect -- The tests that are given assert.
  it.effect(name, () => Effect.provide(program(), Layer.merge(memory(), ChannelRegistry.layerBuiltIn)))

/** A key whose body is made up, with the checksum that Node computes for it. */
export const withChecksum = (body: string): string => {
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
  const digit = (place: number) => alphabet.charAt(Math.floor(crc32(body) / 62 ** place) % 62)
  return body + [5, 4, 3, 2, 1, 0].map(digit).join("")
}

/** Succeeds when the request is answered 401. */
export const refused = <A, E, R>(request: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(request), (error) => assert.instanceOf(error, Unauthorized))
