/**
 * Reads numbers, and groups their digits as people of a country write them. This module has the library of numbers and
 * its metadata: the form loads it when its number's field is first used.
 */
import { type Unread, metadata, read } from "@watchword/schemas/phone"
import { AsYouType, type CountryCode, type MetadataJson, parsePhoneNumberFromString } from "libphonenumber-js/core"
import { asciiDigits } from "../Code.ts"
import { callingCodeOf as callingCodeIn } from "../Countries.ts"
import type { Readable, Reason } from "../Wire.ts"
import { formats } from "./formats.ts"

/** The number in a text, or why the text is not exactly one number. */
export type NumberRead =
  | { readonly number: string }
  | { readonly reason: Reason; readonly readings: ReadonlyArray<Readable> }

export interface Numbers {
  /** A text of a field while it is typed, in groups, and the country whose calling code it begins with. */
  readonly typed: (text: string, country: string) => { readonly text: string; readonly country: string | null }
  /** The number that a text means, or why it does not mean exactly one number. */
  readonly read: (text: string, country: string) => NumberRead
  /** A number in E.164 form as people write it: `+49 1512 3456789`. */
  readonly written: (number: string) => string
}

const reasons: Readonly<Record<Unread, Reason>> = {
  ambiguous: "number_ambiguous",
  country_needed: "number_impossible",
  extension: "number_extension",
  impossible: "number_impossible",
  no_number: "number_missing",
  unknown_country: "number_impossible"
}

export const numbers: Numbers = {
  typed: (given, country) => {
    const text = asciiDigits(given)
    return isTyped(text) ? grouped(text, country) : pasted(text, country)
  },
  read: (text, country) => {
    const found = read(text, isCountry(country) ? country : undefined)
    return found.number === null ? { reason: reasons[found.reason], readings: readable(found.readings) } : found
  },
  written: (number) => written(number)
}

/** The numbers that a text may mean, each as people write it. */
const readable = (readings: ReadonlyArray<string>): ReadonlyArray<Readable> =>
  readings.map((number) => ({ number, written: written(number) }))

const written = (number: string): string => parsePhoneNumberFromString(number, full())?.formatInternational() ?? number

/** Whether a keyboard could have typed a text. Any other text was pasted or filled in, and is read as a whole. */
const isTyped = (text: string): boolean => /^\+?[\d\s()./-]*$/.test(text)

interface Grouped {
  readonly text: string
  readonly country: string | null
}

const pasted = (text: string, country: string): Grouped => {
  const found = read(text, isCountry(country) ? country : undefined)
  return found.number === null ? { text, country: null } : grouped(written(found.number), country)
}

const grouped = (text: string, country: string): Grouped => {
  const typing = new AsYouType(isCountry(country) ? country : undefined, full())
  const inCountry = typing.input(text)
  if (text.trim().startsWith("+")) return { text: inCountry, country: typing.getCountry() ?? null }
  return { text: /\D/.test(inCountry) ? inCountry : withoutPrefix(inCountry, country), country: null }
}

/**
 * Groups digits that lack the national prefix, which people omit next to a calling code. Some countries format
 * national numbers only with that prefix.
 */
const withoutPrefix = (digits: string, country: string): string => {
  const code = callingCodeIn(country)
  if (code === undefined || digits === "" || digits.startsWith("0")) return digits
  const inFull = new AsYouType(undefined, full()).input(`+${code}${digits}`)
  const groups = inFull.startsWith(`+${code} `) ? inFull.slice(code.length + 2) : digits
  return groups.replaceAll(/\D/g, "") === digits ? groups : digits
}

const isCountry = (code: string): code is CountryCode => Object.hasOwn(metadata.countries, code)

let known: MetadataJson | undefined

/** The plans that read numbers, with the formats that those are without. */
const full = (): MetadataJson => (known ??= { ...metadata, countries: withFormats() })

const [FORMATS, NATIONAL_PREFIX_FORMAT] = [4, 6]

const withFormats = (): MetadataJson["countries"] => {
  const added = formats()
  const countries = structuredClone(metadata.countries)
  for (const [country, plan] of Object.entries(countries)) {
    const [given, nationalPrefix] = added[country] ?? []
    if (given === undefined) continue
    // A plan may end before the place, and a hole in an array is not a value.
    while (plan.length <= NATIONAL_PREFIX_FORMAT) Reflect.set(plan, plan.length, 0)
    Reflect.set(plan, FORMATS, given)
    Reflect.set(plan, NATIONAL_PREFIX_FORMAT, nationalPrefix)
  }
  return countries
}
