/**
 * The chat-gateway channel: send a code, probe a number, check an entered code, revoke a code; look up its record, list
 * records, report an outcome.
 */
import { ChatgwGroup } from "@watchword/api/groups"
import * as Channel from "@watchword/send/channel/Channel"
import * as ChannelRecords from "@watchword/send/channel/ChannelRecords"
import * as Gateways from "@watchword/send/channel/Gateways"
import * as Operation from "@watchword/send/channel/Operation"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import {
  type ChatgwReported,
  CheckSendAbility,
  CheckVerification,
  type CodeSent,
  ReportChatgw,
  RevokeVerification,
  type Revoked,
  type SendAbility,
  SendCode,
  type Tdr,
  type Verification
} from "@watchword/schemas/Chatgw"
import { Conflict, NotFound, TemporaryUnavailable, deliveryFailure } from "@watchword/schemas/Errors"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { type MicroEuros, toEuros, zero } from "@watchword/schemas/Money"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import { type RequestKeys, noKeys } from "@watchword/send/Claims"
import { permitted } from "@watchword/send/pipeline"
import { rejected } from "@watchword/send/Outcome"
import { type Request, Send, type SendError } from "@watchword/send/Send"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import type { Records } from "@watchword/records/Records"
import type { Settings } from "@watchword/store/Settings"
import type { SendGuard } from "@watchword/send/SendGuard"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import { makeHandler } from "./internal/ChatgwEvents.ts"
import {
  ChatgwGateway,
  type CodeMessage,
  type Service as Gateway,
  type StatusFailure,
  isStale
} from "./ChatgwGateway.ts"
import * as ChatgwRecord from "./internal/ChatgwRecord.ts"
import { arrival, probeStatuses, statuses } from "./internal/ChatgwStatus.ts"
import { sendProbed } from "./internal/ProbedSend.ts"
import * as ProbeRecord from "./internal/ProbeRecord.ts"
import { isValid, makeProbes, refOf } from "./internal/Probes.ts"

export interface Service extends Channel.Service, ChannelRecords.ChannelRecords<Tdr, ReportChatgw, ChatgwReported> {
  /**
   * Sends a code and answers once the gateway has taken it. Without `sender_username` the account's is used.
   * The price of a probe of the number is taken off; where the gateway has forgotten it, another one is made and paid.
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

  /** The verification status of a request; with `code`, after checking that code. */
  readonly checkVerificationStatus: (
    principal: Principal,
    body: CheckVerification
  ) => Effect.Effect<Verification, StatusFailure | StoreError>

  /** Takes a code back. An unread code costs nothing. 409 if it has expired, failed, or was revoked before. */
  readonly revoke: (
    principal: Principal,
    body: RevokeVerification
  ) => Effect.Effect<Revoked, StatusFailure | Conflict | StoreError>

  /** Takes a code back by the ULID that `send` answered, as `revoke` does by its request. */
  readonly withdraw: (principal: Principal, uuid: string) => Effect.Effect<void, StatusFailure | Conflict | StoreError>
}

export class Chatgw extends Context.Service<Chatgw, Service>()("@watchword/chatgw/Chatgw") {}

type Requirements = Records | Send | SendGuard | Settings | Store

