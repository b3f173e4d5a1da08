/** Answers and receipts that this process remembers, and the database learns later. */
import { assert, describe, it } from "@effect/vitest"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import type { Principal } from "@watchword/schemas/Principal"
import { Watchers } from "@watchword/send/internal/Watchers"
import { type Service as Store, about } from "@watchword/store/Store"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import * as Ahead from "../src/internal/Ahead.ts"
import { format, toId } from "../src/internal/VerificationFormat.ts"
import { read } from "../src/internal/VerificationRecord.ts"
import {
  SMS,
  SMS_THEN_CALL,
  type World,
  attempts,
  cancel,
  centsOf,
  check,
  codeOf,
  get,
  inWorld,
  life,
  list,
  makeWorld,
  outcomesOf,
  principal,
  settled,
  start,
  wrong
} from "./fixture.ts"

/** A world whose store notes what it is asked for. */
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
  it.effect(
    "takes three steps of the store to start, one for its receipt and one for its check, and reads nothing",
    () => {
      const { asked, world } = noted()
      return life(world)(
        Effect.gen(function* () {
          const by = yield* principal()
          asked.length = 0
          const started = yield* start(by, SMS)
          assert.deepStrictEqual(outcomesOf(started), ["sms accepted"])
          assert.deepStrictEqual(asked.splice(0), ["open", "open", "close"])
          yield* world.sms.receipt(1, "delivered")
          assert.deepStrictEqual(asked.splice(0), ["report"])
          assert.isTrue((yield* check(by, started, codeOf(world))).valid)
          yield* settled
          assert.deepStrictEqual(asked.splice(0), ["report"])
          assert.deepStrictEqual(outcomesOf(yield* get(by, started)), ["sms delivered"])
        })
      )
    }
  )

  it.effect("is written by its check, with what is known of its send", () => {
    const world = makeWorld()
    return life(world)(
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS_THEN_CALL)
        assert.strictEqual((yield* check(by, started, wrong(codeOf(world)))).checks_left, 4)
        assert.deepStrictEqual(yield* stored(world, by, started), ["sms accepted"])
        // One receipt comes while the verification is pending, and one after its end.
        yield* world.sms.receipt(1, "sent")
        assert.isTrue((yield* check(by, started, codeOf(world))).valid)
        yield* world.sms.receipt(1, "delivered")
        assert.deepStrictEqual(yield* stored(world, by, started), ["sms delivered"])
      })
    )
  })

  it.effect("is listed and canceled as this process knows it", () => {
    const world = makeWorld()
    return life(world)(
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS)
        yield* world.sms.receipt(1, "delivered")
        assert.deepStrictEqual(yield* stored(world, by, started), ["sms opening"])
        const { rows } = yield* list(by)
        assert.deepStrictEqual(rows.map(outcomesOf), [["sms delivered"]])
        const canceled = yield* cancel(by, started)
        assert.deepStrictEqual(outcomesOf(canceled), ["sms delivered"])
        assert.deepStrictEqual(yield* stored(world, by, started), ["sms delivered"])
      })
    )
  })

  it.effect("is written when the database's plan is due, once", () => {
    const { asked, world } = noted()
    return life(world)(
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS_THEN_CALL)
        yield* TestClock.adjust("4 seconds")
        assert.deepStrictEqual(yield* stored(world, by, started), ["sms opening"])
        asked.length = 0
        yield* TestClock.adjust("3 seconds")
        yield* settled
        assert.deepStrictEqual(
          asked.filter((step) => step === "report" || step === "find"),
          ["report"]
        )
        assert.deepStrictEqual(yield* stored(world, by, started), ["sms accepted"])
        yield* TestClock.adjust("55 seconds")
        yield* attempts(by, started, ["sms accepted", "call accepted"])
      })
    )
  })
})

describe("a process", () => {
  it.effect("remembers the last 10,000 verifications", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const { id } = yield* start(by, SMS)
        const one = read(yield* recordOf(world, by, id))
        const many = Array.from({ length: 10_001 }, (_, at) => ({
          ...one,
          delivery: { ...one.delivery, id: nextDeliveryId(at) }
        }))
        const ahead = Ahead.make(true)
        for (const each of many) ahead.follow(each)
        assert.deepStrictEqual(ahead.all(), many.slice(1))
      })
    )
  )
})

describe("the database", () => {
  it.effect("has each answer at once where other processes serve on it", () => {
    const world = makeWorld()
    const { store } = world
    const cluster = { ...world, store: { ...store, manifest: { ...store.manifest, cluster: true } } }
    return life(cluster)(
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS)
        assert.deepStrictEqual(yield* stored(cluster, by, started), ["sms accepted"])
      })
    )
  })

  it.effect("has each answer at once where endpoints watch it", () => {
    const world = makeWorld()
    return life(world)(
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS)
        assert.deepStrictEqual(yield* stored(world, by, started), ["sms accepted"])
      })
    ).pipe(Effect.provideService(Watchers, { watch: () => Effect.succeed({ endpoints: ["hook"] }) }))
  })

  it.effect("learns from the records what a process that died has not written", () => {
    const world = makeWorld()
    const { store } = world
    // Nothing of the plan is written any more, as at a death.
    const report: typeof store.report = (request) => ("version" in request.when ? Effect.never : store.report(request))
    return Effect.gen(function* () {
      const begun = yield* Deferred.make<Parameters<typeof get>>()
      yield* Effect.forkDetach(
        life({ ...world, store: { ...store, report } })(
          Effect.gen(function* () {
            const by = yield* principal()
            const first = yield* start(by, SMS_THEN_CALL)
            yield* world.sms.receipt(1, "delivered")
            yield* Deferred.succeed(begun, [by, first])
            return yield* Effect.never
          })
        )
      )
      const [by, started] = yield* Deferred.await(begun)
      yield* life(world)(
        Effect.gen(function* () {
          yield* TestClock.adjust("6 seconds")
          yield* attempts(by, started, ["sms delivered"])
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
