import * as ApiKey from "../src/internal/ApiKey.ts"
import type { Credentials } from "@watchword/auth/Authenticator"
import type { Scope } from "@watchword/schemas/Channel"
import { Unauthorized } from "@watchword/schemas/Errors"
import { nextKeyId } from "@watchword/schemas/Ids"
import type { Key } from "@watchword/store/Account"
import { StoreError } from "@watchword/store/StoreError"
import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { account, otherAccount, refused, setUp, test, withChecksum } from "./fixture.ts"

/** A key that was never made. Its checksum is right. */
const unknownKey = (index = 0) => withChecksum(`sk_live_${String(index).padStart(43, "0")}`)

const keyOf = ({ hash, lastFour, prefix }: ApiKey.ApiKey, more: Partial<Key> = {}): Key => ({
  id: nextKeyId(0),
  account: account.id,
  mode: "live",
  hash,
  prefix,
  lastFour,
  scopes: null,
  allow: [],
  expiresAt: null,
  createdAt: 0,
  revokedAt: null,
  lastUsedAt: null,
  ...more
})

describe("a valid key", () => {
  test("leads to its account, mode and scopes", () =>
    Effect.gen(function* () {
      const { ask, key, keys, secret } = yield* setUp
      assert.deepStrictEqual(yield* ask(secret), { account, mode: "live", key: key.id, scopes: null })
      const second = yield* keys.create({ account: account.id, mode: "sandbox", scopes: ["sms:send", "sms:read"] })
      assert.deepStrictEqual(yield* ask(Redacted.value(second.secret)), {
        account,
        mode: "sandbox",
        key: second.key.id,
        scopes: new Set<Scope>(["sms:send", "sms:read"])
      })
    }))

  test("needs no account id where that may be left out, and the right one where it is sent", () =>
    Effect.gen(function* () {
      const { ask, secret } = yield* setUp
      yield* ask(secret, { accountId: null, accountRequired: false })
      yield* ask(secret, { accountId: account.id, accountRequired: false })
      yield* refused(ask(secret, { accountId: otherAccount.id, accountRequired: false }))
      yield* refused(ask(secret, { accountId: "", accountRequired: false }))
      yield* refused(ask(secret, { accountId: null }))
    }))

  test("is looked up again after five minutes, and not before", () =>
    Effect.gen(function* () {
      const { ask, secret, watched } = yield* setUp
      yield* ask(secret)
      for (let second = 1; second < 300; second++) {
        yield* TestClock.adjust("1 second")
        yield* ask(secret)
      }
      assert.strictEqual(watched.lookUps, 1)
      yield* TestClock.adjust("1 second")
      yield* ask(secret)
      assert.strictEqual(watched.lookUps, 2)
    }))

  test("is decided on at once when it was used a moment ago", () =>
    Effect.gen(function* () {
      const { ask, secret } = yield* setUp
      yield* TestClock.withLive(Effect.andThen(ask(secret), ask(secret)))
      assert.isTrue(Exit.isSuccess(Effect.runSyncExit(ask(secret))))
    }))

  test("works for many first requests at the same time", () =>
    Effect.gen(function* () {
      const { ask, secret } = yield* setUp
      const answers = yield* Effect.all(
        Array.from({ length: 50 }, () => ask(secret)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.length, 50)
    }))

  test("expires to the millisecond, although it is remembered", () =>
    Effect.gen(function* () {
      const { ask, keys, watched } = yield* setUp
      const { secret } = yield* keys.create({ account: account.id, mode: "live", expiresAt: 60_000 })
      yield* ask(Redacted.value(secret))
      yield* TestClock.setTime(59_999)
      yield* ask(Redacted.value(secret))
      yield* TestClock.setTime(60_000)
      yield* refused(ask(Redacted.value(secret)))
      assert.strictEqual(watched.lookUps, 1)
    }))

  test("works only from where its allow-list says, although it is remembered", () =>
    Effect.gen(function* () {
      const { ask, keys, watched } = yield* setUp
      const { secret } = yield* keys.create({ account: account.id, mode: "live", allow: ["203.0.113.0/24", "::1"] })
      const from = (remoteAddress: string | null) => ask(Redacted.value(secret), { remoteAddress })
      for (let time = 0; time < 2; time++) {
        yield* from("203.0.113.7")
        yield* from("::ffff:203.0.113.7")
        yield* from("::1")
        yield* refused(from("203.0.114.7"))
        yield* refused(from("::2"))
        yield* refused(from("nonsense"))
        yield* refused(from(null))
      }
      assert.strictEqual(watched.lookUps, 1)
    }))

  test("is refused where its stored allow-list cannot be read", () =>
    Effect.gen(function* () {
      const { ask, store } = yield* setUp
      const made = yield* ApiKey.make("live")
      yield* store.createKey(keyOf(made, { allow: ["0.0.0.0/0", "nonsense"] }))
      yield* refused(ask(Redacted.value(made.secret), { remoteAddress: "203.0.113.7" }))
    }))

  test("survives a flood of unknown ones", () =>
    Effect.gen(function* () {
      const { ask, secret, watched } = yield* setUp
      yield* ask(secret)
      for (let index = 0; index < 25_000; index++) {
        yield* refused(ask(unknownKey(index)))
      }
      assert.strictEqual(watched.lookUps, 25_001)
      yield* ask(secret)
      assert.strictEqual(watched.lookUps, 25_001)
    }))
})

describe("a refusal", () => {
  test("reads the same for every wrong key", () =>
    Effect.gen(function* () {
      const { ask, keys, secret } = yield* setUp
      const revoked = yield* keys.create({ account: account.id, mode: "live" })
      yield* keys.revoke(revoked.key.id)
      const expired = yield* keys.create({ account: account.id, mode: "live", expiresAt: 1 })
      const elsewhere = yield* keys.create({ account: account.id, mode: "live", allow: ["203.0.113.7"] })
      yield* TestClock.adjust("1 second")
      const attempts: ReadonlyArray<readonly [string | null, Partial<Credentials>?]> = [
        [""],
        ["sk_live_"],
        [unknownKey()],
        [unknownKey().replaceAll("0", "-")],
        [secret.toUpperCase()],
        [`${secret} `],
        ["sk_live_".padEnd(100_000, "x")],
        [secret, { accountId: otherAccount.id }],
        [secret, { accountId: "acc_unknown" }],
        [Redacted.value(revoked.secret)],
        [Redacted.value(expired.secret)],
        [Redacted.value(elsewhere.secret)],
        [Redacted.value(elsewhere.secret), { remoteAddress: "203.0.113.8" }]
      ]
      const refusals = yield* Effect.forEach(attempts, ([apiKey, more]) => Effect.flip(ask(apiKey, more)))
      assert.strictEqual(new Set(refusals.map((error) => JSON.stringify(error))).size, 1)
      assert.instanceOf(refusals[0], Unauthorized)
    }))

  test("asks the store nothing when the key cannot be one", () =>
    Effect.gen(function* () {
      const { ask, watched } = yield* setUp
      yield* refused(ask("x".repeat(57)))
      yield* refused(ask("x".repeat(100_000)))
      yield* refused(ask(unknownKey(), { accountId: null }))
      yield* refused(ask(`sk_live_${"0".repeat(49)}`))
      yield* refused(ask(unknownKey().replace("live", "test")))
      assert.strictEqual(watched.lookUps, 0)
    }))

  test("is remembered for two seconds, and no longer", () =>
    Effect.gen(function* () {
      const { ask, store, watched } = yield* setUp
      const made = yield* ApiKey.make("live")
      const secret = Redacted.value(made.secret)
      yield* refused(ask(secret))
      yield* store.createKey(keyOf(made))
      yield* TestClock.adjust(1_999)
      yield* refused(ask(secret))
      assert.strictEqual(watched.lookUps, 1)
      yield* TestClock.adjust(1)
      yield* ask(secret)
    }))
})

describe("a store that is down", () => {
  test("is no reason to take a key for unknown", () =>
    Effect.gen(function* () {
      const { ask, secret, watched } = yield* setUp
      watched.down = true
      assert.instanceOf(yield* Effect.flip(ask(secret)), StoreError)
      watched.down = false
      yield* ask(secret)
    }))

  test("lets remembered keys work for three seconds, in which no revocation could be heard of", () =>
    Effect.gen(function* () {
      const { ask, secret, watched } = yield* setUp
      yield* ask(secret)
      yield* ask(secret)
      watched.down = true
      yield* TestClock.adjust(999)
      yield* ask(secret)
      yield* TestClock.adjust(2_001)
      for (let time = 0; time < 3; time++) assert.instanceOf(yield* Effect.flip(ask(secret)), StoreError)
      watched.down = false
      yield* ask(secret)
    }))
})
