import { assert, describe, it } from "@effect/vitest"
import { BadRequest, ServiceUnavailable, TemporaryUnavailable } from "@watchword/schemas/Errors"
import { type DeliveryId, nextDeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import { type RequestKeys, noKeys } from "@watchword/send/Claims"
import { InstallationSecret } from "../src/pipeline/InstallationSecret.ts"
import type { Outcome } from "@watchword/send/Outcome"
import { accepted, incomplete, predetermined, refunded, rejected, unknown } from "@watchword/send/Outcome"
import type { Request } from "../src/internal/Request.ts"
import { SandboxLimit } from "@watchword/sandbox/simulator"
import { Send } from "@watchword/send/Send"
import type { Delivery } from "@watchword/store/Delivery"
import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import {
  PRICE,
  balanceOf,
  german,
  kinds,
  layer,
  layerOn,
  principalWith,
  request,
  someRequest,
  statuses,
  watched
} from "./fixtures.ts"

const bothKeys = { ...noKeys, requestId: someRequest, idempotencyKey: "signup-1" }

const find = Effect.fnUntraced(function* (delivery: Pick<Delivery, "account" | "mode" | "channel" | "id">) {
  const store = yield* Store
  return Option.getOrThrow(yield* store.find(delivery))
})

describe("a send", () => {
  it.effect("that is accepted is settled", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(5 * PRICE)
      const sent = yield* send(request(principal, undefined, { units: 2 }))
      assert.strictEqual(sent.delivery.phase, "accepted")
      assert.strictEqual(sent.delivery.price, 2 * PRICE)
      assert.strictEqual(sent.available, 3 * PRICE)
      assert.deepStrictEqual(yield* balanceOf(principal), { posted: 3 * PRICE, held: 0, available: 3 * PRICE })
      assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold", "settle"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("of a product without a price is refused before the balance is looked at, and names the field", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(0)
      const refused = (more: Partial<Request>) =>
        Effect.flip(send(request(principal, Effect.die("the gateway was asked"), { channel: "call", ...more })))
      const error = yield* refused({})
      assert.instanceOf(error, BadRequest)
      assert.deepStrictEqual(error.issues, [{ path: "to", message: "is a number that no price is set for" }])
      const called = yield* refused({ toField: "callee" })
      assert.deepStrictEqual(called._tag === "BAD_REQUEST" && called.issues?.map(({ path }) => path), ["callee"])
      assert.deepStrictEqual(yield* kinds(principal), [])
    }).pipe(Effect.provide(layer))
  )

  it.effect("that is rejected is released, and tells why", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(PRICE)
      const error = yield* Effect.flip(
        send(request(principal, rejected(new BadRequest({ message: "no such number" }))))
      )
      assert.strictEqual(error._tag, "BAD_REQUEST")
      assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold", "release"])
      assert.deepStrictEqual(yield* balanceOf(principal), { posted: PRICE, held: 0, available: PRICE })
    }).pipe(Effect.provide(layer))
  )

  it.effect("of unknown outcome keeps its hold until it is resolved", () =>
    Effect.gen(function* () {
      const { resolve, send } = yield* Send
      const principal = yield* principalWith(PRICE)
      let delivery: Delivery | undefined
      const asked = request(principal, undefined, {
        deliver: (opened) => {
          delivery = opened
          return Effect.succeed(unknown(new TemporaryUnavailable({ message: "no answer" })))
        }
      })
      assert.strictEqual((yield* Effect.flip(send(asked)))._tag, "TEMPORARY_UNAVAILABLE")
      assert.deepStrictEqual(yield* balanceOf(principal), { posted: PRICE, held: PRICE, available: 0 })
      if (delivery === undefined) return assert.fail("the gateway was not asked")
      yield* resolve(delivery.id, accepted(["late"]), statuses)
      assert.deepStrictEqual(yield* balanceOf(principal), { posted: 0, held: 0, available: 0 })
      yield* resolve(delivery.id, rejected(new BadRequest({ message: "too late" })), statuses)
      assert.strictEqual((yield* find(delivery)).phase, "accepted")
      assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold", "settle"])
    }).pipe(Effect.provide(layer))
  )

  it.effect(
    "that is taken in part is settled, fails for good, and is answered the same under its idempotency key",
    () =>
      Effect.gen(function* () {
        const { send } = yield* Send
        const principal = yield* principalWith(PRICE)
        const taken = incomplete(new TemporaryUnavailable({ message: "a part is missing" }), true, ["part-1"])
        const error = yield* Effect.flip(send(request(principal, taken, { keys: bothKeys })))
        assert.strictEqual(error.message, "a part is missing")
        assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold", "settle"])
        const again = yield* Effect.flip(send(request(principal, Effect.die("sent twice"), { keys: bothKeys })))
        assert.deepStrictEqual([again._tag, again.message], ["TEMPORARY_UNAVAILABLE", "a part is missing"])
      }).pipe(Effect.provide(layer))
  )

  it.effect.each([
    ["taken", incomplete(new TemporaryUnavailable({ message: "late" }), true, ["part-2"]), "settle"],
    ["refused", rejected(new BadRequest({ message: "late" })), "release"]
  ] as const)("that may have been taken in part keeps its hold, until the other part is %s", ([, late, entry]) =>
    Effect.gen(function* () {
      const { resolve, send } = yield* Send
      const principal = yield* principalWith(PRICE)
      const opened: Array<Delivery> = []
      const doubtful = incomplete(new BadRequest({ message: "a part was refused" }), false)
      const deliver = (delivery: Delivery) => Effect.sync(() => (opened.push(delivery), doubtful))
      yield* Effect.flip(send(request(principal, undefined, { deliver })))
      assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold"])
      for (const delivery of opened) {
        assert.strictEqual((yield* find(delivery)).status.name, "failed")
        yield* resolve(delivery.id, late, statuses)
        assert.strictEqual((yield* find(delivery)).status.name, "failed")
      }
      assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold", entry])
    }).pipe(Effect.provide(layer))
  )

  it.effect("that cannot be paid never reaches the gateway", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(PRICE - 1)
      const asked = request(principal, Effect.die("the gateway was asked"))
      assert.strictEqual((yield* Effect.flip(send(asked)))._tag, "PAYMENT_REQUIRED")
      assert.deepStrictEqual(yield* kinds(principal), ["credit"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("costs nothing in the sandbox, and no balance is too small there", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(0, "sandbox")
      assert.strictEqual((yield* send(request(principal))).delivery.price, 0)
      const poor = request(principal, undefined, { to: E164.make("+4915123450402") })
      assert.strictEqual((yield* Effect.flip(send(poor)))._tag, "PAYMENT_REQUIRED")
      assert.deepStrictEqual(yield* kinds(principal), [])
    }).pipe(Effect.provide(layer))
  )

  it.effect("is carried through when its client hangs up", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(PRICE)
      const asked = yield* Deferred.make<void>()
      const answer = yield* Deferred.make<Outcome>()
      const gateway = Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(answer))
      const client = yield* Effect.forkChild(send(request(principal, gateway)))
      yield* Deferred.await(asked)
      const hangUp = yield* Effect.forkChild(Fiber.interrupt(client))
      yield* Deferred.succeed(answer, accepted(["ref-1"]))
      yield* Fiber.join(hangUp)
      assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold", "settle"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("whose gateway dies keeps its hold", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(PRICE)
      const error = yield* Effect.flip(send(request(principal, Effect.die(new Error("a bug")))))
      assert.strictEqual(error._tag, "SERVICE_UNAVAILABLE")
      assert.deepStrictEqual(yield* balanceOf(principal), { posted: PRICE, held: PRICE, available: 0 })
    }).pipe(Effect.provide(layer))
  )

  it.effect("gives each message a reference of its own", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(3 * PRICE)
      const sent = yield* Effect.all([send(request(principal)), send(request(principal)), send(request(principal))])
      const references = sent.map(({ delivery }) => delivery.reference)
      assert.strictEqual(new Set(references).size, 3)
      for (const reference of references) assert.isTrue(reference !== null && reference >= 0 && reference <= 0xffff)
    }).pipe(Effect.provide(layer))
  )

  it.effect("among a hundred at once on a balance for ten: ten are sent, and nothing is left", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(10 * PRICE)
      const slowly = Effect.delay(Effect.succeed(accepted([])), "5 millis")
      const clients = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 100 }, () => Effect.exit(send(request(principal, slowly)))),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("1 second")
      const exits = yield* Fiber.join(clients)
      assert.strictEqual(exits.filter((exit) => exit._tag === "Success").length, 10)
      assert.deepStrictEqual(yield* balanceOf(principal), { posted: 0, held: 0, available: 0 })
    }).pipe(Effect.provide(layer))
  )
})

