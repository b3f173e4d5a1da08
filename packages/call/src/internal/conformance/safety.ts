/**
 * Calls when something goes wrong: none is left in the network, and none ends twice.
 */
import { type CaseOf, eventually, group, holds, same } from "@watchword/store/checks"
import { DeliveryId } from "@watchword/schemas/Ids"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { Started } from "./Harness.ts"
import { dial, failed, listen, newCall, nothingOpen, quiet, ring } from "./kit.ts"

const unavailable = new StoreError({ reason: "Unavailable", message: "no disk" })

export const safety: ReadonlyArray<CaseOf<Started>> = group("a call", [
  {
    name: "is not placed when its dialog cannot be stored",
    check: Effect.fnUntraced(function* ({ gateway, network }) {
      const exit = yield* Effect.exit(gateway.dial(newCall(), () => Effect.fail(unavailable)))
      holds("dial must fail with the store's error", Exit.isFailure(exit))
      same("number of calls placed", yield* network.placed, 0)
    })
  },

  {
    name: "is placed after its dialog was stored",
    check: Effect.fnUntraced(function* ({ gateway, network }) {
      yield* network.next("rings")
      let placed = -1
      const dialled = yield* gateway.dial(newCall(), (dialog) =>
        Effect.map(network.placed, (count) => {
          holds("a dialog must not be empty", dialog !== "")
          if (placed < 0) placed = count
        })
      )
      same("outcome", dialled._tag, "Ringing")
      same("number of calls placed when the dialog was stored", placed, 0)
    })
  },

  {
    name: "is ended when its dial is interrupted",
    check: Effect.fnUntraced(function* ({ gateway, network }) {
      yield* network.next("hangs")
      const fiber = yield* Effect.forkScoped(dial(gateway))
      yield* eventually(
        "the call to be placed",
        Effect.map(network.open, (open) => open === 1)
      )
      yield* Fiber.interrupt(fiber)
      yield* nothingOpen(network)
    })
  },

  {
    name: "that another gateway placed is unknown",
    check: Effect.fnUntraced(function* ({ gateway }) {
      const unknown = DeliveryId.make("01KAJ3T8ZZ0000000000000000")
      same("whether an unknown call was hung up", yield* gateway.hangup(unknown, "NO_ANSWER"), false)
    })
  },

  {
    name: "has its end kept until there is a handler, and given again until the handler succeeds",
    check: Effect.fnUntraced(function* ({ gateway, network }) {
      const call = newCall()
      yield* network.next("rings")
      yield* ring(gateway, call)
      yield* gateway.hangup(call.delivery, "NO_ANSWER")
      yield* nothingOpen(network)
      let attempts = 0
      yield* gateway.events(() => (++attempts < 3 ? Effect.fail(unavailable) : Effect.void))
      yield* eventually(
        "the third attempt",
        Effect.sync(() => attempts === 3)
      )
    })
  },

  {
    name: "has one end, from whichever side it is ended",
    check: Effect.fnUntraced(function* ({ gateway, network }) {
      const { ends, until } = yield* listen(gateway)
      const calls = Array.from({ length: 30 }, newCall)
      yield* network.next("rings")
      yield* Effect.forEach(calls, (call) => ring(gateway, call), { concurrency: "unbounded", discard: true })
      const hangups = calls.map(({ delivery }, index) =>
        gateway.hangup(delivery, index % 2 === 0 ? "NO_ANSWER" : "ORIGINATOR_CANCEL")
      )
      yield* Effect.all([network.decline, ...hangups, network.pickUp, ...hangups], {
        concurrency: "unbounded",
        discard: true
      })
      yield* until(calls.length)
      yield* nothingOpen(network)
      yield* quiet
      same("number of ends", ends.length, calls.length)
      same("number of calls with an end", new Set(ends.map(({ delivery }) => delivery)).size, calls.length)
    })
  },

  {
    name: "ends when the gateway drains, and no other is placed",
    check: Effect.fnUntraced(function* ({ gateway, network }) {
      const { until } = yield* listen(gateway)
      yield* network.next("rings")
      yield* Effect.forEach([1, 2, 3], () => ring(gateway), { discard: true })
      yield* gateway.drain
      yield* until(3)
      yield* nothingOpen(network)
      const { failure } = yield* failed(gateway)
      same<string>("failure", failure._tag, "SERVICE_UNAVAILABLE")
    })
  }
])
