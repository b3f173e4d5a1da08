/**
 * The voice delivery record (VDR), as the account sees it, and the details of its delivery in the store.
 */
import {
  type Format,
  ACCEPTED,
  ARRIVED,
  PENDING,
  type Reports,
  guardReasons,
  guardReasonsField
} from "@watchword/send/channel/ChannelRecords"
import { type ReportedOutcome, reportedStatus, verified } from "@watchword/records/Records"
import * as Fields from "@watchword/pagination/Fields"
import { toEuros } from "@watchword/schemas/Money"
import type { Statuses } from "@watchword/send/Send"
import type { Delivery, Status } from "@watchword/store/Delivery"
import * as Schema from "effect/Schema"
import { type ReportVoice, type Vdr, VdrStatus, type VoiceReported, VoiceStatus } from "./Schemas.ts"

/** Each status as the store ranks it: a record's status only ever moves to a higher rank. */
export const status: { readonly [S in VoiceStatus]: Status } = {
  sent: { name: "sent", rank: ACCEPTED },
  heard: { name: "heard", rank: ARRIVED },
  unanswered: { name: "unanswered", rank: ARRIVED }
}

export const statuses: Statuses = {
  pending: { name: "sent", rank: PENDING },
  accepted: status.sent,
  failed: status.unanswered
}

const fields = Fields.listFields(
  {
    uuid: Fields.string("id"),
    to: Fields.string("to"),
    status: Fields.oneOf("status", VdrStatus.literals),
    listened: Fields.integer("details.listened"),
    created_at: Fields.time("createdAt"),
    price: Fields.euros("price"),
    ...guardReasonsField
  } satisfies Fields.FieldsOf<Vdr>,
  "created_at"
)

const isStatus = Schema.is(VoiceStatus)
const isRecorded = Schema.is(VdrStatus)

export const statusOf = ({ status }: Delivery): VoiceStatus => (isStatus(status.name) ? status.name : "sent")

const toVdr = (delivery: Delivery): Vdr => ({
  uuid: delivery.id,
  to: delivery.to,
  status: isRecorded(delivery.status.name) ? delivery.status.name : "sent",
  listened: Number(delivery.details["listened"] ?? 0),
  created_at: new Date(delivery.createdAt).toISOString(),
  price: toEuros(delivery.price),
  ...guardReasons(delivery)
})

export const format: Format<Vdr> = { product: "voice", fields, toWire: toVdr }

/** A user who has heard the code holds the number; guards count that. */
const outcomeOf = ({ status: name }: ReportVoice): ReportedOutcome => {
  const outcome = reportedStatus(status[name])
  return name === "heard" ? verified(outcome) : outcome
}

export const reports: Reports<ReportVoice, VoiceReported> = {
  idOf: ({ uuid }) => uuid,
  outcomeOf,
  toReported: (delivery) => ({ message: "OK", uuid: delivery.id, status: statusOf(delivery) })
}
