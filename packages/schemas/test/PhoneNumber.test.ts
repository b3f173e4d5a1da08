import { E164, countryName, countryOf, masked, otherSpelling, parse } from "@watchword/schemas/PhoneNumber"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import {
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
  parsePhoneNumberWithError
} from "libphonenumber-js/min"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const isE164 = Schema.is(E164)

/** The answer of the whole library. */
const isNormal = (text: string): boolean => {
  const parsed = parsePhoneNumberFromString(text)
  return /^\+[1-9][0-9]{6,14}$/.test(text) && parsed?.isPossible() === true && parsed.number === text
}

/** The first country of each calling code that several share. */
const mainCountries: Readonly<Record<string, string>> = {
  1: "US",
  7: "RU",
  39: "IT",
  44: "GB",
  47: "NO",
  61: "AU",
  212: "MA",
  262: "RE",
  290: "SH",
  358: "FI",
  590: "GP",
  599: "CW"
}

describe("E164", () => {
  it.each([
    ["+4915123456789", "DE"],
    ["+12025550123", "US"],
    ["+447400123456", "GB"],
    ["+33612345678", "FR"],
    ["+393123456789", "IT"],
    ["+3780549123456", "SM"],
    ["+80012345678", null],
    // Italian numbers begin with a zero that is part of them.
    ["+390612345678", "IT"],
    // Blocks that no country has assigned belong to the calling code's main country.
    ["+12221234567", "US"],
    ["+615000000000", "AU"]
  ])("takes %s, of country %s", (text, country) => {
    expect(isE164(text)).toBe(true)
    expect(countryOf(E164.make(text))).toBe(country)
  })

  it.each([
    "",
    "+",
    "4915123456789",
    "004915123456789",
    "+0915123456789",
    "+49 151 23456789",
    "+49-151-23456789",
    "+4915123456789\n",
    " +4915123456789",
    "+4915123456789;ext=1",
    "+４９15123456789",
    "+491",
    "+49151234567890123",
    "+1202555012",
    "+120255501234",
    "+999123456789",
    "tel:+4915123456789"
  ])("refuses %j", (text) => {
    expect(isE164(text)).toBe(false)
  })

  it.each([
    "+4407400123456",
    "+49015123456789",
    "+460701234567",
    "+330612345678",
    "+390669812345678901",
    "+543411512345678"
  ])("refuses %s, which libphonenumber writes otherwise, or not at all", (text) => {
    expect(isE164(text)).toBe(false)
  })

  it("says what is wrong with another spelling", () => {
    expect(() => Schema.decodeSync(E164)("+4407400123456")).toThrow("trunk prefix")
    expect(otherSpelling("+4407400123456")).toContain("trunk prefix")
    for (const text of ["+447400123456", "Acme", "+4", "4407400123456", ""]) {
      expect(otherSpelling(text)).toBeUndefined()
    }
  })

  it("is a plus sign and 7 to 15 digits, the first not 0, whatever it takes", () => {
    const digits = fc.array(fc.constantFrom(..."+0123456789"), { maxLength: 18 }).map((each) => each.join(""))
    const likely = fc.tuple(fc.constantFrom("+49", "+1", "+44", "+33", "49", "+0"), digits).map((each) => each.join(""))
    fc.assert(
      fc.property(fc.oneof(likely, digits, fc.string()), (text) => {
        if (isE164(text)) expect(text).toMatch(/^\+[1-9][0-9]{6,14}$/)
      }),
      { numRuns: 1000 }
    )
  })

  it("is what libphonenumber takes for possible and writes the same, and nothing else", () => {
    const national = fc.tuple(fc.constantFrom("", "0", "1", "8", "9", "15", "00"), fc.stringMatching(/^[0-9]{4,14}$/))
    const codes = getCountries().map((country) => `+${getCountryCallingCode(country)}`)
    const code = fc.constantFrom(...codes, "+800", "+881", "+999")
    const number = fc.tuple(code, national).map(([plus, [prefix, rest]]) => `${plus}${prefix}${rest}`)
    fc.assert(
      fc.property(number, (text) => {
        expect(isE164(text)).toBe(isNormal(text))
      }),
      { numRuns: 20_000 }
    )
  })

  it("says how to mend it", () => {
    expect(() => Schema.decodeSync(E164)("0151")).toThrow("E.164")
  })
})

