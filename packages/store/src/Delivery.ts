/**
 * A delivery: one passcode on its way to one phone, whatever the channel.
 */
import type { Scalar } from "@watchword/pagination/Fields"
import type { Mode, Product } from "@watchword/schemas/Channel"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"

/**
 * How far the pipeline got, which also decides where the price is:
 *
 * | phase | meaning | price |
 * |---|---|---|
 * | `pending` | the gateway is being asked | held |
 * | `unknown` | asked, and no answer can be relied on | held |
 * | `accepted` | the gateway took it | settled |
 * | `rejected` | the gateway refused it, or nothing was heard for a day | released |
 * | `refunded` | the gateway took it, and it is to cost nothing after all | released, or settled and refunded |
 */
export type Phase = "pending" | "unknown" | "accepted" | "rejected" | "refunded"

/** Fields that only one channel has. Flat, so that lists can filter and sort by them. */
export type Details = Readonly<Record<string, Scalar>>

/**
 * A channel's name for the state of a message, with a rank: a record's status only ever moves to a higher rank.
 * Statuses that exclude each other, such as `delivered` and `failed`, share a rank: the first one wins.
 */
export interface Status {
  readonly name: string
  readonly rank: number
}

/** The endpoints that learn of a delivery, see `@watchword/store/Event`. */
export interface Watched {
  /** 1 to 64 visible ASCII characters each. */
  readonly endpoints: ReadonlyArray<string>
  /** The number of the delivery's last event: it rises by one with each step that has events. */
  readonly version: number
}

/**
 * The number of a record whose person was erased. It is the same for all, because a digest of a number hides nothing:
 * there are few enough numbers to try all.
 */
export const ERASED = "erased"

/** The detail that names the record which a record is a part of: for a send, its verification. */
export const PART_OF = "verification"

export interface Delivery {
  readonly id: DeliveryId
  readonly account: AccountId
  readonly mode: Mode
  readonly channel: Product
  /** E.164 with the plus sign, or {@link ERASED}. */
  readonly to: string
  readonly from: string | null
  readonly phase: Phase
  readonly status: Status
  readonly price: MicroEuros
  /** How many parts the gateway was given; each has receipts of its own. */
  readonly parts: number
  /** How many of the parts have a ref. Reports about the others are matched by number and reference. */
  readonly named: number
  /** A number that the gateway may send back in receipts, 0 to 65535; null if it has no reference. */
  readonly reference: number | null
  readonly createdAt: number
  /** When the status last moved. */
  readonly statusAt: number
  /** When its channel is to take the next step with it, see `DeliveryStore.due`; null for never. */
  readonly dueAt: number | null
  readonly details: Details
  /** The endpoints that learn of it; null for none. */
  readonly watch: Watched | null
}

/** Fields of a delivery that conditions and orders may name, in addition to `details.…`. */
export const fields = ["id", "to", "from", "status", "price", "parts", "createdAt", "statusAt"] as const
export type Field = (typeof fields)[number] | `details.${string}`

const DETAILS = "details."

type Detail = `details.${string}`

/** Whether a field is one of the details. */
export const isDetail = (field: Field): field is Detail => field.startsWith(DETAILS)

/** The name of a field in the details. */
export const keyOf = (field: Detail): string => field.slice(DETAILS.length)
