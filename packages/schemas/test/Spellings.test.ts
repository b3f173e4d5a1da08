import { phoneOf, spellings } from "@watchword/schemas/phone"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

describe("the spellings of a phone", () => {
  it.each([
    // libphonenumber's FAQ: 9 behind +54 from abroad, 15 behind the area code at home.
    ["+5491123456789", "+541123456789"],
    ["+5492211234567", "+542211234567"],
    // Anatel, resolution 553: the ninth digit.
    ["+5511987654321", "+551187654321"],
    ["+5531971234567", "+553171234567"],
    // IFT: the 1 until 2019.
    ["+525512345678", "+5215512345678"]
  ])("%s and %s are one phone, which counts as the first", (one, other) => {
    expect(phoneOf(one)).toBe(one)
    expect(phoneOf(other)).toBe(one)
    expect(spellings(one)).toEqual([one, other])
    expect(spellings(other)).toEqual([other, one])
  })

  it.each([
    "+4915123456789",
    "+12025550123",
    "+551123456789",
    "+5508001234567",
    "+548001234567",
    "+521800123456",
    "+56991234567"
  ])("%s has no other", (number) => {
    expect(phoneOf(number)).toBe(number)
    expect(spellings(number)).toEqual([number])
  })

  it("are the same from each of them", () => {
    const number = fc.tuple(
      fc.constantFrom("+52", "+521", "+54", "+549", "+55", "+49"),
      fc.stringMatching(/^[1-9]\d{8,10}$/)
    )
    fc.assert(
      fc.property(number, ([code, rest]) => {
        const all = spellings(`${code}${rest}`)
        for (const each of all) {
          expect(new Set(spellings(each))).toEqual(new Set(all))
          expect(phoneOf(each)).toBe(phoneOf(`${code}${rest}`))
        }
        expect(all).toContain(phoneOf(`${code}${rest}`))
      })
    )
  })
})
