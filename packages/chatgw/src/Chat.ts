/**
 * The chat-gateway channel: send a code, ask who can be reached, check what was entered, take a code back;
 * look up its record, list records, report what became of it.
 */
import type { GatewayHealth } from "@watchword/gateway/GatewayHealth"
import type { Webhook } from "@watchword/gateway/Webhook"
import type { Envelope } from "@watchword/pagination/Envelope"
import type { ListBody } from "@watchword/pagination/ListBody"
import { type Drawer, Records } from "@watchword/records/Records"
import type {
  ChatReported,
  CheckSendAbility,
  CheckVerification,
  CodeSent,
  ReportChat,
  RevokeVerification,
  Revoked,
  SendAbility,
  SendCode,
  Tdr,
  Verification
} from "@watchword/schemas/Chat"
import { type BadRequest, Conflict, NotFound, ServiceUnavailable } from "@watchword/schemas/Errors"
import { DeliveryId } from "@watchword/schemas/Ids"
import { type MicroEuros, toEuros, zero } from "@watchword/schemas/Money"
import type { Principal } from "@watchword/schemas/Principal"
import type { RequestKeys } from "@watchword/send/Claims"
import { type Outcome, accepted, refunded, rejected, unknown } from "@watchword/send/Outcome"
import { Send, type SendError } from "@watchword/send/Send"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import { makeNote } from "./ChatEvents.ts"
import {
  ChatGateway,
  type CodeMessage,
  type Service as Gateway,
  type Probe,
  type StatusFailure,
  isStale
} from "./ChatGateway.ts"
import * as ChatRecord from "./ChatRecord.ts"
import * as ChatSandbox from "./ChatSandbox.ts"
import { probeStatuses, status, statuses } from "./ChatStatus.ts"
import { makeProbes, refOf } from "./Probes.ts"

export interface Service {
  /**
   * Sends a code and answers once the gateway has taken it. Without `sender_username` the account's is used.
   * What a probe of the number has cost is taken off the price.
   */
  readonly send: (principal: Principal, body: SendCode, keys: RequestKeys) => Effect.Effect<CodeSent, SendError>

  /**
   * Asks whether a number has an account on the chat app, and charges for it when it has. While the answer is
   * valid and no send has spent it, it is given again for nothing.
   */
  readonly checkSendAbility: (
    principal: Principal,
    body: CheckSendAbility,
    keys: RequestKeys
  ) => Effect.Effect<SendAbility, SendError>

  /** What became of a code; with `code`, whether that is the one. */
  readonly checkVerificationStatus: (
    principal: Principal,
    body: CheckVerification
  ) => Effect.Effect<Verification, StatusFailure | StoreError>

  /**
   * Takes a code back. One that has not been read costs nothing. 409 when it has expired, failed, or was taken
   * back before.
   */
  readonly revoke: (
    principal: Principal,
    body: RevokeVerification
  ) => Effect.Effect<Revoked, StatusFailure | Conflict | StoreError>

  /** The record of a code, by the ULID that `send` answered. */
  readonly get: (principal: Principal, uuid: string) => Effect.Effect<Tdr, NotFound | StoreError>

  /** A page of records, newest first unless asked otherwise. */
  readonly list: (principal: Principal, body: ListBody) => Effect.Effect<Envelope<Tdr>, BadRequest | StoreError>

  /** Records the outcome that the account saw. */
  readonly report: (
    principal: Principal,
    body: ReportChat
  ) => Effect.Effect<ChatReported, NotFound | Conflict | StoreError>

  /** The live gateway's connections; none when there is no gateway. */
  readonly links: Effect.Effect<ReadonlyArray<GatewayHealth>>

  /** What the live gateway calls back to; null when there is no gateway, or it does not call. */
  readonly webhook: Webhook | null
}

export class Chat extends Context.Service<Chat, Service>()("@watchword/chatgw/Chat") {}

