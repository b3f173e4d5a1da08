/**
 * Ends the calls that an earlier process left: it was killed while their phones rang.
 *
 * A process that has just begun has no calls, so all there are were left by another. Those that a gateway can
 * still end are ended through it; what nobody can end any more is over.
 */
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Handle } from "./CallEvents.ts"
import type { Cause, Service as Gateway } from "./CallGateway.ts"
import * as CallRecord from "./CallRecord.ts"
import type { Service as Underway } from "./CallsUnderway.ts"
import { status } from "./CallStatus.ts"

const ALL = Number.MAX_SAFE_INTEGER

/** @param live the gateway of live calls, if there is one */
export const recover = Effect.fnUntraced(function* (underway: Underway, handle: Handle, live: Option.Option<Gateway>) {
  const store = yield* Store
  const left = yield* Effect.forEach([status.pending, status.ringing], ({ name }) =>
    store.inStatus({ channel: "call", status: name, limit: ALL })
  )
  const toEnd: Array<{ readonly delivery: Delivery["id"]; readonly dialog: string }> = []
  for (const call of left.flat()) {
    const { id: delivery } = call
    const isOpen = call.phase === "pending" || call.phase === "unknown"
    yield* underway.begin(delivery)
    yield* underway.ring(delivery, { rangAt: CallRecord.rangAt(call), isOpen })
    const dialog = CallRecord.dialogOf(call)
    if (call.mode === "live" && Option.isSome(live) && Option.isSome(dialog)) {
      toEnd.push({ delivery, dialog: dialog.value })
    } else {
      yield* handle({ _tag: "Ended", delivery, cause, answeredAt: null, endedAt: yield* Clock.currentTimeMillis })
    }
  }
  if (Option.isSome(live) && toEnd.length > 0) {
    yield* Effect.logInfo("ending calls that an earlier process left", { calls: toEnd.length })
    yield* live.value.recover(toEnd)
  }
})

const cause: Cause = { hangupCause: "SYSTEM_SHUTDOWN", sipStatus: null, q850: null }
