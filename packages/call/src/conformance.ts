/**
 * What every gateway that places calls must do, as cases for any test runner. The test of a gateway says how to
 * start one and what its network is to do with the next calls:
 *
 * ```ts
 * import { cases } from "@watchword/call/conformance"
 * import { it } from "@effect/vitest"
 *
 * for (const { name, run } of cases(harness)) it.live(name, () => run)
 * ```
 */
import { DeliveryId, nextDeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { StoreError } from "@watchword/store/StoreError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Call, Dialled, Ended, Service } from "./CallGateway.ts"

/** What the network does with a call. */
export type Fate =
  | "rings"
  | "is busy"
  | "is declined"
  | "cannot be reached"
  /** The callee answers at once. */
  | "is answered"
  /** The call is on its way, and nothing more comes. */
  | "hangs"

export interface Harness {
  /** A gateway of its own network, for as long as the scope lives. The set-up limit is to be some seconds. */
  readonly start: Effect.Effect<Started, never, Scope.Scope>
}

export interface Started {
  readonly gateway: Service
  readonly network: Network
  /**
   * Another gateway on the same network, as a process has it that comes after one that was killed. Null for a
   * gateway whose calls do not outlive the process.
   */
  readonly restart: Effect.Effect<Service, never, Scope.Scope> | null
}

export interface Network {
  /** Says what happens to calls from now on. */
  readonly next: (fate: Fate) => Effect.Effect<void>
  /** How many calls the network was asked for so far. */
  readonly placed: Effect.Effect<number>
  /** How many of them it still works on: phones that ring, and calls that are on their way. */
  readonly open: Effect.Effect<number>
  /** The callee of every phone that rings answers, or declines. */
  readonly pickUp: Effect.Effect<void>
  readonly decline: Effect.Effect<void>
}

/** One thing that a gateway must do; `run` fails with what it did instead. */
export interface Case {
  readonly name: string
  readonly run: Effect.Effect<void, Misbehaviour>
}

/** A gateway did not do what it must. */
export class Misbehaviour extends Data.TaggedError("Misbehaviour")<{ readonly message: string }> {}

/** Everything a gateway must do. */
export const cases = (harness: Harness): ReadonlyArray<Case> =>
  all.map(({ name, run }) => ({ name, run: Effect.scoped(Effect.flatMap(harness.start, run)) }))

const all: Array<{
  readonly name: string
  readonly run: (started: Started) => Effect.Effect<void, Misbehaviour, Scope.Scope>
}> = []

const must = (name: string, run: (started: Started) => Effect.Effect<void, Misbehaviour, Scope.Scope>): void => {
  all.push({ name, run })
}

const check = (holds: boolean, message: string): Effect.Effect<void, Misbehaviour> =>
  holds ? Effect.void : Effect.fail(new Misbehaviour({ message }))

const order = (): Call => ({
  delivery: nextDeliveryId(Date.now()),
  caller: E164.make("+4930901820123"),
  callee: E164.make("+4915123456789"),
  maxRing: 30
})

/** Asks again until it is so, some seconds long. */
const soon = (condition: Effect.Effect<boolean>, message: string): Effect.Effect<void, Misbehaviour> =>
  Effect.filterOrFail(
    condition,
    (holds) => holds,
    () => new Misbehaviour({ message })
  ).pipe(Effect.retry({ schedule: Schedule.spaced("5 millis"), times: 2000 }), Effect.asVoid)

/** Dials; only the store may fail, and none is asked. */
const dial = (gateway: Service, call = order()): Effect.Effect<Dialled, Misbehaviour> =>
  Effect.mapError(
    gateway.dial(call, () => Effect.void),
    ({ message }) => new Misbehaviour({ message })
  )

const ring = Effect.fnUntraced(function* (gateway: Service, call = order()) {
  const dialled = yield* dial(gateway, call)
  if (dialled._tag === "Ringing") return dialled
  return yield* new Misbehaviour({ message: `a phone that rings was told as ${dialled.cause.hangupCause}` })
})

const collect = Effect.fnUntraced(function* (gateway: Service) {
  const ends: Array<Ended> = []
  yield* gateway.events((event) => Effect.sync(() => void ends.push(event)))
  const count = (n: number) =>
    soon(
      Effect.sync(() => ends.length >= n),
      `there were ${ends.length} ends, not ${n}`
    )
  return { ends, count }
})

/** Nothing of any call is left in the network. */
const nothingOpen = (network: Network) =>
  soon(
    Effect.map(network.open, (open) => open === 0),
    "a call was left open"
  )

const isCause = (end: Ended | undefined, hangupCause: string) =>
  check(end?.cause.hangupCause === hangupCause, `the cause was ${end?.cause.hangupCause}, not ${hangupCause}`)

for (const reason of ["NO_ANSWER", "ORIGINATOR_CANCEL"] as const) {
  must(`rings, and ends with ${reason} when it is hung up for that, once`, ({ gateway, network }) =>
    Effect.gen(function* () {
      const { ends, count } = yield* collect(gateway)
      const call = order()
      yield* network.next("rings")
      const { postDialDelay } = yield* ring(gateway, call)
      yield* check(postDialDelay >= 0, "the post-dial delay was negative")
      yield* check(yield* gateway.hangup(call.delivery, reason), "a ringing call was not there to be hung up")
      yield* count(1)
      const [end] = ends
      yield* isCause(end, reason)
      yield* check(end?.delivery === call.delivery, "the end was another call's")
      yield* check(end?.answeredAt === null, "a call that nobody answered was answered")
      yield* check(!(yield* gateway.hangup(call.delivery, reason)), "a call that is over was hung up")
      yield* nothingOpen(network)
      yield* Effect.sleep("20 millis")
      yield* check(ends.length === 1, "a call ended twice")
    })
  )
}

const failures = [
  ["is busy", "BUSY_HERE", "USER_BUSY"],
  ["is declined", "DECLINE", "CALL_REJECTED"],
  ["cannot be reached", "TEMPORARY_UNAVAILABLE", null]
] as const
for (const [fate, code, hangupCause] of failures) {
  must(`fails with ${code} when the callee ${fate}, without an end`, ({ gateway, network }) =>
    Effect.gen(function* () {
      const { ends } = yield* collect(gateway)
      const call = order()
      yield* network.next(fate)
      const dialled = yield* dial(gateway, call)
      if (dialled._tag === "Ringing") return yield* new Misbehaviour({ message: "it rang" })
      yield* check(dialled.failure._tag === code, `the failure was ${dialled.failure._tag}`)
      const { cause } = dialled
      yield* check(hangupCause === null || cause.hangupCause === hangupCause, `the cause was ${cause.hangupCause}`)
      yield* check(!(yield* gateway.hangup(call.delivery, "NO_ANSWER")), "a call that failed was hung up")
      yield* Effect.sleep("20 millis")
      yield* check(ends.length === 0, "a call that never rang had an end")
    })
  )
}

must("hangs up on whoever answers at once, and says that it rang", ({ gateway, network }) =>
  Effect.gen(function* () {
    const { ends, count } = yield* collect(gateway)
    yield* network.next("is answered")
    yield* ring(gateway)
    yield* count(1)
    const [end] = ends
    yield* isCause(end, "NORMAL_CLEARING")
    const isOrdered = end !== undefined && end.answeredAt !== null && end.answeredAt <= end.endedAt
    yield* check(isOrdered, "the call was not answered before it ended")
    yield* nothingOpen(network)
  })
)

must("hangs up on whoever answers after ringing", ({ gateway, network }) =>
  Effect.gen(function* () {
    const { ends, count } = yield* collect(gateway)
    yield* network.next("rings")
    yield* ring(gateway)
    yield* network.pickUp
    yield* count(1)
    yield* isCause(ends[0], "NORMAL_CLEARING")
    yield* check(ends[0]?.answeredAt !== null, "an answered call was not answered")
    yield* nothingOpen(network)
  })
)

must("ends with CALL_REJECTED when the callee declines after ringing", ({ gateway, network }) =>
  Effect.gen(function* () {
    const { ends, count } = yield* collect(gateway)
    yield* network.next("rings")
    yield* ring(gateway)
    yield* network.decline
    yield* count(1)
    yield* isCause(ends[0], "CALL_REJECTED")
  })
)

must("gives a call up that never rings, and leaves nothing of it", ({ gateway, network }) =>
  Effect.gen(function* () {
    yield* network.next("hangs")
    const dialled = yield* dial(gateway)
    const code = dialled._tag === "Ringing" ? "ringing" : dialled.failure._tag
    yield* check(code === "TEMPORARY_UNAVAILABLE", `the outcome was ${code}`)
    yield* nothingOpen(network)
  })
)

must("places nothing when the dialog cannot be stored", ({ gateway, network }) =>
  Effect.gen(function* () {
    const fault = new StoreError({ reason: "Unavailable", message: "no disk" })
    const exit = yield* Effect.exit(gateway.dial(order(), () => Effect.fail(fault)))
    yield* check(Exit.isFailure(exit), "the store's fault was passed over")
    yield* check((yield* network.placed) === 0, "the network was asked for a call")
  })
)

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
)

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
)

must("knows no call that it did not place", ({ gateway }) =>
  Effect.gen(function* () {
    const unknown = DeliveryId.make("01KAJ3T8ZZ0000000000000000")
    yield* check(!(yield* gateway.hangup(unknown, "NO_ANSWER")), "an unknown call was hung up")
  })
)

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
)

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
)

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
)

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