export const make: Effect.Effect<Service, never, Send | Records | Store | Scope> = Effect.gen(function* () {
  const store = yield* Store
  const sends = yield* Send
  const records = yield* Records
  const probes = yield* makeProbes
  const note = yield* makeNote
  const gateways = { sandbox: yield* ChatSandbox.make, live: yield* Effect.serviceOption(ChatGateway) }
  yield* gateways.sandbox.events(note)
  if (Option.isSome(gateways.live)) yield* gateways.live.value.events(note)

  const gatewayFor = (principal: Principal): Effect.Effect<Gateway, ServiceUnavailable> => {
    if (principal.mode === "sandbox") return Effect.succeed(gateways.sandbox)
    return Effect.mapError(Effect.fromOption(gateways.live), noGateway)
  }

  const send = Effect.fnUntraced(function* (principal: Principal, body: SendCode, keys: RequestKeys) {
    const { callback_url: callbackUrl = null, to, ttl } = body
    const gateway = yield* gatewayFor(principal)
    const senderUsername = body.sender_username ?? principal.account.senderUsername
    const probe = Option.getOrNull(yield* probes.find(principal, to))
    const { available, delivery } = yield* sends.send({
      principal,
      channel: "chatgw",
      statuses,
      to,
      from: senderUsername,
      units: 1,
      details: ChatRecord.begun(to, ttl),
      body: JSON.stringify([to, body.code, ttl, body.sender_username ?? null, callbackUrl]),
      keys,
      prepaid: probe,
      deliver: ({ id }, prepaid) => {
        const code = Redacted.make(body.code)
        const message = { delivery: id, to, code, ttl, senderUsername, callbackUrl, requestId: null }
        return probe === null || prepaid === null ? gateway.send(message) : spend(gateway, message, probe)
      }
    })
    return ChatRecord.toSent(delivery, available)
  })

  /** Sends under the request that a probe has paid for, or for anew where the gateway has forgotten that. */
  const spend = Effect.fnUntraced(function* (gateway: Gateway, message: CodeMessage, probe: Delivery) {
    const first = yield* gateway.send({ ...message, requestId: requestIdOf(probe) })
    const outcome = isStale(first) ? yield* gateway.send(message) : first
    if (outcome._tag !== "Rejected" || isStale(first)) yield* probes.spend(probe.id)
    return outcome
  })

  const checkSendAbility = Effect.fnUntraced(function* (
    principal: Principal,
    { to }: CheckSendAbility,
    keys: RequestKeys
  ) {
    const gateway = yield* gatewayFor(principal)
    const known = yield* probes.find(principal, to)
    if (Option.isSome(known)) return toSendAbility(known.value, yield* availableTo(principal))
    const { available, delivery } = yield* sends.send({
      principal,
      channel: "chatgw_probe",
      statuses: probeStatuses,
      to,
      from: null,
      units: 1,
      details: {},
      body: JSON.stringify([to]),
      keys,
      deliver: () => Effect.map(gateway.checkSendAbility(to), outcomeOf(refOf(principal, to)))
    })
    return toSendAbility(delivery, available)
  })

  const checkVerificationStatus = Effect.fnUntraced(function* (
    principal: Principal,
    { code, request_id: requestId }: CheckVerification
  ) {
    yield* find(principal, requestId)
    const gateway = yield* gatewayFor(principal)
    const told = yield* gateway.checkVerificationStatus(requestId, code === undefined ? null : Redacted.make(code))
    yield* note(told)
    const { verification } = told
    return {
      request_id: requestId,
      verification_status:
        verification === null ? null : { status: verification.status, updated_at: verification.updatedAt }
    }
  }, Effect.uninterruptible)

  const revoke = Effect.fnUntraced(function* (principal: Principal, { request_id: requestId }: RevokeVerification) {
    const delivery = yield* find(principal, requestId)
    yield* mustBeRevocable(delivery, yield* Clock.currentTimeMillis)
    const gateway = yield* gatewayFor(principal)
    const told = yield* gateway.revoke(requestId)
    yield* note(told)
    const remaining = yield* availableTo(principal)
    return { request_id: requestId, is_refunded: told.isRefunded, remaining_balance: toEuros(remaining) }
  }, Effect.uninterruptible)

  /** The send that a request belongs to. */
  const find = Effect.fnUntraced(function* (principal: Principal, requestId: string) {
    const found = yield* store.findByRef({ channel: "chatgw", ref: requestId })
    const own = Option.filter(found, ({ account, mode }) => account === principal.account.id && mode === principal.mode)
    return yield* Effect.mapError(Effect.fromOption(own), noRequest)
  })

  const availableTo = ({ account }: Principal): Effect.Effect<MicroEuros, StoreError> =>
    Effect.map(
      store.account(account.id),
      Option.match({ onNone: () => zero, onSome: ({ balance }) => balance.available })
    )

  const get = (principal: Principal, uuid: string) =>
    Effect.map(records.get(drawerOf(principal), toDeliveryId(uuid)), ChatRecord.toTdr)

  const list = (principal: Principal, body: ListBody) =>
    records.list(drawerOf(principal), body, ChatRecord.fields, ChatRecord.toTdr)

  const report = (principal: Principal, body: ReportChat) => {
    const { impliedBy, status } = outcomes[body.status]
    const id = toDeliveryId(body.id)
    return Effect.map(records.report(drawerOf(principal), id, status, impliedBy), ChatRecord.toReported)
  }

  return Chat.of({
    send,
    checkSendAbility,
    checkVerificationStatus,
    revoke,
    get,
    list,
    report,
    links: Option.match(gateways.live, { onNone: () => Effect.succeed([]), onSome: (gateway) => gateway.links }),
    webhook: Option.match(gateways.live, { onNone: () => null, onSome: (gateway) => gateway.webhook })
  })
})

