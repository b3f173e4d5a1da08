import { assert, describe, it } from "@effect/vitest"
import { nextAccountId } from "@watchword/schemas/Ids"
import * as Setting from "@watchword/store/Setting"
import * as Settings from "@watchword/store/Settings"
import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { someAccount } from "../../../../test/accounts.ts"

const account = someAccount()

let decodings = 0
const Counted = Schema.Int.check(
  Schema.makeFilter((number) => {
    decodings++
    return number > 0 ? undefined : "must be more than 0"
  })
)
const Hours = Schema.Struct({ from: Counted, to: Schema.Int })
const hours = Setting.make({ name: "hours", title: "time of silence", schema: Hours })
const nicknames = Setting.family({ prefix: "nickname:", title: "nickname", most: 2, schema: Schema.String })

/** A store with an account, and as many processes on it as are asked for. */
const setUp = Effect.gen(function* () {
  const store = makeMemory()
  yield* store.createAccount(account)
  const watched = { reads: 0, before: Effect.void, down: false }
  const shown = Store.of({
    ...store,
    settings: (owner) =>
      Effect.suspend(() => {
        watched.reads++
        return watched.down
          ? Effect.fail(new StoreError({ reason: "Unavailable", message: "away" }))
          : Effect.andThen(watched.before, store.settings(owner))
      })
  })
  const start = Effect.provideService(Settings.make, Store, shown)
  return { settings: yield* start, start, store, watched }
})

describe("a setting", () => {
  it.effect(
    "that a newer program has written is read without the fields and the names that this one does not know",
    () =>
      Effect.gen(function* () {
        const { settings, store } = yield* setUp
        const value = '{"from":22,"to":7,"except":["sunday"]}'
        yield* store.changeSetting({ account: account.id, name: "hours", value })
        yield* store.changeSetting({ account: account.id, name: "silence", value: "{}" })
        assert.deepStrictEqual(yield* settings.get(account.id, hours), Option.some({ from: 22, to: 7 }))
        assert.deepStrictEqual((yield* store.settings(account.id)).map((row) => row.value).toSorted(), [value, "{}"])
      })
  )

  it.effect("that a service notes for itself is read with the others at once, until it is taken away", () =>
    Effect.gen(function* () {
      const { settings, store, watched } = yield* setUp
      for (const name of ["one", "two", "three"]) {
        assert.isTrue(yield* settings.note(account.id, nicknames.of(name), name))
      }
      assert.strictEqual(watched.reads, 0)
      assert.deepStrictEqual([...(yield* settings.all(account.id, nicknames)).keys()], ["one", "three", "two"])
      assert.isTrue(yield* settings.note(account.id, nicknames.of("two"), null))
      assert.deepStrictEqual([...(yield* settings.all(account.id, nicknames)).keys()], ["one", "three"])
      assert.isFalse(yield* settings.note(nextAccountId(1), nicknames.of("one"), "one"))
      assert.lengthOf(yield* store.settings(account.id), 2)
    })
  )

  it.effect("is none until it is set, and again when it is removed", () =>
    Effect.gen(function* () {
      const { settings } = yield* setUp
      assert.deepStrictEqual(yield* settings.get(account.id, hours), Option.none())
      assert.deepStrictEqual(yield* settings.set(account.id, hours, { from: 22, to: 7 }), { from: 22, to: 7 })
      assert.deepStrictEqual(yield* settings.get(account.id, hours), Option.some({ from: 22, to: 7 }))
      assert.deepStrictEqual(yield* settings.get(null, hours), Option.none())
      assert.isTrue(yield* settings.remove(account.id, hours))
      assert.isFalse(yield* settings.remove(account.id, hours))
      assert.deepStrictEqual(yield* settings.get(account.id, hours), Option.none())
    })
  )

  it.effect("is refused with the fields that are wrong, and stays as it was", () =>
    Effect.gen(function* () {
      const { settings } = yield* setUp
      yield* settings.set(null, hours, { from: 22, to: 7 })
      const error = yield* Effect.flip(settings.set(null, hours, { from: 0 }))
      assert.deepInclude(error, { _tag: "BAD_REQUEST", message: "The time of silence is not valid." })
      assert.deepInclude(error, {
        issues: [
          { path: "from", message: "must be more than 0" },
          { path: "to", message: "is required" }
        ]
      })
      assert.deepStrictEqual(yield* settings.get(null, hours), Option.some({ from: 22, to: 7 }))
    })
  )

  it.effect("of an account that does not exist is 404", () =>
    Effect.gen(function* () {
      const { settings } = yield* setUp
      const other = nextAccountId(0)
      assert.strictEqual((yield* Effect.flip(settings.set(other, hours, { from: 1, to: 2 })))._tag, "NOT_FOUND")
      assert.strictEqual((yield* Effect.flip(settings.remove(other, hours)))._tag, "NOT_FOUND")
    })
  )

  it.effect("is effective at once where it was set, and in other processes within a second", () =>
    Effect.gen(function* () {
      const { settings, start } = yield* setUp
      const other = yield* start
      yield* settings.set(account.id, hours, { from: 22, to: 7 })
      assert.deepStrictEqual(yield* other.get(account.id, hours), Option.some({ from: 22, to: 7 }))
      yield* settings.set(account.id, hours, { from: 21, to: 7 })
      assert.deepStrictEqual(yield* settings.get(account.id, hours), Option.some({ from: 21, to: 7 }))
      assert.deepStrictEqual(yield* other.get(account.id, hours), Option.some({ from: 22, to: 7 }))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* other.get(account.id, hours), Option.some({ from: 21, to: 7 }))
    })
  )

  it.effect("that another process has just set is known to be removed", () =>
    Effect.gen(function* () {
      const { settings, start } = yield* setUp
      const other = yield* start
      assert.isFalse(yield* other.remove(account.id, hours))
      yield* settings.set(account.id, hours, { from: 22, to: 7 })
      assert.isTrue(yield* other.remove(account.id, hours))
    })
  )

  it.effect("with a name that not every database keeps is not there", () =>
    Effect.gen(function* () {
      const { settings, watched } = yield* setUp
      assert.isFalse(yield* settings.remove(account.id, nicknames.of("\0")))
      assert.isFalse(yield* settings.remove(account.id, nicknames.of("\ud83d")))
      assert.strictEqual(watched.reads, 0)
    })
  )

  it.effect("is read again when the clock was set back", () =>
    Effect.gen(function* () {
      const { settings, store } = yield* setUp
      yield* TestClock.adjust("1 hour")
      yield* settings.set(account.id, hours, { from: 22, to: 7 })
      yield* settings.get(account.id, hours)
      yield* store.changeSetting({ account: account.id, name: "hours", value: null })
      yield* TestClock.setTime(0)
      assert.deepStrictEqual(yield* settings.get(account.id, hours), Option.none())
    })
  )

  it.effect("that another version wrote fails, without its key", () =>
    Effect.gen(function* () {
      const { settings, store } = yield* setUp
      yield* store.changeSetting({ account: null, name: "nickname:+4915123456789", value: "7" })
      const error = yield* Effect.flip(settings.all(null, nicknames))
      assert.deepInclude(error, { reason: "Unavailable", message: "The setting nickname cannot be read." })
    })
  )
})

