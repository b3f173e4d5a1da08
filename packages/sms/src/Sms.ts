/**
 * The SMS channel: send a text, look up its record, list records, report an outcome.
 */
import { SmsGroup } from "@watchword/api/groups"
import * as Channel from "@watchword/send/channel/Channel"
import * as ChannelRecords from "@watchword/send/channel/ChannelRecords"
import * as Gateways from "@watchword/send/channel/Gateways"
import * as Operation from "@watchword/send/channel/Operation"
import { updates } from "@watchword/send/channel/Channel"
import {
  ReportSms,
  type Sdr,
  SendSms,
  Sender,
  type SmsReported,
  type SmsSent,
  Text,
  fromDeliveryId,
  hasCode
} from "@watchword/schemas/Sms"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { type BadRequest, type Forbidden, invalid } from "@watchword/schemas/Errors"
import type { Principal } from "@watchword/schemas/Account"
import { type RequestKeys, noKeys } from "@watchword/send/Claims"
import { type Permitted, permitted } from "@watchword/send/pipeline"
import { keepRehearsals } from "@watchword/send/rehearsal"
import { type Terms, noTerms, routed } from "@watchword/send/routes"
import { Send, type SendError } from "@watchword/send/Send"
import type { Details } from "@watchword/store/Delivery"
import type { Records } from "@watchword/records/Records"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import type { SendGuard } from "@watchword/send/SendGuard"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import { type EncodedText, encode } from "./EncodedText.ts"
import { said } from "./internal/CarrierWords.ts"
import { makeHandler } from "./internal/SmsEvents.ts"
import { type Service as Gateway, SmsGateway } from "./SmsGateway.ts"
import { format, reports, toSent } from "./internal/SmsRecord.ts"
import { arrival, statuses } from "./internal/SmsStatus.ts"
import { addForm } from "./internal/texts/WritingForm.ts"
import { tlvsOf } from "./internal/Tlvs.ts"

export interface Service extends Channel.Service, ChannelRecords.ChannelRecords<Sdr, ReportSms, SmsReported> {
  /**
   * Sends a text and answers once the carrier has taken it. Without `from` the account's sender is used.
   * The price is taken for each part.
   */
  readonly send: (principal: Principal, body: SendSms, keys: RequestKeys) => Effect.Effect<SmsSent, SendError>
}

export class Sms extends Context.Service<Sms, Service>()("@watchword/sms/Sms") {}

type Requirements = Records | Send | SendGuard | Settings | Store

export const make: Effect.Effect<Service, never, Requirements | Scope> = Effect.gen(function* () {
  const sends = yield* Send
  const { records } = yield* ChannelRecords.make(format, reports)
  const gateways = yield* Gateways.make("SMS", SmsGateway, yield* makeHandler, { routed: routed("sms", arrival) })
  yield* keepRehearsals("sms", gateways.live)
  yield* addForm(gateways.live, gateways.sandbox !== null)

  /** A request without a sender is refused for that, whether or not there is a gateway. */
  const leaving = (principal: Principal, body: SendSms, keys: RequestKeys) =>
    Effect.catchEager(gateways.leaving(principal, body.to, keys), (failure) =>
      Effect.andThen(senderFor(principal, body, noTerms), Effect.fail(failure))
    )

  const send = (principal: Principal, body: SendSms, keys: RequestKeys) =>
    Effect.flatMapEager(leaving(principal, body, keys), (by) =>
      Effect.flatMapEager(senderFor(principal, body, by.way.terms), (from) => sendBy(by, from, principal, body, keys))
    )

  const sendBy = (
    by: Gateways.Leaving<Gateway>,
    from: Permitted<Sender>,
    principal: Principal,
    body: SendSms,
    keys: RequestKeys
  ) => {
    const { to } = body
    const { carriers, terms } = by.way
    const text = encode(body.text)
    const ttl = body.ttl ?? terms.ttl
    const tlvs = tlvsOf(body.tlvs ?? terms.tlvs ?? {})
    const sent = sends.send({
      principal,
      channel: "sms",
      statuses,
      to,
      from,
      units: text.parts.length,
      content: { text: body.text, code: longCodeIn(body.text, keys) },
      details: detailsOf(principal, body, text),
      body: JSON.stringify([to, body.text, body.from ?? null, body.ttl ?? null, body.tlvs ?? null]),
      keys,
      client: body,
      ...Gateways.sending(by, ({ account, id, reference }) => ({
        delivery: id,
        account,
        to,
        from,
        text,
        reference: reference ?? 0,
        ttl,
        hasCode: hasCode(body.text),
        tlvs,
        carriers
      }))
    })
    return Effect.map(sent, ({ delivery }) => toSent(delivery))
  }

  return Sms.of({
    send,
    ...records,
    health: gateways.health,
    webhook: gateways.webhook,
    maintain: gateways.maintain
  })
})

/** Works without a live gateway too: live keys are then answered 503. */
export const layer: Layer.Layer<Sms, never, Requirements> = Layer.effect(Sms, make)

/** The channel's description. */
export const sms = Channel.make({
  name: ChannelRegistry.sms.name,
  products: [{ ...ChannelRegistry.sms.products[0], failed: statuses.failed }],
  group: SmsGroup,
  gateway: SmsGateway,
  service: make,
  events: updates(({ id }) => fromDeliveryId(id)),
  code: {
    timeout: 60,
    arrival,
    send: (sms, { client, origin, principal, text, to, ttl }) =>
      sms.send(principal, { ...client, to, text: Text.make(text), ttl }, { ...noKeys, origin })
  },
  said,
  operations: (sms) => ({
    /** Sends a text. Resolves once the carrier has taken it. */
    send: Operation.send(SendSms, sms.send),
    ...ChannelRecords.operations(ReportSms, sms)
  })
})

const isSender = Schema.is(Sender)

const senderFor = (
  principal: Principal,
  body: SendSms,
  terms: Terms
): Effect.Effect<Permitted<Sender>, BadRequest | Forbidden> => {
  const from = body.from ?? terms.sender ?? principal.account.smsSender
  if (from !== null && isSender(from)) return permitted(principal, "senders", from)
  return Effect.fail(invalid([{ path: "from", message: "is required, because the account has no sender of its own" }]))
}

const detailsOf = ({ account }: Principal, { text }: SendSms, { encoding }: EncodedText): Details => ({
  encoding,
  ...(account.storeText ? { text } : {})
})

/** A verification's code of more digits than codes of texts usually have; null for other texts, which are searched. */
const longCodeIn = (text: string, { origin }: RequestKeys): string | null => {
  const { codeLength = 0 } = origin ?? {}
  return codeLength > 8 ? (new RegExp(`(?<!\\d)\\d{${codeLength}}(?!\\d)`).exec(text)?.[0] ?? null) : null
}