export const make: Effect.Effect<Service, never, Requirements | Scope> = Effect.gen(function* () {
  const store = yield* Store
  const sends = yield* Send
  const { find: findSent, records } = yield* ChannelRecords.make(ChatgwRecord.format, ChatgwRecord.reports)
  const probes = yield* makeProbes
  const handle = yield* makeHandler
  const gateways = yield* Gateways.make("chat", ChatgwGateway, handle)

  const send = Effect.fnUntraced(function* (principal: Principal, body: SendCode, keys: RequestKeys) {
    const { callback_url: callbackUrl = null, to, ttl } = body
    const username = body.sender_username ?? principal.account.senderUsername
    // Without a username the chat app shows its own.
    const senderUsername = username === null ? null : yield* permitted(principal, "usernames", username)
    const { gateway, way } = yield* gateways.leaving(principal, to, keys)
    const probe = Option.getOrNull(yield* probes.find(principal, to))
    const { available, delivery } = yield* sends.send({
      principal,
      channel: "chatgw",
      statuses,
      to,
      from: senderUsername,
      units: 1,
      content: { text: null, code: body.code },
      details: ChatgwRecord.begun(to, ttl),
      way,
      body: JSON.stringify([to, body.code, ttl, body.sender_username ?? null, callbackUrl]),
      keys,
      client: body,
      prepaid: probe,
      deliver: ({ id }, prepaid) => {
        const code = Redacted.make(body.code)
        const message = { delivery: id, to, code, ttl, senderUsername, callbackUrl, requestId: null }
        return probe === null || prepaid === null
          ? gateway.send(message)
          : spend(principal, { gateway, way }, message, probe)
      }
    })
    return ChatgwRecord.toSent(delivery, available)
  })

  /** Asks whether a number has an account. */
  const ask = (
    principal: Principal,
    { gateway, way }: Gateways.Leaving<Gateway>,
    to: E164,
    options: Pick<Request, "keys" | "client" | "shared"> & { readonly refs: ReadonlyArray<string> }
  ) =>
    sends.send({
      ...options,
      principal,
      channel: "chatgw_probe",
      statuses: probeStatuses,
      to,
      from: null,
      units: 1,
      content: null,
      details: {},
      way,
      body: JSON.stringify([to]),
      deliver: () => Effect.map(gateway.checkSendAbility(to), ProbeRecord.outcomeOf(options.refs))
    })

  /**
   * Sends under the request of a probe that was paid. Where the gateway does not know it any more, a second one is
   * paid.
   */
  const spend = Effect.fnUntraced(function* (
    principal: Principal,
    by: Gateways.Leaving<Gateway>,
    message: CodeMessage,
    probe: Delivery
  ) {
    const outcome = yield* by.gateway.send({ ...message, requestId: ProbeRecord.requestIdOf(probe) })
    if (outcome._tag !== "Rejected" || isStale(outcome)) yield* probes.spend(probe.id)
    return isStale(outcome) ? yield* sendAfterProbe(principal, by, message) : outcome
  })

  /** The new probe follows from the send, and no other send finds it. A send that cannot pay for it is not made. */
  const sendAfterProbe = Effect.fnUntraced(
    function* (principal: Principal, by: Gateways.Leaving<Gateway>, message: CodeMessage) {
      const id = nextDeliveryId(yield* Clock.currentTimeMillis)
      const keys = { ...noKeys, origin: { id, details: { send: message.delivery } } }
      const { delivery: probe } = yield* ask(principal, by, message.to, { keys, refs: [] })
      if (!ProbeRecord.isReachable(probe)) return rejected(noAccount())
      return yield* by.gateway.send({ ...message, requestId: ProbeRecord.requestIdOf(probe) })
    },
    Effect.catch(({ _tag, message }) =>
      Effect.succeed(rejected(Option.getOrElse(deliveryFailure(_tag, message), unprobed)))
    )
  )

  const checkSendAbility = Effect.fnUntraced(function* (
    principal: Principal,
    body: CheckSendAbility,
    keys: RequestKeys
  ) {
    const { to } = body
    const leaving = yield* gateways.leaving(principal, to, keys)
    const last = Option.getOrNull(yield* probes.last(principal, to))
    if (last !== null && isValid(last, yield* Clock.currentTimeMillis)) {
      return ProbeRecord.toSendAbility(last, yield* availableTo(principal))
    }
    const { available, delivery } = yield* ask(principal, leaving, to, {
      keys,
      client: body,
      // Probes that have seen the same last one are at the same time.
      shared: JSON.stringify([to, last?.id ?? null]),
      refs: [refOf(principal, to)]
    })
    return ProbeRecord.toSendAbility(delivery, available)
  })

  const checkVerificationStatus = Effect.fnUntraced(function* (
    principal: Principal,
    { code, request_id: requestId }: CheckVerification
  ) {
    const gateway = yield* gateways.ofSent(principal, yield* find(principal, requestId))
    const status = yield* gateway.checkVerificationStatus(requestId, code === undefined ? null : Redacted.make(code))
    yield* handle(status)
    const { verification } = status
    return {
      request_id: requestId,
      verification_status:
        verification === null ? null : { status: verification.status, updated_at: verification.updatedAt }
    }
  }, Effect.uninterruptible)

  const revoke = Effect.fnUntraced(function* (principal: Principal, { request_id: requestId }: RevokeVerification) {
    const delivery = yield* find(principal, requestId)
    yield* mustBeRevocable(delivery, yield* Clock.currentTimeMillis)
    const gateway = yield* gateways.ofSent(principal, delivery)
    const status = yield* gateway.revoke(requestId)
    yield* handle(status)
    const remaining = yield* availableTo(principal)
    return { request_id: requestId, is_refunded: status.isRefunded, remaining_balance: toEuros(remaining) }
  }, Effect.uninterruptible)

  const withdraw = Effect.fnUntraced(function* (principal: Principal, uuid: string) {
    const { details } = yield* findSent(principal, uuid)
    const requestId = details["request_id"]
    if (typeof requestId !== "string") return
    const body = { request_id: requestId }
    yield* Effect.catchIf(
      Effect.asVoid(revoke(principal, body)),
      // A process that died before it could write that may have taken it back: the gateway knows.
      (failure) => failure._tag === "CONFLICT" && failure.reason === "expired",
      () => Effect.asVoid(checkVerificationStatus(principal, body))
    )
  })

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

  /** A sandbox code expires no later than the next read of its record. */
  const get = Effect.fnUntraced(function* (principal: Principal, uuid: string) {
    const delivery = yield* findSent(principal, uuid)
    const isDue = principal.mode === "sandbox" && ChatgwRecord.expires(delivery, yield* Clock.currentTimeMillis)
    if (!isDue) return ChatgwRecord.format.toWire(delivery)
    if (gateways.sandbox !== null) yield* Effect.ignore(gateways.sandbox.resume(delivery))
    return yield* records.get(principal, uuid)
  })

  return Chatgw.of({
    send,
    checkSendAbility,
    checkVerificationStatus,
    revoke,
    withdraw,
    ...records,
    get,
    health: gateways.health,
    webhook: gateways.webhook,
    maintain: gateways.maintain
  })
})

