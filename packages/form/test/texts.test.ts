/**
 * Texts in all languages, codes and numbers as people write them.
 */
import { callingCodeOf, countriesIn, filled, languageOf, languages, readCode } from "@watchword/form"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { actBy, problemText, sendBy, sentBy } from "../src/internal/Texts.ts"
import type { Way } from "../src/internal/Wire.ts"
import { all } from "../src/internal/languages/all.ts"
import { loadTexts } from "../src/internal/languages/load.ts"
import { numbers } from "../src/internal/numbers/Numbers.ts"

const { en } = all
if (en === undefined) throw new Error("there is no English")

const placesOf = (text: string): ReadonlyArray<string> => (text.match(/\{\w+\}/g) ?? []).sort()

describe("texts", () => {
  it("are in the languages that the codes' texts are in", () => {
    const path = fileURLToPath(new URL("../../verify/src/internal/builtInTexts.ts", import.meta.url))
    const codes = [...readFileSync(path, "utf8").matchAll(/^  ([a-z]{2}): "/gm)].map(([, code]) => code)
    expect(codes.length).toBe(29)
    expect([[...languages], Object.keys(all)]).toEqual([codes, codes])
  })

  it.each(languages)("of %s are complete, with every place", (language) => {
    const texts: Readonly<Record<string, string>> = { ...all[language] }
    for (const [name, text] of Object.entries(en)) {
      expect([name, placesOf(texts[name] ?? "")]).toEqual([name, placesOf(text)])
      expect([name, (texts[name] ?? "").trim().length > 0]).toEqual([name, true])
    }
    expect(Object.keys(texts)).toEqual(Object.keys(en))
  })

  it.each(languages.filter((language) => language !== "en"))("of %s load, and are its own", async (language) => {
    const texts = await loadTexts(language)
    expect(texts).toEqual(all[language])
    expect(texts?.title).not.toBe(en.title)
  })

  it.each([
    [["de-AT"], "de"],
    [["no", "de"], "nb"],
    [["xx", "pt-BR"], "pt"],
    [["zh-Hant-TW"], "zh"],
    [["xx"], "en"],
    [[], "en"]
  ])("for %j are in %s", (tags, expected) => {
    expect(languageOf(...tags)).toBe(expected)
  })

  it("are filled, with a number that keeps its direction, and time as a clock shows it", () => {
    expect(filled("{to} in {time}", { to: "+49 $& 1", seconds: 67 })).toBe("\u2066+49\u00a0$&\u00a01\u2069 in 1:07")
    expect(filled("{time}", { seconds: 3_600 })).toBe("1:00:00")
    expect(problemText(en, { reason: "too_many", wait: 90 })).toContain("1:30")
    const at = (channel: string, ways: ReadonlyArray<Way> = []) => sentBy(en, { channel, ways })
    expect([at("sms"), sendBy(en, "sms", "call")]).toEqual([en.sent_sms, en.by_call])
    expect([at("pigeon"), sendBy(en, "sms", "pigeon")]).toEqual([en.sent, en.by_other])
    const way = { by: "call", number: null, uri: "tel:1", text: null, qr: null }
    expect([at("receive", [way]), at("receive")]).toEqual([en.sent_receive, en.sent])
    expect([sendBy(en, "receive", "sms"), sendBy(en, "sms", "receive")]).toEqual([en.use_code, en.by_receive])
    expect([actBy(en, way), actBy(en, { ...way, by: "pigeon" })]).toEqual([en.act_call, en.by_other])
  })
})

describe("a code", () => {
  it.each([
    ["482913", "482913", false],
    [" 482 913 ", "482913", false],
    ["482-913", "482913", false],
    ["٤٨٢٩١٣", "482913", false],
    ["４８２９１３", "482913", false],
    ["G-482913 is your code.", "482913", false],
    ["Your Acme code is 482913. Valid for 10 minutes.", "482913", false],
    ["您的验证码是482913，10分钟内有效。", "482913", false],
    ["@shop.example #482913", "482913", false],
    ["48291", "48291", false],
    ["4829137", "482913", false],
    ["48a", "48", true],
    ["abc", "", true],
    ["", "", false]
  ])("is read from %j as %j", (text, code, hasLetters) => {
    expect(readCode(text, 6)).toEqual({ code, hasLetters })
  })

  it("has digits alone, at most as many as it is to have", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 4, max: 8 }), (text, length) => {
        const { code } = readCode(text, length)
        expect([code.length <= length, /^[0-9]*$/.test(code)]).toEqual([true, true])
      }),
      { seed: 46 }
    )
  })
})

describe("a number", () => {
  it.each([
    ["015123456789", "DE", "01512 3456789", null],
    ["15123456789", "DE", "1512 3456789", null],
    ["2125550123", "US", "(212) 555-0123", null],
    ["0612345678", "FR", "06 12 34 56 78", null],
    ["612345678", "FR", "6 12 34 56 78", null],
    ["11987654321", "BR", "(11) 98765-4321", null],
    ["9012345678", "JP", "90 1234 5678", null],
    ["+447400123456", "DE", "+44 7400 123456", "GB"],
    ["tel:+49-151-23456789", "US", "+49 1512 3456789", "DE"],
    ["٠١٥١٢٣٤٥٦٧٨٩", "DE", "01512 3456789", null],
    ["hello", "DE", "hello", null],
    ["", "DE", "", null]
  ])("that is typed as %j in %s is shown as %j", (text, country, shown, found) => {
    expect(numbers.typed(text, country)).toEqual({ text: shown, country: found })
  })

  it("keeps its digits while they are grouped, and is then the same number", () => {
    const countries = countriesIn("en").map(({ code }) => code)
    expect(countries.length).toBeGreaterThan(240)
    fc.assert(
      fc.property(fc.constantFrom(...countries), fc.stringMatching(/^\d{1,13}$/), (country, digits) => {
        const { text } = numbers.typed(digits, country)
        expect(text.replaceAll(/\D/g, "")).toBe(digits)
        expect(numbers.read(text, country)).toEqual(numbers.read(digits, country))
      }),
      { numRuns: 300, seed: 46 }
    )
  })

  it("is grouped by the formats of each country, beside its calling code too", () => {
    const ungrouped = countriesIn("en").filter(({ callingCode, code }) => {
      const { text } = numbers.typed(`+${callingCode}${"2".repeat(7)}`, code)
      return !text.startsWith(`+${callingCode} `)
    })
    expect(ungrouped.map(({ code }) => code)).toEqual([])
    expect(callingCodeOf("DE")).toBe("49")
  })
})