/** Works without a live gateway too: live keys are then answered 503. */
export const layer: Layer.Layer<Chat, never, Send | Records | Store> = Layer.effect(Chat, make)

const drawerOf = (principal: Principal): Drawer => ({
  account: principal.account.id,
  mode: principal.mode,
  channel: "chatgw"
})

const toDeliveryId = Schema.decodeOption(DeliveryId)

/** What the account may report. A message that was read has been delivered. */
const outcomes = {
  Success: { status: status.delivered, impliedBy: [status.read.name] },
  Failed: { status: status.failed, impliedBy: [] }
} as const

/** @param ref by which the probe is found again */
const outcomeOf =
  (ref: string) =>
  (probe: Probe): Outcome => {
    switch (probe._tag) {
      case "Reachable": {
        const { requestId } = probe
        return accepted([requestId, ref], { request_id: requestId })
      }
      case "Unreachable":
        return refunded([])
      case "Rejected":
        return rejected(probe.failure)
      case "Unknown":
        return unknown(probe.failure)
    }
  }

/** The gateway's id of a probe; one that came to nothing goes by its own. */
const requestIdOf = ({ details, id }: Delivery): string =>
  typeof details["request_id"] === "string" ? details["request_id"] : id

const toSendAbility = (probe: Delivery, available: MicroEuros): SendAbility => {
  // Whatever became of the probe since, it has found what it found.
  const isReachable = probe.status.name !== probeStatuses.failed.name
  return {
    request_id: requestIdOf(probe),
    phone_number: probe.to,
    request_cost: toEuros(probe.price),
    is_refunded: !isReachable,
    remaining_balance: toEuros(available),
    delivery_status: { status: isReachable ? "sent" : "failed", updated_at: Math.floor(probe.createdAt / 1000) }
  }
}

const mustBeRevocable = (delivery: Delivery, now: number): Effect.Effect<void, Conflict> => {
  const { name } = delivery.status
  if (name === "revoked") return Effect.fail(new Conflict({ message: "This request was revoked already." }))
  if (name === "failed") return Effect.fail(new Conflict({ message: "This request has failed." }))
  const hasExpired = name === "expired" || ChatRecord.isExpired(delivery, now)
  return hasExpired ? Effect.fail(new Conflict({ message: "This request has expired." })) : Effect.void
}

const noRequest = () => new NotFound({ message: "There is no such request." })

const noGateway = () => new ServiceUnavailable({ message: "No chat gateway is configured." })
