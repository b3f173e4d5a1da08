import type { DeliveryId } from "@watchword/schemas/Ids"
import type { Report } from "./step/Requests.ts"

/**
 * A report about one delivery. What is left out is not touched.
 *
 * @param at milliseconds since the epoch
 */
export const about = (id: DeliveryId, at: number, says: Partial<Omit<Report, "target" | "at">>): Report => ({
  target: { _tag: "Delivery", id },
  status: null,
  when: {},
  details: {},
  everyPart: false,
  refund: false,
  ...says,
  at
})
