import { E164, parse } from "@watchword/schemas/PhoneNumber"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { getCountries, getCountryCallingCode } from "libphonenumber-js/min"
import examples from "libphonenumber-js/mobile/examples"
import { describe, expect, it } from "vitest"
import { type Kind, rows } from "./Numbers.ts"

const isE164 = Schema.is(E164)

const of = (...kinds: ReadonlyArray<Kind>) => rows.filter(({ kind }) => kinds.includes(kind))

describe.each(rows)("$kind › $from", ({ country, number, readings, reason, text }) => {
  it(`${JSON.stringify(text)} is ${number ?? reason ?? ""}`, () => {
    const parsed = parse(text, country)
    expect(parsed.number).toBe(number)
    if (parsed.number !== null) return
    expect(parsed.reason).toBe(reason)
    if (readings !== undefined) expect(parsed.readings).toEqual(readings)
  })
})

it("has each text once", () => {
  const texts = rows.map(({ country, text }) => `${country ?? ""} ${text}`)
  expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([])
})

describe("a text of the corpus that a field in E.164 form refuses", () => {
  // oxlint-disable-next-line no-control-regex
  const foreign = /[^ -~]/u

  it.each(of("digits and plus signs", "marks and separators").filter(({ text }) => foreign.test(text)))(
    "names the character: $from",
    ({ text }) => {
      const character = foreign.exec(text)?.[0] ?? ""
      const name = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`
      expect(() => Schema.decodeSync(E164)(text)).toThrow(name)
    }
  )

  it.each(of("old plans").filter(({ text }) => /^\+(?:52|229|225|995|30|504|506) /.test(text)))(
    "says how it is written today, without the number: $text",
    ({ number, text }) => {
      const wrong = text.replaceAll(" ", "")
      const answer = String(Schema.decodeResult(E164)(wrong))
      expect(answer).toMatch(/must be written as its country does since \d{4}-\d\d-\d\d: with /)
      expect(answer).not.toContain(number)
    }
  )
})

describe("what people put around and between the digits of a number", () => {
  const example = fc.constantFrom(
    ...getCountries().flatMap((country) => {
      const national = examples[country]
      // Gabon's example is of the plan before.
      if (national === undefined || country === "GA") return []
      return [{ country, code: getCountryCallingCode(country), national }]
    })
  )
  const between = fc.constantFrom(
    "",
    "",
    "",
    " ",
    "-",
    ".",
    "\u00a0",
    "\u202f",
    "\u200b",
    "\u2011",
    "\u00ad",
    "\u3000",
    "/"
  )
  const around = fc.constantFrom("", " ", "\u202d", "\u200e", "\u2068", "\ufeff", "\t", "\u2060")
  const zero = fc.constantFrom(0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0x1040, 0xff10, 0x1d7ce, 0x1d7f6, 0x1e950)
  const written = (digits: string, first: number, marks: ReadonlyArray<string>): string =>
    [...digits].map((digit, at) => String.fromCodePoint(first + Number(digit)) + (marks[at] ?? "")).join("")

  it("changes nothing", () => {
    const plus = fc.constantFrom("+", "＋", "+ ", "(+", "++")
    fc.assert(
      fc.property(
        example,
        plus,
        zero,
        fc.array(between, { minLength: 15, maxLength: 15 }),
        around,
        around,
        ({ code, national }, sign, first, marks, before, behind) => {
          const [head = "", ...rest] = marks
          const closed = sign === "(+" ? ")" : ""
          const text = `${before}${sign}${written(code, first, [])}${closed}${head}${written(national, first, rest)}${behind}`
          expect(parse(text)).toEqual({ number: `+${code}${national}` })
        }
      ),
      { numRuns: 2_000 }
    )
  })

  it("never makes another number of one without its plus sign", () => {
    fc.assert(
      fc.property(example, fc.constantFrom("", "00"), ({ code, country, national }, prefix) => {
        const parsed = parse(`${prefix}${code}${national}`, country)
        const number = `+${code}${national}`
        if (parsed.number === null) expect(parsed.readings).toContain(number)
        else expect(parsed.number).toBe(number)
      }),
      { numRuns: 2_000 }
    )
  })

  it("never makes a number that a field in E.164 form refuses", () => {
    const text = fc.string({ unit: fc.constantFrom(..."+00011234567890 -()/.;,x٠१＋\u200e"), maxLength: 24 })
    fc.assert(
      fc.property(text, fc.constantFrom("DE", "US", "HK", "MX", "BR", "JP", undefined), (typed, country) => {
        const parsed = parse(typed, country)
        if (parsed.number !== null) expect(isE164(parsed.number)).toBe(true)
        else expect(parsed.readings.every((reading) => isE164(reading))).toBe(true)
      }),
      { numRuns: 5_000 }
    )
  })
})
