/**
 * A channel that sends codes to pagers: the provider's port, the sandbox's gateway, the service and the description.
 */
import * as Fields from "@watchword/pagination/Fields"
import { reportedStatus } from "@watchword/records/Records"
import { Code } from "@watchword/schemas/Chatgw"
import { toEuros } from "@watchword/schemas/Money"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import { makeLaterEvents, makeStage, refusalOf, scenarioOf } from "@watchword/sandbox/simulator"
import * as Channel from "@watchword/send/channel/Channel"
import * as ChannelRecords from "@watchword/send/channel/ChannelRecords"
import * as Gateways from "@watchword/send/channel/Gateways"
import * as Operation from "@watchword/send/channel/Operation"
import { type RequestKeys, noKeys } from "@watchword/send/Claims"
import { EventHub } from "@watchword/send/gateway"
import { type Predetermined, accepted, answered, predetermined, rejected } from "@watchword/send/Outcome"
import { Send, type Statuses } from "@watchword/send/Send"
import type { Delivery, Status } from "@watchword/store/Delivery"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type PageRecord, type PageReported, PageStatus, PagerGroup, ReportPage, SendPage } from "./contract.ts"

/** A page as a provider accepts it. */
export interface Page {
  readonly to: E164
  readonly code: string
}

/** A provider's later report about a page, by the id that it gave the page. */
export interface Shown {
  readonly ref: string
  readonly shown: boolean
}

export class PagerGateway extends Context.Service<PagerGateway, Gateways.Gateway<Shown> & Gateways.Sends<Page>>()(
  "pager-channel/PagerGateway"
) {}

const sent: Status = { name: "sent", rank: ChannelRecords.ACCEPTED }
const outcomes: { readonly [S in ReportPage["status"]]: Status } = {
  shown: { name: "shown", rank: ChannelRecords.ARRIVED },
  failed: { name: "failed", rank: ChannelRecords.ARRIVED }
}
const statuses: Statuses = {
  pending: { name: "sent", rank: ChannelRecords.PENDING },
  accepted: sent,
  failed: outcomes.failed
}

const isStatus = Schema.is(PageStatus)
const statusOf = ({ status }: Delivery): PageRecord["status"] => (isStatus(status.name) ? status.name : "sent")

const format: ChannelRecords.Format<PageRecord> = {
  product: "pager",
  fields: Fields.listFields(
    {
      uuid: Fields.string("id"),
      to: Fields.string("to"),
      status: Fields.oneOf("status", PageStatus.literals),
      created_at: Fields.time("createdAt"),
      price: Fields.euros("price"),
      ...ChannelRecords.guardReasonsField
    } satisfies Fields.FieldsOf<PageRecord>,
    "created_at"
  ),
  toWire: (delivery) => ({
    uuid: delivery.id,
    to: delivery.to,
    status: statusOf(delivery),
    created_at: new Date(delivery.createdAt).toISOString(),
    price: toEuros(delivery.price),
    ...ChannelRecords.guardReasons(delivery)
  })
}

const reports: ChannelRecords.Reports<ReportPage, PageReported> = {
  idOf: ({ uuid }) => uuid,
  outcomeOf: ({ status }) => reportedStatus(outcomes[status]),
  toReported: (delivery) => ({ message: "OK", uuid: delivery.id, status: statusOf(delivery) })
}

/** Answers at once, depending on the last digits of the number, and reports a second later that the page was shown. */
const sandbox = Effect.gen(function* () {
  const hub = new EventHub<Shown, StoreError>()
  const later = yield* makeLaterEvents(hub)
  const predetermine = ({ to }: Page): Predetermined => {
    const scenario = scenarioOf(to)
    const refusal = refusalOf(scenario, { gateway: "pager provider", rings: false })
    if (refusal !== null) return predetermined(rejected(refusal))
    const ref = `sandbox-${crypto.randomUUID()}`
    if (scenario === "silent") return predetermined(accepted([ref]))
    return predetermined(accepted([ref]), later.publish([{ ref, shown: scenario === "delivered" }]))
  }
  const gateway = PagerGateway.of({
    predetermine,
    send: (page) => answered(predetermine(page)),
    events: (handle) => hub.subscribe(handle),
    health: Effect.succeed([])
  })
  return yield* makeStage({ product: "pager", gateway })
})

const handler = Effect.map(
  Gateways.refReports("pager", statuses),
  ({ report }) =>
    ({ ref, shown }: Shown) =>
      report(ref, { status: shown ? outcomes.shown : outcomes.failed })
)

const make = Effect.gen(function* () {
  const sends = yield* Send
  const { records } = yield* ChannelRecords.make(format, reports)
  const gateways = yield* Gateways.make("pager", PagerGateway, yield* handler, { sandbox })

  const send = Effect.fnUntraced(function* (principal: Principal, body: SendPage, keys: RequestKeys) {
    const { code, to } = body
    const leaving = yield* gateways.leaving(principal, to, keys)
    const { delivery } = yield* sends.send({
      principal,
      channel: "pager",
      statuses,
      to,
      from: null,
      units: 1,
      content: { text: null, code },
      details: {},
      body: JSON.stringify([to, code]),
      keys,
      client: body,
      ...Gateways.sending(leaving, () => ({ to, code }))
    })
    return { uuid: delivery.id, to: delivery.to }
  })

  return { send, ...records, health: gateways.health, webhook: gateways.webhook }
})

/** The channel's description. */
export const pager = Channel.make({
  name: "pager",
  products: [{ name: "pager", number: 64, listedBy: "createdAt", failed: statuses.failed }],
  group: PagerGroup,
  gateway: PagerGateway,
  service: make,
  code: {
    timeout: 30,
    arrival: ({ status: { name } }) => (name === "shown" ? "arrived" : name === "failed" ? "lost" : null),
    send: (service, { client, code, origin, principal, to }) =>
      service.send(principal, { ...client, to, code: Code.make(code) }, { ...noKeys, origin })
  },
  operations: (service) => ({
    send: Operation.send(SendPage, service.send),
    ...ChannelRecords.operations(ReportPage, service)
  })
})
