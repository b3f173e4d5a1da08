/**
 * The sandbox's call gateway. The phone of a number chooses the outcome, and without one its last digits do, see
 * `Outcomes.ts`. The phone rings after a moment, in real time, and is not answered unless a person does. A
 * call to a number that ends in 0002 rings and is ended by the network a second later.
 */
import { type DeliveryFailure, ServiceUnavailable, TemporaryUnavailable } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { CallEvent, MessageEvent } from "@watchword/schemas/SandboxPhone"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import { WaitUntil } from "@watchword/send/pipeline"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import {
  type Call,
  CallGateway,
  type Cause,
  type Delay,
  type Dialled,
  type HangupReason,
  type Service,
  makeDelays,
  makeEnds,
  steadyClock
} from "@watchword/call/CallGateway"
import type { Stage } from "@watchword/send/Send"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import { type Network, unhandled } from "../simulator/Receptions.ts"
import { type Outcome, callOutcomeOf, outcomeOnPhone, refusalOf } from "../simulator/Outcomes.ts"
import * as Stages from "../simulator/Stages.ts"

/** Milliseconds until the phone rings, or the call fails. */
const SETUP = 300
/** Milliseconds that a call to 0002 rings. */
const DROP = 1000
/** How much longer than asked for a phone may ring before the gateway itself hangs up, in milliseconds. */
const BACKSTOP = 2000

/** A gateway that lives as long as the scope. */
export const make: Effect.Effect<Stage<Service>, never, Settings | Store | Scope> = Effect.gen(function* () {
  const ends = yield* makeEnds
  const time = yield* steadyClock
  const calls = new Map<DeliveryId, "placing" | "ringing" | HangupReason>()
  let isClosing = false
  const delays = yield* makeDelays
  const limits = new Map<DeliveryId, Delay>()

  const end = (delivery: DeliveryId, cause: Cause) =>
    Effect.sync(() => {
      limits.delete(delivery)
      if (calls.delete(delivery)) ends.publish({ _tag: "Ended", delivery, cause, answeredAt: null, endedAt: time() })
    })

  const hangup = (delivery: DeliveryId, reason: HangupReason) =>
    Effect.gen(function* () {
      const state = calls.get(delivery)
      if (state === undefined) return false
      if (state === "placing") calls.set(delivery, reason)
      if (state !== "ringing") return true
      limits.get(delivery)?.cancel()
      yield* end(delivery, cancelled(reason))
      return true
    })

  const ring = Effect.fnUntraced(function* ({ delivery, maxRing }: Call, outcome: Outcome) {
    calls.set(delivery, "ringing")
    const [after, cause] = outcome === "dropped" ? [DROP, dropped] : [maxRing * 1000 + BACKSTOP, cancelled("NO_ANSWER")]
    limits.set(delivery, delays.run(after, end(delivery, cause), yield* WaitUntil))
    return ringing
  })

  const place = Effect.fnUntraced(function* (call: Call, outcome: Outcome) {
    calls.set(call.delivery, "placing")
    yield* Effect.sleep(SETUP)
    const state = calls.get(call.delivery)
    const failure = state === "placing" ? refused(outcome) : hungUp()
    if (failure === null) return yield* ring(call, outcome)
    calls.delete(call.delivery)
    return failure
  })

  const dialAs =
    (outcomeOf: (callee: E164) => Outcome): Service["dial"] =>
    (call, beforeInvite) =>
      Effect.suspend(() =>
        isClosing
          ? Effect.succeed(closed())
          : Effect.andThen(
              beforeInvite("sandbox"),
              Effect.onInterrupt(place(call, outcomeOf(call.callee)), () =>
                Effect.sync(() => void calls.delete(call.delivery))
              )
            )
      )

  /** Forgets a call whose end is known from elsewhere. */
  const forget = (delivery: DeliveryId): void => {
    limits.get(delivery)?.cancel()
    limits.delete(delivery)
    calls.delete(delivery)
  }

  const gateway = CallGateway.of({
    dial: dialAs(callOutcomeOf),
    hangup,
    events: ends.subscribe,
    recover: Effect.fnUntraced(function* (left) {
      const endedAt = yield* Clock.currentTimeMillis
      for (const { delivery } of left) {
        ends.publish({ _tag: "Ended", delivery, cause: cancelled("ORIGINATOR_CANCEL"), answeredAt: null, endedAt })
      }
    }),
    drain: Effect.suspend(() => {
      isClosing = true
      return Effect.forEach([...calls.keys()], (delivery) => hangup(delivery, "ORIGINATOR_CANCEL"), { discard: true })
    }),
    health: Effect.succeed([])
  })

  /**
   * The end of a call is written by the process that is asked, whichever has the call: it looks no further once its
   * record has ended.
   */
  const post: Network["post"] = Effect.fnUntraced(function* (record, event) {
    const { id: delivery } = record
    const endedAt = yield* Clock.currentTimeMillis
    forget(delivery)
    const answeredAt = event === "answer" ? endedAt : null
    const ended = ends.stored({ _tag: "Ended", delivery, cause: causeOf(event), answeredAt, endedAt, record })
    yield* Effect.mapError(ended, unhandled)
  })

  return yield* Stages.make({
    product: "call",
    gateway,
    onPhone: (phone) => ({ ...gateway, dial: dialAs(() => outcomeOnPhone.call(phone)) }),
    network: {
      events: EVENTS,
      accepts: ({ status }) => (status.name === "ringing" ? EVENTS : []),
      post,
      // A call does not wait for a phone.
      settle: () => Effect.void
    }
  })
})

const EVENTS: ReadonlyArray<CallEvent> = ["answer", "decline", "hangup"]

/** How a call ends by an event of its phone or its network. */
const causeOf = (event: CallEvent | MessageEvent): Cause => {
  switch (event) {
    case "answer":
      return { hangupCause: "NORMAL_CLEARING", sipStatus: 200, q850: null }
    case "decline":
      return declined
    default:
      return dropped
  }
}

const ringing: Dialled = { _tag: "Ringing", postDialDelay: SETUP, dialog: "sandbox" }

const cancelled = (hangupCause: HangupReason): Cause => ({ hangupCause, sipStatus: 487, q850: null })

const dropped: Cause = { hangupCause: "NO_USER_RESPONSE", sipStatus: 480, q850: 18 }

const failed = (failure: DeliveryFailure, cause: Cause): Dialled => ({ _tag: "Failed", failure, cause })

/** The call was hung up before the phone rang. */
const hungUp = () =>
  failed(new TemporaryUnavailable({ message: "The call was ended before it rang." }), cancelled("ORIGINATOR_CANCEL"))

const closed = () =>
  failed(new ServiceUnavailable({ message: "The service is shutting down." }), {
    hangupCause: "SYSTEM_SHUTDOWN",
    sipStatus: 503,
    q850: null
  })

const WORDS = { gateway: "trunk", rings: true }

const refused = (outcome: Outcome): Dialled | null => {
  const failure = refusalOf(outcome, WORDS)
  return failure === null ? null : failed(failure, causes[outcome] ?? dropped)
}

const declined: Cause = { hangupCause: "CALL_REJECTED", sipStatus: 603, q850: 21 }

const causes: { readonly [O in Outcome]?: Cause } = {
  busy: { hangupCause: "USER_BUSY", sipStatus: 486, q850: 17 },
  unreachable: { hangupCause: "NORMAL_TEMPORARY_FAILURE", sipStatus: 503, q850: 41 },
  declined
}
