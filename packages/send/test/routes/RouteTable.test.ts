import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Prefixes from "@watchword/schemas/Prefixes"
import * as Costs from "../../src/routes/Costs.ts"
import { parse } from "../../src/routes/RouteTable.ts"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const carriers = new Map([
  ["acme", "sms"],
  ["tw", "sms"],
  ["voice", "call"]
])

const faultOf = (routes: unknown, only: string | null = "sms"): string =>
  Result.match(parse(routes, carriers, only), { onFailure: ({ message }) => message, onSuccess: () => "none" })

describe("routes", () => {
  it("are found by the longest prefix of a number", () => {
    const routes = [
      { to: "*", via: ["tw"] },
      { to: "49", via: ["acme"] },
      { to: "+4915", via: ["acme", "tw"] }
    ]
    const table = Result.getOrThrow(parse(routes, carriers, "sms")).get("sms")
    const prefixOf = (to: string) => table && Prefixes.find(table, E164.make(to))?.to
    expect(["+4915123456789", "+4930123456", "+12125550123"].map(prefixOf)).toEqual(["4915", "49", "*"])
  })

  it("of channels are apart", () => {
    const routes = [
      { channel: "sms", to: "*", via: ["acme"] },
      { channel: "call", to: "*", via: ["voice"] }
    ]
    expect([...Result.getOrThrow(parse(routes, carriers, null)).keys()]).toEqual(["sms", "call"])
  })

  const faults: ReadonlyArray<readonly [string, unknown, string]> = [
    [
      "a carrier that there is not",
      [{ to: "*", via: ["acme", "twx"] }],
      'routes[0].via[1] names "twx", which is not among the carriers: use acme, tw.'
    ],
    [
      "a carrier of another channel",
      [{ to: "*", via: [{ carrier: "voice", weight: 2 }] }],
      "routes[0].via[0].carrier names voice, a carrier of call and not of sms: use acme, tw."
    ],
    ["a carrier twice", [{ to: "*", via: ["acme", "acme"] }], "routes[0].via[1] is named twice in the route."],
    ["no carrier", [{ to: "*", via: [] }], "routes[0].via must name a carrier."],
    [
      "no weight above 0",
      [{ to: "*", via: [{ carrier: "acme", weight: 0 }] }],
      "routes[0].via must have a weight above 0."
    ],
    [
      "a negative weight",
      [{ to: "*", via: ["tw", { carrier: "acme", weight: -1 }] }],
      "routes[0].via[1].weight must be 0 or more."
    ],
    [
      "one prefix twice",
      [
        { to: "49", via: ["acme"] },
        { to: "+49", via: ["tw"] }
      ],
      "routes[1].to is the prefix of another route of sms: put their carriers into one."
    ],
    ["no prefix", [{ to: "Germany", via: ["acme"] }], "routes[0].to must be digits that a number begins with, or *."],
    [
      "a cost below a micro-euro",
      [{ to: "*", via: ["acme"], max_cost: 0.0000001 }],
      "routes[0].max_cost must be an amount of EUR, 0 or more, with at most six decimals."
    ],
    [
      "an unknown choice",
      [{ to: "*", via: ["acme"], choose: "random" }],
      'routes[0].choose must be one of "order", "weight", "cheapest", "best".'
    ],
    [
      "an unknown field",
      [{ to: "*", via: ["acme"], max: 1 }],
      "routes[0].max is not a field; use one of channel, to, via, choose, max_cost, sender, ttl, tlvs."
    ],
    ["an unknown channel", [{ channel: "fax", to: "*", via: ["acme"] }], "routes[0].channel must be sms."]
  ]
  for (const [what, routes, sentence] of faults) {
    it(`with ${what} are refused by a sentence`, () => {
      expect(faultOf(routes)).toBe(sentence)
    })
  }

  it("of a file name their channels, and have senders for texts alone", () => {
    expect(faultOf([{ to: "*", via: ["acme"] }], null)).toBe("routes[0].channel is required: sms or call.")
    expect(faultOf([{ channel: "call", to: "*", via: ["voice"], sender: "VERIFY" }], null)).toBe(
      "routes[0].sender is only for texts: leave it out."
    )
  })
})

describe("costs", () => {
  const faultIn = (json: unknown) =>
    Result.match(Costs.parse(json, "carriers.acme.cost"), { onFailure: ({ message }) => message, onSuccess: () => "" })

  it("are found by the longest prefix", () => {
    const costs = Result.getOrThrow(Costs.parse({ "49": 0.061, "*": "0.07" }, "cost"))
    expect(["+4915123456789", "+12125550123"].map((to) => Prefixes.find(costs, E164.make(to)))).toEqual([
      61_000, 70_000
    ])
  })

  it("that cannot be read are named", () => {
    expect(faultIn({ "49": -1 })).toBe(
      "carriers.acme.cost.49 must be an amount of EUR, 0 or more, with at most six decimals."
    )
    expect(faultIn({ de: 1 })).toBe("carriers.acme.cost.de must be digits that a number begins with, or *.")
    expect(faultIn([])).toBe(
      'carriers.acme.cost must be an object of amounts by prefix such as {"49": 0.061, "*": 0.07}.'
    )
  })
})