describe("the numbering plans", () => {
  it("are those of the library that is installed: else run scripts/phone-metadata.mjs", () => {
    const script = fileURLToPath(new URL("../../../scripts/phone-metadata.mjs", import.meta.url))
    expect(spawnSync(process.execPath, [script, "--check"]).status).toBe(0)
  })

  it("know the same numbers and countries as the whole library", () => {
    const codes = getCountries().map((country) => getCountryCallingCode(country))
    const digits = fc.array(fc.constantFrom(..."0123456789"), { minLength: 4, maxLength: 14 })
    const number = fc.tuple(fc.constantFrom(...codes), digits).map(([code, rest]) => `+${code}${rest.join("")}`)
    fc.assert(
      fc.property(number, (text) => {
        if (!/^\+[1-9][0-9]{6,14}$/.test(text)) return
        expect(isE164(text)).toBe(isNormal(text))
        if (!isE164(text)) return
        const { country, countryCallingCode } = parsePhoneNumberWithError(text)
        expect(countryOf(text)).toBe(country ?? mainCountries[countryCallingCode])
      }),
      { numRuns: 10_000 }
    )
  })
})

describe("countryName", () => {
  it("is the English name, or null for an unknown code", () => {
    expect(countryName("DE")).toBe("Germany")
    expect(countryName("QQ")).toBeNull()
  })
})

describe("masked", () => {
  it("keeps the first three and the last two digits", () => {
    expect(masked("+4915123456789")).toBe("+491********89")
  })

  it("hides short numbers whole", () => {
    expect(masked("+123456")).toBe("***")
  })

  it("never shows the middle, and keeps the length", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+[1-9][0-9]{6,14}$/), (number) => {
        const shown = masked(number)
        expect(shown.length).toBe(number.length)
        expect(shown.slice(4, -2)).toMatch(/^\*+$/)
      })
    )
  })
})

describe("a number that is refused", () => {
  const decode = Schema.decodeUnknownResult(E164)

  it.each([
    ["+49 1512 3456789", "without spaces"],
    ["(202) 555-0123", "without spaces"],
    ["004915123456789", "instead of the zeros"],
    ["015123456789", "instead of the zeros"],
    ["4915123456789", "with a plus sign"],
    ["+4915", "possible for its country"],
    ["hello", "possible for its country"],
    ["+49 1512 345678\u200e", "an invisible character (U+200E) behind the last digit"],
    ["\u202d+447976399087\u202c", "an invisible character (U+202D) before the plus sign"],
    [" +447976399087", "a blank (U+0020) before the plus sign"],
    ["+447976399087\n", "a blank (U+000A) behind the last digit"],
    ["+44\u00a07976399087", "a blank (U+00A0) behind digit 2"],
    ["+44\u20137976399087", "a separator (U+2013) behind digit 2"],
    ["+\u0664\u06647976399087", "a digit that is not one of 0 to 9 (U+0664) before the first digit"],
    ["\uff0b447976399087", "a plus sign that is not + (U+FF0B) before the first digit"],
    ["tel:+447976399087", "without the tel: of a link"],
    ["\u200eann", "possible for its country"],
    ["+5215512345678", "since 2019-08-03: with ten digits behind +52"],
    ["1".repeat(100), "possible for its country"]
  ])("is told how to mend it: %s", (text, mend) => {
    const answer = decode(text)
    expect(answer._tag).toBe("Failure")
    expect(String(answer._tag === "Failure" && answer.failure)).toContain(mend)
  })
})

describe("parse", () => {
  it.each([
    ["", "no_number"],
    ["call +4915123456789", "no_number"],
    ["+49151 oder 2345678", "no_number"],
    ["1".repeat(300), "no_number"],
    ["0151 2345", "country_needed"],
    ["12", "impossible"],
    ["+1 202 555 012", "impossible"],
    ["+999 123456789", "impossible"]
  ])("finds no number in %j", (text, reason) => {
    const parsed = parse(text, reason === "country_needed" ? undefined : "DE")
    expect(parsed).toMatchObject({ number: null, reason, message: expect.stringMatching(/^(?:must|can) /) })
  })

  it.each(["XX", "de", "EU", "Germany", "", "__proto__"])("says that %j is no country", (country) => {
    const parsed = parse("01512 3456789", country)
    expect(parsed).toMatchObject({ number: null, reason: "unknown_country", readings: [] })
    expect(parsed.number === null && parsed.message).toContain("ISO 3166-1 alpha-2")
  })

  it("leaves a number of today in E.164 form as it is, with any country", () => {
    const digits = fc.array(fc.constantFrom(..."0123456789"), { minLength: 6, maxLength: 12 })
    const code = fc.constantFrom("49", "1", "44", "33", "81", "39")
    const number = fc.tuple(code, digits).map(([plus, rest]) => `+${plus}${rest.join("")}`)
    fc.assert(
      fc.property(number, fc.constantFrom("DE", "US", "JP", undefined), (text, country) => {
        if (isE164(text)) expect(parse(text, country)).toEqual({ number: text })
      })
    )
  })
})
