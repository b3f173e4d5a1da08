/**
 * Numbers as trunks write them in the addresses of a call to us.
 */
import { E164, parse } from "@watchword/schemas/PhoneNumber"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { numberOf as read, ownIn } from "../../../src/internal/sip/inbound/Numbers.ts"

const german = E164.make("+493023125000")
const american = E164.make("+12025550100")
const spanish = E164.make("+34912345678")
const italian = E164.make("+390612345678")

const numberOf = (address: string, ours: E164, isNational = false) => read(address, { ours, isNational })

describe("the number of an address", () => {
  const rows = [
    ["a name-addr", "<sip:+4915123456789@192.0.2.1>;tag=1", german, "+4915123456789"],
    [
      "a name-addr with a name that has brackets",
      '"<sip:+4915100000000@x>" <sip:+4915123456789@x>',
      german,
      "+4915123456789"
    ],
    ["a bare addr-spec", "sip:4915123456789@192.0.2.1;tag=1", german, "+4915123456789"],
    ["a tel URI with separators", "<tel:+49-151-234.567(89)>", german, "+4915123456789"],
    ["a tel URI with a context", "<tel:15123456789;phone-context=+49>", german, "+4915123456789"],
    ["a user with parameters and user=phone", "<sip:+4915123456789;npdi@x;user=phone>", german, "+4915123456789"],
    ["an escaped plus", "<sip:%2B4915123456789@x>", german, "+4915123456789"],
    ["a password", "<sip:+4915123456789:pw@x>", german, "+4915123456789"],
    ["sips", "<sips:+4915123456789@x>", german, "+4915123456789"],
    ["no plus", "<sip:4915123456789@x>", german, "+4915123456789"],
    ["00", "<sip:004915123456789@x>", german, "+4915123456789"],
    ["the national form", "<sip:015123456789@x>", german, "+4915123456789"],
    ["another country without plus, not a landline of ours", "<sip:33612345678@x>", german, "+33612345678"],
    ["another country behind 00", "<sip:0033612345678@x>", german, "+33612345678"],
    ["ten digits in North America", "<sip:2125550123@x>", american, "+12125550123"],
    ["eleven digits in North America", "<sip:12125550123@x>", american, "+12125550123"],
    ["another country without plus in North America", "<sip:4915123456789@x>", american, "+4915123456789"],
    ["nine digits in Spain, which dials no 0", "<sip:612345678@x>", spanish, "+34612345678"],
    ["an Italian mobile number that begins like its country", "<sip:3912345678@x>", italian, "+393912345678"]
  ] as const
  for (const [what, address, ours, number] of rows) {
    it(`of ${what}`, () => {
      expect(numberOf(address, ours)).toBe(number)
    })
  }

  const none = [
    '"Anonymous" <sip:anonymous@anonymous.invalid>;tag=1',
    "<sip:192.0.2.1>",
    "<sip:alice@example.com>",
    "<sip:@x>",
    "<sip:+49@x>",
    "<sip:+@x>",
    "<tel:>",
    "<http://+4915123456789@x>",
    "<sip:*31#@x>",
    "",
    "<sip:%E0%A4%A@x>",
    `<sip:+${"1".repeat(60_000)}@x>`
  ]
  for (const address of none) {
    it(`does not exist for ${address.slice(0, 40) || "nothing"}`, () => {
      expect(numberOf(address, german)).toBe(null)
    })
  }
})

/** Valid mobile numbers of Germany and its neighbours. */
const numbers = fc
  .tuple(
    fc.constantFrom("+49151", "+49160", "+491590", "+336", "+447400", "+41791"),
    fc.stringMatching(/^[0-9]{8}$/),
    fc.integer({ min: 6, max: 8 })
  )
  .map(([prefix, digits, length]) => parse(`${prefix}${digits.slice(0, length)}`).number)
  .filter((number) => number !== null)

describe("bare digits", () => {
  const turkish = E164.make("+908501234567")

  it("are a national number where the trunk writes those without a prefix", () => {
    expect(numberOf("<sip:5541112233@x>", turkish, true)).toBe("+905541112233")
    expect(numberOf("<sip:905541112233@x>", turkish, true)).toBe("+905541112233")
  })

  it("are a national number where no other number is possible", () => {
    expect(numberOf("<sip:8501234567@x>", turkish)).toBe("+908501234567")
  })
})

describe("a number of ours", () => {
  const forms = ["sip:+493023125000@x", "sip:493023125000@x;user=phone", "tel:+49-30-23125000", "sip:03023125000@x"]
  it("is known in each form, and no other number is", () => {
    const ours = [american, german]
    for (const form of [...forms, "sip:00493023125000@x", "sip:3023125000@x"]) expect(ownIn(form, ours)).toBe(german)
    for (const form of ["sip:2025550100@x", "sip:12025550100@x"]) expect(ownIn(form, ours)).toBe(american)
    for (const form of ["sip:+493023125001@x", "sip:client@x", "sip:23125000@x", "", "sip:+@x", "tel:000"]) {
      expect(ownIn(form, ours)).toBe(null)
    }
  })
})

describe("any number", () => {
  it("is read alike in each form of E.164", () => {
    fc.assert(
      fc.property(
        numbers,
        fc.constantFrom("-", ".", " ", "(", ")", ""),
        fc.integer({ min: 2, max: 9 }),
        (number, mark, at) => {
          const visual = number.slice(0, at) + mark + number.slice(at)
          const forms = [
            `<sip:${number}@192.0.2.1;user=phone>;tag=1`,
            `sip:${number}@192.0.2.1;tag=1`,
            `<tel:${visual.replace(" ", "-")}>`,
            `"x" <sip:${visual.replace(" ", "")}@x>`,
            `<sip:00${number.slice(1)}@x>`
          ]
          expect(forms.map((form) => numberOf(form, german))).toEqual(forms.map(() => number))
        }
      )
    )
  })

  it("is read alike without its plus, and a German one as it is dialled", () => {
    fc.assert(
      fc.property(numbers, (number) => {
        const forms = [number.slice(1), ...(number.startsWith("+49") ? [`0${number.slice(3)}`] : [])]
        expect(forms.map((form) => numberOf(`<sip:${form}@x>`, german))).toEqual(forms.map(() => number))
      })
    )
  })

  it("is never read from anything else", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        const found = numberOf(`<sip:${text}@x>`, german)
        expect(found === null || /^\+[1-9][0-9]{6,14}$/.test(found)).toBe(true)
      })
    )
  })
})
