import { describe, expect, it } from "vitest"
import { isQuiet, parse } from "../../src/alarms/QuietHours.ts"

const at = (time: string): number => Date.parse(`2027-01-31T${time}:00.000Z`)

const quiet = (text: string, time: string): boolean | null => {
  const hours = parse(text)
  return hours === null ? null : isQuiet(hours, at(time))
}

describe("quiet hours", () => {
  it.each([
    ["22:00-07:00", "21:59", false],
    ["22:00-07:00", "22:00", true],
    ["22:00-07:00", "00:00", true],
    ["22:00-07:00", "06:59", true],
    ["22:00-07:00", "07:00", false],
    ["12:00-13:30", "12:00", true],
    ["12:00-13:30", "13:30", false],
    // An hour ahead of UTC in winter.
    ["22:00-07:00 Europe/Berlin", "21:00", true],
    ["22:00-07:00 Europe/Berlin", "06:00", false],
    ["00:00-00:30 Asia/Kolkata", "18:45", true]
  ] as const)("of %s are at %s: %s", (text, time, is) => expect(quiet(text, time)).toBe(is))

  it.each(["22-7", "24:00-07:00", "22:00-07:60", "22:00-07:00 Nowhere/Town", "22:00", ""])(
    "are not read from %j",
    (text) => expect(parse(text)).toBe(null)
  )
})
