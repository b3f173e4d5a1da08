/**
 * The operator's commands on verifications of all accounts.
 */
import { Mode } from "@watchword/schemas/Channel"
import { field, optional } from "@watchword/schemas/Field"
import { DeliveryId } from "@watchword/schemas/Ids"
import { VerificationId, VerificationStatus } from "@watchword/schemas/Verification"
import type { Delivery } from "@watchword/store/Delivery"
import * as Command from "../command/Command.ts"
import { Time, accountOf, as, wire } from "../command/Wire.ts"
import { Verifications } from "@watchword/verify/operator"
import { format, toId, toWireId } from "@watchword/verify/Format"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Amounts from "../insight/Amounts.ts"
import { guardReasons } from "../insight/why/Sends.ts"
import { filters, nextOf, page, restOf, row, toOf } from "./Newest.ts"

const orNull = Schema.NullOr(Schema.String)

const startedFields = {
  id: VerificationId,
  account: accountOf,
  mode: Mode,
  to: toOf,
  country: orNull,
  purpose: Schema.String,
  status: VerificationStatus,
  reason: orNull,
  channel: field(Schema.String, "The channel of its current step."),
  step: Schema.Finite,
  sends: field(Schema.Finite, "How many sends it had."),
  guardReasons: field(orNull, "The guard rules that blocked it, or would have blocked it."),
  clientRef: orNull,
  createdAt: Time,
  updatedAt: Time,
  expiresAt: Time
}

const Started = wire(startedFields)

export const list = Command.make({
  name: ["verification", "list"],
  description: "List verifications of all accounts, newest first",
  role: "support",
  isWatchable: true,
  input: wire({
    ...filters,
    status: as({ example: "STATUS" }, optional(VerificationStatus, "Only records with this status")),
    after: as({ example: "ID" }, optional(VerificationId, "Records after this one: the previous page's next"))
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
    ...restOf(verifications.length, next, "verification")
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

const id = as({ json: "verification_id", example: "ID" }, field(VerificationId, "The verification's id, vrf_…"))

const Shown = wire({
  ...startedFields,
  attempts: field(
    Schema.Array(
      wire({
        delivery: as({ json: "delivery_id" }, Schema.NullOr(DeliveryId)),
        channel: Schema.String,
        status: Schema.String,
        reason: orNull,
        at: Time,
        ...Amounts.moneyFields
      })
    ),
    "Its sends, in order."
  ),
  price: field(Schema.Finite, "EUR that the account paid for its sends."),
  cost: field(Schema.NullOr(Schema.Finite), "EUR that carriers ask for its sends; null if it is not known."),
  margin: field(Schema.NullOr(Schema.Finite), "The price less the cost, in EUR."),
  next: field(Schema.NullOr(Schema.Struct({ channel: Schema.String, at: Time })), "The next step after a time-out."),
  sendsLeft: Schema.Finite,
  checksLeft: Schema.Finite,
  approvedAt: Schema.NullOr(Time),
  testNumber: Schema.Boolean
})

export const show = Command.make({
  name: ["verification", "show"],
  description: "Show a verification and its sends",
  role: "support",
  input: wire({ id }),
  positional: ["id"],
  output: Shown,
  run: Effect.fnUntraced(function* ({ id }) {
    const found = yield* Verifications.find(id)
    return shown(found, yield* sendsOf(found))
  }),
  lines: ({ account, attempts, checksLeft, createdAt, id, mode, next, reason, sendsLeft, status, to, ...money }) => [
    row([createdAt.toISOString(), id, account, mode, to, status, reason ?? ""]),
    ...attempts.map((attempt) =>
      row([
        `  ${attempt.at.toISOString()}`,
        attempt.channel,
        attempt.delivery ?? "-",
        attempt.status,
        Amounts.named(attempt),
        attempt.reason ?? ""
      ])
    ),
    ...(next === null ? [] : [`  next: ${next.channel} at ${next.at.toISOString()}`]),
    `  ${checksLeft} guesses and ${sendsLeft} sends left`,
    ...(attempts.length < 2 || Amounts.named(money) === "" ? [] : [`  ${Amounts.named(money)}`])
  ]
})

/** The records of a verification's sends, by their ids. */
const sendsOf = Effect.fnUntraced(function* (verification: Delivery) {
  const { account, mode } = verification
  const store = yield* Store
  const { attempts } = format.toWire(verification)
  const found = yield* Effect.forEach(attempts, ({ channel, delivery_id: id }) =>
    id === null ? Effect.succeedNone : store.find({ account, mode, channel, id })
  )
  return new Map(found.flatMap(Option.toArray).map((send) => [send.id, Amounts.microsOf(send)]))
})

const shown = (delivery: Delivery, sends: Effect.Success<ReturnType<typeof sendsOf>>): typeof Shown.Type => {
  const { approved_at, attempts, checks_left, next, sends_left, test_number } = format.toWire(delivery)
  const money = attempts.map(
    ({ delivery_id: id, price }) =>
      (id === null ? undefined : sends.get(id)) ?? { price: Math.round(price * 1_000_000), cost: null }
  )
  return {
    ...started(delivery),
    attempts: attempts.map(({ at, delivery_id, ...attempt }, place) => ({
      ...attempt,
      ...Amounts.inEuros(money[place] ?? Amounts.sumOf([])),
      delivery: delivery_id,
      at: new Date(at)
    })),
    ...Amounts.inEuros(Amounts.sumOf(money)),
    next: next && { channel: next.channel, at: new Date(next.at) },
    sendsLeft: sends_left,
    checksLeft: checks_left,
    approvedAt: approved_at === null ? null : new Date(approved_at),
    testNumber: test_number
  }
}

export const cancel = Command.make({
  name: ["verification", "cancel"],
  description: "End a pending verification; servers revoke its sent messages",
  role: "operator",
  input: wire({ id }),
  positional: ["id"],
  output: wire({ id, status: VerificationStatus }),
  run: ({ id }) => Effect.map(Verifications.cancel(id), (ended) => ({ id, status: format.toWire(ended).status })),
  lines: ({ id, status }) => [
    status === "canceled"
      ? `Verification ${id} is canceled; its sent messages are revoked within half a minute.`
      : `Verification ${id} is ${status} already.`
  ]
})
