/**
 * The business-chat channel: send a text with a code, look up its record, list records, report an outcome.
 */
import { BizchatGroup } from "@watchword/api/groups"
import * as Channel from "@watchword/send/channel/Channel"
import * as ChannelRecords from "@watchword/send/channel/ChannelRecords"
import * as Gateways from "@watchword/send/channel/Gateways"
import * as Operation from "@watchword/send/channel/Operation"
import { Receiving } from "@watchword/send/channel/Receiving"
import { type Notice, keepNotice } from "@watchword/send/gateway"
import {
  type BizchatReported,
  BusinessCode,
  Locale,
  type OtpSent,
  ReportBizchat,
  SendOtp,
  type Wdr
} from "@watchword/schemas/Bizchat"
import { Text } from "@watchword/schemas/Sms"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import type { Principal } from "@watchword/schemas/Account"
import { type RequestKeys, noKeys } from "@watchword/send/Claims"
import { Send, type SendError } from "@watchword/send/Send"
import type { Records } from "@watchword/records/Records"
import { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import type { SendGuard } from "@watchword/send/SendGuard"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import { makeHandler } from "./internal/BizchatEvents.ts"
import { said } from "./internal/PlatformWords.ts"
import { writingForm } from "./internal/WritingForm.ts"
import { BizchatGateway } from "./BizchatGateway.ts"
import * as BizchatRecord from "./internal/BizchatRecord.ts"
import { status, statuses } from "./internal/BizchatStatus.ts"

export interface Service extends Channel.Service, ChannelRecords.ChannelRecords<Wdr, ReportBizchat, BizchatReported> {
  /** Sends a text and answers once the platform has taken it. */
  readonly send: (principal: Principal, body: SendOtp, keys: RequestKeys) => Effect.Effect<OtpSent, SendError>
}

export class Bizchat extends Context.Service<Bizchat, Service>()("@watchword/bizchat/Bizchat") {}

type Requirements = Records | Send | SendGuard | Settings | Store

export const make: Effect.Effect<Service, never, Requirements | Scope> = Effect.gen(function* () {
  const sends = yield* Send
  const { records } = yield* ChannelRecords.make(BizchatRecord.format, BizchatRecord.reports)
  const gateways = yield* Gateways.make("business-chat", BizchatGateway, yield* makeHandler)
  const settings = yield* Settings
  for (const { notices } of gateways.all) if (notices !== undefined) yield* notices(noted(settings))
  yield* (yield* Receiving).add(writingForm(gateways))
  // The sandbox refuses the same sends as the live gateway.
  const check = Option.getOrNull(gateways.live)?.check ?? gateways.sandbox?.gateway.check ?? (() => Effect.void)

  const send = Effect.fnUntraced(function* (principal: Principal, body: SendOtp, keys: RequestKeys) {
    const { code = null, locale = null, text, to } = body
    const leaving = yield* gateways.leaving(principal, to, keys)
    const content = { text: Redacted.make(text), code: code === null ? null : Redacted.make(code) }
    yield* check(content)
    const { delivery } = yield* sends.send({
      principal,
      channel: "bizchat",
      statuses,
      to,
      from: null,
      units: 1,
      content: { text, code },
      details: BizchatRecord.begun(principal.account.storeText ? text : null),
      body: JSON.stringify([to, text, code, locale]),
      keys,
      client: body,
      ...Gateways.sending(leaving, ({ id }) => ({ delivery: id, to, locale, ...content }))
    })
    return BizchatRecord.toSent(delivery)
  })

  return Bizchat.of({
    send,
    ...records,
    health: gateways.health,
    webhook: gateways.webhook,
    maintain: gateways.maintain
  })
})

/** Works without a live gateway too: live keys are then answered 503. */
export const layer: Layer.Layer<Bizchat, never, Requirements> = Layer.effect(Bizchat, make)

/** The channel's description. */
export const bizchat = Channel.make({
  name: ChannelRegistry.bizchat.name,
  products: [{ ...ChannelRegistry.bizchat.products[0], failed: statuses.failed }],
  group: BizchatGroup,
  gateway: BizchatGateway,
  service: make,
  code: {
    timeout: 30,
    arrival: ({ status: { name } }) => (ARRIVED.has(name) ? "arrived" : name === status.failed.name ? "lost" : null),
    send: (chat, { client, code, locale, origin, principal, text, to }) =>
      chat.send(
        principal,
        {
          ...client,
          to,
          text: Text.make(text),
          code: BusinessCode.make(code),
          ...(locale === null ? {} : { locale: Locale.make(locale) })
        },
        { ...noKeys, origin }
      )
  },
  said,
  operations: (chat) => ({
    /** Sends a text. Resolves once the platform has taken it. */
    send: Operation.send(SendOtp, chat.send),
    ...ChannelRecords.operations(ReportBizchat, chat)
  })
})

/** Keeps a notice for operators. A notice that cannot be stored is logged. */
const noted =
  (settings: Settings["Service"]) =>
  (notice: Notice): Effect.Effect<void> =>
    Effect.catchTag(keepNotice(settings, notice), "StoreError", (error) =>
      Effect.logError("a notice of the messaging platform was not stored", error)
    )

const ARRIVED: ReadonlySet<string> = new Set([status.delivered.name, status.read.name])
