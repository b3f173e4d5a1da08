/**
 * How calls end: every row of the tables of statuses and faults.
 */
import type { Cause } from "@watchword/call/CallGateway"
import { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { test, timed } from "../../../../test/live.ts"
import {
  callee,
  caller,
  collectEnds,
  dial,
  order,
  quick,
  startGateway,
  startTrunk,
  resultOf,
  until
} from "./fixture.ts"
import { branch, cseq, header, tag } from "@watchword/sandbox/trunk"

const cause = (hangupCause: string, sipStatus: number | null, q850: number | null = null): Cause => ({
  hangupCause,
  sipStatus,
  q850
})

describe("a call that rings", () => {
  test(
    "is ended by CANCEL when its time is up, and has the trunk's last word",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const { ends, count } = yield* collectEnds(gateway)
      const call = order()
      const dialled = yield* dial(gateway, call)
      expect(dialled).toMatchObject({ _tag: "Ringing" })
      expect(yield* gateway.hangup(call.delivery, "NO_ANSWER")).toBe(true)
      // As long as it is being ended, it may be ended again.
      expect(yield* gateway.hangup(call.delivery, "ORIGINATOR_CANCEL")).toBe(true)
      yield* count(1)
      expect(ends).toMatchObject([
        { delivery: call.delivery, cause: cause("NO_ANSWER", 487), answeredAt: null, endedAt: expect.any(Number) }
      ])
      expect(yield* gateway.hangup(call.delivery, "ORIGINATOR_CANCEL")).toBe(false)
      yield* until(trunk, () => trunk.requests("ACK").length > 0)
      expect(trunk.methods).toEqual(["INVITE", "CANCEL", "ACK"])
      const [invite, cancel, ack] = trunk.received
      if (invite === undefined || cancel === undefined || ack === undefined) throw new Error("too few messages")
      for (const same of [cancel, ack]) {
        expect(branch(same)).toBe(branch(invite))
        expect(same.uri).toBe(invite.uri)
        expect(cseq(same)).toBe(cseq(invite))
        expect(header(same, "from")).toBe(header(invite, "from"))
        expect(header(same, "call-id")).toBe(header(invite, "call-id"))
      }
      expect(header(cancel, "to")).toBe(header(invite, "to"))
      expect(tag(header(ack, "to"))).toBe(trunk.calls[0]?.tag)
    })
  )

  test(
    "is ended by the customer",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const { ends, count } = yield* collectEnds(gateway)
      const call = order()
      yield* dial(gateway, call)
      yield* gateway.hangup(call.delivery, "ORIGINATOR_CANCEL")
      yield* count(1)
      expect(ends).toMatchObject([{ cause: cause("ORIGINATOR_CANCEL", 487) }])
    })
  )

  test(
    "is ended by the gateway itself as a backstop",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const { ends, count } = yield* collectEnds(gateway)
      yield* dial(gateway, order({ maxRing: -1.9 }))
      yield* count(1)
      expect(ends).toMatchObject([{ cause: cause("NO_ANSWER", 487) }])
    })
  )

  timed(
    "is timed from 180 on, not from a 183 before it",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ invite: (call) => call.respond(183) })
      const gateway = yield* startGateway(trunk.url())
      const fiber = yield* Effect.forkScoped(dial(gateway, order({ maxRing: 3 })))
      yield* until(trunk, () => trunk.calls.length === 1)
      yield* TestClock.adjust("4 seconds")
      trunk.calls[0]?.respond(180)
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "Ringing", postDialDelay: 4000 })
      // The gateway's own limit is two seconds behind that of the service.
      yield* TestClock.adjust("4900 millis")
      expect(trunk.requests("CANCEL")).toEqual([])
      yield* TestClock.adjust("100 millis")
      yield* until(trunk, () => trunk.requests("CANCEL").length > 0)
    })
  )

  test(
    "may be blocked by the network while it is being ended",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      trunk.script.invite = (call) => {
        call.respond(180)
        call.cancelled = () => call.respond(603, { phrase: "Network Blocked" })
      }
      const gateway = yield* startGateway(trunk.url())
      const { ends, count } = yield* collectEnds(gateway)
      const call = order()
      yield* dial(gateway, call)
      yield* gateway.hangup(call.delivery, "NO_ANSWER")
      yield* count(1)
      expect(ends).toMatchObject([{ cause: cause("REJECT_ALL", 603) }])
    })
  )

  test(
    "may be rejected, which delivered its caller id all the same",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const { ends, count } = yield* collectEnds(gateway)
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
      trunk.calls[0]?.respond(603, { headers: ['Reason: SIP;cause=603, Q.850;cause=21;text="Rejected"'] })
      yield* count(1)
      expect(ends).toMatchObject([{ cause: cause("CALL_REJECTED", 603, 21), answeredAt: null }])
    })
  )

  test(
    "may be answered, and then is hung up on",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const { ends, count } = yield* collectEnds(gateway)
      yield* dial(gateway)
      trunk.calls[0]?.accept()
      yield* count(1)
      const [end] = ends
      expect(end).toMatchObject({ cause: cause("NORMAL_CLEARING", 200), answeredAt: expect.any(Number) })
      expect(trunk.methods).toEqual(["INVITE", "ACK", "BYE"])
      const [invite, ack, bye] = trunk.received
      if (invite === undefined || ack === undefined || bye === undefined) throw new Error("too few messages")
      expect(new Set([branch(invite), branch(ack), branch(bye)]).size).toBe(3)
      expect([cseq(invite), cseq(ack), cseq(bye)]).toEqual([1, 1, 2])
      expect([tag(header(ack, "to")), tag(header(bye, "to"))]).toEqual(Array(2).fill(trunk.calls[0]?.tag))
      expect([ack.uri, bye.uri]).toEqual(Array(2).fill(`sip:callee@127.0.0.1:${trunk.port}`))
    })
  )

  test(
    "may be answered, and is over at that time for all we know when BYE goes unanswered",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ bye: () => "silence" })
      const gateway = yield* startGateway(trunk.url(), { timers: quick })
      const { ends, count } = yield* collectEnds(gateway)
      yield* dial(gateway)
      trunk.calls[0]?.accept()
      yield* count(1)
      const [end] = ends
      expect(end).toMatchObject({ cause: cause("NORMAL_CLEARING", 200), answeredAt: end?.endedAt })
      expect(trunk.requests("BYE").length).toBeGreaterThan(3)
    })
  )

  test(
    "may be answered while it is being ended",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ cancel: 200 })
      trunk.script.invite = (call) => {
        call.respond(180)
        // The answer crosses the CANCEL.
        call.cancelled = () => call.accept()
      }
      const gateway = yield* startGateway(trunk.url())
      const { ends, count } = yield* collectEnds(gateway)
      const call = order()
      yield* dial(gateway, call)
      yield* gateway.hangup(call.delivery, "NO_ANSWER")
      yield* count(1)
      expect(ends).toMatchObject([{ cause: cause("NORMAL_CLEARING", 200), answeredAt: expect.any(Number) }])
      expect(trunk.methods).toEqual(["INVITE", "CANCEL", "ACK", "BYE"])
    })
  )

  test(
    "may be rejected while it is being ended: the callee was quicker",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      trunk.script.invite = (call) => {
        call.respond(180)
        call.cancelled = () => call.respond(486)
      }
      const gateway = yield* startGateway(trunk.url())
      const { ends, count } = yield* collectEnds(gateway)
      const call = order()
      yield* dial(gateway, call)
      yield* gateway.hangup(call.delivery, "NO_ANSWER")
      yield* count(1)
      expect(ends).toMatchObject([{ cause: cause("USER_BUSY", 486) }])
    })
  )

  test(
    "is over after a while when the trunk says nothing to CANCEL, and once",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ cancel: "silence" })
      const gateway = yield* startGateway(trunk.url(), { timers: quick })
      const { ends, count } = yield* collectEnds(gateway)
      const call = order()
      yield* dial(gateway, call)
      yield* gateway.hangup(call.delivery, "NO_ANSWER")
      yield* count(1)
      expect(ends).toMatchObject([{ cause: cause("NO_ANSWER", null) }])
      expect(trunk.requests("CANCEL").length).toBeGreaterThan(3)
      // Too late to count.
      trunk.calls[0]?.respond(603)
      yield* dial(gateway)
      expect(ends).toHaveLength(1)
    })
  )

  timed(
    "is over at the time of its CANCEL when the trunk says nothing to that",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ cancel: "silence" })
      const gateway = yield* startGateway(trunk.url("keepalive=0"), { timers: quick })
      const { ends, count } = yield* collectEnds(gateway)
      const call = order()
      yield* dial(gateway, call)
      yield* TestClock.adjust("1 second")
      const at = yield* Clock.currentTimeMillis
      yield* gateway.hangup(call.delivery, "NO_ANSWER")
      yield* until(trunk, () => trunk.requests("CANCEL").length > 0)
      yield* TestClock.adjust("2 seconds")
      yield* count(1)
      expect(ends).toMatchObject([{ cause: cause("NO_ANSWER", null), endedAt: at }])
    })
  )

  test(
    "is over after a while when the trunk refuses CANCEL",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ cancel: 500 })
      const gateway = yield* startGateway(trunk.url(), { timers: quick })
      const { ends, count } = yield* collectEnds(gateway)
      const call = order()
      yield* dial(gateway, call)
      yield* gateway.hangup(call.delivery, "NO_ANSWER")
      yield* count(1)
      expect(ends).toMatchObject([{ cause: cause("NO_ANSWER", null) }])
      // A slow machine may repeat it before the answer is read.
      expect(new Set(trunk.requests("CANCEL").map(branch)).size).toBe(1)
    })
  )

  test(
    "is over when the trunk does not know it any more",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ cancel: 481 })
      const gateway = yield* startGateway(trunk.url(), { timers: { ...quick, t1: 500 } })
      const { ends, count } = yield* collectEnds(gateway)
      const call = order()
      yield* dial(gateway, call)
      yield* gateway.hangup(call.delivery, "NO_ANSWER")
      yield* count(1)
      expect(ends).toMatchObject([{ cause: cause("NO_ANSWER", null) }])
      expect(trunk.requests("CANCEL")).toHaveLength(1)
    })
  )

  test(
    "rings at several phones: each that answers is hung up on",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({
        invite: (call) => {
          call.respond(180, { tag: "one" })
          call.respond(180, { tag: "two" })
        }
      })
      const gateway = yield* startGateway(trunk.url())
      const { ends, count } = yield* collectEnds(gateway)
      yield* dial(gateway)
      trunk.calls[0]?.accept("one")
      trunk.calls[0]?.accept("two")
      yield* count(1)
      yield* until(trunk, () => trunk.requests("BYE").length === 2)
      const tags = (method: string) => trunk.requests(method).map((request) => tag(header(request, "to")))
      expect(new Set(tags("ACK"))).toEqual(new Set(["one", "two"]))
      expect(tags("BYE").toSorted()).toEqual(["one", "two"])
      expect(new Set(trunk.requests("BYE").map(branch)).size).toBe(2)
      expect(ends).toHaveLength(1)
    })
  )

  test(
    "has each repeated answer acknowledged again, and is hung up on once",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const { ends, count } = yield* collectEnds(gateway)
      yield* dial(gateway)
      const [call] = trunk.calls
      call?.accept()
      yield* until(trunk, () => trunk.requests("ACK").length >= 1)
      call?.sendAgain()
      call?.sendAgain()
      yield* until(trunk, () => trunk.requests("ACK").length >= 3)
      yield* count(1)
      expect(new Set(trunk.requests("ACK").map(({ text }) => text)).size).toBe(1)
      expect(trunk.requests("BYE")).toHaveLength(1)
      expect(ends).toHaveLength(1)
    })
  )
})

