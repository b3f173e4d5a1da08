import { codeIn, hasCode } from "@watchword/schemas/Sms"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

describe("codeIn", () => {
  it.each([
    ["Your code is 123456.", "123456"],
    ["123456 is your code, valid for 10 minutes", "123456"],
    ["OTP:0042", "0042"],
    ["G-482913 is your verification code", "482913"],
    ["Your code is 123 456, valid for 10 minutes", "123456"],
    ["Your code: 123-456", "123456"],
    ["Code 1234 5678", "12345678"],
    ["Order 2024: your code is 482913", "482913"],
    ["Your code is 4829. Call +4915123456789 for help.", "4829"],
    ["Your code is 4829, valid until 2026-11-21 10:30:00", "4829"],
    ["Pay 1234.56 EUR with code 4829", "4829"],
    ["4829! Again: 4829", "4829"],
    ["Ihr Kode lautet 4829 (bis 2030)", "4829"],
    ["Hello", null],
    ["", null],
    ["Your code is 123", null],
    ["Call 123456789", null],
    ["Call 123-456-7890", null],
    ["Here are 1234 and 5678", null]
  ])("finds in %j the code %j", (text, code) => {
    expect(codeIn(text)).toBe(code)
  })

  it("finds the only number of 4 to 8 digits, whatever the words are", () => {
    const words = fc.string({ unit: "grapheme" }).map((text) => text.replace(/\d/g, ""))
    const code = fc.stringMatching(/^\d{4,8}$/)
    fc.assert(
      fc.property(words, code, words, (before, code, after) => {
        expect(codeIn(`${before} ${code} ${after}`)).toBe(code)
      })
    )
  })

  it("never makes up a code", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."0123456789 .,-:+ab") }), (text) => {
        const code = codeIn(text)
        expect(code === null || (/^\d{4,8}$/.test(code) && text.replace(/[ -]/g, "").includes(code))).toBe(true)
      }),
      { numRuns: 1000 }
    )
  })
})

describe("hasCode", () => {
  it.each([
    ["Your code is 123456.", true],
    ["Code 1234 5678", true],
    ["Order 2024 or 2025?", true],
    ["Call +4915123456789", false],
    ["Pay 1234.56 EUR by 2026-11-21", false],
    ["Hello", false]
  ])("of %j is %s", (text, expected) => {
    expect([hasCode(text), hasCode(text)]).toEqual([expected, expected])
  })
})
