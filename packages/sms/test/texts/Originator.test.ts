import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { read, writtenTo } from "../../src/internal/texts/OwnNumbers.ts"
import { senderOf } from "../../src/internal/texts/Originator.ts"

const GERMAN = E164.make("+491713920000")
const AMERICAN = E164.make("+12025550123")
const SPANISH = E164.make("+34612345678")
const ITALIAN = E164.make("+393123456789")

const [UNKNOWN, INTERNATIONAL, NATIONAL, SHORT, NAME] = [0, 1, 2, 3, 5]

describe("the sender of a text", () => {
  it.each([
    [INTERNATIONAL, "4915123456789", GERMAN, "+4915123456789"],
    [INTERNATIONAL, "+4915123456789", GERMAN, "+4915123456789"],
    [INTERNATIONAL, "004915123456789", GERMAN, "+4915123456789"],
    [INTERNATIONAL, "33612345678", GERMAN, "+33612345678"],
    [UNKNOWN, "4915123456789", GERMAN, "+4915123456789"],
    [UNKNOWN, "+4915123456789", GERMAN, "+4915123456789"],
    [UNKNOWN, "004915123456789", GERMAN, "+4915123456789"],
    [UNKNOWN, "015123456789", GERMAN, "+4915123456789"],
    [NATIONAL, "015123456789", GERMAN, "+4915123456789"],
    [NATIONAL, "15123456789", GERMAN, "+4915123456789"],
    [UNKNOWN, "+33612345678", GERMAN, "+33612345678"],
    [UNKNOWN, "0033612345678", GERMAN, "+33612345678"],
    [UNKNOWN, "12025550199", AMERICAN, "+12025550199"],
    [NATIONAL, "2025550199", AMERICAN, "+12025550199"],
    [UNKNOWN, "34612345679", SPANISH, "+34612345679"],
    [NATIONAL, "612345679", SPANISH, "+34612345679"],
    [NATIONAL, "3123456780", ITALIAN, "+393123456780"]
  ])("of type %i, %s, is read by the country of the number that it wrote to", (ton, address, ours, number) => {
    expect(senderOf({ ton, address }, ours)).toBe(number)
  })

  it.each([
    // A number of the United States, and a German one without its first zero.
    [UNKNOWN, "15123456789"],
    [NAME, "4915123456789"],
    [NAME, "Acme"],
    [SHORT, "12345"],
    [INTERNATIONAL, "12345"],
    [INTERNATIONAL, "015123456789"],
    [UNKNOWN, "4915"],
    [UNKNOWN, ""],
    [UNKNOWN, "+49 151 23456789"],
    [INTERNATIONAL, "4915123456789;ext=1"],
    [INTERNATIONAL, "9".repeat(21)]
  ])("of type %i, %s, is no number", (ton, address) => {
    expect(senderOf({ ton, address }, GERMAN)).toBeNull()
  })

  it("is never another number with the same last digits", () => {
    const senders = ["4315123456789", "915123456789", "5123456789", "15123456789", "0043151 23456789"]
    for (const ton of [UNKNOWN, INTERNATIONAL, NATIONAL]) {
      for (const address of senders.filter((each) => ton !== NATIONAL || each.length !== 11)) {
        expect(senderOf({ ton, address }, GERMAN)).not.toBe("+4915123456789")
      }
    }
  })
})

describe("the number that was written to", () => {
  const ours = [AMERICAN, GERMAN]
  it.each([
    [INTERNATIONAL, "491713920000", GERMAN],
    [NAME, "491713920000", GERMAN],
    [UNKNOWN, "01713920000", GERMAN],
    [NATIONAL, "1713920000", GERMAN],
    [UNKNOWN, "00491713920000", GERMAN],
    [NATIONAL, "2025550123", AMERICAN],
    [INTERNATIONAL, "491713920001", null],
    [UNKNOWN, "3920000", null],
    [NAME, "Acme", null]
  ])("is ours by type %i, %s", (ton, address, number) => {
    expect(writtenTo({ ton, address }, ours)).toBe(number)
  })
})

describe("numbers of ours", () => {
  it("are in E.164, each once", () => {
    expect(Result.getOrNull(read([GERMAN, AMERICAN]))).toEqual([GERMAN, AMERICAN])
    for (const wrong of [[], [GERMAN, GERMAN], ["491713920000"], ["12345"], "+491713920000", null, [1]]) {
      expect(Result.isFailure(read(wrong))).toBe(true)
    }
  })
})
