import { readFileSync } from "node:fs"
import { isDuration, toDuration } from "@watchword/schemas/Field"
import * as Rules from "@watchword/guards/Rules"
import { isMoney, isRate, toMoney, toRate } from "../src/internal/Rates.ts"
import * as fc from "fast-check"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"

/** The rules of the interface. */
const example = {
  action: "record",
  countries: { allow: ["DE", "AT", "CH"] },
  numbers: {
    deny_types: ["premium_rate", "shared_cost", "voicemail"],
    deny_prefixes: ["+882"],
    always_allow: ["+4915123456789"]
  },
  limits: [
    { name: "pair", by: ["to", "client_ip"], rates: ["1/30s", "5/1h"] },
    { name: "number", by: ["to"], rates: ["5/1h", "10/1d"] },
    { name: "ip", by: ["client_ip"], rates: ["20/1h"] },
    { name: "prefix", by: ["to_prefix"], rates: ["100/1h"] },
    { name: "spend", by: ["account"], money: "200/1d" }
  ],
  pumping: {
    country: { floor: 20, share: 0.2, window: "1d" },
    prefix: { floor: 5, share: 0.3, window: "1h" },
    block: "12h"
  }
}

/** The fields that are wrong. */
const wrong = (rules: unknown): ReadonlyArray<string> =>
  Effect.runSync(
    Effect.match(Rules.parse(rules), {
      onSuccess: () => [],
      onFailure: ({ issues = [] }) => issues.map(({ path }) => path)
    })
  )

const limits = (...changes: ReadonlyArray<object>) => ({
  limits: changes.map((change, index) => ({ name: `l${index}`, by: ["to"], rates: ["1/1h"], ...change }))
})

describe("rules", () => {
  it("are those of the interface, and may be empty", () => {
    expect(Effect.runSync(Rules.parse(example))).toEqual(example)
    expect(wrong({})).toEqual([])
    expect(wrong(limits({ by: ["to", "client_ip", "limit_key:session", "limit_key:a.B-1", "country"] }))).toEqual([])
  })

  it.each([
    [{ action: "refuse" }, "action"],
    [{ actions: "deny" }, "actions"],
    [{ countries: { allow: ["DE", "XX"] } }, "countries.allow[1]"],
    [{ countries: { allow: [] } }, "countries.allow"],
    [{ countries: { allow: ["DE"], deny: ["FR"] } }, "countries.deny"],
    [{ numbers: { deny_types: ["premium"] } }, "numbers.deny_types[0]"],
    [{ numbers: { deny_prefixes: ["882"] } }, "numbers.deny_prefixes[0]"],
    [{ numbers: { always_allow: ["0151"] } }, "numbers.always_allow[0]"],
    [limits({ rates: ["1/30s", "5/h"] }), "limits[0].rates[1]"],
    [limits({ rates: ["5/1h", "1/30s", "3/60m"] }), "limits[0].rates[2]"],
    [limits({}, { by: ["to", "ip"] }), "limits[1].by[1]"],
    [limits({ by: [] }), "limits[0].by"],
    [limits({ by: ["limit_key:a b"] }), "limits[0].by[0]"],
    [limits({ by: ["limit_key:"] }), "limits[0].by[0]"],
    [limits({ by: ["to", "client_ip", "client_ref", "key", "country", "limit_key:a"] }), "limits[0].by"],
    [limits({ by: ["limit_key:session"], money: "1/1d" }), "limits[0].money"],
    [limits({ name: "IP" }), "limits[0].name"],
    [limits({ name: "a" }, { name: "a" }), "limits[1].name"],
    [limits({ money: "1.0000001/1d" }), "limits[0].money"],
    [limits({ rate: ["1/1h"] }), "limits[0].rate"],
    [{ limits: [{ name: "none", by: ["to"] }] }, "limits[0].rates"],
    [limits(...Array.from({ length: 6 }, () => ({ rates: ["1/1h", "2/2h", "3/3h", "4/4h"] }))), "limits"],
    [{ pumping: { prefix: { floor: 1, share: 0.2, window: "1h" }, block: "12" } }, "pumping.block"],
    [{ pumping: { block: "12h" } }, "pumping.prefix"],
    [{ pumping: { country: { floor: -1, share: 0.2, window: "1d" }, block: "12h" } }, "pumping.country.floor"],
    [{ pumping: { prefix: { floor: 1, share: 0.2, window: "15d" }, block: "12h" } }, "pumping.prefix.window"],
    [{ sandbox_under_way: 0 }, "sandbox_under_way"]
  ])("%j are refused with the field's name", (rules, field) => {
    expect(wrong(rules)).toEqual([field])
  })
})

describe("a rate", () => {
  it("is a number of sends, or of micro-euros, within milliseconds", () => {
    expect(toRate("5/1h")).toEqual({ most: 5, window: 3_600_000 })
    expect(toRate("1/30s")).toEqual({ most: 1, window: 30_000 })
    expect(toMoney("200/1d")).toEqual({ most: 200_000_000, window: 86_400_000 })
    expect(toMoney("0.5/10m")).toEqual({ most: 500_000, window: 600_000 })
  })

  it("is read as it is written", () => {
    const units = { s: 1, m: 60, h: 3600, d: 86_400 }
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999_999 }),
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom("s", "m", "h", "d"),
        (most, time, unit) => {
          const text = `${most}/${time}${unit}`
          expect(isRate(text)).toBe(true)
          expect(toRate(text)).toEqual({ most, window: time * units[unit] * 1000 })
          expect(toMoney(text).most).toBe(most * 1_000_000)
        }
      )
    )
  })

  it.each(["", "5", "5/", "/1h", "0/1h", "5/0h", "5/1w", "5/1h/1h", "-5/1h", "5/31d", "1e3/1h", " 5/1h", "5/1H"])(
    "is not %j",
    (text) => {
      expect(isRate(text)).toBe(false)
      expect(isMoney(text)).toBe(false)
    }
  )

  it("is no text of other characters", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(!isRate(text) || /^[1-9]\d*\/[1-9]\d*[smhd]$/.test(text)).toBe(true)
        expect(!isDuration(text) || toDuration(text) > 0).toBe(true)
      })
    )
  })
})

describe("the default rules", () => {
  it("are rules, and those that the documentation begins with", () => {
    expect(Effect.runSync(Rules.parse(Rules.DefaultRules))).toEqual(Rules.DefaultRules)
    const page = readFileSync(new URL("../../../docs/attacks.md", import.meta.url), "utf8")
    const [, json = ""] = /```json\n(.*?)```/s.exec(page) ?? []
    expect(JSON.parse(json)).toEqual(Rules.DefaultRules)
  })
})
