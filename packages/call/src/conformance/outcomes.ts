/**
 * How calls go, and how they end.
 */
import * as Effect from "effect/Effect"
import { type Requirement, Misbehaviour, check, collect, dial, isCause, must, nothingOpen, order, ring } from "./kit.ts"

const failures = [
  ["is busy", "BUSY_HERE", "USER_BUSY"],
  ["declines", "DECLINE", "CALL_REJECTED"],
  ["cannot be reached", "TEMPORARY_UNAVAILABLE", null]
] as const

export const outcomes: ReadonlyArray<Requirement> = [
  ...(["NO_ANSWER", "ORIGINATOR_CANCEL"] as const).map((reason) =>
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
  ),

  ...failures.map(([fate, code, hangupCause]) =>
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
  ),

  must("hangs up on whoever answers at once, and says that it rang", ({ gateway, network }) =>
    Effect.gen(function* () {
      const { ends, count } = yield* collect(gateway)
      yield* network.next("answers")
      yield* ring(gateway)
      yield* count(1)
      const [end] = ends
      yield* isCause(end, "NORMAL_CLEARING")
      const isOrdered = end !== undefined && end.answeredAt !== null && end.answeredAt <= end.endedAt
      yield* check(isOrdered, "the call was not answered before it ended")
      yield* nothingOpen(network)
    })
  ),

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
  ),

  must("ends with CALL_REJECTED when the callee declines after ringing", ({ gateway, network }) =>
    Effect.gen(function* () {
      const { ends, count } = yield* collect(gateway)
      yield* network.next("rings")
      yield* ring(gateway)
      yield* network.decline
      yield* count(1)
      yield* isCause(ends[0], "CALL_REJECTED")
    })
  ),

  must("gives a call up that never rings, and leaves nothing of it", ({ gateway, network }) =>
    Effect.gen(function* () {
      yield* network.next("hangs")
      const dialled = yield* dial(gateway)
      const code = dialled._tag === "Ringing" ? "ringing" : dialled.failure._tag
      yield* check(code === "TEMPORARY_UNAVAILABLE", `the outcome was ${code}`)
      yield* nothingOpen(network)
    })
  )
]
