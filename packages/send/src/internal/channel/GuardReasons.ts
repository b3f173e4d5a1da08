/**
 * Guard reasons on a channel's records.
 */
import * as Fields from "@watchword/pagination/Fields"
import { REASONS } from "../../pipeline/GuardReasons.ts"
import type { Delivery } from "@watchword/store/Delivery"

/** The field of lists. */
export const guardReasonsField = { guard_reasons: Fields.string(`details.${REASONS}`) } as const

/** The field of a record; left out if it has no reasons. */
export const guardReasons = ({ details }: Pick<Delivery, "details">): { readonly guard_reasons?: string } => {
  const reasons = details[REASONS]
  return typeof reasons === "string" ? { guard_reasons: reasons } : {}
}
