/**
 * The verification as its account sees it, and the fields that lists filter and sort by.
 */
import { type Format, guardReasons, guardReasonsField } from "@watchword/send/channel/ChannelRecords"
import * as Fields from "@watchword/pagination/Fields"
import { DeliveryId } from "@watchword/schemas/Ids"
import { toEuros } from "@watchword/schemas/Money"
import * as Wire from "@watchword/schemas/Verification"
import type { Delivery } from "@watchword/store/Delivery"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Attempt, type Plan, channelOf, upcoming } from "./plan/Plan.ts"
import { proof } from "./plan/Receives.ts"
import { PRODUCT, type Stored, bindOf, read } from "./VerificationRecord.ts"

const PREFIX = "vrf_"

export const toWireId = (id: DeliveryId): Wire.VerificationId => Wire.VerificationId.make(PREFIX + id)

const decodeId = Schema.decodeOption(DeliveryId)

export const toId = (id: string): Option.Option<DeliveryId> =>
  id.startsWith(PREFIX) ? decodeId(id.slice(PREFIX.length)) : Option.none()

const iso = (at: number): string => new Date(at).toISOString()

const toAttempt = ({ at, channel, delivery, outcome, price, reason }: Attempt): Wire.Attempt => ({
  delivery_id: delivery,
  channel,
  status: outcome,
  reason,
  at: iso(at),
  price: toEuros(price)
})

export const toWire = ({ delivery, plan, terms }: Stored): Wire.Verification => {
  const next = upcoming(plan)
  const bind = bindOf(terms)
  return {
    id: toWireId(delivery.id),
    to: delivery.to,
    country: terms.country,
    purpose: terms.purpose,
    status: plan.status,
    reason: plan.reason,
    channel: channelOf(plan),
    step: plan.step + 1,
    attempts: plan.attempts.map(toAttempt),
    next: next === null ? null : { channel: next.channel, at: iso(next.at) },
    resend_at: iso(plan.resendAt),
    sends_left: plan.sendsLeft,
    checks_left: plan.checksLeft,
    expires_at: iso(plan.expiresAt),
    approved_at: plan.approvedAt === null ? null : iso(plan.approvedAt),
    ...receivedOf(plan),
    test_number: terms.test_number,
    client_ref: terms.client_ref,
    ...(bind === null ? {} : { bind }),
    metadata: terms.metadata,
    created_at: iso(delivery.createdAt),
    ...guardReasons(delivery)
  }
}

/** The user's actions, and the proof of the number; nothing for a verification with codes only. */
const receivedOf = (plan: Plan): Pick<Wire.Verification, "assurance" | "by" | "received"> => {
  if (plan.heard.length === 0) return {}
  const proved = proof(plan)
  const received = plan.heard.map((heard) => ({ ...heard, at: iso(heard.at) }))
  return proved === null ? { received } : { by: proved.by, assurance: proved.assurance, received }
}

const fields = Fields.listFields(
  {
    id: Fields.mapped("id", toId),
    to: Fields.phoneNumber("to"),
    country: Fields.nullable(Fields.string("details.country")),
    purpose: Fields.string("details.purpose"),
    status: Fields.oneOf("status", Wire.VerificationStatus.literals),
    reason: Fields.nullable(Fields.string("details.reason")),
    channel: Fields.string("details.channel"),
    step: Fields.integer("details.step"),
    sends_left: Fields.integer("details.sends_left"),
    checks_left: Fields.integer("details.checks_left"),
    resend_at: Fields.time("details.resend_at"),
    expires_at: Fields.time("details.expires_at"),
    approved_at: Fields.nullable(Fields.time("details.approved_at")),
    by: Fields.nullable(Fields.string("details.by")),
    assurance: Fields.nullable(Fields.string("details.assurance")),
    test_number: Fields.boolean("details.test_number"),
    client_ref: Fields.nullable(Fields.string("details.client_ref")),
    created_at: Fields.time("createdAt"),
    ...guardReasonsField
  } satisfies Fields.FieldsOf<Wire.Verification>,
  "created_at"
)

export const format: Format<Wire.Verification> = {
  product: PRODUCT,
  fields,
  toWire: (delivery: Delivery) => toWire(read(delivery)),
  toId
}
