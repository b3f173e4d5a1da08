/**
 * The chat-gateway delivery record (TDR), as the account sees it, and the details of its delivery in the store.
 */
import { type Format, type Reports, guardReasons, guardReasonsField } from "@watchword/send/channel/ChannelRecords"
import * as Fields from "@watchword/pagination/Fields"
import {
  type ChatgwReported,
  ChatgwStatus,
  type CodeSent,
  type ReportChatgw,
  type Tdr,
  TdrStatus,
  VerificationStatus
} from "@watchword/schemas/Chatgw"
import { type MicroEuros, toEuros } from "@watchword/schemas/Money"
import { type E164, countryName, countryOf } from "@watchword/schemas/PhoneNumber"
import type { Delivery, Details } from "@watchword/store/Delivery"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { outcomes } from "./ChatgwStatus.ts"

const fields = Fields.listFields(
  {
    uuid: Fields.string("id"),
    request_id: Fields.nullable(Fields.string("details.request_id")),
    to: Fields.phoneNumber("to"),
    status: Fields.oneOf(
      "status",
      TdrStatus.literals.map((name) => name.toUpperCase()),
      (word) => word.toLowerCase()
    ),
    delivery_status: Fields.oneOf("status", TdrStatus.literals),
    verification_status: Fields.nullable(Fields.oneOf("details.verification_status", VerificationStatus.literals)),
    request_cost: Fields.euros("price"),
    is_refunded: Fields.boolean("details.is_refunded"),
    country: Fields.nullable(Fields.string("details.country")),
    created_at: Fields.time("createdAt"),
    ...guardReasonsField
  } satisfies Fields.FieldsOf<Tdr>,
  "created_at"
)

/**
 * The details of a code that is about to be sent. They do not contain the code.
 *
 * @param ttl how long the code is valid, in seconds
 */
export const begun = (to: E164, ttl: number): Details => {
  const code = countryOf(to)
  return {
    request_id: null,
    verification_status: null,
    is_refunded: false,
    ttl,
    country: code === null ? null : countryName(code)
  }
}

/** Written when the price is returned. */
export const refunded: Details = { is_refunded: true }

/** Written when a code was entered, or expired. `updatedAt` is in Unix seconds. */
export const verified = (status: VerificationStatus, updatedAt: number): Details => ({
  verification_status: status,
  verification_updated_at: updatedAt
})

/** Whether the code's time is over, at a time in milliseconds. */
export const isExpired = ({ createdAt, details }: Delivery, at: number): boolean => {
  const { ttl } = details
  return typeof ttl === "number" && at >= createdAt + ttl * 1000
}

/** Whether the code's time is over, and the record does not say so yet. */
export const expires = (delivery: Delivery, at: number): boolean =>
  isExpired(delivery, at) &&
  delivery.status.name !== "revoked" &&
  [null, "code_invalid"].includes(verification(delivery))

/** The record of a delivery. */
const toTdr = (delivery: Delivery): Tdr => ({
  uuid: delivery.id,
  request_id: text(delivery, "request_id"),
  to: delivery.to,
  status: recorded(delivery).toUpperCase(),
  delivery_status: recorded(delivery),
  verification_status: verification(delivery),
  request_cost: toEuros(delivery.price),
  is_refunded: delivery.details["is_refunded"] === true,
  country: text(delivery, "country"),
  created_at: new Date(delivery.createdAt).toISOString(),
  ...guardReasons(delivery)
})

export const format: Format<Tdr> = { product: "chatgw", fields, toWire: toTdr }

/**
 * The answer to a send.
 *
 * @param available the account's balance after the charge
 */
export const toSent = (delivery: Delivery, available: MicroEuros): CodeSent => ({
  uuid: delivery.id,
  request_id: text(delivery, "request_id") ?? delivery.id,
  to: delivery.to,
  status: statusOf(delivery),
  request_cost: toEuros(delivery.price),
  remaining_balance: toEuros(available)
})

export const reports: Reports<ReportChatgw, ChatgwReported> = {
  idOf: ({ id }) => id,
  outcomeOf: ({ status }) => outcomes[status],
  toReported: (delivery) => ({ message: "OK", id: delivery.id, status: statusOf(delivery).toUpperCase() })
}

const isStatus = Schema.is(ChatgwStatus)
const isRecorded = Schema.is(TdrStatus)
const isVerification = Schema.is(VerificationStatus)

// Only statuses of this channel are ever written to its records.
const statusOf = ({ status }: Delivery): ChatgwStatus => (isStatus(status.name) ? status.name : "sent")

const recorded = ({ status }: Delivery): TdrStatus => (isRecorded(status.name) ? status.name : "sent")

const text = ({ details }: Delivery, name: string): string | null => {
  const value = details[name]
  return typeof value === "string" ? value : null
}

const verification = (delivery: Delivery): VerificationStatus | null =>
  Option.getOrNull(Option.liftPredicate(isVerification)(text(delivery, "verification_status")))