describe("a call that never rings", () => {
  const rows = [
    [486, "BUSY_HERE", "USER_BUSY"],
    [600, "BUSY_HERE", "USER_BUSY"],
    [603, "DECLINE", "CALL_REJECTED"],
    [607, "DECLINE", "CALL_REJECTED"],
    [608, "SERVICE_UNAVAILABLE", "REJECT_ALL"],
    [480, "TEMPORARY_UNAVAILABLE", "NO_USER_RESPONSE"],
    [408, "TEMPORARY_UNAVAILABLE", "RECOVERY_ON_TIMER_EXPIRE"],
    [504, "TEMPORARY_UNAVAILABLE", "RECOVERY_ON_TIMER_EXPIRE"],
    [404, "TEMPORARY_UNAVAILABLE", "UNALLOCATED_NUMBER"],
    [485, "TEMPORARY_UNAVAILABLE", "NO_ROUTE_DESTINATION"],
    [604, "TEMPORARY_UNAVAILABLE", "NO_ROUTE_DESTINATION"],
    [410, "TEMPORARY_UNAVAILABLE", "NUMBER_CHANGED"],
    [484, "BAD_REQUEST", "INVALID_NUMBER_FORMAT"],
    [402, "SERVICE_UNAVAILABLE", "CALL_REJECTED"],
    [403, "SERVICE_UNAVAILABLE", "CALL_REJECTED"],
    [488, "SERVICE_UNAVAILABLE", "INCOMPATIBLE_DESTINATION"],
    [606, "SERVICE_UNAVAILABLE", "INCOMPATIBLE_DESTINATION"],
    [500, "SERVICE_UNAVAILABLE", "NORMAL_TEMPORARY_FAILURE"],
    [503, "SERVICE_UNAVAILABLE", "NORMAL_TEMPORARY_FAILURE"],
    [502, "SERVICE_UNAVAILABLE", "NETWORK_OUT_OF_ORDER"],
    [300, "TEMPORARY_UNAVAILABLE", "REDIRECTION_TO_NEW_DESTINATION"],
    [302, "TEMPORARY_UNAVAILABLE", "REDIRECTION_TO_NEW_DESTINATION"],
    [699, "TEMPORARY_UNAVAILABLE", "NORMAL_UNSPECIFIED"],
    [499, "SERVICE_UNAVAILABLE", "NORMAL_UNSPECIFIED"]
  ] as const
  for (const [status, code, hangupCause] of rows) {
    test(
      `because of ${status} is ${code}, and its cause ${hangupCause}`,
      Effect.fnUntraced(function* () {
        const trunk = yield* startTrunk({
          invite: (call) => {
            call.respond(100)
            call.respond(status, {
              headers: ["Reason: Q.850;cause=31", `Contact: <sip:expensive@127.0.0.1:${trunk.port}>`]
            })
          }
        })
        const gateway = yield* startGateway(trunk.url())
        const { ends } = yield* collectEnds(gateway)
        expect(yield* dial(gateway)).toMatchObject({
          _tag: "Failed",
          failure: { _tag: code, ...(status === 484 ? { issues: [{ path: "callee" }] } : {}) },
          cause: cause(hangupCause, status, 31)
        })
        yield* until(trunk, () => trunk.requests("ACK").length > 0)
        expect(trunk.methods).toEqual(["INVITE", "ACK"])
        expect(ends).toEqual([])
      })
    )
  }

  test(
    "has a repeated rejection acknowledged again, in the same words",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ invite: (call) => call.respond(486) })
      const gateway = yield* startGateway(trunk.url())
      yield* dial(gateway)
      yield* until(trunk, () => trunk.requests("ACK").length === 1)
      trunk.calls[0]?.sendAgain()
      yield* until(trunk, () => trunk.requests("ACK").length === 2)
      expect(new Set(trunk.requests("ACK").map(({ text }) => text)).size).toBe(1)
    })
  )

  test(
    "and is interrupted, but answered all the same, is hung up on and has no end",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ invite: () => {} })
      const gateway = yield* startGateway(trunk.url())
      const { ends } = yield* collectEnds(gateway)
      const fiber = yield* Effect.forkScoped(dial(gateway))
      yield* until(trunk, () => trunk.calls.length === 1)
      yield* Fiber.interrupt(fiber)
      trunk.calls[0]?.accept()
      yield* until(trunk, () => trunk.requests("BYE").length === 1)
      yield* gateway.drain
      expect(trunk.requests("CANCEL")).toEqual([])
      expect(ends).toEqual([])
    })
  )

  test(
    "because of 408 without a word before is the trunk's fault",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ invite: (call) => call.respond(408) })
      const gateway = yield* startGateway(trunk.url())
      expect(resultOf(yield* dial(gateway))).toBe("SERVICE_UNAVAILABLE RECOVERY_ON_TIMER_EXPIRE")
    })
  )

  test(
    "because nothing follows 100 is cancelled",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ invite: (call) => call.respond(100) })
      const gateway = yield* startGateway(trunk.url(), { setupTimeout: "100 millis" })
      const dialled = yield* dial(gateway)
      expect(resultOf(dialled)).toBe("TEMPORARY_UNAVAILABLE PROGRESS_TIMEOUT")
      expect(dialled).toMatchObject({ mayHaveRung: true })
      yield* until(trunk, () => trunk.requests("ACK").length > 0)
      expect(trunk.methods).toEqual(["INVITE", "CANCEL", "ACK"])
    })
  )

  timed(
    "because the trunk says nothing at all has sent its INVITE again and again",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ invite: () => {} })
      const gateway = yield* startGateway(trunk.url(), { setupTimeout: "40 seconds" })
      const fiber = yield* Effect.forkScoped(dial(gateway))
      // Timer A doubles from half a second on until timer B ends it (RFC 3261 §17.1.1.2).
      for (const [index, wait] of [0, 500, 1000, 2000, 4000, 8000, 16_000].entries()) {
        yield* TestClock.adjust(wait)
        yield* until(trunk, () => trunk.requests("INVITE").length === index + 1)
      }
      yield* TestClock.adjust(500)
      expect(resultOf(yield* Fiber.join(fiber))).toBe("SERVICE_UNAVAILABLE RECOVERY_ON_TIMER_EXPIRE")
      expect(trunk.requests("INVITE")).toHaveLength(7)
      expect(new Set(trunk.requests("INVITE").map(({ text }) => text)).size).toBe(1)
    })
  )

  test(
    "may be answered at once, which counts as ringing",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ invite: (call) => call.accept() })
      const gateway = yield* startGateway(trunk.url())
      const { ends, count } = yield* collectEnds(gateway)
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
      yield* count(1)
      expect(ends).toMatchObject([{ cause: cause("NORMAL_CLEARING", 200) }])
      expect(trunk.methods).toEqual(["INVITE", "ACK", "BYE"])
    })
  )

  test(
    "and is hung up on before the trunk said anything is cancelled at its first word",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ invite: () => {} })
      const gateway = yield* startGateway(trunk.url(), { timers: quick })
      const { ends } = yield* collectEnds(gateway)
      const call = order()
      const fiber = yield* Effect.forkScoped(dial(gateway, call))
      yield* until(trunk, () => trunk.calls.length === 1)
      expect(yield* gateway.hangup(call.delivery, "ORIGINATOR_CANCEL")).toBe(true)
      expect(resultOf(yield* Fiber.join(fiber))).toBe("TEMPORARY_UNAVAILABLE ORIGINATOR_CANCEL")
      yield* until(trunk, () => trunk.requests("INVITE").length >= 3)
      expect(trunk.requests("CANCEL")).toEqual([])
      trunk.calls[0]?.respond(180)
      yield* until(trunk, () => trunk.requests("ACK").length > 0)
      expect(trunk.requests("CANCEL")).toHaveLength(1)
      expect(ends).toEqual([])
    })
  )

  test(
    "and is interrupted is cancelled as well",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ invite: (call) => call.respond(100) })
      const gateway = yield* startGateway(trunk.url())
      const call = order()
      const fiber = yield* Effect.forkScoped(dial(gateway, call))
      yield* until(trunk, () => trunk.calls.length === 1)
      yield* Fiber.interrupt(fiber)
      yield* until(trunk, () => trunk.requests("ACK").length > 0)
      expect(trunk.requests("CANCEL")).toHaveLength(1)
      expect(yield* gateway.hangup(call.delivery, "NO_ANSWER")).toBe(false)
    })
  )

  test(
    "is not even placed when it could not be stored",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const result = yield* Effect.flip(
        gateway.dial(order(), () => Effect.fail(new StoreError({ reason: "Unavailable", message: "no disk" })))
      )
      expect(result).toMatchObject({ _tag: "StoreError" })
      yield* dial(gateway, order({ callee: caller, caller: callee }))
      expect(trunk.calls.map(({ callee }) => callee)).toEqual([caller])
    })
  )
})
