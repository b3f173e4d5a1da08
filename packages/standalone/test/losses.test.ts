/**
 * Prices below cost, as warnings have them, against what each number would cost.
 */
import { writeFileSync } from "node:fs"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as PriceTable from "@watchword/ledger/PriceTable"
import * as Prefixes from "@watchword/schemas/Prefixes"
import * as fc from "fast-check"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { folderForAll } from "../../../test/folder.ts"
import { losses, remembered } from "../src/Losses.ts"
import { parts } from "../src/settings/Settings.ts"

const { file } = folderForAll()

type Amounts = Readonly<Record<string, number>>

interface Tables {
  readonly prices: Amounts
  readonly costs: Readonly<Record<string, Amounts | null>>
  readonly routes?: ReadonlyArray<object>
}

const read = ({ costs, prices, routes }: Tables) => {
  const entryOf = (cost: Amounts | null) => ({
    sms: "smpp://id:secret@127.0.0.1:1",
    ...(cost === null ? {} : { cost })
  })
  const carriers = Object.fromEntries(Object.entries(costs).map(([name, cost]) => [name, entryOf(cost)]))
  writeFileSync(file("prices.json"), JSON.stringify({ sms: prices }))
  writeFileSync(file("carriers.json"), JSON.stringify({ carriers, ...(routes === undefined ? {} : { routes }) }))
  const environment = { CARRIERS: file("carriers.json"), PRICES: file("prices.json") }
  return {
    carriers: Result.getOrThrow(parts.carriers(environment)),
    prices: Result.getOrThrow(parts.prices(environment))
  }
}

const said = (tables: Tables) => losses(read(tables))

const acme = (cost: Amounts, prices: Amounts = { "*": 0.05 }) => said({ prices, costs: { acme: cost } })

describe("a price below cost", () => {
  it("is a sentence for each pair of a price and a cost, the largest loss first", () => {
    expect(acme({ "49": 0.061, "*": 0.07 })).toEqual([
      "sms to * sells for 0.05 EUR and costs 0.07 EUR by acme.",
      "sms to 49 sells for 0.05 EUR and costs 0.061 EUR by acme."
    ])
  })

  it("does not exist where the price covers the cost or is missing, or the carrier has no cost", () => {
    expect(acme({ "*": 0.05 })).toEqual([])
    expect(acme({ "*": 9 }, { "49": 10 })).toEqual([])
    expect(acme({ "44": 9 }, { "49": 0.01 })).toEqual([])
    expect(said({ prices: { "*": 0.05 }, costs: { acme: null } })).toEqual([])
    expect(losses({ carriers: Option.none(), prices: Option.none() })).toEqual([])
  })

  it("is not that of a carrier that no route takes, or that is too dear for it", () => {
    const costs = { acme: { "*": 0.07 }, bell: { "*": 0.08 } }
    const to = (via: ReadonlyArray<string>, more: object = {}) => [{ channel: "sms", to: "*", via, ...more }]
    const of = (routes: ReadonlyArray<object>) => said({ prices: { "*": 0.05 }, costs, routes })
    expect(of(to(["bell"]))).toEqual(["sms to * sells for 0.05 EUR and costs 0.08 EUR by bell."])
    expect(of(to(["acme", "bell"], { max_cost: 0.07 }))).toEqual([
      "sms to * sells for 0.05 EUR and costs 0.07 EUR by acme."
    ])
  })

  it("names prefixes with one loss together, and no prefix that a shorter one covers", () => {
    expect(acme({ "*": 0.04, "49": 0.06, "491": 0.06, "43": 0.06 })).toEqual([
      "sms to 43, 49 sells for 0.05 EUR and costs 0.06 EUR by acme."
    ])
  })

  it("is bounded, however long the tables are", () => {
    const one = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [String(1_000 + n), 0.06]))
    expect(acme(one)).toEqual([
      "sms to 1000, 1001, 1002, 1003, 1004 and 1995 more prefixes sells for 0.05 EUR and costs 0.06 EUR by acme."
    ])
    const each = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [String(1_000 + n), (1_000 + n) / 1_000]))
    const all = acme(each)
    expect(all).toHaveLength(11)
    expect(all[0]).toBe("sms to 2999 sells for 0.05 EUR and costs 2.999 EUR by acme.")
    expect(all[10]).toBe("1990 more prices are below cost.")
  })

  it("is computed again once prices have been replaced", () => {
    const settings = read({ prices: { "*": 0.05 }, costs: { acme: { "*": 0.07 } } })
    const now = remembered(settings)
    expect(now()).toHaveLength(1)
    expect(now()).toBe(now())
    const next = read({ prices: { "*": 0.08 }, costs: { acme: { "*": 0.07 } } })
    Object.assign(Option.getOrThrow(settings.prices), Option.getOrThrow(next.prices))
    expect(now()).toEqual([])
  })

  it("is that of each number that sells at a loss, and of no other", () => {
    const prefixes = Object.keys(NUMBERS)
    const amounts = fc.dictionary(fc.constantFrom(...prefixes), fc.constantFrom(0.01, 0.02, 0.03), { maxKeys: 5 })
    const via = fc.constantFrom(["acme"], ["bell"], ["acme", "bell"])
    const routes = fc
      .uniqueArray(fc.record({ to: fc.constantFrom(...prefixes), via }), { selector: ({ to }) => to })
      .map((all) => all.map((route) => ({ channel: "sms", ...route })))
    const numbers = Object.values(NUMBERS)
    const tables = fc.record({ prices: amounts, costs: fc.record({ acme: amounts, bell: amounts }), routes })
    fc.assert(
      fc.property(tables, (given) => {
        const { carriers, prices } = read(given)
        const file = Option.getOrThrow(carriers)
        const table = Option.getOrThrow(prices)
        const expected = numbers.flatMap((number) => {
          const to = E164.make(number)
          const price = PriceTable.price(table, "sms", to, 1)
          const routesOfTexts = file.routes.get("sms")
          const route = routesOfTexts === undefined ? undefined : Prefixes.find(routesOfTexts, to)
          if (price === null || route === undefined) return []
          return route.via.flatMap(({ carrier }) => {
            const costs = file.carriers.find(({ name }) => name === carrier)?.costs ?? null
            const cost = costs === null ? undefined : Prefixes.find(costs, to)
            return cost !== undefined && cost > price ? [`${number} ${price / 1e6} ${cost / 1e6} ${carrier}`] : []
          })
        })
        const all = losses({ carriers, prices }).map((sentence) => SENTENCE.exec(sentence)?.slice(1) ?? [])
        for (const line of expected) {
          const [number = "", ...rest] = line.split(" ")
          const sentence = all.find(([, ...amounts]) => amounts.join(" ") === rest.join(" "))
          const named = sentence?.[0]?.split(", ") ?? []
          expect(named.some((prefix) => prefix === "*" || number.startsWith(`+${prefix}`))).toBe(true)
        }
        for (const [named = "", ...amounts] of all) {
          const some = named.split(", ").map((prefix) => NUMBERS[prefix])
          expect(expected).toEqual(expect.arrayContaining(some.map((number) => [number, ...amounts].join(" "))))
        }
      }),
      { numRuns: 200 }
    )
  })
})

const SENTENCE = /^sms to (.*) sells for (\S+) EUR and costs (\S+) EUR by (\w+)\.$/

/** A number of each prefix that has no longer one. */
const NUMBERS: Readonly<Record<string, string>> = {
  "*": "+33612345678",
  "43": "+436601234567",
  "49": "+493012345678",
  "491": "+4917123456789",
  "4915": "+4915123456789"
}
