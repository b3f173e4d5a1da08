/**
 * The scripted gateway of calls. Phones ring at once, and are never answered.
 */
import { type Call, CallGateway, type Cause, type Dialled, type Ended } from "@watchword/call/CallGateway"
import { type Gateway, EventHub } from "@watchword/send/gateway"
import {
  BusyHere,
  Decline,
  type DeliveryFailure,
  ServiceUnavailable,
  TemporaryUnavailable
} from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CallOutcome } from "@watchword/sandbox/simulator"
import type { Network } from "../Network.ts"

/** Milliseconds that a dropped call rings. */
const DROP = 1_000

export const call = (network: Network): Gateway<CallGateway> =>
  Layer.sync(CallGateway, () => {
    const hub = new EventHub<Ended, StoreError>()
    const ringing = new Set<DeliveryId>()

    const end = (delivery: DeliveryId, cause: Cause): Effect.Effect<boolean> =>
      Effect.sync(() => {
        const rang = ringing.delete(delivery)
        const ended: Ended = { _tag: "Ended", delivery, cause, answeredAt: null, endedAt: network.now() }
        if (rang) hub.offer(ended, () => {})
        return rang
      })

    const place = ({ callee, caller, delivery }: Call): Dialled => {
      const { outcome } = network.carry("call", { delivery, to: callee, from: caller })
      if (outcome !== "delivered" && outcome !== "dropped") return refusals[outcome]()
      ringing.add(delivery)
      if (outcome === "dropped") network.later(DROP, Effect.asVoid(end(delivery, dropped)))
      return { _tag: "Ringing", postDialDelay: 0, dialog: "kit" }
    }

    return {
      dial: (call, beforeInvite) =>
        Effect.andThen(
          beforeInvite("kit"),
          Effect.sync(() => place(call))
        ),
      hangup: (delivery, reason) => end(delivery, { hangupCause: reason, sipStatus: 487, q850: null }),
      recover: () => Effect.void,
      drain: Effect.suspend(() =>
        Effect.forEach([...ringing], (delivery) => end(delivery, cancelled), { discard: true })
      ),
      events: (handle) => hub.subscribe(handle),
      health: Effect.succeed([])
    }
  })

const cancelled: Cause = { hangupCause: "ORIGINATOR_CANCEL", sipStatus: 487, q850: null }

const dropped: Cause = { hangupCause: "NO_USER_RESPONSE", sipStatus: 480, q850: 18 }

const failed = (failure: DeliveryFailure, hangupCause: string, sipStatus: number): Dialled => ({
  _tag: "Failed",
  failure,
  cause: { hangupCause, sipStatus, q850: null }
})

const refusals: Readonly<Record<Exclude<CallOutcome, "dropped">, () => Dialled>> = {
  busy: () => failed(new BusyHere({ message: "The recipient is busy." }), "USER_BUSY", 486),
  declined: () => failed(new Decline({ message: "The recipient declined the call." }), "CALL_REJECTED", 603),
  unavailable: () =>
    failed(new TemporaryUnavailable({ message: "The recipient cannot be reached." }), "NO_USER_RESPONSE", 480),
  throttled: () =>
    failed(new TemporaryUnavailable({ message: "Too many calls are being placed." }), "SWITCH_CONGESTION", 503),
  unreachable: () =>
    failed(new ServiceUnavailable({ message: "No trunk can take the call." }), "NORMAL_TEMPORARY_FAILURE", 503)
}