/** A send whose outcome is known, and the work that it started. */
const foreseeing = (principal: Principal, outcome: Outcome, more: Partial<Request> = {}) => {
  const begun: Array<DeliveryId> = []
  const asked = request(principal, Effect.die("the gateway was asked"), {
    predetermine: ({ id }) =>
      predetermined(
        outcome,
        Effect.sync(() => void begun.push(id))
      ),
    ...more
  })
  return { asked, begun }
}

describe("a send whose outcome is predetermined", () => {
  const refusal = rejected(new ServiceUnavailable({ message: "the carrier is away" }))

  it.effect("takes one step of the store, which opens and closes", () => {
    const { steps, store } = watched()
    return Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(5 * PRICE)
      const { asked, begun } = foreseeing(principal, accepted(["ref-1"], { route: "a" }))
      const { available, delivery } = yield* send(asked)
      assert.deepStrictEqual(steps, ["open"])
      assert.deepStrictEqual([delivery.phase, delivery.status], ["accepted", statuses.accepted])
      assert.deepStrictEqual([delivery.details, available], [{ route: "a" }, 4 * PRICE])
      assert.deepStrictEqual(yield* find(delivery), delivery)
      assert.deepStrictEqual(yield* store.findByRef({ channel: "sms", ref: "ref-1" }), Option.some(delivery))
      assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold", "settle"])
      assert.deepStrictEqual(begun, [delivery.id])
    }).pipe(Effect.provide(layerOn(store)))
  })

  it.effect("goes on only when the outcome is on the record", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const { send } = yield* Send
      const principal = yield* principalWith(PRICE)
      const phases: Array<string> = []
      const asked = request(principal, undefined, {
        predetermine: ({ account, channel, id, mode }) => {
          const look = Effect.orDie(store.find({ account, channel, id, mode }))
          const afterwards = Effect.map(look, (found) => void phases.push(Option.getOrThrow(found).phase))
          return predetermined(accepted(["ref-1"]), afterwards)
        }
      })
      yield* send(asked)
      assert.deepStrictEqual(phases, ["accepted"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("is released, kept or settled as when the gateway had been asked", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(4 * PRICE)
      const error = yield* Effect.flip(send(foreseeing(principal, refusal).asked))
      assert.deepStrictEqual([error._tag, error.message], ["SERVICE_UNAVAILABLE", "the carrier is away"])
      const free = yield* send(foreseeing(principal, refunded(["ref-1"])).asked)
      assert.deepStrictEqual([free.delivery.phase, free.delivery.status], ["refunded", statuses.failed])
      const silence = unknown(new TemporaryUnavailable({ message: "no answer" }))
      assert.strictEqual((yield* Effect.flip(send(foreseeing(principal, silence).asked)))._tag, "TEMPORARY_UNAVAILABLE")
      assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold", "release", "hold", "release", "hold"])
      assert.deepStrictEqual(yield* balanceOf(principal), { posted: 4 * PRICE, held: PRICE, available: 3 * PRICE })
    }).pipe(Effect.provide(layer))
  )

  it.effect("is answered again under its idempotency key, and nothing goes on a second time", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(2 * PRICE)
      const keys = { ...noKeys, idempotencyKey: "signup-1" }
      const first = yield* send(foreseeing(principal, accepted(["ref-1"]), { keys }).asked)
      const repeat = foreseeing(principal, accepted(["ref-2"]), { keys })
      assert.deepStrictEqual(yield* send(repeat.asked), first)
      assert.deepStrictEqual(repeat.begun, [])
      const other = { ...noKeys, idempotencyKey: "signup-2" }
      yield* Effect.flip(send(foreseeing(principal, refusal, { keys: other }).asked))
      const failure = yield* Effect.flip(send(foreseeing(principal, accepted([]), { keys: other }).asked))
      assert.deepStrictEqual([failure._tag, failure.message], ["SERVICE_UNAVAILABLE", "the carrier is away"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("is sent again under its correlation id after a rejection, and refused after a success", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(2 * PRICE)
      const keys = { ...noKeys, requestId: someRequest }
      yield* Effect.flip(send(foreseeing(principal, refusal, { keys }).asked))
      yield* send(foreseeing(principal, accepted(["ref-1"]), { keys }).asked)
      const { asked, begun } = foreseeing(principal, accepted(["ref-2"]), { keys })
      assert.strictEqual((yield* Effect.flip(send(asked)))._tag, "CONFLICT")
      assert.deepStrictEqual(begun, [])
    }).pipe(Effect.provide(layer))
  )

  it.effect("does not go on when it cannot be paid", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(PRICE - 1)
      const { asked, begun } = foreseeing(principal, accepted(["ref-1"]))
      assert.strictEqual((yield* Effect.flip(send(asked)))._tag, "PAYMENT_REQUIRED")
      assert.deepStrictEqual(begun, [])
    }).pipe(Effect.provide(layer))
  )
})

