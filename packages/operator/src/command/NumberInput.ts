/**
 * Phone numbers in inputs of operators: as records have them, or as people type them.
 */
import { BadRequest } from "@watchword/schemas/Errors"
import { field, optional } from "@watchword/schemas/Field"
import { E164, type Parsed, parse } from "@watchword/schemas/PhoneNumber"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { as } from "./Wire.ts"

/** The country where a number without a calling code is dialled. */
export const defaultCountry = as(
  { example: "DE" },
  optional(Schema.String, "The ISO 3166-1 country of a number that has no calling code")
)

/** The number, and its country. */
export const numberInput = {
  number: as({ example: "NUMBER" }, field(Schema.String, "A phone number in E.164 form, +49…, or as people type it")),
  defaultCountry
}

const isE164 = Schema.is(E164)

/** A number in E.164 form is the one of records, even if its country has another plan by now. */
export const parseInput = (text: string, country?: string): Parsed =>
  isE164(text) ? { number: text } : parse(text, country)

interface Input {
  readonly number: string
  readonly defaultCountry?: string | undefined
}

/** @param name the field that the number is in */
export const numberOf = ({ defaultCountry, number }: Input, name = "number"): Effect.Effect<E164, BadRequest> => {
  const parsed = parseInput(number, defaultCountry)
  if (parsed.number !== null) return Effect.succeed(parsed.number)
  const path = parsed.reason === "unknown_country" ? "default_country" : name
  return Effect.fail(
    new BadRequest({ message: "The number is not valid.", issues: [{ path, message: parsed.message }] })
  )
}
