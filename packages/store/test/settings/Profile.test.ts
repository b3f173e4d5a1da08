import { assert, describe, it } from "@effect/vitest"
import { type AccountId, nextAccountId } from "@watchword/schemas/Ids"
import * as Setting from "@watchword/store/Setting"
import * as Settings from "@watchword/store/Settings"
import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { someAccount } from "../../../../test/accounts.ts"

const { id } = someAccount()

const greeting = Setting.make({ name: "greeting", title: "greeting", schema: Schema.String })
const most = Setting.make({ name: "most", title: "most", schema: Schema.Int })

/** A profile of two settings, and how often it was derived. */
const setUp = Effect.gen(function* () {
  const store = makeMemory()
  yield* store.createAccount(someAccount())
  const counts = { reads: 0, made: 0 }
  const gate = { answered: Effect.void }
  const watched = Store.of({
    ...store,
    settings: (owner) =>
      Effect.suspend(() => {
        counts.reads++
        return Effect.tap(store.settings(owner), gate.answered)
      })
  })
  const settings = yield* Effect.provideService(Settings.make, Store, watched)
  const profile = settings.profile((own, common) =>
    Result.gen(function* () {
      counts.made++
      return { greeting: yield* own.get(greeting), most: (yield* own.get(most)) ?? (yield* common.get(most)) ?? 7 }
    })
  )
  const atOnce = (account: AccountId = id) => Effect.map(Clock.currentTimeMillis, (now) => profile(account, now))
  const known = (account?: AccountId) =>
    Effect.flatMap(atOnce(account), (value) => (isAtHand(value) ? value : Effect.succeed(undefined)))
  const read = (account?: AccountId) => Effect.flatten(atOnce(account))
  return { counts, gate, known, read, settings, store }
})

const isAtHand = (value: Effect.Effect<unknown, unknown>): boolean => Exit.isExit(value) && Exit.isSuccess(value)

describe("a profile", () => {
  it.effect("is at hand once it was read, and the same value for all who ask within a second", () =>
    Effect.gen(function* () {
      const { counts, known, read } = yield* setUp
      assert.isUndefined(yield* known())
      assert.strictEqual(counts.reads, 0)
      const value = yield* read(id)
      assert.deepStrictEqual(value, { greeting: undefined, most: 7 })
      yield* TestClock.adjust("999 millis")
      assert.strictEqual(yield* known(), value)
      assert.strictEqual(yield* read(id), value)
      assert.deepStrictEqual(counts, { reads: 2, made: 1 })
      yield* TestClock.adjust("1 millis")
      assert.isUndefined(yield* known())
      yield* read(id)
      assert.deepStrictEqual(counts, { reads: 4, made: 2 })
    })
  )

  it.effect("is made again when a setting of its account or of the installation changes", () =>
    Effect.gen(function* () {
      const { known, read, settings } = yield* setUp
      yield* read(id)
      for (const [owner, value] of [
        [null, 3],
        [id, 2]
      ] as const) {
        yield* settings.set(owner, most, value)
        assert.isUndefined(yield* known())
        assert.strictEqual((yield* read(id)).most, value)
        assert.strictEqual((yield* known())?.most, value)
      }
      yield* settings.remove(id, most)
      assert.strictEqual((yield* read(id)).most, 3)
    })
  )

  it.effect("is not what a read found that began before a change", () =>
    Effect.gen(function* () {
      const { gate, read, settings } = yield* setUp
      const latch = yield* Latch.make()
      gate.answered = latch.await
      const reading = yield* Effect.forkChild(read(id))
      yield* Effect.yieldNow
      gate.answered = Effect.void
      yield* settings.set(id, greeting, "Hello")
      yield* latch.open
      yield* Fiber.join(reading)
      assert.strictEqual((yield* read(id)).greeting, "Hello")
    })
  )

  it.effect("is read again when the clock was set back", () =>
    Effect.gen(function* () {
      const { known, read, store } = yield* setUp
      yield* TestClock.adjust("1 hour")
      yield* read(id)
      yield* store.changeSetting({ account: id, name: "most", value: "1" })
      yield* TestClock.setTime(0)
      assert.isUndefined(yield* known())
      assert.strictEqual((yield* read(id)).most, 1)
    })
  )

  it.effect("of settings that cannot be read is not known, and fails", () =>
    Effect.gen(function* () {
      const { known, read, store } = yield* setUp
      yield* store.changeSetting({ account: null, name: "most", value: '"many"' })
      const error = yield* Effect.flip(read(id))
      assert.instanceOf(error, StoreError)
      assert.strictEqual(error.message, "The setting most cannot be read.")
      assert.isUndefined(yield* known())
    })
  )

  it.effect("is kept for those of ten thousand owners that were read last", () =>
    Effect.gen(function* () {
      const { known, read } = yield* setUp
      const accounts = Array.from({ length: 10_000 }, () => nextAccountId(0))
      const [first = id, second = id] = accounts
      yield* Effect.forEach(accounts, read, { discard: true })
      // The installation is an owner too, which was read second.
      assert.isUndefined(yield* known(first))
      yield* read(second)
      assert.isDefined(yield* known(second))
    })
  )
})
