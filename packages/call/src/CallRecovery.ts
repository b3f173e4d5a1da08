/**
 * Ends the calls that another process left: it was killed while their phones rang. Those that a gateway can
 * still end are ended through it; what nobody can end any more is over.
 *
 * It runs when the service starts and, where several processes serve at once, every ten seconds after that.
 * Where nothing may run by itself, whoever looks after the service runs it.
 */
import type { Delivery } from "@watchword/store/Delivery"
import { BackgroundAllowed } from "@watchword/send/Background"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import type { Handle } from "./CallEvents.ts"
import type { Cause, Service as Gateway } from "./CallGateway.ts"
import * as CallRecord from "./CallRecord.ts"
import type { Service as Underway } from "./CallsUnderway.ts"
import { status } from "./CallStatus.ts"

const ALL = Number.MAX_SAFE_INTEGER

/** In milliseconds: how old a call must be to count as left where no process says that it lives. No call lasts as long. */
const LEFT_AFTER = 2 * 60 * 1000

interface Recovery {
  /** For whoever looks after the service where it may do nothing by itself. */
  readonly pass: Effect.Effect<void, StoreError>
}

/**
 * Recovers at once and from then on, where it may.
 *
 * @param live the gateway of live calls, if there is one
 */
export const keepRecovering = Effect.fnUntraced(function* (
  underway: Underway,
  handle: Handle,
  live: Option.Option<Gateway>
): Effect.fn.Return<Recovery, StoreError, Store | Scope> {
  const store = yield* Store
  const backgroundAllowed = yield* BackgroundAllowed
  const pass = Effect.provideService(recover(underway, handle, live, backgroundAllowed ? 0 : LEFT_AFTER), Store, store)
  if (!backgroundAllowed) return { pass }
  yield* pass
  if (!store.manifest.cluster) return { pass }
  yield* pass.pipe(
    Effect.catchCause((cause) =>
      Effect.logError("ending the calls of dead processes failed; it is tried again", cause)
    ),
    Effect.schedule(Schedule.spaced("10 seconds")),
    Effect.forkScoped
  )
  return { pass }
})

const recover = Effect.fnUntraced(function* (
  underway: Underway,
  handle: Handle,
  live: Option.Option<Gateway>,
  leftAfter: number
) {
  const store = yield* Store
  const at = yield* Clock.currentTimeMillis
  const left = yield* Effect.forEach([status.pending, status.ringing], ({ name }) =>
    store.abandoned({ channel: "call", status: name, at, limit: ALL })
  )
  const toEnd: Array<{ readonly delivery: Delivery["id"]; readonly dialog: string }> = []
  for (const call of left.flat()) {
    const { id: delivery } = call
    // It is being ended already, or may be alive.
    if (underway.knows(delivery) || call.createdAt > at - leftAfter) continue
    const isOpen = call.phase === "pending" || call.phase === "unknown"
    underway.begin(delivery)
    underway.ring(delivery, { rangAt: CallRecord.rangAt(call), isOpen })
    const dialog = CallRecord.dialogOf(call)
    if (call.mode === "live" && Option.isSome(live) && Option.isSome(dialog)) {
      toEnd.push({ delivery, dialog: dialog.value })
    } else {
      yield* handle({ _tag: "Ended", delivery, cause, answeredAt: null, endedAt: yield* Clock.currentTimeMillis })
    }
  }
  if (Option.isSome(live) && toEnd.length > 0) {
    yield* Effect.logInfo("ending calls that another process left", { calls: toEnd.length })
    yield* live.value.recover(toEnd)
  }
})

const cause: Cause = { hangupCause: "SYSTEM_SHUTDOWN", sipStatus: null, q850: null }
