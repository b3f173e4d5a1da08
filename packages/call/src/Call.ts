/**
 * The call channel: make a phone ring, look up the call's record, list records, hang up, report an outcome.
 */
import { CallGroup } from "@watchword/api/groups"
import * as Channel from "@watchword/send/channel/Channel"
import * as ChannelRecords from "@watchword/send/channel/ChannelRecords"
import * as Gateways from "@watchword/send/channel/Gateways"
import * as Operation from "@watchword/send/channel/Operation"
import { Receiving } from "@watchword/send/channel/Receiving"
import { type CallReported, type Cdr, FlashCall, type FlashCalled, ReportCall } from "@watchword/schemas/Call"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { NotFound, ServiceUnavailable, invalid } from "@watchword/schemas/Errors"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import { type Content, permitted, pickCaller } from "@watchword/send/pipeline"
import { type RequestKeys, noKeys } from "@watchword/send/Claims"
import { keepRehearsals } from "@watchword/send/rehearsal"
import { routed } from "@watchword/send/routes"
import { Send, type SendError } from "@watchword/send/Send"
import { Settings } from "@watchword/store/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import type { Records } from "@watchword/records/Records"
import type { Store } from "@watchword/store/Store"
import type { SendGuard } from "@watchword/send/SendGuard"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import { events } from "./internal/CallChanges.ts"
import { arrival, doubt } from "./internal/CallArrival.ts"
import { said } from "./internal/CauseWords.ts"
import { makeDial } from "./internal/CallDialling.ts"
import { makeHandler } from "./internal/CallEvents.ts"
import { type CallEvent, CallGateway } from "./CallGateway.ts"
import { callingForm } from "./internal/CallingForm.ts"
import { makeHangup } from "./internal/CallHangup.ts"
import * as CallRecord from "./internal/CallRecord.ts"
import { keepRecovering } from "./internal/CallRecovery.ts"
import * as ActiveCalls from "./internal/ActiveCalls.ts"
import { statuses } from "./internal/CallStatus.ts"

export interface Service extends Channel.Service, ChannelRecords.ChannelRecords<Cdr, ReportCall, CallReported> {
  /**
   * Places a call and answers when the phone first rings, which is when it is charged. Without `caller` the
   * account's is used, or one of its pool; without `max_ring_time` a random time between the account's bounds; after
   * that the service hangs up.
   *
   * The caller of a verification's call is a code: it is neither in the answer nor, until approval, on the record.
   */
  readonly flash: (principal: Principal, body: FlashCall, keys: RequestKeys) => Effect.Effect<FlashCalled, SendError>

  /** Ends a call that rings. 404 if it is over already, or does not belong to the account. */
  readonly hangup: (principal: Principal, uuid: string) => Effect.Effect<void, NotFound | StoreError>

  /** Ends the calls that dead processes have left. The service runs it by itself, where it may. */
  readonly maintain: Effect.Effect<void, StoreError>
}

export class Call extends Context.Service<Call, Service>()("@watchword/call/Call") {}

type Requirements = Records | Send | SendGuard | Settings | Store

