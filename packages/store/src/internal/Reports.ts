/**
 * Reports with their omitted fields filled in.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { AboutMessage, Report } from "./Requests.ts"

/**
 * A report about one delivery. Fields that are left out change nothing.
 *
 * @param at milliseconds since the epoch
 */
export const about = (id: DeliveryId, at: number, says: Partial<Omit<Report, "target" | "at">>): Report => ({
  ...nothing,
  target: { _tag: "Delivery", id },
  ...says,
  at
})

/**
 * A report about the delivery of one part, by spellings of the gateway's id in order of preference.
 *
 * @param message the facts in the report about the message, except its id
 */
export const aboutPart = (
  channel: Product,
  refs: ReadonlyArray<string>,
  at: number,
  says: Partial<Omit<Report, "target" | "dueAt" | "note" | "at">>,
  message: AboutMessage = anyMessage
): Report => ({
  ...nothing,
  target: { _tag: "Part", channel, refs, message },
  ...says,
  at
})

const nothing = { status: null, when: {}, details: {}, everyPart: false, refund: false } as const

const anyMessage: AboutMessage = { to: null, reference: null }
