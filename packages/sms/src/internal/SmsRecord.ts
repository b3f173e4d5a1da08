/**
 * The SMS delivery record (SDR), as the account sees it.
 */
import { type Format, type Reports, guardReasons, guardReasonsField } from "@watchword/send/channel/ChannelRecords"
import * as Fields from "@watchword/pagination/Fields"
import { type ReportedOutcome, reportedStatus, verified } from "@watchword/records/Records"
import { DeliveryId } from "@watchword/schemas/Ids"
import {
  type ReportSms,
  type Sdr,
  SdrStatus,
  type SmsReported,
  type SmsSent,
  SmsStatus,
  fromDeliveryId,
  toDeliveryId
} from "@watchword/schemas/Sms"
import { toEuros } from "@watchword/schemas/Money"
import type { Delivery } from "@watchword/store/Delivery"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { status } from "./SmsStatus.ts"

const fields = Fields.listFields(
  {
    uuid: Fields.string("id"),
    messageId: Fields.mapped("id", toDeliveryId),
    from: Fields.phoneNumber("from"),
    to: Fields.phoneNumber("to"),
    status: Fields.oneOf("status", SdrStatus.literals),
    timestamp: Fields.time("statusAt"),
    created_at: Fields.time("createdAt"),
    parts: Fields.integer("parts"),
    price: Fields.euros("price"),
    text: Fields.string("details.text"),
    ...guardReasonsField
  } satisfies Fields.FieldsOf<Sdr>,
  "timestamp"
)

const isSmsStatus = Schema.is(SmsStatus)
const isSdrStatus = Schema.is(SdrStatus)

const toSdr = (delivery: Delivery): Sdr => {
  const { text } = delivery.details
  return {
    uuid: delivery.id,
    messageId: fromDeliveryId(delivery.id),
    from: delivery.from ?? "",
    to: delivery.to,
    status: isSdrStatus(delivery.status.name) ? delivery.status.name : "sent",
    timestamp: new Date(delivery.statusAt).toISOString(),
    created_at: new Date(delivery.createdAt).toISOString(),
    parts: delivery.parts,
    price: toEuros(delivery.price),
    ...(typeof text === "string" ? { text } : {}),
    ...guardReasons(delivery)
  }
}

const decodeId = Schema.decodeOption(DeliveryId)

/** The delivery of a message's UUID, or of the id by which a verification names its attempts. */
const toId = (id: string): Option.Option<DeliveryId> => Option.orElse(toDeliveryId(id), () => decodeId(id))

export const format: Format<Sdr> = { product: "sms", fields, toWire: toSdr, toId }

/** The answer to a send. */
export const toSent = (delivery: Delivery): SmsSent => ({
  messageId: fromDeliveryId(delivery.id),
  from: delivery.from ?? "",
  to: delivery.to
})

/** A text that the account reports as delivered was answered by its user: receipts of the carrier come another way. */
const outcomeOf = ({ status: name }: ReportSms): ReportedOutcome => {
  const outcome = reportedStatus(status[name])
  return name === "delivered" ? verified(outcome) : outcome
}

export const reports: Reports<ReportSms, SmsReported> = {
  idOf: ({ id }) => id,
  outcomeOf,
  toReported: (delivery) => ({ message: "OK", id: fromDeliveryId(delivery.id), status: statusOf(delivery) })
}

// Only statuses of this channel are ever written to its records.
const statusOf = ({ status }: Delivery): SmsStatus => (isSmsStatus(status.name) ? status.name : "sent")