describe("a family", () => {
  it.effect("has its members by their keys, and no more than its most", () =>
    Effect.gen(function* () {
      const { settings } = yield* setUp
      yield* settings.set(account.id, hours, { from: 22, to: 7 })
      yield* settings.set(account.id, nicknames.of("b"), "Bea")
      yield* settings.set(account.id, nicknames.of("a"), "Al")
      assert.deepStrictEqual(
        [...(yield* settings.all(account.id, nicknames))],
        [
          ["a", "Al"],
          ["b", "Bea"]
        ]
      )
      const error = yield* Effect.flip(settings.set(account.id, nicknames.of("c"), "Cy"))
      assert.strictEqual(error.message, "There may be at most 2 of a nickname.")
      yield* settings.set(account.id, nicknames.of("a"), "Ann")
      yield* settings.set(null, nicknames.of("c"), "Cy")
    })
  )
})

describe("reads", () => {
  it.effect("are none before something asks, one a second, and one for all who ask at a time", () =>
    Effect.gen(function* () {
      const { settings, watched } = yield* setUp
      assert.strictEqual(watched.reads, 0)
      const latch = yield* Latch.make()
      watched.before = latch.await
      const get = settings.get(account.id, hours)
      const asked = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.forkChild(get))
      yield* Effect.yieldNow
      // The first one goes away: the others are answered all the same.
      yield* Fiber.interrupt(asked[0] ?? assert.fail("no fiber"))
      yield* latch.open
      for (const fiber of asked.slice(1)) assert.deepStrictEqual(yield* Fiber.join(fiber), Option.none())
      yield* get
      assert.strictEqual(watched.reads, 1)
      yield* TestClock.adjust("999 millis")
      yield* get
      assert.strictEqual(watched.reads, 1)
      yield* TestClock.adjust("1 millis")
      yield* get
      assert.strictEqual(watched.reads, 2)
    })
  )

  it.effect("decode a value once as long as it does not change", () =>
    Effect.gen(function* () {
      const { settings } = yield* setUp
      yield* settings.set(null, hours, { from: 5, to: 6 })
      decodings = 0
      for (let second = 0; second < 3; second++) {
        yield* settings.get(null, hours)
        yield* TestClock.adjust("1 second")
      }
      assert.isAtMost(decodings, 1)
    })
  )

  it.effect("put the members of a family together once a second, however many there are", () =>
    Effect.gen(function* () {
      const { settings } = yield* setUp
      yield* settings.set(null, nicknames.of("a"), "Al")
      const first = yield* settings.all(null, nicknames)
      assert.strictEqual(yield* settings.all(null, nicknames), first)
      yield* settings.set(null, nicknames.of("a"), "Ann")
      assert.deepStrictEqual([...(yield* settings.all(null, nicknames))], [["a", "Ann"]])
    })
  )

  it.effect("that fail are not remembered", () =>
    Effect.gen(function* () {
      const { settings, watched } = yield* setUp
      watched.down = true
      assert.instanceOf(yield* Effect.flip(settings.get(null, hours)), StoreError)
      watched.down = false
      assert.deepStrictEqual(yield* settings.get(null, hours), Option.none())
    })
  )

  it.effect("do not wait for those of other requests where the host does not allow it", () =>
    Effect.gen(function* () {
      const { start, watched } = yield* setUp
      const settings = yield* Effect.provideService(start, Settings.RequestsMayWait, false)
      const latch = yield* Latch.make()
      watched.before = latch.await
      const asked = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(settings.get(null, hours)))
      yield* Effect.yieldNow
      assert.strictEqual(watched.reads, 3)
      yield* latch.open
      yield* Effect.forEach(asked, Fiber.join)
      yield* settings.get(null, hours)
      assert.strictEqual(watched.reads, 3)
    })
  )
})