describe("a store that fails", () => {
  const failing = (verb: "open" | "close", times: number, reason: StoreError["reason"]) => {
    const store = makeMemory()
    let left = times
    const fail = <A>(work: Effect.Effect<A, StoreError>) =>
      Effect.suspend(() => {
        if (left-- <= 0) return work
        const lost = new StoreError({ reason, message: "the connection was lost" })
        // Unknown means that it may have happened: here it did.
        return reason === "Unknown" ? Effect.andThen(work, Effect.fail(lost)) : Effect.fail(lost)
      })
    return layerOn({ ...store, [verb]: (step: never) => fail<unknown>(store[verb](step)) })
  }

  it.effect("to open sends nothing", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(PRICE)
      const error = yield* Effect.flip(send(request(principal, Effect.die("the gateway was asked"))))
      assert.strictEqual(error._tag, "StoreError")
      assert.deepStrictEqual(yield* kinds(principal), ["credit"])
    }).pipe(Effect.provide(failing("open", 1, "Unavailable")))
  )

  it.effect("to tell whether it opened is asked again, and charges once", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(PRICE)
      yield* send(request(principal, undefined, { keys: bothKeys }))
      assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold", "settle"])
    }).pipe(Effect.provide(failing("open", 1, "Unknown")))
  )

  it.effect("to open what is predetermined is told to the client, and nothing goes on", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(PRICE)
      const { asked, begun } = foreseeing(principal, accepted(["ref-1"]))
      assert.strictEqual((yield* Effect.flip(send(asked)))._tag, "StoreError")
      assert.deepStrictEqual(begun, [])
      assert.deepStrictEqual(yield* kinds(principal), ["credit"])
    }).pipe(Effect.provide(failing("open", 1, "Unavailable")))
  )

  it.effect("to tell whether it opened what is predetermined is asked again, and it goes on once", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(PRICE)
      const { asked, begun } = foreseeing(principal, accepted(["ref-1"]), { keys: bothKeys })
      const { delivery } = yield* send(asked)
      assert.strictEqual(delivery.phase, "accepted")
      assert.deepStrictEqual(begun, [delivery.id])
      assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold", "settle"])
    }).pipe(Effect.provide(failing("open", 1, "Unknown")))
  )

  it.effect("to close for a moment is asked again", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(PRICE)
      const sending = yield* Effect.forkChild(send(request(principal)))
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(sending)
      assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold", "settle"])
    }).pipe(Effect.provide(failing("close", 3, "Unavailable")))
  )

  it.effect("to close for long leaves what was taken unknown to the client, and is asked again later", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(PRICE)
      const sending = yield* Effect.forkChild(Effect.flip(send(request(principal))))
      yield* TestClock.adjust("20 seconds")
      const error = yield* Fiber.join(sending)
      assert.strictEqual(error._tag, "SERVICE_UNAVAILABLE")
      assert.include(error.message, "it is unknown whether the message was sent")
      assert.deepStrictEqual(yield* balanceOf(principal), { posted: PRICE, held: PRICE, available: 0 })
      yield* TestClock.adjust("5 minutes")
      assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold", "settle"])
    }).pipe(Effect.provide(failing("close", 40, "Unavailable")))
  )

  it.effect("to close a refusal for long keeps the gateway's answer", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(PRICE)
      const refused = request(principal, rejected(new BadRequest({ message: "no such number" })))
      const sending = yield* Effect.forkChild(Effect.flip(send(refused)))
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual((yield* Fiber.join(sending))._tag, "BAD_REQUEST")
      assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold", "release"])
    }).pipe(Effect.provide(failing("close", 40, "Unavailable")))
  )
})

