/**
 * A gateway of calls that is composed of others, the carriers, each with a name.
 *
 * A call leaves over one of the carriers that its route has for it. Another is asked only where the one before
 * certainly did not place the call. The dialog that is stored of a call begins with the name of its carrier, which ends
 * it after a crash.
 */
import { EventHub } from "@watchword/send/gateway"
import { type Outcome, accepted, rejected } from "@watchword/send/Outcome"
import {
  type Fleet,
  NoRoom,
  type Opening as OpeningOf,
  type Setup as SetupOf,
  carrierAnswered,
  carriersHealth,
  carriersRehearsal,
  carriersRouting,
  handOver,
  makeFleet,
  noRoute,
  ofNoAccount,
  recordedOutcome
} from "@watchword/send/routes"
import * as CallEnds from "../CallEnds.ts"
import { isCallerBlocked } from "../CallerBlocked.ts"
import type { DeliveryId } from "@watchword/schemas/Ids"
import { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import * as Schedule from "effect/Schedule"
import {
  type Call,
  CallGateway,
  type CallEvent,
  type Cause,
  type Dialled,
  type PreparedCall,
  type Service
} from "../../CallGateway.ts"

export type Opening<E> = OpeningOf<CallGateway, E>
export type Setup<E> = SetupOf<CallGateway, E>

export interface Composition<in out E> extends Pick<Fleet<Service, CallGateway, E>, "replace"> {
  readonly service: Service
}

/** Milliseconds within which a call is placed. */
const DEADLINE = 20_000

/** How long a carrier that is replaced is kept for the calls that ring by it, which no call does for longer. */
const LONGEST = "2 minutes"

/** Carriers that live as long as the scope. */
export const make = Effect.fnUntraced(function* <E>(first: Setup<E>): Effect.fn.Return<Composition<E>, E, Scope> {
  const hub = new EventHub<CallEvent, StoreError>()
  /** The ends of calls whose carrier has left. */
  const lost = yield* CallEnds.make
  const placed = new Map<DeliveryId, Service>()

  const idle = (gateway: Service) =>
    Effect.sync(() => ![...placed.values()].includes(gateway)).pipe(
      Effect.repeat({ until: (isIdle) => isIdle, schedule: Schedule.spaced("200 millis") }),
      Effect.timeoutOption(LONGEST),
      Effect.asVoid
    )

  const happened = (event: CallEvent): Effect.Effect<void, StoreError> => {
    if (event._tag === "Ended") placed.delete(event.delivery)
    return Effect.catchTag(hub.publish(event), "NotHandled", (error) => Effect.fail(unhandled(error)))
  }

  const { current, replace } = yield* makeFleet(CallGateway, first, {
    attach: (_, gateway) => gateway.events(happened),
    settled: idle
  })
  const routing = carriersRouting(current)
  const gateways = () => [...current().carriers.values()].map(({ gateway }) => gateway)

  const dialBy = Effect.fnUntraced(function* (
    call: Call,
    carriers: ReadonlyArray<string>,
    beforeInvite: Parameters<Service["dial"]>[1]
  ) {
    const { callee, delivery, prepared = null } = call
    let last: Dialled = withoutRoute
    const ask = Effect.fnUntraced(function* (name: string): Effect.fn.Return<Outcome, StoreError> {
      const carrier = current().carriers.get(name)
      if (carrier === undefined) return rejected(noRoute())
      const own = prepared instanceof Prepared && prepared.carrier === name ? prepared.call : null
      placed.set(delivery, carrier.gateway)
      last = yield* Effect.onExit(
        carrier.gateway.dial({ ...call, prepared: own }, (dialog) => beforeInvite(dialogOf(name, dialog))),
        (exit) => {
          if (exit._tag === "Failure" || exit.value._tag === "Failed") placed.delete(delivery)
          return Effect.void
        }
      )
      if (last._tag === "Ringing") last = { ...last, dialog: dialogOf(name, last.dialog) }
      return yield* carrierAnswered(carrier, callee, outcomeOf(last))
    })
    const handed = yield* handOver({ carriers, deadline: DEADLINE, ask })
    const about = { to: callee, units: last._tag === "Ringing" ? 1 : 0, isOnlyOne: carriers.length === 1 }
    const { details = {} } = recordedOutcome(handed, current(), about)
    return { ...last, details }
  })

  const dial: Service["dial"] = (call, beforeInvite) => {
    if (call.carriers != null) return dialBy(call, call.carriers, beforeInvite)
    return Effect.flatMap(routing.way(ofNoAccount(call.callee)), ({ carriers }) => dialBy(call, carriers, beforeInvite))
  }

  const prepare: Service["prepare"] = ({ carriers, ...numbers }) => {
    const [name] = carriers ?? []
    const call = name === undefined ? null : (current().carriers.get(name)?.gateway.prepare?.(numbers) ?? null)
    return call === null || name === undefined ? null : new Prepared(name, call)
  }

  const recover: Service["recover"] = Effect.fnUntraced(function* (calls) {
    const endedAt = yield* Clock.currentTimeMillis
    for (const { delivery, dialog } of calls) {
      const [, name, rest = dialog] = DIALOG.exec(dialog) ?? []
      // A dialog without a name is of the time before the carriers had names.
      const gateway = name === undefined ? gateways()[0] : current().carriers.get(name)?.gateway
      if (gateway !== undefined) {
        placed.set(delivery, gateway)
        yield* gateway.recover([{ delivery, dialog: rest }])
      } else {
        lost.publish({ _tag: "Ended", delivery, cause: shutDown, answeredAt: null, endedAt })
      }
    }
  })

  const hangup: Service["hangup"] = (delivery, reason) =>
    placed.get(delivery)?.hangup(delivery, reason) ?? Effect.succeed(false)

  const service: Service = {
    dial,
    prepare,
    hangup,
    events: (handle) => Effect.andThen(hub.subscribe(handle), lost.subscribe(handle)),
    recover,
    receives: () => gateways().flatMap(({ receives }) => receives?.() ?? []),
    drain: Effect.suspend(() =>
      Effect.forEach(gateways(), ({ drain }) => drain, { concurrency: "unbounded", discard: true })
    ),
    health: carriersHealth(current),
    rehearsal: carriersRehearsal(current),
    routing
  }
  return { service, replace }
})

/** A call that begins by a carrier, as its gateway has prepared it. */
class Prepared implements PreparedCall {
  readonly carrier: string
  readonly call: PreparedCall
  readonly dialog: string

  constructor(carrier: string, call: PreparedCall) {
    this.carrier = carrier
    this.call = call
    this.dialog = dialogOf(carrier, call.dialog)
  }
}

const DIALOG = /^([a-z0-9][a-z0-9_-]{0,31}):(.*)$/s
const dialogOf = (carrier: string, dialog: string): string => `${carrier}:${dialog}`

/** The outcome of a dialled call for the hand-over: only a call that certainly was not placed may be handed over. */
const outcomeOf = (dialled: Dialled): Outcome => {
  if (dialled._tag === "Ringing" || !isUnplaced(dialled)) return accepted([])
  return rejected(dialled.failure)
}

/** Causes of calls whose INVITE was sent but not answered, if there is no status. */
const UNANSWERED = new Set(["RECOVERY_ON_TIMER_EXPIRE", "PROGRESS_TIMEOUT", "ORIGINATOR_CANCEL"])

/** Whether a call surely did not get further than its carrier. A failure on the callee's side is not retried. */
const isUnplaced = ({ cause, failure, mayHaveRung = false }: Extract<Dialled, { readonly _tag: "Failed" }>): boolean =>
  !mayHaveRung &&
  !isCallerBlocked(failure) &&
  (failure instanceof NoRoom || failure._tag === "SERVICE_UNAVAILABLE") &&
  !(cause.sipStatus === null && UNANSWERED.has(cause.hangupCause))

const unhandled = ({ message }: { readonly message: string }): StoreError =>
  new StoreError({ reason: "Unavailable", message })

const shutDown: Cause = { hangupCause: "SYSTEM_SHUTDOWN", sipStatus: null, q850: null }

const withoutRoute: Dialled = {
  _tag: "Failed",
  failure: noRoute(),
  cause: { hangupCause: "NO_ROUTE_DESTINATION", sipStatus: null, q850: null }
}
