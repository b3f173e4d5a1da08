import { parseTime } from "@watchword/pagination/Fields"
import * as Option from "effect/Option"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const instants = fc.date({
  min: new Date("0000-01-02T00:00:00Z"),
  max: new Date("9999-12-30T23:59:59.999Z"),
  noInvalidDate: true
})

describe("parseTime", () => {
  it.each([
    ["1970-01-01", 0],
    ["1970-01-01T00:00:01Z", 1000],
    ["1970-01-01T00:00:00.5Z", 500],
    ["1970-01-01T00:00:00.123456789Z", 123],
    ["1970-01-01T01:00:00+01:00", 0],
    ["1969-12-31T18:30:00-05:30", 0],
    ["2024-02-29", 1_709_164_800_000],
    ["0000-02-29", -62_162_121_600_000]
  ])("reads %s", (text, expected) => {
    expect(parseTime(text)).toEqual(Option.some(expected))
  })

  it.each([
    "",
    "now",
    "1970",
    "1970-01",
    "1970-1-1",
    "1970-13-01",
    "1970-00-01",
    "1970-01-00",
    "2023-02-29",
    "2023-04-31",
    "1900-02-29",
    "1970-01-01T00:00",
    "1970-01-01T00:00:00",
    "1970-01-01T24:00:00Z",
    "1970-01-01T00:60:00Z",
    "1970-01-01T00:00:60Z",
    "1970-01-01T00:00:00.Z",
    "1970-01-01T00:00:00z",
    "1970-01-01 00:00:00Z",
    "1970-01-01T00:00:00+0100",
    "1970-01-01T00:00:00+24:00",
    "+001970-01-01T00:00:00Z",
    "1970-01-01T00:00:00Z\n",
    " 1970-01-01",
    "１970-01-01"
  ])("refuses %j", (text) => {
    expect(parseTime(text)).toEqual(Option.none())
  })

  it("is the inverse of toISOString", () => {
    fc.assert(
      fc.property(instants, (instant) => {
        expect(parseTime(instant.toISOString())).toEqual(Option.some(instant.getTime()))
      })
    )
  })

  it("means the same instant in every zone", () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 }), (instant, minutes) => {
        const local = new Date(instant.getTime() + minutes * 60_000).toISOString().slice(0, -1)
        const hours = String(Math.trunc(Math.abs(minutes) / 60)).padStart(2, "0")
        const rest = String(Math.abs(minutes) % 60).padStart(2, "0")
        expect(parseTime(`${local}${minutes < 0 ? "-" : "+"}${hours}:${rest}`)).toEqual(Option.some(instant.getTime()))
      })
    )
  })

  it("takes a day when its month has it", () => {
    fc.assert(
      fc.property(
        fc.nat(9999),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 31 }),
        (year, month, day) => {
          const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
          const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
          const two = (value: number) => String(value).padStart(2, "0")
          const text = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`
          expect(Option.isSome(parseTime(text))).toBe(day <= days)
        }
      )
    )
  })
})
