import { BadRequest, NotFound } from "@watchword/schemas/Errors"
import { AccountId, KeyId } from "@watchword/schemas/Ids"
import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { createHash } from "node:crypto"
import { account, otherAccount, setUp, test } from "./fixture.ts"

describe("create", () => {
  test("stores what was asked for and not the secret", () =>
    Effect.gen(function* () {
      const { keys, store } = yield* setUp
      yield* TestClock.adjust("1 minute")
      const { key, secret } = yield* keys.create({
        account: account.id,
        mode: "sandbox",
        scopes: ["sms:send", "call:read", "sms:send"],
        allow: [" 203.0.113.7", "::ffff:10.1.2.3/104", "2001:DB8::/32"],
        expiresAt: 120_000
      })
      const text = Redacted.value(secret)
      assert.deepStrictEqual(key, {
        id: key.id,
        account: account.id,
        mode: "sandbox",
        hash: createHash("sha256").update(text).digest("hex"),
        prefix: "sk_test_",
        lastFour: text.slice(-4),
        scopes: ["call:read", "sms:send"],
        allow: ["203.0.113.7", "10.0.0.0/8", "2001:db8::/32"],
        expiresAt: 120_000,
        createdAt: 60_000,
        revokedAt: null,
        lastUsedAt: null
      })
      const listed = yield* keys.list(account.id)
      assert.deepStrictEqual(listed.at(-1), key)
      assert.deepStrictEqual(yield* store.keys(account.id), listed)
      assert.notInclude(JSON.stringify(listed), text)
    }))

  test("makes a key for everything from everywhere and for ever by default", () =>
    Effect.gen(function* () {
      const { key } = yield* setUp
      assert.deepStrictEqual([key.scopes, key.allow, key.expiresAt], [null, [], null])
    }))

  test("names everything that is wrong, and stores nothing", () =>
    Effect.gen(function* () {
      const { keys } = yield* setUp
      yield* TestClock.adjust("1 minute")
      const before = yield* keys.list(account.id)
      const error = yield* Effect.flip(
        keys.create({
          account: account.id,
          mode: "live",
          scopes: ["sms:send", "sms:delete", "*"],
          allow: ["203.0.113.7", "10.0.0.0/33"],
          expiresAt: 60_000
        })
      )
      assert.instanceOf(error, BadRequest)
      const scopes =
        "call:send, call:read, call:report, sms:send, sms:read, sms:report, " +
        "chatgw:send, chatgw:read, chatgw:report, bizchat:send, bizchat:read, bizchat:report, " +
        "verify:send, verify:check, verify:read, verify:report, sandbox:read, requests:read"
      assert.deepStrictEqual(error.issues, [
        { path: "scopes[1]", message: `must be one of ${scopes}, but is "sms:delete"` },
        { path: "scopes[2]", message: `must be one of ${scopes}, but is "*"` },
        { path: "allow[1]", message: 'must have a prefix from 0 to 32 behind the slash, but is "10.0.0.0/33"' },
        { path: "expiresAt", message: "must be in the future" }
      ])
      assert.deepStrictEqual(yield* keys.list(account.id), before)
    }))

  test("does not take an empty list of scopes for all of them", () =>
    Effect.gen(function* () {
      const { keys } = yield* setUp
      const error = yield* Effect.flip(keys.create({ account: account.id, mode: "live", scopes: [] }))
      assert.instanceOf(error, BadRequest)
      assert.deepStrictEqual(error.issues, [
        { path: "scopes", message: "must have at least one scope, or be left out for all" }
      ])
    }))

  test("does not take an empty allow-list for anywhere", () =>
    Effect.gen(function* () {
      const { keys } = yield* setUp
      const before = yield* keys.list(account.id)
      const error = yield* Effect.flip(keys.create({ account: account.id, mode: "live", allow: [] }))
      assert.instanceOf(error, BadRequest)
      assert.deepStrictEqual(error.issues, [
        { path: "allow", message: "must have at least one address, or be left out for anywhere" }
      ])
      assert.deepStrictEqual(yield* keys.list(account.id), before)
    }))

  for (const expiresAt of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    test(`refuses ${expiresAt} as an expiry`, () =>
      Effect.gen(function* () {
        const { keys } = yield* setUp
        const error = yield* Effect.flip(keys.create({ account: account.id, mode: "live", expiresAt }))
        assert.instanceOf(error, BadRequest)
      }))
  }

  test("needs an account", () =>
    Effect.gen(function* () {
      const { keys } = yield* setUp
      const unknown = AccountId.make("acc_01KAJ3T8ZZ000000000000000Z")
      assert.instanceOf(yield* Effect.flip(keys.create({ account: unknown, mode: "live" })), NotFound)
    }))
})

describe("list", () => {
  test("shows the keys of one account, oldest first, the revoked ones too", () =>
    Effect.gen(function* () {
      const { key, keys } = yield* setUp
      yield* keys.create({ account: otherAccount.id, mode: "live" })
      yield* TestClock.adjust(1)
      const second = yield* keys.create({ account: account.id, mode: "live" })
      yield* keys.revoke(key.id)
      assert.deepStrictEqual(yield* keys.list(account.id), [{ ...key, revokedAt: 1 }, second.key])
    }))
})

describe("revoke", () => {
  test("may be repeated, and the first time counts", () =>
    Effect.gen(function* () {
      const { key, keys } = yield* setUp
      yield* keys.revoke(key.id)
      yield* TestClock.adjust("1 second")
      yield* keys.revoke(key.id)
      assert.deepStrictEqual(yield* keys.list(account.id), [{ ...key, revokedAt: 0 }])
    }))

  test("needs a key", () =>
    Effect.gen(function* () {
      const { keys } = yield* setUp
      const nothing = KeyId.make("key_01KAJ3T8ZZ000000000000000Z")
      assert.instanceOf(yield* Effect.flip(keys.revoke(nothing)), NotFound)
    }))
})
