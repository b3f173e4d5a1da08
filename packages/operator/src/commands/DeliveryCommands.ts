/**
 * The operator's command on sends of all accounts.
 */
import { BadRequest } from "@watchword/schemas/Errors"
import { Mode } from "@watchword/schemas/Channel"
import { field, optional } from "@watchword/schemas/Field"
import { DeliveryId } from "@watchword/schemas/Ids"
import { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import { VerificationId } from "@watchword/schemas/Verification"
import { textOf } from "@watchword/send/channel/ChannelRecords"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import { hourOf } from "@watchword/store/Traffic"
import * as Command from "../command/Command.ts"
import { look } from "../command/SlowReads.ts"
import { Time, accountOf, as, wire } from "../command/Wire.ts"
import { attemptOrigin, format, toWireId } from "@watchword/verify/Format"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Described } from "@watchword/send/channel/Features"
import { inEuros, microsOf, moneyFields, named } from "../insight/Amounts.ts"
import { guardReasons, isBlocked, refusal } from "../insight/why/Sends.ts"
import * as Words from "../insight/why/Words.ts"
import { filters, nextOf, page, restOf, row, toOf } from "./Newest.ts"

const orNull = Schema.NullOr(Schema.String)

const Sent = wire({
  id: DeliveryId,
  account: accountOf,
  mode: Mode,
  channel: Schema.String,
  to: toOf,
  status: Schema.String,
  phase: Schema.Literals(["pending", "unknown", "accepted", "rejected", "refunded"]),
  reason: field(orNull, "The guard's rules, or the message of the gateway or the network."),
  carrier: field(orNull, "The gateway that accepted it, if a channel has several."),
  ...moneyFields,
  verification: as(
    { json: "verification_id" },
    field(Schema.NullOr(VerificationId), "The verification whose code it sends.")
  ),
  createdAt: Time,
  updatedAt: Time
})

export const list = Command.make({
  name: ["delivery", "list"],
  description: "List sends of all accounts, newest first",
  role: "support",
  isWatchable: true,
  input: wire({
    ...filters,
    channel: as({ example: "CHANNEL" }, optional(Schema.String, "Only this channel, such as sms")),
    carrier: optional(Schema.String, "Only the carrier with this name"),
    after: as({ example: "ID" }, optional(DeliveryId, "Records after this one: the previous page's next"))
  }),
  output: wire({
    deliveries: Schema.Array(Sent),
    next: field(Schema.NullOr(DeliveryId), nextOf("sends"))
  }),
  run: Effect.fnUntraced(function* ({ after, carrier, channel, ...query }) {
    const where = carrier === undefined ? [] : [{ _tag: "In", field: "details.carrier", values: [carrier] } as const]
    const { rows, next } = yield* page(query, { after, channels: yield* sendsBy(channel), where })
    const words = Words.make(yield* Described)
    return { deliveries: rows.map((row) => sent(row, words)), next }
  }),
  lines: ({ deliveries, next }) => [
    ...deliveries.map(({ account, channel, createdAt, id, mode, reason, status, to, ...money }) =>
      row([createdAt.toISOString(), id, account, mode, channel, to, status, named(money), reason ?? ""])
    ),
    ...restOf(deliveries.length, next, "send")
  ]
})

/** The products that messages and look-ups are recorded as. */
const sendProducts = Effect.map(ChannelRegistry, ({ products }) =>
  products.map(({ name }) => name).filter((name) => name !== format.product)
)

const sendsBy = Effect.fnUntraced(function* (channel: string | undefined) {
  const names = yield* sendProducts
  if (channel === undefined) return names
  if (names.includes(channel)) return [channel]
  const issues = [{ path: "channel", message: `must be one of ${names.join(", ")}` }]
  return yield* new BadRequest({ message: "There is no such channel.", issues })
})

const sent = (delivery: Delivery, words: Words.Words): typeof Sent.Type => {
  const { account, channel, createdAt, details, id, mode, phase, status, statusAt, to } = delivery
  const origin = attemptOrigin(details)
  const blocked = isBlocked(delivery) ? guardReasons(delivery).join(", ") : null
  return {
    id,
    account,
    mode,
    channel,
    to,
    status: status.name,
    phase,
    reason: blocked ?? refusal(delivery) ?? words.said(delivery),
    carrier: textOf(delivery, "carrier"),
    ...inEuros(microsOf(delivery)),
    verification: origin === null ? null : toWireId(origin.verification),
    createdAt: new Date(createdAt),
    updatedAt: new Date(statusAt)
  }
}

/** How far back the values of sends are looked for, in days. */
const DAYS = 30

export const listFilters = Command.make({
  name: ["delivery", "filters"],
  description: `List the service's channels, and the countries and carriers that sends had in the last ${DAYS} days`,
  role: "support",
  input: wire({}),
  output: wire({
    channels: Schema.Array(Schema.String),
    countries: field(Schema.Array(Schema.String), "ISO 3166-1 alpha-2."),
    carriers: Schema.Array(Schema.String)
  }),
  run: Effect.fnUntraced(function* () {
    const { traffic } = yield* Store
    const until = hourOf(yield* Clock.currentTimeMillis) + 1
    const sums = yield* look(traffic({ since: until - DAYS * 24, until, account: null, by: ["carrier", "country"] }))
    const valuesOf = (dimension: "carrier" | "country") =>
      [...new Set(sums.map(({ key }) => key[dimension] ?? ""))].filter((value) => value !== "").toSorted()
    return { channels: yield* sendProducts, countries: valuesOf("country"), carriers: valuesOf("carrier") }
  }),
  lines: ({ carriers, channels, countries }) => [
    row(["channels", channels.join(",")]),
    row(["countries", countries.join(",")]),
    row(["carriers", carriers.join(",")])
  ]
})
