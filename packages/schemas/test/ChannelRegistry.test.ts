import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const channelOf = (name: string, number: number): ChannelRegistry.ChannelEntry => ({
  name,
  products: [{ name, number, listedBy: "createdAt" }]
})

describe("the numbers of the channels that come with Watchword", () => {
  it("never change", () => {
    const { codeOf, products } = ChannelRegistry.make(ChannelRegistry.builtIn)
    expect(products.map(({ name }) => [name, codeOf(name)])).toEqual([
      ["call", 0],
      ["sms", 3],
      ["chatgw", 4],
      ["chatgw_probe", 8],
      ["bizchat", 6],
      ["verify", 10]
    ])
  })
})

describe("what an erasure takes out of a record", () => {
  it("is what the schemas mark as personal, and what the wire does not have", () => {
    const products = ChannelRegistry.builtIn.flatMap(({ products }) => products)
    const details = products.flatMap(({ name, personal }) => (personal === undefined ? [] : [[name, personal.details]]))
    expect(Object.fromEntries(details)).toEqual({
      call: { caller: null, dialog: null },
      chatgw: { sandbox: null },
      verify: {
        client_ip: null,
        client_ref: null,
        metadata: "{}",
        variables: "{}",
        bind_amount: null,
        bind_payee: null,
        limit_keys: null,
        own_text: null,
        sealed: null
      }
    })
  })
})

describe("a registry", () => {
  it("finds each product by its code, which says how it is listed", () => {
    const entry = fc.record({
      name: fc.string({ minLength: 1 }),
      number: fc.integer({ min: 0, max: 127 }),
      listedBy: fc.constantFrom("createdAt" as const, "statusAt" as const)
    })
    const entries = fc
      .uniqueArray(entry, { selector: ({ name }) => name })
      .filter((all) => new Set(all.map(({ number }) => number)).size === all.length)
    fc.assert(
      fc.property(entries, (products) => {
        const registry = ChannelRegistry.make(products.map((product) => ({ name: product.name, products: [product] })))
        for (const { listedBy, name } of products) {
          const code = registry.codeOf(name)
          expect(registry.productOf(code)).toBe(name)
          expect(code).toBeLessThan(ChannelRegistry.CODES)
          expect(code % 2 === 1).toBe(listedBy === "statusAt")
          expect(registry.listedBy(name)).toBe(listedBy)
        }
      })
    )
  })

  it("has a scope for each action of a channel, three unless it names others", () => {
    const { scopes } = ChannelRegistry.make([channelOf("voice", 64), { ...channelOf("fax", 65), actions: ["check"] }])
    expect(scopes).toEqual(["voice:send", "voice:read", "voice:report", "fax:check"])
  })

  it("refuses two products of one name or number, and numbers out of bounds", () => {
    expect(() => ChannelRegistry.make([channelOf("a", 5), channelOf("b", 5)])).toThrow("a and b")
    expect(() => ChannelRegistry.make([channelOf("a", 5), channelOf("a", 6)])).toThrow("a and a")
    for (const number of [-1, 0.5, 128, Number.NaN]) {
      expect(() => ChannelRegistry.make([channelOf("a", number)])).toThrow("from 0 to 127")
    }
  })

  it("knows no product but its own", () => {
    const registry = ChannelRegistry.make([channelOf("voice", 5)])
    expect(() => registry.codeOf("sms")).toThrow("no channel of this service has a product sms")
    expect(() => registry.productOf(3)).toThrow("number 1")
  })
})