export const make: Effect.Effect<Service, StoreError, Requirements | Scope> = Effect.gen(function* () {
  const sends = yield* Send
  const settings = yield* Settings
  const { find, records } = yield* ChannelRecords.make(CallRecord.format, CallRecord.reports)
  const active = yield* ActiveCalls.make
  const dial = yield* makeDial(active)
  const handle = yield* makeHandler(active)
  const receiving = yield* Receiving
  const heard = (event: CallEvent) =>
    event._tag === "Ended"
      ? handle(event)
      : Effect.asVoid(receiving.offer({ ...event, by: "call", mode: "live", account: null }))
  const gateways = yield* Gateways.make("call", CallGateway, heard, { routed: routed("call", arrival) })
  yield* receiving.add(callingForm(gateways))
  // Finalizers run before the handler goes, so that the ends of the last calls are stored.
  yield* Effect.addFinalizer(() => active.drained)
  for (const gateway of gateways.all) yield* Effect.addFinalizer(() => Effect.interruptible(gateway.drain))
  const recovery = yield* keepRecovering(active, handle, gateways.live)
  const hangupAnywhere = yield* makeHangup(gateways.all)

  const callerFor = Effect.fnUntraced(function* (principal: Principal, body: FlashCall) {
    const own = body.caller ?? principal.account.caller
    const picked = Effect.provideService(pickCaller(principal), Settings, settings)
    const caller = own ?? Option.getOrNull(yield* picked)
    if (caller === null || !isE164(caller)) return yield* noCaller
    return yield* permitted(principal, "callers", caller)
  })

  yield* keepRehearsals("call", gateways.live)

  const flash = Effect.fnUntraced(function* (principal: Principal, body: FlashCall, keys: RequestKeys) {
    const { callee } = body
    const { gateway, way } = yield* gateways.leaving(principal, callee, keys)
    const { carriers } = way
    const caller = yield* callerFor(principal, body)
    const maxRing = body.max_ring_time ?? (yield* ringTimeFor(principal))
    // The dialog is stored with the record: one step instead of two.
    const prepared = gateway.prepare?.({ caller, callee, carriers }) ?? null
    const { delivery } = yield* sends.send({
      principal,
      channel: "call",
      statuses,
      to: callee,
      toField: "callee",
      from: isCode(keys) ? null : caller,
      units: 1,
      content: contentOf(caller, keys),
      details: CallRecord.begun(callee, prepared),
      way,
      body: JSON.stringify([callee, body.caller ?? null, body.max_ring_time ?? null]),
      keys,
      client: body,
      blocked: CallRecord.blocked,
      lasts: maxRing * 1000,
      deliver: ({ id }) => dial(gateway, { delivery: id, caller, callee, maxRing, prepared, carriers }, principal.mode)
    })
    return CallRecord.toCalled(delivery)
  })

  const hangup = Effect.fnUntraced(function* (principal: Principal, uuid: string) {
    const call = yield* find(principal, uuid)
    if (!(yield* hangupAnywhere(call))) return yield* new NotFound({ message: "This call has ended." })
  })

  return Call.of({
    flash,
    ...records,
    hangup,
    health: gateways.health,
    webhook: gateways.webhook,
    maintain: recovery.pass
  })
})

/**
 * Works without a live gateway too: live keys are then answered 503. Calls that an earlier process left
 * ringing are ended first.
 */
export const layer: Layer.Layer<Call, StoreError, Requirements> = Layer.effect(Call, make)

/** The channel's description. */
export const call = Channel.make({
  name: ChannelRegistry.call.name,
  products: [{ ...ChannelRegistry.call.products[0], failed: statuses.failed }],
  group: CallGroup,
  gateway: CallGateway,
  service: make,
  events,
  code: {
    timeout: 60,
    isCaller: true,
    longest: 8,
    arrival,
    doubt,
    send: (call, { caller, client, origin, principal, to }) =>
      caller === null
        ? Effect.fail(new ServiceUnavailable({ message: "The account has no pool of callers." }))
        : call.flash(principal, { ...client, callee: to, caller: E164.make(caller) }, { ...noKeys, origin }),
    withdraw: (call, principal, delivery) => call.hangup(principal, delivery)
  },
  said,
  operations: (call) => ({
    /** Places a call. Resolves when the phone first rings. */
    flash: Operation.send(FlashCall, call.flash),
    ...ChannelRecords.operations(ReportCall, call),
    /** Ends a call before its time. */
    hangup: Operation.change(call.hangup)
  })
})

/** How many of a caller's last digits the inbox of the sandbox shows as its code, unless a verification says so. */
const CODE_LENGTH = 6

/** The phone's display of a call. */
const contentOf = (caller: E164, { origin }: RequestKeys): Content => ({
  text: null,
  code: caller.slice(-(origin?.codeLength ?? CODE_LENGTH)),
  from: caller
})

const isE164 = Schema.is(E164)

/** Whether the caller is the code of a verification. */
const isCode = ({ origin }: RequestKeys): boolean => origin !== null

const noCaller = invalid([
  { path: "caller", message: "is required, because the account has no caller of its own, and no pool that it may use" }
])

const ringTimeFor = ({ account }: Principal): Effect.Effect<number> =>
  Random.nextIntBetween(account.minRing, account.maxRing)
