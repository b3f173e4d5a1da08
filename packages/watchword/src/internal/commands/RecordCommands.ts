/**
 * The operator's commands on the records of all accounts: sends and verifications, the newest first.
 */
import { BadRequest } from "@watchword/schemas/Errors"
import { field, optional } from "@watchword/schemas/Field"
import { DeliveryId } from "@watchword/schemas/Ids"
import { ChannelRegistry } from "@watchword/schemas/internal/ChannelRegistry"
import { toEuros } from "@watchword/schemas/Money"
import { VerificationId, VerificationStatus } from "@watchword/schemas/Verification"
import { textOf } from "@watchword/send/internal/channel/details"
import type { Delivery } from "@watchword/store/Delivery"
import * as Command from "@watchword/store/internal/Command"
import { Time, accountOf, as, wire } from "@watchword/store/internal/Wire"
import { stepOrigin } from "@watchword/verify/internal/StepOrigin"
import { format, toId, toWireId } from "@watchword/verify/internal/VerificationFormat"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Described } from "../Channels.ts"
import { guardReasons, isBlocked, refusal } from "../why/Sends.ts"
import * as Words from "../why/Words.ts"
import { filters, nextOf, page } from "./Newest.ts"

const orNull = Schema.NullOr(Schema.String)

const modeOf = Schema.Literals(["live", "sandbox"])

const Sent = wire({
  id: DeliveryId,
  account: accountOf,
  mode: modeOf,
  channel: Schema.String,
  to: field(Schema.String, "The number as it is stored: `erased` once its person was."),
  status: Schema.String,
  phase: Schema.Literals(["pending", "unknown", "accepted", "rejected", "refunded"]),
  reason: field(orNull, "The guard's rules, or what the gateway or the network said, in words."),
  carrier: field(orNull, "The gateway that took it, where a channel has several."),
  price: field(Schema.Finite, "EUR."),
  verification: as({ json: "verification_id" }, field(Schema.NullOr(VerificationId), "Whose code it sends.")),
  createdAt: Time,
  updatedAt: Time
})

export const listDeliveries = Command.make({
  name: ["delivery", "list"],
  description: "List sends of all accounts, the newest first",
  role: "support",
  isWatchable: true,
  input: wire({
    ...filters,
    channel: as({ example: "CHANNEL" }, optional(Schema.String, "Of this channel only, such as sms")),
    after: as({ example: "ID" }, optional(DeliveryId, "Those behind this one: the next of the page before"))
  }),
  output: wire({
    deliveries: Schema.Array(Sent),
    next: field(Schema.NullOr(DeliveryId), nextOf("sends"))
  }),
  run: Effect.fnUntraced(function* ({ after, channel, ...query }) {
    const { rows, next } = yield* page(query, { after, channels: yield* sendsBy(channel) })
    const words = Words.make(yield* Described)
    return { deliveries: rows.map((row) => sent(row, words)), next }
  }),
  lines: ({ deliveries, next }) => [
    ...deliveries.map(({ account, channel, createdAt, id, mode, reason, status, to }) =>
      row([createdAt.toISOString(), id, account, mode, channel, to, status, reason ?? ""])
    ),
    ...linesOf(deliveries.length, next, "send")
  ]
})

/** The products that messages and look-ups are recorded as. */
const sendsBy = Effect.fnUntraced(function* (channel: string | undefined) {
  const { products } = yield* ChannelRegistry
  const names = products.map(({ name }) => name).filter((name) => name !== format.product)
  if (channel === undefined) return names
  if (names.includes(channel)) return [channel]
  const issues = [{ path: "channel", message: `must be one of ${names.join(", ")}` }]
  return yield* new BadRequest({ message: "There is no such channel.", issues })
})

const sent = (delivery: Delivery, words: Words.Words): typeof Sent.Type => {
  const { account, channel, createdAt, details, id, mode, phase, price, status, statusAt, to } = delivery
  const origin = stepOrigin(details)
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
    price: toEuros(price),
    verification: origin === null ? null : toWireId(origin.verification),
    createdAt: new Date(createdAt),
    updatedAt: new Date(statusAt)
  }
}

const Started = wire({
  id: VerificationId,
  account: accountOf,
  mode: modeOf,
  to: field(Schema.String, "The number as it is stored: `erased` once its person was."),
  country: orNull,
  purpose: Schema.String,
  status: VerificationStatus,
  reason: orNull,
  channel: field(Schema.String, "Of its current step."),
  step: Schema.Finite,
  sends: field(Schema.Finite, "How many sends it had."),
  guardReasons: field(orNull, "The guard's rules that blocked it, or would have."),
  clientRef: orNull,
  createdAt: Time,
  updatedAt: Time,
  expiresAt: Time
})

export const listVerifications = Command.make({
  name: ["verification", "list"],
  description: "List verifications of all accounts, the newest first",
  role: "support",
  isWatchable: true,
  input: wire({
    ...filters,
    status: as({ example: "STATUS" }, optional(VerificationStatus, "Those with this status")),
    after: as({ example: "ID" }, optional(VerificationId, "Those behind this one: the next of the page before"))
  }),
  output: wire({
    verifications: Schema.Array(Started),
    next: field(Schema.NullOr(VerificationId), nextOf("verifications"))
  }),
  run: Effect.fnUntraced(function* ({ after, ...query }) {
    const last = Option.getOrUndefined(Option.flatMap(Option.fromUndefinedOr(after), toId))
    const { rows, next } = yield* page(query, { after: last, channels: [format.product] })
    return { verifications: rows.map(started), next: next === null ? null : toWireId(next) }
  }),
  lines: ({ next, verifications }) => [
    ...verifications.map(({ account, createdAt, id, mode, reason, sends, status, to }) =>
      row([createdAt.toISOString(), id, account, mode, to, `${sends} sends`, status, reason ?? ""])
    ),
    ...linesOf(verifications.length, next, "verification")
  ]
})

const started = (delivery: Delivery): typeof Started.Type => {
  const { attempts, channel, client_ref, country, expires_at, id, purpose, reason, status, step } =
    format.toWire(delivery)
  return {
    id,
    account: delivery.account,
    mode: delivery.mode,
    to: delivery.to,
    country,
    purpose,
    status,
    reason,
    channel,
    step,
    sends: attempts.length,
    guardReasons: guardReasons(delivery).join(", ") || null,
    clientRef: client_ref,
    createdAt: new Date(delivery.createdAt),
    updatedAt: new Date(delivery.statusAt),
    expiresAt: new Date(expires_at)
  }
}

const row = (cells: ReadonlyArray<string>): string => cells.join("  ").trimEnd()

const linesOf = (count: number, next: string | null, one: string): ReadonlyArray<string> => [
  ...(count === 0 && next === null ? [`There is no such ${one}.`] : []),
  ...(next === null ? [] : [`There may be more: --after ${next}`])
]
