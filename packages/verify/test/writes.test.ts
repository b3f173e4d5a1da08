/** Answers, receipts and guesses on their way into the database: what each takes, and what races with it. */
import { assert, describe, it } from "@effect/vitest"
import type { Principal } from "@watchword/schemas/Account"
import { type Service as Store, about } from "@watchword/store/Store"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { format, toId } from "../src/internal/VerificationFormat.ts"
import {
  SMS,
  SMS_THEN_CALL,
  type World,
  expectAttempts,
  centsOf,
  check,
  codeOf,
  eventually,
  get,
  life,
  list,
  makeWorld,
  outcomesOf,
  principal,
  settled,
  start,
  unfollowed
} from "./fixture.ts"

/** A world whose store records its requests. */
const noted = () => {
  const world = makeWorld()
  const { store } = world
  const asked: Array<string> = []
  const noting =
    <Args extends ReadonlyArray<unknown>, A>(name: string, step: (...args: Args) => A) =>
    (...args: Args): A => {
      asked.push(name)
      return step(...args)
    }
  const steps: Partial<Store> = {
    open: noting("open", store.open),
    close: noting("close", store.close),
    report: noting("report", store.report),
    find: noting("find", store.find),
    findByRef: noting("find", store.findByRef),
    account: noting("account", store.account)
  }
  return { asked, world: { ...world, store: { ...store, ...steps } } }
}

const recordOf = ({ store }: World, { account, mode }: Principal, id: string) =>
  store
    .find({ account: account.id, mode, channel: "verify", id: Option.getOrThrow(toId(id)) })
    .pipe(Effect.map(Option.getOrThrow))

/** Channels and outcomes of sends as the database has them. */
const stored = (world: World, by: Principal, { id }: { readonly id: string }) =>
  Effect.map(recordOf(world, by, id), (record) => outcomesOf(format.toWire(record)))

describe("a verification by one text", () => {
  it.effect("takes two steps of the store to start, one for its receipt, and one and a read for its check", () => {
    const { asked, world } = noted()
    return life(world)(
      Effect.gen(function* () {
        const by = yield* principal()
        asked.length = 0
        const started = yield* start(by, SMS)
        assert.deepStrictEqual(outcomesOf(started), ["sms accepted"])
        assert.deepStrictEqual(asked.splice(0), ["open", "close"])
        yield* world.sms.receipt(1, "delivered")
        assert.deepStrictEqual(asked.splice(0), ["report"])
        assert.isTrue((yield* check(by, started, codeOf(world))).valid)
        yield* settled
        assert.deepStrictEqual(asked.splice(0), ["find", "report"])
        assert.deepStrictEqual(outcomesOf(yield* get(by, started)), ["sms delivered"])
      })
    )
  })
})

describe("the database", () => {
  it.effect("learns from the records what a process that died has not written", () => {
    const world = makeWorld()
    const { store } = world
    // Nothing of the plan is written any more, as at a death.
    let lost = 0
    const { close, report: reported } = unfollowed(store)
    const report: typeof store.report = (request) => {
      if (!("version" in request.when)) return reported(request)
      lost++
      return Effect.never
    }
    const isLost = (count: number) =>
      eventually(
        Effect.sync(() => lost),
        (found) => found === count
      )
    return Effect.gen(function* () {
      const begun = yield* Deferred.make<Principal>()
      yield* Effect.forkDetach(
        life({ ...world, store: { ...store, close, report } })(
          Effect.gen(function* () {
            const by = yield* principal()
            yield* Effect.forkChild(start(by, SMS_THEN_CALL))
            yield* isLost(1)
            yield* Effect.forkChild(world.sms.receipt(1, "delivered"))
            yield* isLost(2)
            yield* Deferred.succeed(begun, by)
            return yield* Effect.never
          })
        )
      )
      const by = yield* Deferred.await(begun)
      yield* life(world)(
        Effect.gen(function* () {
          const [started = assert.fail()] = (yield* list(by)).rows
          assert.deepStrictEqual(outcomesOf(started), ["sms opening"])
          yield* TestClock.adjust("6 seconds")
          yield* expectAttempts(by, started, ["sms delivered"])
          yield* TestClock.adjust("70 seconds")
          assert.strictEqual(world.trunk.calls.length, 0)
        })
      )
    })
  })
})

describe("a receipt", () => {
  it.effect("that comes while a guess is compared is not lost", () => {
    const world = makeWorld()
    return life(world)(
      Effect.gen(function* () {
        const by = yield* principal()
        // The code is sealed: the comparison waits for it to be opened.
        const started = yield* start(by, { ...SMS, code: "246810" })
        const guess = yield* Effect.forkChild(check(by, started, "246810"))
        yield* Effect.yieldNow
        yield* world.sms.receipt(1, "delivered")
        assert.isTrue((yield* Fiber.join(guess)).valid)
        assert.deepStrictEqual(yield* stored(world, by, started), ["sms delivered"])
      })
    )
  })

  it.effect("that comes while the end of its verification is being written is not lost", () => {
    const world = makeWorld()
    const { store } = world
    return Effect.gen(function* () {
      const latch = yield* Latch.make()
      const report: typeof store.report = (request) =>
        request.refund ? Effect.andThen(latch.await, store.report(request)) : store.report(request)
      yield* life({ ...world, store: { ...store, report } })(
        Effect.gen(function* () {
          const by = yield* principal()
          const started = yield* start(by, SMS)
          const guess = yield* Effect.forkChild(check(by, started, codeOf(world)))
          yield* settled
          const receipt = yield* Effect.forkChild(world.sms.receipt(1, "delivered"))
          yield* settled
          yield* latch.open
          assert.isTrue((yield* Fiber.join(guess)).valid)
          yield* Fiber.join(receipt)
          assert.deepStrictEqual(yield* stored(world, by, started), ["sms delivered"])
        })
      )
    })
  })

  it.effect("that comes late does not undo a later one", () => {
    const world = makeWorld()
    const { store } = world
    return Effect.gen(function* () {
      const latch = yield* Latch.make()
      let slow = true
      // The first report is stored at once, and answered after the second one.
      const report: typeof store.report = (request) => {
        if (!slow || request.target._tag !== "Part") return store.report(request)
        slow = false
        return Effect.tap(store.report(request), () => latch.await)
      }
      yield* life({ ...world, store: { ...store, report } })(
        Effect.gen(function* () {
          const by = yield* principal()
          const started = yield* start(by, SMS)
          const { delivery_id: id } = started.attempts[0] ?? assert.fail()
          const first = yield* Effect.forkChild(world.sms.receipt(1, "delivered"))
          yield* settled
          yield* store.report(about(id ?? assert.fail(), 1, { refund: true }))
          yield* world.sms.receipt(1, "delivered")
          assert.strictEqual((yield* get(by, started)).attempts[0]?.price, 0)
          yield* latch.open
          yield* Fiber.join(first)
          const after = yield* get(by, started)
          assert.deepInclude(after.attempts[0], { status: "delivered", price: 0 })
          assert.strictEqual((yield* centsOf(by)).available, 1000)
        })
      )
    })
  })
})
