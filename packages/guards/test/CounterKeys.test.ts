import * as CounterKeys from "../src/internal/CounterKeys.ts"
import { countersOf, planOf } from "../src/internal/Decision.ts"
import type { Facts } from "../src/internal/Facts.ts"
import type { Limit, Rules } from "@watchword/guards/Rules"
import { AccountId, KeyId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { facts, german, guardOf } from "./counting.ts"

const full = facts({
  key: KeyId.make("key_01KAJ3T8ZZ0000000000000000"),
  clientRef: "user-4711",
  limitKeys: { session: "session-4711", device: "device-4711" }
})
const others: ReadonlyArray<Partial<Facts>> = [
  { account: AccountId.make("acc_01KAJ3T8ZZ0000000000000001") },
  { mode: "sandbox" },
  { to: E164.make("+33612345678") },
  { clientIp: "192.0.2.8" },
  { clientRef: "user-4712" },
  { limitKeys: { session: "session-4712", device: "device-4712" } },
  { key: KeyId.make("key_01KAJ3T8ZZ0000000000000001") }
]

const secret = CounterKeys.make([Redacted.make("a secret of the installation")])
const keysOf = (rules: Rules, sent: Facts = full, key = secret): ReadonlyArray<string> =>
  countersOf(planOf(guardOf(rules, { key }), sent, 0)).map((counter) => counter.key)

const limit = (by: Limit["by"], name = "n"): Rules => ({
  limits: [{ name, by, rates: ["1/30s", "5/30d"], money: "1/1d" }]
})

const everyKey = [
  "to",
  "client_ip",
  "client_ref",
  "to_prefix",
  "country",
  "account",
  "key",
  "limit_key:session",
  "limit_key:device"
] as const
const by = fc.uniqueArray(fc.constantFrom(...everyKey), { minLength: 1, maxLength: 5 })
const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,31}$/)
const pumping: Rules = {
  pumping: {
    country: { floor: 1, share: 0, window: "1d" },
    prefix: { floor: 1, share: 0, window: "1d" },
    block: "1h"
  }
}

describe("the keys of counters", () => {
  it("are what stores take, and do not show what is counted", () => {
    fc.assert(
      fc.property(by, name, (by, name) => {
        for (const key of [...keysOf(limit(by, name)), ...keysOf(pumping)]) {
          expect(key).toMatch(/^[!-~]{1,64}$/)
          for (const shown of [german.slice(1), "192.0.2.7", "user-4711", "session-4711"])
            expect(key).not.toContain(shown)
        }
      })
    )
  })

  it("are one for each thing that is counted", () => {
    fc.assert(
      fc.property(by, by, (one, other) => {
        const sets = [...one].toSorted().join() === [...other].toSorted().join() ? [one] : [one, other]
        const rules = [...sets.map((each) => limit(each)), limit(one, "m"), pumping]
        const sends = [full, { ...full, trusted: true }]
        const keys = sends.map((sent) => rules.flatMap((each) => keysOf(each, sent)))
        const [usual = [], trusted = []] = keys
        // A limit by a number is that of the account's number, with and without the account.
        const isSame = sets.length === 2 && isSameWithoutAccount(one, other)
        expect(new Set(usual).size).toBe(usual.length - (isSame ? 3 : 0))
        const ofMoney = trusted.filter((key) => usual.includes(key))
        expect(ofMoney.every((key) => key.endsWith("m"))).toBe(true)
      })
    )
  })

  it("change with each value that a limit counts by, with the account and with the mode", () => {
    for (const [index, fields] of others.entries()) {
      const changed = { ...full, ...fields }
      for (const key of everyKey) {
        const isSame = keysOf(limit([key]), changed).some((each) => keysOf(limit([key])).includes(each))
        const places = { to: 2, to_prefix: 2, country: 2, client_ip: 3, client_ref: 4, key: 6, account: 0 }
        const isOf = (key === "limit_key:session" || key === "limit_key:device" ? 5 : places[key]) === index
        expect(isSame).toBe(!(index < 2 || isOf))
      }
    }
  })

  it("are others for a number and for a user who is called like it", () => {
    const sent = { ...full, clientRef: full.to }
    expect(keysOf(limit(["client_ref"]), sent)).not.toEqual(keysOf(limit(["to"]), sent))
  })

  it("of a number are neighbours, whatever else their limits count by", () => {
    const start = (rules: Rules) => new Set(keysOf(rules).map((key) => key.slice(0, 12)))
    const number = start(limit(["to"]))
    expect(number.size).toBe(1)
    for (const by of [
      ["client_ip", "to"],
      ["to", "account"],
      ["country", "to", "client_ref"]
    ] as const) {
      expect(start(limit(by))).toEqual(number)
    }
    expect(start(limit(["to_prefix"]))).not.toEqual(number)
  })

  it("take a code for each value of a send, however many limits count by it", () => {
    let codes = 0
    const counted: CounterKeys.CounterKey = (text) => (codes++, secret(text))
    const limits = [["to", "client_ip"], ["to"], ["client_ip"], ["account"], ["country"]] as const
    const rules: Rules = { limits: limits.map((by, index) => ({ name: `n${index}`, by, rates: ["1/1h", "2/1d"] })) }
    keysOf(rules, full, counted)
    expect(codes).toBe(2)
  })
})

const isSameWithoutAccount = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean => {
  const [a, b] = [one, other].map((by) =>
    by
      .filter((key) => key !== "account")
      .toSorted()
      .join()
  )
  return a === b
}
