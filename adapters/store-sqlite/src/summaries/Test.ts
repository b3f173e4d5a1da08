/**
 * Conditions on one field, as questions about its values instead of records.
 */
import type { Condition, Scalar } from "@watchword/pagination/Query"
import type { Field } from "@watchword/store/Delivery"
import { admits } from "@watchword/store/Listing"

export interface Test {
  readonly field: Field
  readonly admits: (value: Scalar) => boolean
  /** The same for numbers alone, in a hurry. */
  readonly admitsNumber: (value: number) => boolean
  /** How many of some numbers, of which only the least and the greatest are known. */
  readonly span: (low: number, high: number) => "all" | "none" | "some"
  /** The only values that are admitted, where those can be named. */
  readonly named: ReadonlyArray<Scalar> | null
}

/** Conditions on one field as a test. */
export const testOf = (first: Condition<Field>, ...others: ReadonlyArray<Condition<Field>>): Test => {
  const where = [first, ...others]
  const lists = where.filter((condition) => condition._tag === "In")
  const named = lists[0]?.values ?? null
  const admitted = (value: Scalar): boolean => where.every((condition) => admits(condition, value))
  if (others.length === 0 && first._tag === "Range")
    return { field: first.field, admits: admitted, named, ...within(first) }
  const span: Test["span"] = (low, high) => {
    if (low === high) return admitted(low) ? "all" : "none"
    return where.some((condition) => misses(condition, low, high)) ? "none" : "some"
  }
  return { field: first.field, admits: admitted, admitsNumber: admitted, span, named }
}

/** One range, as it is most often asked for, and without looking at types again for every number. */
const within = ({ gt, gte, lt, lte }: Extract<Condition<Field>, { readonly _tag: "Range" }>) => {
  const [least, above] = [numberOr(gte, Number.NEGATIVE_INFINITY), numberOr(gt, Number.NEGATIVE_INFINITY)]
  const [most, below] = [numberOr(lte, Number.POSITIVE_INFINITY), numberOr(lt, Number.POSITIVE_INFINITY)]
  const isHigh = (value: number): boolean => value >= least && value > above
  const isLow = (value: number): boolean => value <= most && value < below
  const span: Test["span"] = (low, high) => {
    if (!isHigh(high) || !isLow(low)) return "none"
    // Bounds that admit both ends admit what is between them.
    return isHigh(low) && isLow(high) ? "all" : low === high ? "none" : "some"
  }
  return { admitsNumber: (value: number): boolean => isHigh(value) && isLow(value), span }
}

/** No number is beyond or below what is none. */
const numberOr = (bound: string | number | undefined, otherwise: number): number =>
  bound === undefined ? otherwise : typeof bound === "number" ? bound : Number.NaN

/** Whether a condition admits nothing that lies between two numbers. */
const misses = (condition: Condition<Field>, low: number, high: number): boolean => {
  if (condition._tag === "In") {
    return !condition.values.some((value) => typeof value === "number" && low <= value && value <= high)
  }
  const { field, gt, gte, lt, lte } = condition
  const lower = {
    _tag: "Range",
    field,
    ...(gt === undefined ? {} : { gt }),
    ...(gte === undefined ? {} : { gte })
  } as const
  const upper = {
    _tag: "Range",
    field,
    ...(lt === undefined ? {} : { lt }),
    ...(lte === undefined ? {} : { lte })
  } as const
  return !admits(lower, high) || !admits(upper, low)
}
