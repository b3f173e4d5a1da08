/**
 * The business-chat delivery record (WDR), as the account sees it, and the details of its delivery in the store.
 */
import { type Format, type Reports, guardReasons, guardReasonsField } from "@watchword/send/channel/ChannelRecords"
import * as Fields from "@watchword/pagination/Fields"
import { type BizchatReported, type OtpSent, type ReportBizchat, type Wdr, WdrStatus } from "@watchword/schemas/Bizchat"
import { toEuros } from "@watchword/schemas/Money"
import type { Delivery, Details } from "@watchword/store/Delivery"
import { outcomes } from "./BizchatStatus.ts"

const fields = Fields.listFields(
  {
    uuid: Fields.string("id"),
    to: Fields.phoneNumber("to"),
    status: Fields.oneOf(
      "status",
      WdrStatus.literals.map((name) => name.toUpperCase()),
      (word) => word.toLowerCase()
    ),
    created_at: Fields.time("createdAt"),
    error_code: Fields.nullable(Fields.integer("details.error_code")),
    price: Fields.euros("price"),
    is_refunded: Fields.boolean("details.is_refunded"),
    text: Fields.string("details.text"),
    ...guardReasonsField
  } satisfies Fields.FieldsOf<Wdr>,
  "created_at"
)

/**
 * The details of a text that is about to be sent.
 *
 * @param text null if the account does not keep texts
 */
export const begun = (text: string | null): Details => ({
  error_code: null,
  is_refunded: false,
  ...(text === null ? {} : { text })
})

/** Written when the platform says that the text failed. */
export const failed = (errorCode: number | null): Details => ({ error_code: errorCode })

/** Written when the platform has taken a text and holds it back. Any status takes it away. */
export const held: Details = { held: true }

/** Written with a status that says that the platform has sent the text. */
export const sent: Details = { held: null }

/** Written when the price is returned. */
export const refunded: Details = { is_refunded: true }

/** The record of a delivery. */
const toWdr = (delivery: Delivery): Wdr => {
  const { error_code: errorCode, is_refunded: isRefunded, text } = delivery.details
  return {
    uuid: delivery.id,
    to: delivery.to,
    status: delivery.status.name.toUpperCase(),
    created_at: new Date(delivery.createdAt).toISOString(),
    error_code: typeof errorCode === "number" ? errorCode : null,
    price: toEuros(delivery.price),
    is_refunded: isRefunded === true,
    ...(typeof text === "string" ? { text } : {}),
    ...guardReasons(delivery)
  }
}

export const format: Format<Wdr> = { product: "bizchat", fields, toWire: toWdr }

/** The answer to a send. */
export const toSent = ({ id, to }: Delivery): OtpSent => ({ uuid: id, to })

export const reports: Reports<ReportBizchat, BizchatReported> = {
  idOf: ({ uuid }) => uuid,
  outcomeOf: ({ status }) => outcomes[status],
  toReported: ({ id, status }) => ({ message: "OK", uuid: id, status: status.name.toUpperCase() })
}
