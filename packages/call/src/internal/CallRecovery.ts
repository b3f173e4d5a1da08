/**
 * Ends the calls that a dead process left: through a gateway that can still end them, otherwise on record only.
 *
 * Recovery runs when the service starts and, in a cluster, as a periodic job after that. On a host without background
 * work its `pass` is run by maintenance.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import { BackgroundAllowed, keepJob } from "@watchword/send/pipeline"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import type { Handle } from "./CallEvents.ts"
import type { Cause, Service as Gateway } from "../CallGateway.ts"
import * as CallRecord from "./CallRecord.ts"
import type { Service as ActiveCalls } from "./ActiveCalls.ts"
import { status } from "./CallStatus.ts"

/** The most calls of one status that are being ended at a time. */
const PAGE = 1000

/** How long the next page waits for one to be over; a gateway gives a call up before. */
const PATIENCE = "1 minute"

/** The age in milliseconds at which a call counts as left where processes have no leases. No call lasts as long. */
const LEFT_AFTER = 2 * 60 * 1000

interface Recovery {
  /** Ends all calls that are left. */
  readonly pass: Effect.Effect<void, StoreError>
}

interface Page {
  readonly ended: ReadonlyArray<DeliveryId>
  readonly hasMore: boolean
}

/**
 * Ends the first page of calls before it returns, and the others in the background.
 *
 * @param live the gateway of live calls, if there is one
 */
export const keepRecovering = Effect.fnUntraced(function* (
  active: ActiveCalls,
  handle: Handle,
  live: Option.Option<Gateway>
): Effect.fn.Return<Recovery, StoreError, Store | Scope> {
  const store = yield* Store
  const backgroundAllowed = yield* BackgroundAllowed
  const page = Effect.provideService(endPage(active, handle, live, backgroundAllowed ? null : LEFT_AFTER), Store, store)
  const after: (page: Page) => Effect.Effect<void, StoreError> = ({ ended, hasMore }) =>
    hasMore ? Effect.andThen(over(active, ended), pass) : Effect.void
  const pass = Effect.flatMap(page, after)
  if (!backgroundAllowed) return { pass }
  const first = yield* page
  yield* Effect.forkScoped(Effect.andThen(logged(after(first)), keepJob("calls of dead processes", pass)))
  return { pass }
})

const logged = (pass: Effect.Effect<void, StoreError>): Effect.Effect<void> =>
  Effect.catchCause(pass, (cause) => Effect.logError("ending the calls of dead processes failed", cause))

/** Waits until all of these calls are over, for a while at most. */
const over = (active: ActiveCalls, calls: ReadonlyArray<DeliveryId>): Effect.Effect<void> =>
  Effect.sync(() => !calls.some(active.has)).pipe(
    Effect.repeat({ until: (areOver) => areOver, schedule: Schedule.spaced("100 millis") }),
    Effect.timeoutOption(PATIENCE),
    Effect.asVoid
  )

const endPage = Effect.fnUntraced(function* (
  active: ActiveCalls,
  handle: Handle,
  live: Option.Option<Gateway>,
  leftAfter: number | null
): Effect.fn.Return<Page, StoreError, Store> {
  const store = yield* Store
  const at = yield* Clock.currentTimeMillis
  const found = yield* Effect.forEach([status.pending, status.ringing], ({ name }) =>
    store.abandoned({ channel: "call", status: name, mode: null, ...ever, limit: PAGE })
  )
  // A known call is being ended already. Without leases a young one may be alive.
  const isOldEnough = ({ createdAt }: Delivery) => leftAfter === null || createdAt <= at - leftAfter
  const left = found.flat().filter((call) => !active.has(call.id) && isOldEnough(call))
  const toEnd: Array<{ readonly delivery: DeliveryId; readonly dialog: string }> = []
  for (const call of left) {
    const { id: delivery } = call
    const isOpen = call.phase === "pending" || call.phase === "unknown"
    active.add(delivery)
    const dialog = CallRecord.dialogOf(call)
    active.ring(delivery, { rangAt: CallRecord.rangAt(call), isOpen, mayHaveRung: Option.isSome(dialog) })
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
  const hasMore = left.length > 0 && found.some(({ length }) => length === PAGE)
  return { ended: left.map(({ id }) => id), hasMore }
})

const ever = { createdFrom: 0, createdBefore: Number.MAX_SAFE_INTEGER }

const cause: Cause = { hangupCause: "SYSTEM_SHUTDOWN", sipStatus: null, q850: null }
