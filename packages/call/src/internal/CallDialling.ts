/**
 * The delivery step of a call: dials through a gateway and turns the result into an outcome.
 */
import { MAY_HAVE_RUNG } from "@watchword/schemas/Call"
import type { Mode } from "@watchword/schemas/Channel"
import { ServiceUnavailable } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import { CallerRests, WaitUntil } from "@watchword/send/pipeline"
import { type Outcome, accepted, rejected } from "@watchword/send/Outcome"
import { Store, about } from "@watchword/store/Store"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Call, Dialled, Service as Gateway } from "../CallGateway.ts"
import { isCallerBlocked, maskedCaller } from "./CallerBlocked.ts"
import * as CallRecord from "./CallRecord.ts"
import type { Service as ActiveCalls } from "./ActiveCalls.ts"
import * as SteadyClock from "./SteadyClock.ts"

export type Dial = (gateway: Gateway, call: Call, mode: Mode) => Effect.Effect<Outcome>

export const makeDial = Effect.fnUntraced(function* (active: ActiveCalls): Effect.fn.Return<Dial, never, Store> {
  const store = yield* Store
  const clock = yield* Clock.Clock
  const time = yield* SteadyClock.make
  const rests = yield* CallerRests

  // A later process ends the call by its dialog if this process dies.
  const keepDialog = (id: DeliveryId, dialog: string) =>
    Effect.suspend(() => store.report(about(id, clock.currentTimeMillisUnsafe(), { details: { dialog } })))

  const placed = (gateway: Gateway, call: Call) => {
    const { delivery } = call
    active.add(delivery)
    return Effect.onExit(
      gateway.dial(call, (dialog) => keepDialog(delivery, dialog)),
      (exit) => {
        if (exit._tag === "Failure" || exit.value._tag === "Failed") active.remove(delivery)
        return Effect.void
      }
    )
  }

  const blocked = ({ callee, caller }: Call): Effect.Effect<void> =>
    rests.blocked(caller, callee, clock.currentTimeMillisUnsafe())
      ? Effect.logWarning("a caller that networks block again and again rests for an hour, where its pool has others", {
          caller: maskedCaller(caller)
        })
      : Effect.void

  // The sandbox's report on a caller is not a network's.
  const remembered = (call: Call, dialled: Dialled, mode: Mode): Effect.Effect<void> => {
    if (mode === "sandbox") return Effect.void
    if (dialled._tag === "Ringing") return Effect.sync(() => rests.rang(call.caller))
    return isCallerBlocked(dialled.failure) ? blocked(call) : Effect.void
  }

  const outcome = (gateway: Gateway, { delivery, maxRing }: Call, dialled: Dialled): Effect.Effect<Outcome> => {
    if (dialled._tag === "Failed") {
      const { cause, failure, mayHaveRung = false } = dialled
      const details = { ...dialled.details, ...CallRecord.failed(cause) }
      return Effect.succeed(rejected(failure, mayHaveRung ? { ...details, [MAY_HAVE_RUNG]: true } : details))
    }
    return Effect.map(WaitUntil, (waitUntil) => {
      active.limit(delivery, gateway, maxRing, waitUntil)
      active.ring(delivery, { rangAt: time(), isOpen: false, mayHaveRung: true })
      // A later process uses the system's clock, which is the only clock that it shares with this one.
      const rangAt = clock.currentTimeMillisUnsafe()
      const details = CallRecord.rang(dialled.postDialDelay, rangAt, dialled.dialog)
      return accepted([], { ...dialled.details, ...details })
    })
  }

  return (gateway, call, mode) =>
    Effect.suspend(() => placed(gateway, call)).pipe(
      Effect.tap((dialled) => remembered(call, dialled, mode)),
      Effect.flatMap((dialled) => outcome(gateway, call, dialled)),
      Effect.catch(() => Effect.succeed(unstored))
    )
})

/** The dialog could not be stored, so nothing was sent. */
const unstored: Outcome = rejected(
  new ServiceUnavailable({ message: "The service is unavailable for the moment; try again." }),
  CallRecord.failed({ hangupCause: "NORMAL_TEMPORARY_FAILURE", sipStatus: null, q850: null })
)
