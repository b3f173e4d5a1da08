/**
 * Draining and closing of the gateway, and the handling of the ends of calls.
 */
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { describe, expect } from "vitest"
import { test } from "../../../../test/live.ts"
import { collectEnds, dial, order, startGateway, startTrunk, resultOf, until } from "./fixture.ts"

describe("a gateway that drains", () => {
  test(
    "ends every call, waits for the ends, and takes no more",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const { ends } = yield* collectEnds(gateway)
      for (let index = 0; index < 20; index++) yield* dial(gateway)
      yield* gateway.drain
      yield* Effect.yieldNow
      expect(ends.map(({ cause }) => cause.hangupCause)).toEqual(Array(20).fill("ORIGINATOR_CANCEL"))
      expect(resultOf(yield* dial(gateway))).toBe("SERVICE_UNAVAILABLE SYSTEM_SHUTDOWN")
      // An answer that is repeated, because the first acknowledgement is slow, has several.
      expect(trunk.calls.filter(({ acks }) => acks.length > 0)).toHaveLength(20)
    })
  )

  test(
    "waits no longer than it may, and then every call has ended all the same",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ cancel: "silence" })
      const scope = yield* Scope.make()
      const gateway = yield* Scope.provide(startGateway(trunk.url(), { drain: "50 millis" }), scope)
      const { ends, count } = yield* collectEnds(gateway)
      yield* dial(gateway)
      yield* Scope.close(scope, Exit.void)
      yield* count(1)
      expect(ends).toMatchObject([{ cause: { hangupCause: "ORIGINATOR_CANCEL", sipStatus: null } }])
    })
  )

  test(
    "lets go of calls that have not rung yet",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ invite: (call) => call.respond(100) })
      const scope = yield* Scope.make()
      const gateway = yield* Scope.provide(startGateway(trunk.url()), scope)
      const fiber = yield* Effect.forkScoped(dial(gateway))
      yield* until(trunk, () => trunk.calls.length === 1)
      yield* Scope.close(scope, Exit.void)
      expect(resultOf(yield* Fiber.join(fiber))).toBe("TEMPORARY_UNAVAILABLE ORIGINATOR_CANCEL")
      expect(trunk.requests("CANCEL")).toHaveLength(1)
    })
  )
})

describe("the end of a call", () => {
  test(
    "waits for a handler",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const call = order()
      yield* dial(gateway, call)
      yield* gateway.hangup(call.delivery, "NO_ANSWER")
      yield* until(trunk, () => trunk.requests("ACK").length > 0)
      const { ends, count } = yield* collectEnds(gateway)
      yield* count(1)
      expect(ends).toHaveLength(1)
    })
  )

  test(
    "is handled again until it is stored",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      let failures = 2
      const { ends, count } = yield* collectEnds(gateway, () =>
        failures-- > 0 ? Effect.fail(new StoreError({ reason: "Unavailable", message: "no disk" })) : Effect.void
      )
      const call = order()
      yield* dial(gateway, call)
      yield* gateway.hangup(call.delivery, "NO_ANSWER")
      yield* count(3)
      expect(new Set(ends).size).toBe(1)
    })
  )
})

describe("the first of several reasons", () => {
  test(
    "ends the call, once",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const { ends, count } = yield* collectEnds(gateway)
      const orders = Array.from({ length: 60 }, () => order())
      yield* Effect.forEach(orders, (call) => dial(gateway, call), { concurrency: "unbounded" })
      // At once: the service hangs up, the customer does, the callee rejects or answers.
      for (const [index, call] of trunk.calls.entries()) {
        if (index % 3 === 0) call.respond(603)
        if (index % 3 === 1) call.accept()
      }
      const results = yield* Effect.forEach(
        orders,
        ({ delivery }) =>
          Effect.all([gateway.hangup(delivery, "NO_ANSWER"), gateway.hangup(delivery, "ORIGINATOR_CANCEL")], {
            concurrency: "unbounded"
          }),
        { concurrency: "unbounded" }
      )
      expect(results.every(([one, other]) => one === other)).toBe(true)
      yield* count(orders.length)
      yield* gateway.drain
      expect(ends).toHaveLength(orders.length)
      expect(new Set(ends.map(({ delivery }) => delivery)).size).toBe(orders.length)
      const causes = ends.map(({ cause }) => cause.hangupCause)
      expect(causes.filter((cause) => cause === "NO_ANSWER")).toHaveLength(20)
      expect(causes.filter((cause) => cause === "CALL_REJECTED")).toHaveLength(20)
      expect(causes.filter((cause) => cause === "NORMAL_CLEARING")).toHaveLength(20)
    })
  )
})
