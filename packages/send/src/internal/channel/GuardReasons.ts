/**
 * Reasons of guards on the records of a channel.
 */
import * as Fields from "@watchword/pagination/Fields"
import { REASONS } from "../../pipeline/GuardReasons.ts"
import type { Delivery } from "@watchword/store/Delivery"

/** The field of lists. */
export const guardReasonsField = { guard_reasons: Fields.string(`details.${REASONS}`) } as const

/** The field of a record; left out where it has none. */
export const guardReasons = ({ details }: Pick<Delivery, "details">): { readonly guard_reasons?: string } => {
  const reasons = details[REASONS]
  return typeof reasons === "string" ? { guard_reasons: reasons } : {}
}
