/**
 * Codes of verifications, and codes as people type and paste them.
 *
 * Source: Unicode, chapter 4.6 and UAX #44 (decimal digits have the general category Nd, in runs from 0 to 9), chapter
 * 23 (marks that nothing shows).
 */
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import { asciiDigits } from "./Digits.ts"

/** 4 to 8 digits. Leading zeros count. */
export const Code = Schema.String.check(Schema.isPattern(/^[0-9]{4,8}$/u, { message: "must be 4 to 8 digits" })).pipe(
  Schema.brand("Code")
)
export type Code = typeof Code.Type

/** 4 to 10 digits, for channels that carry any text. Leading zeros count. */
export const LongCode = Schema.String.check(
  Schema.isPattern(/^[0-9]{4,10}$/u, { message: "must be 4 to 10 digits" })
).pipe(Schema.brand("LongCode"))
export type LongCode = typeof LongCode.Type

/**
 * White space, dashes, and marks that nothing shows: copied texts, keyboards and dictation put them around and between
 * digits. Japanese keyboards write U+30FC or U+2212 for a hyphen between full-width digits.
 */
const SEPARATORS = "[\\p{White_Space}\\p{Pd}\\u2212\\u30FC\\uFF70\\p{Cf}\\p{Default_Ignorable_Code_Point}]*"
const separators = new RegExp(SEPARATORS, "gu")

/** A code as a user has entered it, of at most some digits. */
const entered = (most: number, more: string) =>
  Schema.String.check(
    Schema.isPattern(new RegExp(`^${SEPARATORS}(?:\\p{Nd}${SEPARATORS}){4,${most}}$`, "u"), {
      message: `must be 4 to ${most} digits, which spaces and hyphens may separate`
    })
  ).annotateKey({
    description:
      `The code as the user has entered it: 4 to ${most} digits of any script. White space, dashes and invisible marks before, ` +
      `between and behind them are left out.${more}`
  })

const digitsOf = SchemaGetter.transform((text: string) => asciiDigits(text.replace(separators, "")))

/**
 * A code as a user has entered it: 4 to 8 digits of any script. White space, dashes and invisible marks before, between
 * and behind them are left out.
 *
 * @param more sentences of the field's description
 */
export const enteredCode = (more = "") =>
  entered(8, more).pipe(Schema.decodeTo(Code, { decode: digitsOf, encode: SchemaGetter.passthrough() }))

/** The same of 4 to 10 digits. */
export const enteredLongCode = (more = "") =>
  entered(10, more).pipe(Schema.decodeTo(LongCode, { decode: digitsOf, encode: SchemaGetter.passthrough() }))
