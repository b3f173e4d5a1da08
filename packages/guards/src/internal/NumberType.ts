/**
 * Types of phone numbers, by the numbering plans of their countries.
 *
 * Source: libphonenumber's metadata, with the types of all countries; it is read when a type is first asked for.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import { type MetadataJson, parsePhoneNumberFromString } from "libphonenumber-js/core"
import { metadata as plain } from "@watchword/schemas/phone"
import * as TypeMetadata from "./typeMetadata.ts"

/** The types that a number may be of. Where a plan does not tell the two apart, it is `fixed_line_or_mobile`. */
export const types = [
  "fixed_line",
  "mobile",
  "fixed_line_or_mobile",
  "premium_rate",
  "toll_free",
  "shared_cost",
  "voip",
  "personal_number",
  "pager",
  "uan",
  "voicemail"
] as const
export type NumberType = (typeof types)[number]

let metadata: MetadataJson | undefined

/**
 * The type of a number; null if its plan does not know it.
 *
 * @example
 * ```ts
 * import { E164 } from "@watchword/schemas/PhoneNumber"
 * import { typeOf } from "@watchword/guards/Rules"
 *
 * typeOf(E164.make("+4915123456789")) // "mobile"
 * typeOf(E164.make("+499001234567")) // "premium_rate"
 * ```
 */
export const typeOf = (number: E164): NumberType | null => {
  metadata ??= typed()
  const type = parsePhoneNumberFromString(number, metadata)?.getType()?.toLowerCase()
  return types.find((each) => each === type) ?? null
}

/** The plans without types, with types. */
const typed = (): MetadataJson => {
  const { countries, nonGeographic } = TypeMetadata.types()
  return {
    ...plain,
    countries: whole(countries, plain.countries),
    nonGeographic: whole(nonGeographic, plain.nonGeographic)
  }
}

/** The placeholder in a plan for the same field of the plan without types. */
const SAME = 1

const whole = <P extends Plans>(plans: P, others: Plans): P => {
  for (const [name, plan] of Object.entries(plans)) {
    for (const [place, field] of plan.entries()) if (field === SAME) plan[place] = others[name]?.[place]
  }
  return plans
}

type Plans = Readonly<Record<string, Array<unknown>>>