/** Works without a live gateway too: live keys are then answered 503. */
export const layer: Layer.Layer<Chatgw, never, Requirements> = Layer.effect(Chatgw, make)

/** The channel's description. */
export const chatgw = Channel.make({
  name: ChannelRegistry.chatgw.name,
  products: [
    { ...ChannelRegistry.chatgw.products[0], failed: statuses.failed },
    { ...ChannelRegistry.chatgw.products[1], failed: probeStatuses.failed }
  ],
  group: ChatgwGroup,
  gateway: ChatgwGateway,
  service: make,
  code: {
    timeout: 30,
    longest: 8,
    probe: ChannelRegistry.chatgw.products[1].name,
    arrival,
    send: sendProbed,
    withdraw: (chat, principal, delivery) => chat.withdraw(principal, delivery)
  },
  operations: (chat) => ({
    /** Sends a code. Resolves once the gateway has taken it. */
    send: Operation.send(SendCode, chat.send),
    /** Asks whether a number can be reached. */
    checkSendAbility: Operation.send(CheckSendAbility, chat.checkSendAbility),
    /** Checks the code that the user has entered. */
    checkVerificationStatus: Operation.body(CheckVerification, chat.checkVerificationStatus),
    /** Takes a code back. */
    revoke: Operation.body(RevokeVerification, chat.revoke),
    ...ChannelRecords.operations(ReportChatgw, chat)
  })
})

const mustBeRevocable = (delivery: Delivery, now: number): Effect.Effect<void, Conflict> => {
  const { name } = delivery.status
  if (name === "revoked")
    return Effect.fail(new Conflict({ message: "This request was revoked already.", reason: "revoked" }))
  if (name === "failed") return Effect.fail(new Conflict({ message: "This request has failed.", reason: "failed" }))
  const hasExpired = name === "expired" || ChatgwRecord.isExpired(delivery, now)
  return hasExpired
    ? Effect.fail(new Conflict({ message: "This request has expired.", reason: "expired" }))
    : Effect.void
}

const noAccount = () => new NotFound({ message: "The number has no account on the chat app." })

const unprobed = () =>
  new TemporaryUnavailable({ message: "The probe of this number is not valid any more; probe it again." })

const noRequest = () => new NotFound({ message: "There is no such request." })
