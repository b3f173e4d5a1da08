/**
 * Bodies that take a number as people type it, together with the country in which it is dialled: for endpoints that are
 * not part of the interface.
 */
import * as Schema from "effect/Schema"
import type { Issue } from "../Errors.ts"
import { field, impersonal, optional, personal } from "../Field.ts"
import { type E164, parse } from "../PhoneNumber.ts"
import { isCountry } from "../phone/Plans.ts"
import { COUNTRY } from "../phone/Reading.ts"
import { mistake } from "../phone/Spelling.ts"

const NUMBER = "@watchword/schemas/TypedNumbers/number"

/** The annotation of a body or of parameters with `default_country`. */
export const takesTyped = { [NUMBER]: true } as const

/** A number whose schema in documents has no pattern, because with `default_country` it is what people type. */
const Typed = Schema.String.check(Schema.makeFilter(mistake)).pipe(Schema.brand("E164"))

export const typedTo = personal(
  field(Typed, "The number of the recipient: in E.164 with the plus sign, or with `default_country` as people type it.")
)

/** @param description of the number, which then says in which forms it is taken */
export const optionalTypedTo = (description: string, more: { readonly examples?: ReadonlyArray<E164> } = {}) =>
  personal(
    optional(Typed, `${description}, in E.164 with the plus sign, or with \`default_country\` as people type it.`, more)
  )

export const defaultCountry = impersonal(
  optional(
    Schema.String.check(Schema.makeFilter((code) => (isCountry(code) ? undefined : COUNTRY))),
    "The country in which a number without a calling code is dialled, by its ISO 3166-1 alpha-2 code, such as `DE`. With it `to` is " +
      "read as people type it: `0151 23456789`. A text that can be read as two numbers is refused."
  )
)

/** The country of a number in a path. */
export const dialledIn = impersonal(
  defaultCountry.annotateKey({
    description:
      "The country, by ISO 3166-1, in which the number of the path is dialled, where that is as people type it. The answer of " +
      "a phone has it in E.164 form."
  })
)

/** The input, with its number in E.164 form instead of the country; or the issue that prevents reading it. */
export type Replaced = { readonly value: unknown } | { readonly issue: Issue }

/** Reads the `to` or `number` of a value that has a country. */
export const readTyped = (schema: Schema.Constraint): ((value: unknown) => Replaced) =>
  Schema.resolveAnnotations(schema)?.[NUMBER] === true ? replaced : (value) => ({ value })

const replaced = (value: unknown): Replaced => {
  if (typeof value !== "object" || value === null || !("default_country" in value)) return { value }
  const { default_country: country, ...others } = value
  // The schema reports a field that is missing or has another type.
  if (typeof country !== "string" || !("to" in others) || typeof others.to !== "string") return { value }
  const read = readNumber(others.to, country)
  return "issue" in read
    ? { issue: { ...read.issue, path: read.issue.path || "to" } }
    : { value: { ...others, to: read.number } }
}

/** A number and the issue of it, whose path is empty if it is the number's. */
export const readNumber = (text: string, country: string): { readonly number: E164 } | { readonly issue: Issue } => {
  const parsed = parse(text, country)
  if (parsed.number !== null) return { number: parsed.number }
  return {
    issue:
      parsed.reason === "unknown_country"
        ? { path: "default_country", message: COUNTRY }
        : { path: "", message: parsed.message }
  }
}
