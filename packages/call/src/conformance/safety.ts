/**
 * What holds whatever goes wrong: no call is left alone, and none ends twice.
 */
import { DeliveryId } from "@watchword/schemas/Ids"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { type Requirement, Misbehaviour, check, collect, dial, must, nothingOpen, order, ring, soon } from "./kit.ts"

export const safety: ReadonlyArray<Requirement> = [
  must("places nothing when the dialog cannot be stored", ({ gateway, network }) =>
    Effect.gen(function* () {
      const fault = new StoreError({ reason: "Unavailable", message: "no disk" })
      const exit = yield* Effect.exit(gateway.dial(order(), () => Effect.fail(fault)))
      yield* check(Exit.isFailure(exit), "the store's fault was passed over")
      yield* check((yield* network.placed) === 0, "the network was asked for a call")
    })
  ),

  must("stores the dialog before the network hears of the call", ({ gateway, network }) =>
    Effect.gen(function* () {
      yield* network.next("rings")
      let before = -1
      const dialled = yield* Effect.mapError(
        gateway.dial(order(), (dialog) =>
          Effect.map(network.placed, (placed) => {
            if (before < 0) before = placed + (dialog === "" ? 1 : 0)
          })
        ),
        ({ message }) => new Misbehaviour({ message })
      )
      yield* check(dialled._tag === "Ringing", "it did not ring")
      yield* check(before === 0, "the network was asked before the dialog was stored")
    })
  ),

  must("places a call as it was drafted, or stores another dialog first", ({ gateway, network, restart }) =>
    Effect.gen(function* () {
      const call = order()
      const draft = gateway.draft?.(call) ?? null
      if (draft === null || restart === null) return
      yield* network.next("rings")
      let dialog = draft.dialog
      yield* Effect.mapError(
        gateway.dial({ ...call, draft }, (other) => Effect.sync(() => void (dialog = other))),
        ({ message }) => new Misbehaviour({ message })
      )
      const later = yield* restart
      const { count } = yield* collect(later)
      yield* later.recover([{ delivery: call.delivery, dialog }])
      yield* count(1)
      yield* nothingOpen(network)
    })
  ),

  must("ends a call whose dial is interrupted", ({ gateway, network }) =>
    Effect.gen(function* () {
      yield* network.next("hangs")
      const fiber = yield* Effect.forkScoped(dial(gateway))
      yield* soon(
        Effect.map(network.open, (open) => open === 1),
        "the call was not placed"
      )
      yield* Fiber.interrupt(fiber)
      yield* nothingOpen(network)
    })
  ),

  must("knows no call that it did not place", ({ gateway }) =>
    Effect.gen(function* () {
      const unknown = DeliveryId.make("01KAJ3T8ZZ0000000000000000")
      yield* check(!(yield* gateway.hangup(unknown, "NO_ANSWER")), "an unknown call was hung up")
    })
  ),

  must("hands an end over again until it is stored, and keeps it until somebody asks", ({ gateway, network }) =>
    Effect.gen(function* () {
      const call = order()
      yield* network.next("rings")
      yield* ring(gateway, call)
      yield* gateway.hangup(call.delivery, "NO_ANSWER")
      yield* nothingOpen(network)
      let attempts = 0
      yield* gateway.events(() =>
        ++attempts < 3 ? Effect.fail(new StoreError({ reason: "Unavailable", message: "no disk" })) : Effect.void
      )
      yield* soon(
        Effect.sync(() => attempts === 3),
        "the end was not handed over again"
      )
    })
  ),

  must("gives every call one end, whoever ends it", ({ gateway, network }) =>
    Effect.gen(function* () {
      const { ends, count } = yield* collect(gateway)
      const orders = Array.from({ length: 30 }, order)
      yield* network.next("rings")
      yield* Effect.forEach(orders, (call) => ring(gateway, call), { concurrency: "unbounded", discard: true })
      const hangups = orders.map(({ delivery }, index) =>
        gateway.hangup(delivery, index % 2 === 0 ? "NO_ANSWER" : "ORIGINATOR_CANCEL")
      )
      yield* Effect.all([network.decline, ...hangups, network.pickUp, ...hangups], {
        concurrency: "unbounded",
        discard: true
      })
      yield* count(orders.length)
      yield* nothingOpen(network)
      yield* Effect.sleep("20 millis")
      yield* check(ends.length === orders.length, `${orders.length} calls had ${ends.length} ends`)
      yield* check(new Set(ends.map(({ delivery }) => delivery)).size === orders.length, "a call had two ends")
    })
  ),

  must("drains: every call ends, and no other is taken", ({ gateway, network }) =>
    Effect.gen(function* () {
      const { count } = yield* collect(gateway)
      yield* network.next("rings")
      yield* Effect.forEach([1, 2, 3], () => ring(gateway), { discard: true })
      yield* gateway.drain
      yield* count(3)
      yield* nothingOpen(network)
      const dialled = yield* dial(gateway)
      const code = dialled._tag === "Ringing" ? "ringing" : dialled.failure._tag
      yield* check(code === "SERVICE_UNAVAILABLE", `the outcome was ${code}`)
    })
  ),

  must("ends the calls of an earlier process, by what it stored", ({ gateway, network, restart }) =>
    Effect.gen(function* () {
      if (restart === null) return
      yield* network.next("rings")
      const dialogs: Array<string> = []
      const call = order()
      yield* Effect.mapError(
        gateway.dial(call, (dialog) => Effect.sync(() => void dialogs.push(dialog))),
        ({ message }) => new Misbehaviour({ message })
      )
      // The first process is as good as dead: nobody speaks to it any more.
      const later = yield* restart
      const { ends, count } = yield* collect(later)
      yield* later.recover([
        { delivery: call.delivery, dialog: dialogs.at(-1) ?? "" },
        { delivery: DeliveryId.make("01KAJ3T8ZZ0000000000000001"), dialog: "unreadable" }
      ])
      yield* count(2)
      yield* nothingOpen(network)
      const deliveries = ends.map(({ delivery }) => delivery)
      yield* check(deliveries.includes(call.delivery) && new Set(deliveries).size === 2, "an end was another call's")
    })
  )
]