describe("a step of something longer", () => {
  const originAt = (at: number) => ({ id: nextDeliveryId(at), details: { verification: "vrf_1", attempt: 1 } })

  it.effect("is handed over once by processes that started together and open it at the same moment", () =>
    Effect.gen(function* () {
      const store = makeMemory()
      const keys = { ...noKeys, origin: originAt(0) }
      const principal = yield* Effect.provide(principalWith(5 * PRICE), layerOn(store))
      let asked = 0
      const gateway = Effect.sync(() => (asked++, accepted(["ref-1"])))
      for (const seed of ["one", "other"]) {
        yield* Send.use(({ send }) => send(request(principal, gateway, { keys }))).pipe(
          Effect.provide(Layer.fresh(layerOn(store))),
          Random.withSeed(seed)
        )
      }
      assert.strictEqual(asked, 1)
    })
  )

  it.effect("has the id that was chosen for it, and details that lead back", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(PRICE)
      const origin = originAt(0)
      yield* TestClock.adjust("1 minute")
      const { delivery } = yield* send(
        request(principal, undefined, { keys: { ...noKeys, origin }, details: { a: 1 } })
      )
      assert.strictEqual(delivery.id, origin.id)
      assert.deepStrictEqual(delivery.details, { a: 1, ...origin.details })
    }).pipe(Effect.provide(layer))
  )

  it.effect("is sent once, and tried again is answered by its record", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(5 * PRICE)
      const keys = { ...noKeys, origin: originAt(0) }
      const { delivery } = yield* send(request(principal, undefined, { keys }))
      yield* TestClock.adjust("1 second")
      const again = yield* send(request(principal, Effect.die("sent twice"), { keys }))
      assert.deepStrictEqual(again.delivery, delivery)

      const refused = { ...noKeys, origin: originAt(1) }
      const refusal = rejected(new ServiceUnavailable({ message: "the carrier is away" }))
      yield* Effect.flip(send(request(principal, refusal, { keys: refused })))
      const failure = yield* Effect.flip(send(request(principal, Effect.die("sent twice"), { keys: refused })))
      assert.deepStrictEqual([failure._tag, failure.message], ["SERVICE_UNAVAILABLE", "the carrier is away"])
      assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold", "settle", "hold", "release"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("tried by two at the same millisecond is sent once", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(5 * PRICE)
      const keys = { ...noKeys, origin: originAt(0) }
      const asked = yield* Deferred.make<void>()
      const answer = yield* Deferred.make<Outcome>()
      const gateway = Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(answer))
      const first = yield* Effect.forkChild(send(request(principal, gateway, { keys })))
      yield* Deferred.await(asked)
      const second = yield* Effect.flip(send(request(principal, Effect.die("sent twice"), { keys })))
      assert.strictEqual(second._tag, "CONFLICT")
      yield* Deferred.succeed(answer, accepted(["ref-1"]))
      yield* Fiber.join(first)
      assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold", "settle"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("whose outcome is known beforehand goes on once", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(0, "sandbox")
      const keys = { ...noKeys, origin: originAt(0) }
      const first = foreseeing(principal, accepted(["ref-1"]), { keys })
      const again = foreseeing(principal, accepted(["ref-1"]), { keys })
      yield* send(first.asked)
      yield* send(again.asked)
      assert.deepStrictEqual([first.begun.length, again.begun.length], [1, 0])
    }).pipe(Effect.provide(layer))
  )
})

