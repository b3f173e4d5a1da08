/**
 * The business-chat channel: send a text with a code, look up its record, list records, report what became of it.
 */
import type { GatewayHealth } from "@watchword/gateway/GatewayHealth"
import type { Webhook } from "@watchword/gateway/Webhook"
import type { Envelope } from "@watchword/pagination/Envelope"
import type { ListBody } from "@watchword/pagination/ListBody"
import { type Drawer, Records } from "@watchword/records/Records"
import type { BusinessChatReported, OtpSent, ReportBusinessChat, SendOtp, Wdr } from "@watchword/schemas/BusinessChat"
import { type BadRequest, type Conflict, type NotFound, ServiceUnavailable } from "@watchword/schemas/Errors"
import { DeliveryId } from "@watchword/schemas/Ids"
import type { Principal } from "@watchword/schemas/Principal"
import type { RequestKeys } from "@watchword/send/Claims"
import { Send, type SendError } from "@watchword/send/Send"
import type { Delivery } from "@watchword/store/Delivery"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import { makeHandler } from "./BusinessChatEvents.ts"
import { BusinessChatGateway, type Service as Gateway, type TextMessage } from "./BusinessChatGateway.ts"
import * as BusinessChatRecord from "./BusinessChatRecord.ts"
import * as BusinessChatSandbox from "./BusinessChatSandbox.ts"
import { status, statuses } from "./BusinessChatStatus.ts"

export interface Service {
  /** Sends a text and answers once the platform has taken it. */
  readonly send: (principal: Principal, body: SendOtp, keys: RequestKeys) => Effect.Effect<OtpSent, SendError>

  /** The record of a text, by the ULID that `send` answered. */
  readonly get: (principal: Principal, uuid: string) => Effect.Effect<Wdr, NotFound | StoreError>

  /** A page of records, newest first unless asked otherwise. */
  readonly list: (principal: Principal, body: ListBody) => Effect.Effect<Envelope<Wdr>, BadRequest | StoreError>

  /** Records the outcome that the account saw. */
  readonly report: (
    principal: Principal,
    body: ReportBusinessChat
  ) => Effect.Effect<BusinessChatReported, NotFound | Conflict | StoreError>

  /** The live gateway's connections; none when there is no gateway. */
  readonly links: Effect.Effect<ReadonlyArray<GatewayHealth>>

  /** What the live gateway calls back to; null when there is no gateway, or it does not call. */
  readonly webhook: Webhook | null
}

export class BusinessChat extends Context.Service<BusinessChat, Service>()("@watchword/bizchat/BusinessChat") {}

export const make: Effect.Effect<Service, never, Send | Records | Store | Scope> = Effect.gen(function* () {
  const sends = yield* Send
  const records = yield* Records
  const handle = yield* makeHandler
  const gateways = { sandbox: yield* BusinessChatSandbox.make, live: yield* Effect.serviceOption(BusinessChatGateway) }
  yield* gateways.sandbox.events(handle)
  if (Option.isSome(gateways.live)) yield* gateways.live.value.events(handle)

  const gatewayFor = (principal: Principal): Effect.Effect<Gateway, ServiceUnavailable> => {
    if (principal.mode === "sandbox") return Effect.succeed(gateways.sandbox)
    return Effect.mapError(Effect.fromOption(gateways.live), noGateway)
  }
  // The sandbox is as particular as what it stands for.
  const { check } = Option.getOrElse(gateways.live, () => gateways.sandbox)

  const send = Effect.fnUntraced(function* (principal: Principal, body: SendOtp, keys: RequestKeys) {
    const { code = null, text, to } = body
    const gateway = yield* gatewayFor(principal)
    const content = { text: Redacted.make(text), code: code === null ? null : Redacted.make(code) }
    yield* check(content)
    const messageOf = ({ id }: Pick<Delivery, "id">): TextMessage => ({ delivery: id, to, ...content })
    const { delivery } = yield* sends.send({
      principal,
      channel: "bizchat",
      statuses,
      to,
      from: null,
      units: 1,
      details: BusinessChatRecord.begun(principal.account.storeText ? text : null),
      body: JSON.stringify([to, text, code]),
      keys,
      deliver: (delivery) => gateway.send(messageOf(delivery)),
      predetermine:
        principal.mode === "sandbox" ? (delivery) => gateways.sandbox.predetermine(messageOf(delivery)) : null
    })
    return BusinessChatRecord.toSent(delivery)
  })

  const get = (principal: Principal, uuid: string) =>
    Effect.map(records.get(drawerOf(principal), toDeliveryId(uuid)), BusinessChatRecord.toWdr)

  const list = (principal: Principal, body: ListBody) =>
    records.list(drawerOf(principal), body, BusinessChatRecord.fields, BusinessChatRecord.toWdr)

  const report = (principal: Principal, body: ReportBusinessChat) => {
    const { impliedBy, status } = outcomes[body.status]
    const id = toDeliveryId(body.uuid)
    return Effect.map(records.report(drawerOf(principal), id, status, impliedBy), BusinessChatRecord.toReported)
  }

  return BusinessChat.of({
    send,
    get,
    list,
    report,
    links: Option.match(gateways.live, { onNone: () => Effect.succeed([]), onSome: (gateway) => gateway.links }),
    webhook: Option.match(gateways.live, { onNone: () => null, onSome: (gateway) => gateway.webhook })
  })
})

/** Works without a live gateway too: live keys are then answered 503. */
export const layer: Layer.Layer<BusinessChat, never, Send | Records | Store> = Layer.effect(BusinessChat, make)

const drawerOf = (principal: Principal): Drawer => ({
  account: principal.account.id,
  mode: principal.mode,
  channel: "bizchat"
})

const toDeliveryId = Schema.decodeOption(DeliveryId)

/** What the account may report. A text that was read has been delivered. */
const outcomes = {
  Success: { status: status.delivered, impliedBy: [status.read.name] },
  Failed: { status: status.failed, impliedBy: [] }
} as const

const noGateway = () => new ServiceUnavailable({ message: "No business-chat gateway is configured." })
