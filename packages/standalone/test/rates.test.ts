/**
 * Carriers' costs in other currencies, by the rates of days.
 */
import { writeFileSync } from "node:fs"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Prefixes from "@watchword/schemas/Prefixes"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { parts, read } from "../src/settings/Settings.ts"
import { warnings } from "../src/Warnings.ts"

const { file } = folderForEach()
const TO = E164.make("+4915123456789")

const NOON = Date.UTC(2027, 0, 5, 12)
beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }))
afterEach(() => void vi.useRealTimers())

const acme = { sms: "smpp://id:secret@127.0.0.1:1", currency: "USD", cost: { "49": 0.061, "*": "0.07" } }

const environment = (rates: unknown, carrier: object = acme) => {
  writeFileSync(file("carriers.json"), JSON.stringify({ carriers: { acme: carrier } }))
  writeFileSync(file("rates.json"), JSON.stringify(rates ?? {}))
  return { CARRIERS: file("carriers.json"), ...(rates === undefined ? {} : { RATES: file("rates.json") }) }
}

const costOf = (rates: unknown, carrier?: object) => {
  const { carriers } = Option.getOrThrow(Result.getOrThrow(parts.carriers(environment(rates, carrier))))
  const costs = carriers[0]?.costs ?? null
  return () => (costs === null ? null : Prefixes.find(costs, TO))
}

const refused = (rates: unknown, carrier?: object) =>
  Result.getOrThrow(Result.flip(parts.carriers(environment(rates, carrier))))

describe("costs in another currency", () => {
  it("are those of the day on which they are asked for, rounded to a micro-euro", () => {
    const cost = costOf({ USD: { "2027-01-04": 0.5, "2027-01-05": 0.921, "2027-01-07": "0.3333333" } })
    expect(cost()).toBe(56_181)
    // A day without a rate has that of the day before.
    vi.setSystemTime(NOON + 24 * 3_600_000)
    expect(cost()).toBe(56_181)
    vi.setSystemTime(NOON + 48 * 3_600_000)
    expect(cost()).toBe(20_333)
  })

  it("are as they are in EUR, with rates or without", () => {
    const { currency: _, ...euros } = acme
    expect([costOf(undefined, euros)(), costOf({ USD: { "2027-01-05": 0.5 } }, euros)()]).toEqual([61_000, 61_000])
    expect(costOf(undefined, { ...acme, currency: "EUR" })()).toBe(61_000)
  })

  it("have a warning where the rate of today is missing", () => {
    const warned = (rates: unknown) =>
      warnings(Result.getOrThrow(read(environment(rates)))).filter((each) => each.includes("RATES"))
    expect(warned({ USD: { "2027-01-05": 0.9 }, GBP: { "2027-01-01": 1 } })).toEqual([])
    expect(warned({ USD: { "2027-01-02": 0.9 } })).toEqual([
      "RATES has no rate of USD for 2027-01-05: costs are by the rate of 2027-01-02, 0.9 EUR."
    ])
  })

  it.each([
    [undefined, /carriers\.acme\.currency is USD, and RATES has no rate of it for today or before/],
    [{ GBP: { "2027-01-05": 1 } }, /carriers\.acme\.currency is USD, and RATES has no rate/],
    [{ USD: { "2027-01-06": 1 } }, /carriers\.acme\.currency is USD, and RATES has no rate/],
    [[], /^RATES names a file in which the table must be an object/],
    [{ dollars: {} }, /^RATES names a file in which dollars must be a currency/],
    [{ EUR: { "2027-01-05": 1 } }, /^RATES names a file in which EUR must be a currency/],
    [{ USD: 0.9 }, /^RATES names a file in which USD must be an object of rates by day/],
    [{ USD: {} }, /^RATES names a file in which USD must have a rate/],
    [{ USD: { "2027-02-30": 0.9 } }, /^RATES names a file in which USD\.2027-02-30 must be a day/],
    [{ USD: { "2027-01-05": 0 } }, /^RATES names a file in which USD\.2027-01-05 must be how many EUR/],
    [{ USD: { "2027-01-05": "" } }, /^RATES names a file in which USD\.2027-01-05 must be how many EUR/]
  ])("need a rate that can be read: %j", (rates, says) => {
    expect(refused(rates).message).toMatch(says)
  })

  it("name what is wrong with the carrier", () => {
    const rates = { USD: { "2027-01-05": 0.9 } }
    expect(refused(rates, { ...acme, currency: "usd" }).message).toMatch(/carriers\.acme\.currency must be a currency/)
    expect(refused(rates, { ...acme, cost: { "49": -1 } }).message).toMatch(
      /carriers\.acme\.cost\.49 must be an amount of USD/
    )
  })
})