describe("a repeat", () => {
  const byRequestId = { ...noKeys, requestId: someRequest }
  const byKey = { ...noKeys, idempotencyKey: "signup-1" }
  const refusal = rejected(new ServiceUnavailable({ message: "the carrier is away" }))

  it.effect("of a correlation id with the same body is refused after success", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(3 * PRICE)
      yield* send(request(principal, undefined, { keys: byRequestId }))
      const repeat = yield* Effect.flip(send(request(principal, undefined, { keys: byRequestId })))
      assert.strictEqual(repeat._tag, "CONFLICT")
      yield* send(request(principal, undefined, { keys: byRequestId, body: "another" }))
      assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold", "settle", "hold", "settle"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("of a correlation id is sent again after failure, and after a day", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(3 * PRICE)
      yield* Effect.flip(send(request(principal, refusal, { keys: byRequestId })))
      yield* send(request(principal, undefined, { keys: byRequestId }))
      yield* TestClock.adjust("24 hours")
      yield* send(request(principal, undefined, { keys: byRequestId }))
      assert.deepStrictEqual(yield* kinds(principal), ["credit", "hold", "release", "hold", "settle", "hold", "settle"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("of an idempotency key answers the first response again, a success or a failure", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(3 * PRICE)
      const first = yield* send(request(principal, undefined, { keys: byKey }))
      const again = yield* send(request(principal, Effect.die("sent twice"), { keys: byKey }))
      assert.strictEqual(again.delivery.id, first.delivery.id)
      assert.strictEqual(again.available, 2 * PRICE)

      const keys = { ...noKeys, idempotencyKey: "signup-2" }
      yield* Effect.flip(send(request(principal, refusal, { keys })))
      const failure = yield* Effect.flip(send(request(principal, Effect.die("sent twice"), { keys })))
      assert.deepStrictEqual([failure._tag, failure.message], ["SERVICE_UNAVAILABLE", "the carrier is away"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("is recognised after another secret has come before the one of its first request", () =>
    Effect.gen(function* () {
      const store = makeMemory()
      const under = (...secrets: ReadonlyArray<string>) => {
        const list = secrets.map((secret) => Redacted.make(secret))
        return Layer.provide(layerOn(store), Layer.succeed(InstallationSecret, list))
      }
      const principal = yield* Effect.provide(principalWith(5 * PRICE), under())
      const sent = (keys: RequestKeys) =>
        Effect.map(Effect.exit(Send.use(({ send }) => send(request(principal, undefined, { keys })))), (exit) =>
          Exit.isSuccess(exit) ? exit.value.delivery.id : "refused"
        )
      const before = yield* Effect.provide(Effect.all([sent(byKey), sent(byRequestId)]), under("old"))
      const rotated = yield* Effect.provide(Effect.all([sent(byKey), sent(byRequestId)]), under("new", "old"))
      assert.deepStrictEqual(rotated, [before[0], "refused"])
      // A process that is not restarted yet recognises claims under both.
      const other = { ...noKeys, idempotencyKey: "signup-2" }
      const first = yield* Effect.provide(sent(other), under("new", "old"))
      assert.strictEqual(yield* Effect.provide(sent(other), under("old")), first)
      assert.notStrictEqual(yield* Effect.provide(sent(byKey), under("new")), before[0])
    })
  )

  it.effect("of an idempotency key with another body is a conflict", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(3 * PRICE)
      yield* send(request(principal, undefined, { keys: byKey }))
      const error = yield* Effect.flip(send(request(principal, undefined, { keys: byKey, body: "another" })))
      assert.deepInclude(error, { _tag: "CONFLICT", reason: "key_reused" })
    }).pipe(Effect.provide(layer))
  )

  it.effect("while the first is in flight is a conflict, by either key", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(3 * PRICE)
      const asked = yield* Deferred.make<void>()
      const answer = yield* Deferred.make<Outcome>()
      const gateway = Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(answer))
      const first = yield* Effect.forkChild(send(request(principal, gateway, { keys: bothKeys })))
      yield* Deferred.await(asked)
      for (const [keys, reason] of [
        [byRequestId, "duplicate_request"],
        [byKey, "in_flight"]
      ] as const) {
        const error = yield* Effect.flip(send(request(principal, undefined, { keys })))
        assert.deepInclude(error, { _tag: "CONFLICT", reason })
      }
      yield* Deferred.succeed(answer, accepted([]))
      yield* Fiber.join(first)
    }).pipe(Effect.provide(layer))
  )

  it.effect("belongs to one account, and to one of its modes", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const principal = yield* principalWith(PRICE)
      const other = yield* principalWith(PRICE)
      yield* send(request(principal, undefined, { keys: byKey }))
      yield* send(request(other, undefined, { keys: byKey }))
      yield* send(request({ ...principal, mode: "sandbox" }, undefined, { keys: byKey }))
      for (const payer of [principal, other]) assert.deepStrictEqual(yield* kinds(payer), ["credit", "hold", "settle"])
    }).pipe(Effect.provide(layer))
  )
})

