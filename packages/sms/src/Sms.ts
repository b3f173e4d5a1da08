/**
 * The SMS channel: send a text, look up its record, list records, report what became of it.
 */
import type { GatewayHealth } from "@watchword/gateway/GatewayHealth"
import type { ListBody } from "@watchword/pagination/ListBody"
import type { Envelope } from "@watchword/pagination/Envelope"
import { type Drawer, Records } from "@watchword/records/Records"
import { BadRequest, type Conflict, type NotFound, ServiceUnavailable } from "@watchword/schemas/Errors"
import * as MessageId from "@watchword/schemas/MessageId"
import type { Principal } from "@watchword/schemas/Principal"
import { type ReportSms, type Sdr, type SendSms, Sender, type SmsReported, type SmsSent } from "@watchword/schemas/Sms"
import type { RequestKeys } from "@watchword/send/Claims"
import { type Request, Send, type SendError } from "@watchword/send/Send"
import type { Delivery, Details } from "@watchword/store/Delivery"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import { type EncodedText, encode } from "./EncodedText.ts"
import { makeHandler } from "./SmsEvents.ts"
import { type Message, type Service as Gateway, SmsGateway } from "./SmsGateway.ts"
import { fields, toReported, toSdr, toSent } from "./SmsRecord.ts"
import * as SmsSandbox from "./SmsSandbox.ts"
import { status, statuses } from "./SmsStatus.ts"

export interface Service {
  /**
   * Sends a text and answers once the carrier has taken it. Without `from` the account's sender is used.
   * The price is taken for each part.
   */
  readonly send: (principal: Principal, body: SendSms, keys: RequestKeys) => Effect.Effect<SmsSent, SendError>

  /** The record of a message, by the UUID that `send` answered. */
  readonly get: (principal: Principal, messageId: string) => Effect.Effect<Sdr, NotFound | StoreError>

  /** A page of records, newest status first unless asked otherwise. */
  readonly list: (principal: Principal, body: ListBody) => Effect.Effect<Envelope<Sdr>, BadRequest | StoreError>

  /** Records the outcome that the account saw. */
  readonly report: (
    principal: Principal,
    body: ReportSms
  ) => Effect.Effect<SmsReported, NotFound | Conflict | StoreError>

  /** The live gateway's connections; none when there is no gateway. */
  readonly links: Effect.Effect<ReadonlyArray<GatewayHealth>>
}

export class Sms extends Context.Service<Sms, Service>()("@watchword/sms/Sms") {}

export const make: Effect.Effect<Service, never, Send | Records | Store | Scope> = Effect.gen(function* () {
  const sends = yield* Send
  const records = yield* Records
  const handle = yield* makeHandler
  const gateways = { sandbox: yield* SmsSandbox.make, live: yield* Effect.serviceOption(SmsGateway) }
  yield* gateways.sandbox.events(handle)
  if (Option.isSome(gateways.live)) yield* gateways.live.value.events(handle)

  const gatewayFor = (principal: Principal): Effect.Effect<Gateway, ServiceUnavailable> => {
    if (principal.mode === "sandbox") return Effect.succeed(gateways.sandbox)
    return Option.isSome(gateways.live) ? Effect.succeed(gateways.live.value) : Effect.fail(noGateway())
  }

  const send = (principal: Principal, body: SendSms, keys: RequestKeys) =>
    Effect.flatMapEager(senderFor(principal, body), (from) =>
      Effect.flatMapEager(gatewayFor(principal), (gateway) => {
        const { to } = body
        const text = encode(body.text)
        const messageOf = ({ id, reference }: Pick<Delivery, "id" | "reference">): Message => ({
          delivery: id,
          to,
          from,
          text,
          reference: reference ?? 0
        })
        const request: Request = {
          principal,
          channel: "sms",
          statuses,
          to,
          from,
          units: text.parts.length,
          details: detailsOf(principal, body, text),
          body: JSON.stringify([to, body.text, body.from ?? null]),
          keys,
          deliver: (delivery) => gateway.send(messageOf(delivery)),
          predetermine:
            principal.mode === "sandbox" ? (delivery) => gateways.sandbox.predetermine(messageOf(delivery)) : null
        }
        return Effect.map(sends.send(request), ({ delivery }) => toSent(delivery))
      })
    )

  const get = (principal: Principal, messageId: string) =>
    Effect.map(records.get(drawerOf(principal), MessageId.toDeliveryId(messageId)), toSdr)

  const list = (principal: Principal, body: ListBody) => records.list(drawerOf(principal), body, fields, toSdr)

  const report = (principal: Principal, body: ReportSms) =>
    Effect.map(records.report(drawerOf(principal), MessageId.toDeliveryId(body.id), status[body.status]), toReported)

  const links = Option.match(gateways.live, { onNone: () => Effect.succeed([]), onSome: (gateway) => gateway.links })

  return Sms.of({ send, get, list, report, links })
})

/** Works without a live gateway too: live keys are then answered 503. */
export const layer: Layer.Layer<Sms, never, Send | Records | Store> = Layer.effect(Sms, make)

const drawerOf = (principal: Principal): Drawer => ({
  account: principal.account.id,
  mode: principal.mode,
  channel: "sms"
})

const isSender = Schema.is(Sender)

const senderFor = (principal: Principal, body: SendSms): Effect.Effect<Sender, BadRequest> => {
  const from = body.from ?? principal.account.smsSender
  if (from !== null && isSender(from)) return Effect.succeed(from)
  return Effect.fail(
    new BadRequest({
      message: "The request body is not valid.",
      issues: [{ path: "from", message: "is required, because the account has no sender of its own" }]
    })
  )
}

const noGateway = () => new ServiceUnavailable({ message: "No SMS gateway is configured." })

const detailsOf = ({ account }: Principal, { text }: SendSms, { encoding }: EncodedText): Details =>
  account.storeText ? { encoding, text } : { encoding }
