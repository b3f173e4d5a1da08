/**
 * The call channel: make a phone ring, look up the call's record, list records, hang up, report the outcome.
 */
import type { GatewayHealth } from "@watchword/gateway/GatewayHealth"
import type { Envelope } from "@watchword/pagination/Envelope"
import type { ListBody } from "@watchword/pagination/ListBody"
import { type Drawer, Records } from "@watchword/records/Records"
import type { CallReported, Cdr, FlashCall, FlashCalled, ReportCall } from "@watchword/schemas/Call"
import { BadRequest, type Conflict, NotFound, ServiceUnavailable } from "@watchword/schemas/Errors"
import { DeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Principal"
import type { RequestKeys } from "@watchword/send/Claims"
import { Send, type SendError } from "@watchword/send/Send"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import { makeDial } from "./CallDialling.ts"
import { makeHandler } from "./CallEvents.ts"
import { CallGateway, type Service as Gateway } from "./CallGateway.ts"
import { makeHangup } from "./CallHangup.ts"
import * as CallRecord from "./CallRecord.ts"
import { keepRecovering } from "./CallRecovery.ts"
import * as CallSandbox from "./CallSandbox.ts"
import * as ActiveCalls from "./ActiveCalls.ts"
import { statuses } from "./CallStatus.ts"

export interface Service {
  /**
   * Places a call and answers when the phone first rings, which is when it is charged. Without `caller` the
   * account's is used, without `max_ring_time` a random time between the account's bounds; after that the
   * service hangs up.
   */
  readonly flash: (principal: Principal, body: FlashCall, keys: RequestKeys) => Effect.Effect<FlashCalled, SendError>

  /** The record of a call, by the ULID that `flash` answered. */
  readonly get: (principal: Principal, uuid: string) => Effect.Effect<Cdr, NotFound | StoreError>

  /** A page of records, newest first unless asked otherwise. */
  readonly list: (principal: Principal, body: ListBody) => Effect.Effect<Envelope<Cdr>, BadRequest | StoreError>

  /** Ends a call that rings. 404 when it is over already, or is none of the account's. */
  readonly hangup: (principal: Principal, uuid: string) => Effect.Effect<void, NotFound | StoreError>

  /** Records the outcome that the account saw. */
  readonly report: (
    principal: Principal,
    body: ReportCall
  ) => Effect.Effect<CallReported, NotFound | Conflict | StoreError>

  /** The live gateway's trunks; none when there is no gateway. */
  readonly links: Effect.Effect<ReadonlyArray<GatewayHealth>>

  /** Ends the calls that dead processes left. The service does so itself where background work is allowed. */
  readonly recover: Effect.Effect<void, StoreError>
}

export class Call extends Context.Service<Call, Service>()("@watchword/call/Call") {}

export const make: Effect.Effect<Service, StoreError, Send | Records | Store | Scope> = Effect.gen(function* () {
  const sends = yield* Send
  const records = yield* Records
  const active = yield* ActiveCalls.make
  const dial = yield* makeDial(active)
  const handle = yield* makeHandler(active)
  const gateways = { sandbox: yield* CallSandbox.make, live: yield* Effect.serviceOption(CallGateway) }
  for (const gateway of [gateways.sandbox, ...Option.toArray(gateways.live)]) {
    yield* gateway.events(handle)
    // Run before the handler goes, so that the ends of the last calls are stored.
    yield* Effect.addFinalizer(() => active.drained)
    yield* Effect.addFinalizer(() => Effect.interruptible(gateway.drain))
  }
  const recovery = yield* keepRecovering(active, handle, gateways.live)
  const hangupAnywhere = yield* makeHangup([gateways.sandbox, ...Option.toArray(gateways.live)])

  const gatewayFor = (principal: Principal): Effect.Effect<Gateway, ServiceUnavailable> => {
    if (principal.mode === "sandbox") return Effect.succeed(gateways.sandbox)
    return Effect.mapError(Effect.fromOption(gateways.live), noGateway)
  }

  const flash = Effect.fnUntraced(function* (principal: Principal, body: FlashCall, keys: RequestKeys) {
    const { callee } = body
    const caller = yield* callerFor(principal, body)
    const gateway = yield* gatewayFor(principal)
    const maxRing = body.max_ring_time ?? (yield* ringTimeFor(principal))
    // The dialog is stored with the record: one step instead of two.
    const prepared = gateway.prepare?.({ caller, callee }) ?? null
    const { delivery } = yield* sends.send({
      principal,
      channel: "call",
      statuses,
      to: callee,
      from: caller,
      units: 1,
      details: CallRecord.begun(callee, prepared),
      body: JSON.stringify([callee, body.caller ?? null, body.max_ring_time ?? null]),
      keys,
      deliver: ({ id }) => dial(gateway, { delivery: id, caller, callee, maxRing, prepared })
    })
    return CallRecord.toCalled(delivery)
  })

  const find = (principal: Principal, uuid: string) => records.get(drawerOf(principal), toDeliveryId(uuid))

  const get = (principal: Principal, uuid: string) => Effect.map(find(principal, uuid), CallRecord.toCdr)

  const list = (principal: Principal, body: ListBody) =>
    records.list(drawerOf(principal), body, CallRecord.fields, CallRecord.toCdr)

  const hangup = Effect.fnUntraced(function* (principal: Principal, uuid: string) {
    const call = yield* find(principal, uuid)
    if (!(yield* hangupAnywhere(call))) return yield* new NotFound({ message: "This call has ended." })
  })

  const report = (principal: Principal, { status, uuid }: ReportCall) =>
    Effect.map(records.mark(drawerOf(principal), toDeliveryId(uuid), CallRecord.REPORTED, status), (delivery) =>
      CallRecord.toReported(delivery, status)
    )

  const links = Option.match(gateways.live, { onNone: () => Effect.succeed([]), onSome: (gateway) => gateway.links })

  return Call.of({ flash, get, list, hangup, report, links, recover: recovery.pass })
})

/**
 * Works without a live gateway too: live keys are then answered 503. Calls that an earlier process left
 * ringing are ended first.
 */
export const layer: Layer.Layer<Call, StoreError, Send | Records | Store> = Layer.effect(Call, make)

const drawerOf = (principal: Principal): Drawer => ({
  account: principal.account.id,
  mode: principal.mode,
  channel: "call"
})

const toDeliveryId = Schema.decodeOption(DeliveryId)

const isE164 = Schema.is(E164)

const callerFor = (principal: Principal, body: FlashCall): Effect.Effect<E164, BadRequest> => {
  const caller = body.caller ?? principal.account.caller
  if (caller !== null && isE164(caller)) return Effect.succeed(caller)
  return Effect.fail(
    new BadRequest({
      message: "The request body is not valid.",
      issues: [{ path: "caller", message: "is required, because the account has no caller of its own" }]
    })
  )
}

const ringTimeFor = ({ account }: Principal): Effect.Effect<number> =>
  Random.nextIntBetween(account.minRing, account.maxRing)

const noGateway = () => new ServiceUnavailable({ message: "No call gateway is configured." })
