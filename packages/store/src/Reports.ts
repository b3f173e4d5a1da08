/**
 * Reports about deliveries that are known by their ids.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { Report } from "./step/Requests.ts"

/**
 * A report about one delivery. Fields that are left out change nothing.
 *
 * @param at milliseconds since the epoch
 */
export const about = (id: DeliveryId, at: number, fields: Partial<Omit<Report, "target" | "at">>): Report => ({
  target: { _tag: "Delivery", id },
  status: null,
  when: {},
  details: {},
  everyPart: false,
  refund: false,
  ...fields,
  at
})
