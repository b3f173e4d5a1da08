/**
 * The voice channel: have a code read out, look up its record, list records, report an outcome.
 */
import * as Channel from "@watchword/send/channel/Channel"
import * as ChannelRecords from "@watchword/send/channel/ChannelRecords"
import * as Gateways from "@watchword/send/channel/Gateways"
import * as Operation from "@watchword/send/channel/Operation"
import { Code } from "@watchword/schemas/Chatgw"
import type { Principal } from "@watchword/schemas/Account"
import { type RequestKeys, noKeys } from "@watchword/send/Claims"
import { Send } from "@watchword/send/Send"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ReportVoice, SendVoice, VoiceEnded, type VoiceSent } from "./Schemas.ts"
import { type Ended, VoiceGateway } from "./VoiceGateway.ts"
import { VoiceGroup } from "./VoiceGroup.ts"
import { format, reports, status, statusOf, statuses } from "./VoiceRecord.ts"
import * as VoiceSandbox from "./VoiceSandbox.ts"

/** Brings the end of a call to its record. */
const makeHandler = Effect.map(Gateways.refReports("voice", statuses), ({ recognise, report }) =>
  Effect.fnUntraced(function* ({ isHeard, listened, of, ref }: Ended) {
    yield* recognise(of, ref)
    yield* report(ref, { status: isHeard ? status.heard : status.unanswered, details: { listened } })
  })
)

const make = Effect.gen(function* () {
  const sends = yield* Send
  const { records } = yield* ChannelRecords.make(format, reports)
  const gateways = yield* Gateways.make("voice", VoiceGateway, yield* makeHandler, {
    sandbox: VoiceSandbox.make
  })

  const send = Effect.fnUntraced(function* (principal: Principal, body: SendVoice, keys: RequestKeys) {
    const { code, to } = body
    const leaving = yield* gateways.leaving(principal, to, keys)
    const { delivery } = yield* sends.send({
      principal,
      channel: "voice",
      statuses,
      to,
      from: null,
      units: 1,
      content: { text: null, code },
      details: { listened: 0 },
      body: JSON.stringify([to, code]),
      keys,
      client: body,
      ...Gateways.sending(leaving, ({ id }) => ({ delivery: id, to, code: Redacted.make(code) }))
    })
    const sent: VoiceSent = { uuid: delivery.id, to: delivery.to }
    return sent
  })

  const { health, webhook } = gateways
  return { send, ...records, health, webhook }
})

/** The channel's description. */
export const voice = Channel.make({
  name: "voice",
  products: [
    {
      name: "voice",
      number: 64,
      listedBy: "createdAt",
      failed: statuses.failed,
      personal: { details: { listened: 0 } }
    }
  ],
  group: VoiceGroup,
  gateway: VoiceGateway,
  service: make,
  events: Channel.updatesAnd({ "voice.ended": VoiceEnded }, ({ delivery, fact }) => {
    if (!fact.moved || fact.status === status.sent.name) return {}
    const { listened, to, uuid } = format.toWire(delivery)
    return { "voice.ended": { uuid, to, status: statusOf(delivery), listened } }
  }),
  code: {
    timeout: 45,
    arrival: ({ status: { name } }) =>
      name === status.heard.name ? "arrived" : name === status.unanswered.name ? "lost" : null,
    send: (service, { client, code, origin, principal, to }) =>
      service.send(principal, { ...client, to, code: Code.make(code) }, { ...noKeys, origin })
  },
  said: ({ details: { listened } }) => (listened === 0 ? null : `${listened} s were listened to`),
  operations: (service) => ({
    send: Operation.send(SendVoice, service.send),
    ...ChannelRecords.operations(ReportVoice, service)
  })
})
