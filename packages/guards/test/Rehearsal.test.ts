import { AccountId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { type Past, rehearse } from "@watchword/guards/operator"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { counting, facts, guardOf } from "./counting.ts"

const MINUTE = 60_000

const past = (at: number, fields: Partial<Past> = {}): Past => ({
  at,
  account: AccountId.make("acc_01KAJ3T8ZZ0000000000000000"),
  mode: "live",
  to: E164.make("+4915123456789"),
  clientIp: null,
  clientRef: null,
  trusted: false,
  requests: 1,
  price: MicroEuros.make(0),
  use: "verifications",
  ...fields
})

describe("rules that are tried on the past", () => {
  it("refuse the same requests whether they deny or record", () => {
    const limits = [{ name: "number", by: ["to"], rates: ["2/1h"] }] as const
    const requests = [0, 1, 2, 61].map((minute) => past(minute * MINUTE))
    for (const action of ["record", "deny"] as const) {
      expect(rehearse({ action, limits }, requests)).toEqual([[], [], ["limit_number"], []])
    }
    expect(rehearse({ countries: { allow: ["FR"] } }, [past(0)])).toEqual([["country_not_allowed"]])
    expect(rehearse({ for: "sends", limits }, requests).flat()).toEqual([])
    expect(rehearse({}, requests).flat()).toEqual([])
  })

  it("count steps towards limits of money only", () => {
    const rules = { limits: [{ name: "cost", by: ["account"], rates: ["2/1h"], money: "0.1/1h" }] } as const
    const step = (at: number) => past(at, { requests: 0, price: MicroEuros.make(60_000) })
    expect(rehearse(rules, [past(0), step(1), past(2), step(3)])).toEqual([[], [], [], ["spend"]])
  })

  it("refuse as the guard does", () => {
    const gaps = fc.array(fc.nat(20 * MINUTE), { maxLength: 40 })
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 30 }), (all, most) => {
        const rules = { action: "deny", limits: [{ name: "number", by: ["to"], rates: [`${most}/1h`] }] } as const
        const guard = counting(guardOf(rules))
        let at = 0
        const times = all.map((gap) => (at += gap))
        const refused = times.map(
          (at) => guard.send(facts({ use: "verifications", price: MicroEuros.make(0) }), at).refused
        )
        expect(
          rehearse(
            rules,
            times.map((at) => past(at))
          )
        ).toEqual(refused)
      })
    )
  })
})
