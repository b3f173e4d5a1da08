import { BadRequest, Conflict, NotFound } from "@watchword/schemas/Errors"
import { KeyId } from "@watchword/schemas/Ids"
import { StoreError } from "@watchword/store/StoreError"
import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { account, refused, setUp, startProcess, test } from "./fixture.ts"

const HOUR = 60 * 60_000

describe("rotate", () => {
  test("makes a key with the same rights, beside which the old one works for a day", () =>
    Effect.gen(function* () {
      const { ask, keys } = yield* setUp
      const other = yield* startProcess
      const rights = { account: account.id, mode: "sandbox", scopes: ["sms:read"], allow: ["203.0.113.7"] } as const
      const old = yield* keys.create(rights)
      const { key, secret } = yield* keys.rotate(old.key.id)
      assert.notStrictEqual(key.id, old.key.id)
      assert.deepInclude(key, { ...rights, expiresAt: null, revokedAt: null, lastUsedAt: null })
      const from = { remoteAddress: "203.0.113.7" }
      const { key: id } = yield* ask(Redacted.value(secret), from)
      assert.strictEqual(id, key.id)
      yield* refused(ask(Redacted.value(secret)))
      yield* TestClock.setTime(24 * HOUR - 1)
      for (const process of [{ ask }, other]) yield* process.ask(Redacted.value(old.secret), from)
      yield* TestClock.setTime(24 * HOUR)
      for (const process of [{ ask }, other]) {
        yield* refused(process.ask(Redacted.value(old.secret), from))
        yield* process.ask(Redacted.value(secret), from)
      }
    }))

  test("ends the old key within the shortest overlap in a process that knows it", () =>
    Effect.gen(function* () {
      const { ask, key, secret } = yield* setUp
      const other = yield* startProcess
      yield* ask(secret)
      yield* other.keys.rotate(key.id, { overlap: 10 * 60_000, expiresAt: HOUR })
      yield* TestClock.setTime(10 * 60_000 - 1)
      yield* ask(secret)
      yield* TestClock.setTime(10 * 60_000)
      yield* refused(ask(secret))
    }))

  test("revokes the old key where there is no overlap", () =>
    Effect.gen(function* () {
      const { ask, key, keys, secret } = yield* setUp
      yield* ask(secret)
      const next = yield* keys.rotate(key.id, { overlap: 0 })
      yield* refused(ask(secret))
      yield* ask(Redacted.value(next.secret))
    }))

  test("keeps an expiry that is sooner", () =>
    Effect.gen(function* () {
      const { keys, store } = yield* setUp
      const old = yield* keys.create({ account: account.id, mode: "live", expiresAt: HOUR })
      yield* keys.rotate(old.key.id)
      assert.strictEqual(Option.getOrThrow(yield* store.key(old.key.id)).expiresAt, HOUR)
    }))

  test("refuses times that are not valid, unknown keys and those that have ended, and makes nothing", () =>
    Effect.gen(function* () {
      const { key, keys } = yield* setUp
      const revoked = yield* keys.create({ account: account.id, mode: "live" })
      yield* keys.revoke(revoked.key.id)
      const expired = yield* keys.create({ account: account.id, mode: "live", expiresAt: 1 })
      yield* TestClock.adjust("1 second")
      const before = yield* keys.list(account.id)
      for (const overlap of [-1, 1, 599_999, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        const error = yield* Effect.flip(keys.rotate(key.id, { overlap, expiresAt: 1 }))
        assert.instanceOf(error, BadRequest)
        assert.deepStrictEqual(
          error.issues?.map(({ path }) => path),
          ["overlap", "expiresAt"]
        )
      }
      const nothing = KeyId.make("key_01KAJ3T8ZZ000000000000000Z")
      assert.instanceOf(yield* Effect.flip(keys.rotate(nothing)), NotFound)
      assert.instanceOf(yield* Effect.flip(keys.rotate(revoked.key.id)), Conflict)
      assert.instanceOf(yield* Effect.flip(keys.rotate(expired.key.id)), Conflict)
      assert.deepStrictEqual(yield* keys.list(account.id), before)
    }))
})

describe("the last use of a key", () => {
  test("is noted at the first request and about every five minutes, and not for refused ones", () =>
    Effect.gen(function* () {
      const { ask, key, secret, store } = yield* setUp
      const lastUsed = Effect.map(store.key(key.id), (found) => Option.getOrThrow(found).lastUsedAt)
      yield* refused(ask(secret, { accountId: "acc_another" }))
      assert.isNull(yield* lastUsed)
      yield* TestClock.setTime(1_000)
      const other = yield* startProcess
      yield* other.ask(secret)
      assert.strictEqual(yield* lastUsed, 1_000)
      for (let minute = 1; minute <= 6; minute++) {
        yield* TestClock.setTime(1_000 + minute * 60_000)
        yield* other.ask(secret)
      }
      assert.strictEqual(yield* lastUsed, 301_000)
    }))

  test("is no reason to refuse a request when it cannot be noted", () =>
    Effect.gen(function* () {
      const { ask, secret, watched } = yield* setUp
      watched.failUses = new StoreError({ reason: "Unavailable", message: "The disk is full." })
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(ask(secret))))
    }))
})