describe("claims", () => {
  it.effect("keep neither the body nor the client's ids in clear", () =>
    Effect.gen(function* () {
      const store = makeMemory()
      const seen: Array<unknown> = []
      const spying = {
        ...store,
        open: (step: Parameters<typeof store.open>[0]) => (seen.push(step.claims), store.open(step))
      }
      yield* Effect.gen(function* () {
        const { send } = yield* Send
        const principal = yield* principalWith(PRICE)
        yield* send(
          request(principal, undefined, { keys: bothKeys, body: JSON.stringify([german, "Your code is 918273"]) })
        )
      }).pipe(Effect.provide(layerOn(spying)))
      const written = JSON.stringify(seen)
      assert.include(written, "fingerprint")
      for (const secret of ["918273", german, someRequest, "signup-1"]) assert.notInclude(written, secret)
    })
  )
})

describe("a sandbox send", () => {
  it.effect("is refused while as many of its account are under way as may be, and not a live one", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const acme = yield* principalWith(PRICE, "sandbox")
      const other = yield* principalWith(0, "sandbox")
      const sandboxed = (more: Partial<Request> = {}) => send(request(acme, undefined, more))
      yield* sandboxed()
      yield* sandboxed({ lasts: 60_000 })
      assert.strictEqual((yield* Effect.flip(sandboxed()))._tag, "TOO_MANY_REQUESTS")
      yield* send(request(other))
      yield* send(request({ ...acme, mode: "live" }))
      yield* TestClock.adjust("1 second")
      yield* sandboxed()
      yield* Effect.flip(sandboxed())
      yield* TestClock.adjust("1 minute")
      yield* sandboxed()
      yield* sandboxed()
    }).pipe(Effect.provide(layer), Effect.provideService(SandboxLimit, 2))
  )

  it.effect("that is refused by the gateway counts no longer than the others", () =>
    Effect.gen(function* () {
      const { send } = yield* Send
      const acme = yield* principalWith(0, "sandbox")
      const failure = new TemporaryUnavailable({ message: "no" })
      for (let n = 0; n < 5; n++) {
        const refused = yield* Effect.flip(send(request(acme, rejected(failure))))
        assert.strictEqual(refused._tag, "TEMPORARY_UNAVAILABLE")
        yield* TestClock.adjust("1 second")
      }
    }).pipe(Effect.provide(layer), Effect.provideService(SandboxLimit, 1))
  )
})
