import { assert, describe, it } from "@effect/vitest"
import { TemporaryUnavailable } from "@watchword/schemas/Errors"
import { noKeys } from "@watchword/send/Claims"
import { unknown } from "@watchword/send/Outcome"
import * as Heartbeat from "../src/pipeline/Heartbeat.ts"
import * as Reconciler from "../src/pipeline/Reconciler.ts"
import { Send } from "@watchword/send/Send"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { PRICE, balanceOf, kinds, layer, principalWith, request, someRequest, statuses } from "./fixtures.ts"

const options: Reconciler.Options = { failed: { sms: statuses.failed } }

const silent = unknown(new TemporaryUnavailable({ message: "no answer" }))

/** A send that its process died in: the gateway was asked and never answered. */
const abandoned = Effect.gen(function* () {
  const { send } = yield* Send
  const principal = yield* principalWith(PRICE)
  const asked = yield* Deferred.make<Delivery>()
  const gateway = (delivery: Delivery) => Effect.andThen(Deferred.succeed(asked, delivery), Effect.never)
  yield* Effect.forkDetach(send(request(principal, undefined, { deliver: gateway })))
  const delivery = yield* Deferred.await(asked)
  return { principal, delivery }
})

/** Reconciles in the process that follows the first one. */
const inNextProcess = Reconciler.make(options).pipe(Effect.provide(Layer.fresh(Heartbeat.layer)))

const now = Effect.fnUntraced(function* (delivery: Delivery) {
  const store = yield* Store
  return Option.getOrThrow(yield* store.find(delivery))
})

describe("reconciling", () => {
  it.effect("marks what another process left pending as unknown at start-up, and keeps its hold", () =>
    Effect.gen(function* () {
      const { delivery, principal } = yield* abandoned
      yield* inNextProcess
      assert.strictEqual((yield* now(delivery)).phase, "unknown")
      assert.deepStrictEqual(yield* balanceOf(principal), { posted: PRICE, held: PRICE, available: 0 })
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.effect("leaves alone what a living process began a moment ago", () =>
    Effect.gen(function* () {
      yield* Reconciler.make(options)
      const { delivery } = yield* abandoned
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* now(delivery)).phase, "pending")
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual((yield* now(delivery)).phase, "unknown")
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.effect("releases after a day, once, what no receipt has come for", () =>
    Effect.gen(function* () {
      const reconciler = yield* Reconciler.make(options)
      const { send } = yield* Send
      const principal = yield* principalWith(PRICE)
      yield* Effect.flip(send(request(principal, silent)))
      yield* TestClock.adjust("23 hours")
      assert.strictEqual((yield* balanceOf(principal)).held, PRICE)
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual(yield* balanceOf(principal), { posted: PRICE, held: 0, available: PRICE })
      assert.deepStrictEqual(yield* reconciler.run, { interrupted: 0, released: 0 })
      assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold", "release"])
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.effect("does not release what a receipt has settled", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const { delivery, principal } = yield* abandoned
      yield* inNextProcess
      yield* store.report({
        target: {
          _tag: "Part",
          channel: "sms",
          refs: ["carrier-id"],
          message: { to: delivery.to, reference: delivery.reference }
        },
        status: { name: "delivered", rank: 2 },
        when: {},
        details: {},
        everyPart: true,
        refund: false,
        at: 1
      })
      yield* TestClock.adjust("25 hours")
      assert.strictEqual((yield* now(delivery)).status.name, "delivered")
      assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold", "settle"])
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.effect("gets through more sends than one batch holds", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(1_200 * PRICE)
      yield* Effect.forEach(Array.from({ length: 1_200 }), () => Effect.flip(send(request(principal, silent))), {
        concurrency: "unbounded"
      })
      yield* TestClock.adjust("25 hours")
      const reconciler = yield* Reconciler.make(options)
      assert.strictEqual((yield* balanceOf(principal)).held, 0)
      assert.deepStrictEqual(yield* reconciler.run, { interrupted: 0, released: 0 })
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.effect("warns of unmatched reports that it dropped, once, with their channel and number", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const warnings: Array<unknown> = []
      const capture = Logger.make<unknown, void>(({ logLevel, message }) => {
        if (logLevel === "Warn") warnings.push(message)
      })
      yield* Effect.forEach(["a", "b", "c"], (ref) =>
        store.report({
          target: { _tag: "Part", channel: "sms", refs: [ref], message: { to: "+4915100000001", reference: null } },
          status: { name: "delivered", rank: 2 },
          when: {},
          details: {},
          everyPart: true,
          refund: false,
          at: 1
        })
      )
      const reconciler = Reconciler.make({ ...options, unmatchedLimit: 1 })
      yield* Effect.provide(
        Effect.andThen(reconciler, ({ run }) => run),
        Logger.layer([capture])
      )
      assert.deepStrictEqual(warnings, [
        ["dropped reports that match no delivery", { channel: "sms", reports: 2, unmatchedLimit: 1 }]
      ])
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.effect("forgets claims a day old", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(2 * PRICE)
      const keys = { ...noKeys, requestId: someRequest }
      yield* Reconciler.make(options)
      yield* send(request(principal, undefined, { keys }))
      assert.strictEqual((yield* Effect.flip(send(request(principal, undefined, { keys }))))._tag, "CONFLICT")
      yield* TestClock.adjust("24 hours")
      yield* send(request(principal, undefined, { keys }))
    }).pipe(Effect.scoped, Effect.provide(layer))
  )
})
