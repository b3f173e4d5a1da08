/**
 * Outcomes of dialling, and ends of calls that rang.
 */
import { type CaseOf, group, holds, same } from "@watchword/store/checks"
import * as Effect from "effect/Effect"
import type { Started } from "./Harness.ts"
import { type CallCase, endedBy, failed, listen, newCall, nothingOpen, quiet, ring } from "./kit.ts"

const failures = [
  ["is busy", "BUSY_HERE", "USER_BUSY"],
  ["declines", "DECLINE", "CALL_REJECTED"],
  ["cannot be reached", "TEMPORARY_UNAVAILABLE", null]
] as const

export const outcomes: ReadonlyArray<CaseOf<Started>> = group("a call", [
  ...(["NO_ANSWER", "ORIGINATOR_CANCEL"] as const).map((reason): CallCase => ({
    name: `rings, and ends once with ${reason} when it is hung up for that`,
    check: Effect.fnUntraced(function* ({ gateway, network }) {
      const { ends, until } = yield* listen(gateway)
      const call = newCall()
      yield* network.next("rings")
      const { postDialDelay } = yield* ring(gateway, call)
      holds("the post-dial delay must not be negative", postDialDelay >= 0)
      same("whether a ringing call was hung up", yield* gateway.hangup(call.delivery, reason), true)
      yield* until(1)
      const [end] = ends
      endedBy(end, reason)
      same("delivery of the end", end?.delivery, call.delivery)
      same("time of the answer", end?.answeredAt, null)
      same("whether a call that has ended was hung up", yield* gateway.hangup(call.delivery, reason), false)
      yield* nothingOpen(network)
      yield* quiet
      same("number of ends", ends.length, 1)
    })
  })),

  ...failures.map(([scenario, code, hangupCause]): CallCase => ({
    name: `fails with ${code} when the callee ${scenario}, without an end`,
    check: Effect.fnUntraced(function* ({ gateway, network }) {
      const { ends } = yield* listen(gateway)
      const call = newCall()
      yield* network.next(scenario)
      const { cause, failure } = yield* failed(gateway, call)
      same<string>("failure", failure._tag, code)
      if (hangupCause !== null) same<string>("hangup cause", cause.hangupCause, hangupCause)
      same("whether a call that failed was hung up", yield* gateway.hangup(call.delivery, "NO_ANSWER"), false)
      yield* quiet
      same("number of ends", ends.length, 0)
    })
  })),

  {
    name: "rang and is hung up when the callee answers at once",
    check: Effect.fnUntraced(function* ({ gateway, network }) {
      const { ends, until } = yield* listen(gateway)
      yield* network.next("answers")
      yield* ring(gateway)
      yield* until(1)
      const [end] = ends
      endedBy(end, "NORMAL_CLEARING")
      holds("the call must be answered", end !== undefined && end.answeredAt !== null)
      holds("the call must be answered before it ends", end.answeredAt <= end.endedAt)
      yield* nothingOpen(network)
    })
  },

  {
    name: "is hung up when the callee answers after ringing",
    check: Effect.fnUntraced(function* ({ gateway, network }) {
      const { ends, until } = yield* listen(gateway)
      yield* network.next("rings")
      yield* ring(gateway)
      yield* network.pickUp
      yield* until(1)
      const [end] = ends
      endedBy(end, "NORMAL_CLEARING")
      holds("the call must be answered", end !== undefined && end.answeredAt !== null)
      yield* nothingOpen(network)
    })
  },

  {
    name: "ends with CALL_REJECTED when the callee declines after ringing",
    check: Effect.fnUntraced(function* ({ gateway, network }) {
      const { ends, until } = yield* listen(gateway)
      yield* network.next("rings")
      yield* ring(gateway)
      yield* network.decline
      yield* until(1)
      endedBy(ends[0], "CALL_REJECTED")
    })
  },

  {
    name: "that never rings is given up, and leaves nothing in the network",
    check: Effect.fnUntraced(function* ({ gateway, network }) {
      yield* network.next("hangs")
      const { failure } = yield* failed(gateway)
      same<string>("failure", failure._tag, "TEMPORARY_UNAVAILABLE")
      yield* nothingOpen(network)
    })
  }
])
