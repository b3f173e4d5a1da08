/**
 * Which fields are summarised, by what the lists of each channel can be filtered by. The numbers are in databases:
 * they never change, and a field is added to a channel by a migration that empties what is summarised.
 *
 * The time of the default order and the status are not among them: those are counted, in `counts` and `block_counts`.
 * Ids have an index.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { ReadField } from "./Reading.ts"

/** What each block has beside its fields: the numbers of the rows, the times they are listed at, their statuses. */
export const ROWS = 0
export const TIMES = 21
export const STATUSES = 22

const numbers: ReadonlyMap<ReadField, number> = new Map([
  ["to", 1],
  ["from", 2],
  ["price", 3],
  ["parts", 4],
  ["createdAt", 5],
  ["details.text", 6],
  ["details.hangup_cause", 7],
  ["details.duration", 8],
  ["details.billsec", 9],
  ["details.pdd", 10],
  ["details.destination_country", 11],
  ["details.destination_country_code", 12],
  ["details.reported_status", 13],
  ["details.sip_status", 14],
  ["details.q850", 15],
  ["details.request_id", 16],
  ["details.verification_status", 17],
  ["details.is_refunded", 18],
  ["details.country", 19],
  ["details.error_code", 20]
] as const)

const channels: { readonly [P in Product]: ReadonlyArray<ReadField> } = {
  sms: ["to", "from", "price", "parts", "createdAt", "details.text"],
  call: [
    "to",
    "from",
    "price",
    "details.hangup_cause",
    "details.duration",
    "details.billsec",
    "details.pdd",
    "details.destination_country",
    "details.destination_country_code",
    "details.reported_status",
    "details.sip_status",
    "details.q850"
  ],
  chatgw: [
    "to",
    "price",
    "details.request_id",
    "details.verification_status",
    "details.is_refunded",
    "details.country"
  ],
  bizchat: ["to", "price", "details.text", "details.error_code", "details.is_refunded"],
  chatgw_probe: []
}

/** A field and its number. */
export interface Summarised {
  readonly field: ReadField
  readonly number: number
}

const withNumber = (field: ReadField): Summarised => ({ field, number: numbers.get(field) ?? ROWS })

const lists: ReadonlyMap<Product, ReadonlyArray<Summarised>> = new Map(
  (["sms", "call", "chatgw", "bizchat", "chatgw_probe"] as const).map((channel) => [
    channel,
    (channels[channel] ?? []).map(withNumber)
  ])
)

/** The fields that are summarised of a channel's records. */
export const fieldsOf = (channel: Product): ReadonlyArray<Summarised> => lists.get(channel) ?? []
