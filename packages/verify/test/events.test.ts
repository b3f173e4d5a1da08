import { assert, describe, it } from "@effect/vitest"
import { accepted } from "@watchword/send/Outcome"
import { Watchers, makeReconciler } from "@watchword/send/pipeline"
import type { Details } from "@watchword/store/Delivery"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import {
  CHAT_THEN_SMS,
  SMS,
  type World,
  expectAttempts,
  cancel,
  check,
  codeOf,
  inWorld,
  lost,
  principal,
  refusal,
  settled,
  start
} from "./fixture.ts"

/** A test whose verifications are watched by one endpoint. */
const watched = <A, E, R>(test: (world: World) => Effect.Effect<A, E, R>) =>
  inWorld(test).pipe(
    Effect.provideService(Watchers, {
      watch: ({ channel }) => Effect.succeed(channel === "verify" ? { endpoints: ["hook"] } : null)
    })
  )

/** The events that the endpoint receives, in order: the version, the status, and the attempt that was made. */
const told = ({ store }: World) =>
  Effect.map(store.takeEvents({ lease: 86_400_000, limit: 100, perEndpoint: 100 }), (events) =>
    events
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .flatMap(({ fact }) => (fact._tag === "DeliveryChanged" ? [fact] : []))
      .map(({ moved, note, status, version }) =>
        [
          version,
          status,
          ...(moved ? ["moved"] : []),
          ...(note === null ? [] : [note.name, attemptOf(note.data)])
        ].join(" ")
      )
  )

const attemptOf = ({ attempt, channel, reason, status }: Details): string =>
  [attempt, channel, status, ...(reason === null ? [] : [reason])].join(" ")

describe("a watched verification", () => {
  it.effect("is told of when it is created, attempted and approved, and not of wrong guesses", () =>
    watched((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS)
        const code = codeOf(world)
        yield* check(by, started, code === "000000" ? "000001" : "000000")
        yield* check(by, started, code)
        yield* settled
        assert.deepStrictEqual(yield* told(world), [
          "1 pending moved",
          "2 pending attempted 1 sms accepted",
          "3 approved moved"
        ])
      })
    )
  )

  it.effect("is told of each attempt, with the reason of one that failed", () =>
    watched((world) =>
      Effect.gen(function* () {
        world.chat.probe = () => Effect.succeed({ _tag: "Unreachable" })
        const by = yield* principal()
        const started = yield* start(by, CHAT_THEN_SMS)
        yield* expectAttempts(by, started, ["chatgw undelivered", "sms accepted"])
        yield* cancel(by, started)
        yield* settled
        assert.deepStrictEqual(yield* told(world), [
          "1 pending moved",
          "2 pending attempted 1 chatgw undelivered NO_ACCOUNT",
          "3 pending attempted 2 sms accepted",
          "4 canceled moved"
        ])
      })
    )
  )

  it.effect("is told of an attempt again that is corrected after the end", () =>
    watched((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        yield* cancel(by, yield* start(by, CHAT_THEN_SMS))
        world.sms.answer = () => Effect.succeed(lost())
        const left = yield* start(by, { ...SMS, purpose: "login" })
        yield* cancel(by, left)
        yield* Effect.flatMap(makeReconciler({ failed: {}, releaseAfter: 0 }), ({ run }) =>
          Effect.andThen(TestClock.adjust("1 second"), run)
        )
        yield* expectAttempts(by, left, ["sms undelivered"])
        assert.deepStrictEqual(yield* told(world), [
          "1 pending moved",
          "2 pending attempted 1 chatgw accepted",
          "3 canceled moved",
          // Its price came back, and it was taken back.
          "4 canceled attempted 1 chatgw accepted",
          "5 canceled attempted 1 chatgw revoked",
          "1 pending moved",
          "2 pending attempted 1 sms unknown",
          "3 canceled moved",
          "4 canceled attempted 1 sms undelivered"
        ])
      })
    )
  )

  it.effect("that no gateway takes has failed with its last attempt, and one without an answer expires", () =>
    watched((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        world.sms.answer = () => Effect.succeed(refusal())
        yield* Effect.ignore(start(by, SMS))
        assert.deepStrictEqual(yield* told(world), [
          "1 pending moved",
          "2 failed moved attempted 1 sms undelivered TEMPORARY_UNAVAILABLE"
        ])
        world.sms.answer = () => Effect.succeed(accepted(["a"]))
        yield* start(by, SMS)
        yield* told(world)
        yield* TestClock.adjust("1 hour")
        yield* settled
        assert.deepStrictEqual(yield* told(world), ["3 expired moved"])
      })
    )
  )
})
