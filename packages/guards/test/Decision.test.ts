import { countersOf, decide, planOf } from "../src/internal/Decision.ts"
import { DefaultRules, type Rules } from "@watchword/guards/Rules"
import { MicroEuros } from "@watchword/schemas/Money"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { counting, facts, german, guardOf } from "./counting.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const french = E164.make("+33612345678")
const premium = E164.make("+499001234567")

const denying = (rules: Rules) => guardOf({ action: "deny", ...rules })

/** Reasons for which one send is refused. */
const reasons = (rules: Rules, to = german) => counting(denying(rules)).send(facts({ to }), 0).refused

describe("a send", () => {
  it("is let through where no rules are", () => {
    expect(planOf(guardOf({}), facts(), 0)).toEqual({ refused: [], noted: [], limits: [], watched: [], denies: false })
  })

  it("is refused to a country that is not on the list, and to numbers of none", () => {
    const rules: Rules = { countries: { allow: ["DE"] } }
    expect(reasons(rules)).toEqual([])
    expect(reasons(rules, french)).toEqual(["country_not_allowed"])
    expect(reasons(rules, E164.make("+80012345678"))).toEqual(["country_not_allowed"])
  })

  it("is refused to numbers of a type, and to prefixes", () => {
    const rules: Rules = { numbers: { deny_types: ["premium_rate"], deny_prefixes: ["+336"] } }
    expect(reasons(rules)).toEqual([])
    expect(reasons(rules, premium)).toEqual(["number_not_allowed"])
    expect(reasons(rules, french)).toEqual(["number_not_allowed"])
  })

  it("passes to a number that is always allowed, whatever the rules and blocks say", () => {
    const rules: Rules = {
      numbers: { always_allow: [french], deny_prefixes: ["+336"] },
      limits: [{ name: "number", by: ["to"], rates: ["1/1h"] }]
    }
    const blocks = [new Map([["FR", { until: HOUR, by: "operator" } as const]])]
    const guard = counting(guardOf({ action: "deny", ...rules }, { blocks }))
    for (const now of [0, 1, 2]) expect(guard.send(facts({ to: french }), now).refused).toEqual([])
    const exceptionOf = (to: E164) => (to === premium ? ("allowed" as const) : null)
    const exception = counting(guardOf(rules, { blocks, exceptionOf }))
    expect(exception.send(facts({ to: premium }), 0).refused).toEqual([])
  })

  it("to an exception has limits by number of its own: five times as many, and twice as many in a day", () => {
    const guards = (["allowed", "passed"] as const).map((kind) =>
      counting(guardOf(DefaultRules, { exceptionOf: (to) => (to === german ? kind : null) }))
    )
    for (const guard of guards) {
      const verdicts = Array.from({ length: 6 }, (_, now) => guard.send(facts({ use: "verifications" }), now).refused)
      expect(verdicts).toEqual([[], [], [], [], [], ["limit_number"]])
      const later = Array.from({ length: 40 }, (_, index) =>
        guard.send(facts({ use: "verifications", trusted: index % 2 > 0 }), (index + 1) * HOUR)
      )
      expect(later.slice(0, 15).every(({ refused }) => refused.length === 0)).toBe(true)
      expect(later[15]?.refused).toEqual(["limit_number"])
    }
  })

  it("to an exception is not bound by what was counted before it was one", () => {
    let isExcepted = false
    const guard = counting(guardOf(DefaultRules, { exceptionOf: () => (isExcepted ? "passed" : null) }))
    const send = (now: number) => guard.send(facts({ use: "verifications" }), now).refused
    expect([send(0), send(1)]).toEqual([[], ["limit_number"]])
    isExcepted = true
    expect([2, 3, 4, 5, 6].map(send)).toEqual([[], [], [], [], []])
  })

  it("to an exception passes limits that are not by number, and pumping; where no limit is by number, all", () => {
    const rules: Rules = {
      limits: [
        { name: "ip", by: ["client_ip"], rates: ["1/1h"] },
        { name: "spend", by: ["account"], money: "0.01/1d" }
      ],
      pumping: { prefix: { floor: 1, share: 0, window: "1h" }, block: "12h" }
    }
    const guard = counting(guardOf({ action: "deny", ...rules }, { exceptionOf: () => "passed" }))
    for (let now = 0; now < 100; now++) expect(guard.send(facts(), now).refused).toEqual([])
  })

  it("to a number that support lets pass is refused to types and prefixes, and not to blocks and countries", () => {
    const blocks = [new Map([["+49", { until: HOUR, by: "operator" } as const]])]
    const rules: Rules = {
      countries: { allow: ["AT"] },
      numbers: { deny_types: ["premium_rate"], deny_prefixes: ["+336"] }
    }
    const refused = (kind: "allowed" | "passed", to: E164, action: "deny" | "record" = "deny") =>
      counting(guardOf({ action, ...rules }, { blocks, exceptionOf: () => kind })).send(facts({ to }), 0)
    expect(refused("passed", german).refused).toEqual([])
    expect(refused("passed", premium).refused).toEqual(["number_not_allowed"])
    expect(refused("passed", french).refused).toEqual(["number_not_allowed"])
    expect(refused("passed", premium, "record")).toMatchObject({ refused: [], noted: ["number_not_allowed"] })
    for (const to of [german, premium, french]) expect(refused("allowed", to).refused).toEqual([])
  })

  it("is refused to a blocked prefix or country until the block ends, and even while rules are recorded only", () => {
    for (const place of ["+49151", "DE"]) {
      const guard = counting(guardOf({}, { blocks: [new Map([[place, { until: HOUR, by: "operator" } as const]])] }))
      expect(guard.send(facts(), HOUR - 1).refused).toEqual(["prefix_blocked"])
      expect(guard.send(facts(), HOUR).refused).toEqual([])
      expect(guard.send(facts({ to: french }), 0).refused).toEqual([])
    }
  })

  it("that is refused for good is not counted", () => {
    const rules: Rules = { countries: { allow: ["DE"] }, limits: [{ name: "all", by: ["account"], rates: ["1/1h"] }] }
    const guard = counting(denying(rules))
    expect(guard.send(facts({ to: french }), 0).refused).toEqual(["country_not_allowed"])
    expect(guard.send(facts(), 1).refused).toEqual([])
  })

  it("is let through when the counters cannot be read", () => {
    const plan = planOf(denying({ limits: [{ name: "ip", by: ["client_ip"], rates: ["1/1h"] }] }), facts(), 0)
    expect(decide(plan, null).refused).toEqual([])
  })
})

describe("rules that record", () => {
  it("refuse nothing, and note each reason", () => {
    const rules: Rules = {
      countries: { allow: ["FR"] },
      numbers: { deny_prefixes: ["+49151"] },
      limits: [{ name: "number", by: ["to"], rates: ["1/1h"] }],
      pumping: { prefix: { floor: 1, share: 0, window: "1h" }, block: "12h" }
    }
    const guard = counting(guardOf(rules))
    expect(guard.send(facts(), 0)).toMatchObject({ refused: [], noted: ["country_not_allowed", "number_not_allowed"] })
    const second = guard.send(facts(), 1)
    expect(second.refused).toEqual([])
    expect(second.noted).toEqual(["country_not_allowed", "number_not_allowed", "limit_number", "prefix_blocked"])
    expect(second.blocks).toEqual([])
  })

  it("count on above the limit, and one limit may record while others deny", () => {
    const guard = counting(
      denying({
        limits: [
          { name: "new", by: ["to"], rates: ["1/1h"], action: "record" },
          { name: "old", by: ["to"], rates: ["2/1h"] }
        ]
      })
    )
    expect(guard.send(facts(), 0)).toMatchObject({ refused: [], noted: [] })
    expect(guard.send(facts(), 1)).toMatchObject({ refused: [], noted: ["limit_new"] })
    expect(guard.send(facts(), 2)).toMatchObject({ refused: ["limit_old"], noted: ["limit_new"] })
  })
})

describe("a limit", () => {
  const perHour = (by: Rules["limits"] extends ReadonlyArray<infer L> | undefined ? L : never) =>
    counting(denying({ limits: [by] }))

  it("lets through exactly its most in an hour, whenever they come, and is free again when it says so", () => {
    const gaps = fc.array(fc.nat(20 * MINUTE), { minLength: 1, maxLength: 50 })
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 6 }), (all, most) => {
        const guard = perHour({ name: "number", by: ["to"], rates: [`${most}/1h`] })
        const through: Array<number> = []
        let now = 0
        for (const gap of all) {
          now += gap
          const { refused, remaining, retryAfter } = guard.send(facts(), now)
          const recent = through.filter((at) => at > now - HOUR).length
          expect(recent).toBeLessThanOrEqual(most)
          if (refused.length === 0) {
            through.push(now)
          } else {
            expect(remaining).toEqual([{ reason: "limit_number", remaining: 0 }])
            expect(refused).toEqual(["limit_number"])
            now += retryAfter ?? 0
            expect(guard.send(facts(), now - 1).refused).toEqual(["limit_number"])
            expect(guard.send(facts(), now).refused).toEqual([])
            through.push(now)
          }
        }
      })
    )
  })

  it("tells what remains of each limit when one refuses", () => {
    const guard = counting(
      denying({
        limits: [
          { name: "number", by: ["to"], rates: ["2/1h", "9/1d"] },
          { name: "ip", by: ["client_ip"], rates: ["20/1d", "5/1h"] }
        ]
      })
    )
    const left = [0, 1, 2].map((now) => guard.send(facts(), now).remaining)
    expect(left).toEqual([
      [],
      [],
      [
        { reason: "limit_number", remaining: 0 },
        { reason: "limit_ip", remaining: 3 }
      ]
    ])
  })

  it("of several names the one with the longest wait, and waits for all", () => {
    const guard = counting(
      denying({
        limits: [
          { name: "pair", by: ["to", "client_ip"], rates: ["1/30s"] },
          { name: "number", by: ["to"], rates: ["1/1h"] }
        ]
      })
    )
    guard.send(facts(), 0)
    const { denied, refused, retryAfter } = guard.send(facts(), 1)
    expect(refused).toEqual(["limit_number", "limit_pair"])
    expect(denied).toEqual([
      { reason: "limit_number", rate: "1/1h", used: 1, freeIn: HOUR - 1 },
      { reason: "limit_pair", rate: "1/30s", used: 1, freeIn: 29_999 }
    ])
    expect(retryAfter).toBe(HOUR - 1)
  })

  it("by address takes a /64 of IPv6 for one, and addresses that embed IPv4 for IPv4", () => {
    const guard = perHour({ name: "ip", by: ["client_ip"], rates: ["1/1h"] })
    const from = (clientIp: string | null) => guard.send(facts({ clientIp }), 0).refused
    expect(from("2001:db8:1:2::1")).toEqual([])
    expect(from("2001:DB8:1:2:ffff::9")).toEqual(["limit_ip"])
    expect(from("2001:db8:1:3::1")).toEqual([])
    expect(from("192.0.2.9")).toEqual([])
    expect(from("::ffff:192.0.2.9")).toEqual(["limit_ip"])
    expect(from("::192.0.2.9")).toEqual(["limit_ip"])
    expect(from("64:ff9b::192.0.2.9")).toEqual(["limit_ip"])
    expect(from("2002:c000:209:77::1")).toEqual(["limit_ip"])
    expect(from("192.0.2.10")).toEqual([])
  })

  it("does not bind a send that lacks what it counts by", () => {
    const guard = perHour({ name: "pair", by: ["to", "client_ref"], rates: ["1/1h"] })
    for (const now of [0, 1, 2]) expect(guard.send(facts(), now).refused).toEqual([])
    expect(guard.send(facts({ clientRef: "a" }), 3).refused).toEqual([])
    expect(guard.send(facts({ clientRef: "a" }), 4).refused).toEqual(["limit_pair"])
  })

  it("by prefix counts numbers that differ in their last four digits as one", () => {
    const guard = perHour({ name: "prefix", by: ["to_prefix"], rates: ["1/1h"] })
    expect(guard.send(facts({ to: E164.make("+4915123450000") }), 0).refused).toEqual([])
    expect(guard.send(facts({ to: E164.make("+4915123459999") }), 0).refused).toEqual(["limit_prefix"])
    expect(guard.send(facts({ to: E164.make("+4915123460000") }), 0).refused).toEqual([])
  })

  it("counts trusted users, the sandbox and other accounts' sends apart", () => {
    const guard = perHour({ name: "number", by: ["to"], rates: ["1/1h"] })
    const all = [facts(), facts({ trusted: true }), facts({ mode: "sandbox" })]
    for (const sent of all) expect(guard.send(sent, 0).refused).toEqual([])
    for (const sent of all) expect(guard.send(sent, 1).refused).toEqual(["limit_number"])
  })

  it("of money counts prices, of trusted users too, and not what is free", () => {
    const guard = perHour({ name: "day", by: ["account"], money: "1/1h" })
    const euros = (amount: number, trusted = false) =>
      guard.send(facts({ price: MicroEuros.make(amount * 1_000_000), trusted }), 0).refused
    expect(euros(2)).toEqual(["spend"])
    expect(euros(0.6)).toEqual([])
    expect(euros(0.5)).toEqual(["spend"])
    expect(euros(0.4, true)).toEqual([])
    expect(euros(0.1, true)).toEqual(["spend"])
    expect(euros(0)).toEqual([])
  })

  it("of sends does not count the steps that follow from one", () => {
    const guard = perHour({ name: "number", by: ["to"], rates: ["1/1h"], money: "0.1/1h" })
    expect(guard.send(facts({ price: MicroEuros.make(0) }), 0).refused).toEqual([])
    for (const now of [1, 2]) expect(guard.send(facts({ requests: 0 }), now).refused).toEqual([])
    expect(guard.send(facts({ requests: 0 }), 3).refused).toEqual(["spend"])
  })
})

describe("pumping", () => {
  const rules: Rules = {
    pumping: {
      country: { floor: 3, share: 0.5, window: "1d" },
      prefix: { floor: 2, share: 0.5, window: "1h" },
      block: "12h"
    }
  }
  const number = (index: number) => E164.make(`+4915123${String(index).padStart(6, "0")}`)

  it("blocks a prefix once more than the floor is not verified", () => {
    const guard = counting(denying(rules))
    const sent = [0, 1, 2].map((index) => guard.send(facts({ to: number(index) }), index))
    expect(sent.map(({ refused }) => refused)).toEqual([[], [], ["prefix_blocked"]])
    expect(sent[2]?.blocks).toEqual([number(0).slice(0, -4)])
  })

  it("blocks a country for numbers of many prefixes", () => {
    const guard = counting(denying(rules))
    const sent = [0, 1, 2, 3].map((index) => guard.send(facts({ to: number(index * 10_000) }), index))
    expect(sent.map(({ blocks }) => blocks)).toEqual([[], [], [], ["DE"]])
  })

  it("lets a service grow with those that are verified, in the window and on its best day", () => {
    const guard = counting(denying(rules))
    let now = 0
    for (let index = 0; index < 100; index++) {
      now += MINUTE
      const user = facts({ to: number(index * 10_000) })
      expect(guard.send(user, now).refused).toEqual([])
      guard.verify(user, now + 1)
    }
    // Two days later 50 of the best day's 100 may be without a verification.
    now += 48 * HOUR
    const later = Array.from({ length: 60 }, (_, index) => guard.send(facts({ to: number(index * 10_000) }), now))
    const through = later.findIndex(({ refused }) => refused.length > 0)
    expect(through).toBeGreaterThanOrEqual(25)
    expect(through).toBeLessThanOrEqual(50)
  })

  it("compares a prefix with no best day, and reads what was entered above the floor only", () => {
    const prefix = { floor: 2, share: 0.5, window: "1h" }
    const guard = counting(denying({ pumping: { prefix, block: "12h" } }))
    for (let index = 0; index < 100; index++) guard.verify(facts({ to: number(index) }), index)
    const sent = [0, 1, 2].map((index) => guard.send(facts({ to: number(index) }), 48 * HOUR).refused.length)
    expect(sent).toEqual([0, 0, 1])
    const { limits, watched } = planOf(guardOf({ pumping: { prefix, block: "12h" } }), facts(), 0)
    expect(countersOf({ limits, watched }).map(({ above, amount }) => [amount, above])).toEqual([
      [1, undefined],
      [0, 2]
    ])
  })

  it("does not count codes that clients make themselves where the rules say so", () => {
    const of = (own_codes: boolean) => {
      const guard = counting(
        denying({ pumping: { country: { floor: 2, share: 0.5, window: "1d" }, own_codes, block: "1h" } })
      )
      return [0, 1, 2, 3].map((index) => guard.send(facts({ to: number(index), ownCode: true }), index).refused.length)
    }
    expect(of(false)).toEqual([0, 0, 0, 0])
    expect(of(true)).toEqual([0, 0, 1, 1])
  })

  it("neither counts trusted users nor blocks them, unless an operator does", () => {
    const guard = counting(denying(rules))
    for (let now = 0; now < 9; now++) expect(guard.send(facts({ trusted: true }), now).refused).toEqual([])
    expect(guard.send(facts(), 9).refused).toEqual([])
    const blockedBy = (by: "operator" | "pumping") =>
      counting(guardOf({}, { blocks: [new Map([["DE", { until: HOUR, by } as const]])] })).send(
        facts({ trusted: true }),
        0
      ).refused
    expect(blockedBy("pumping")).toEqual([])
    expect(blockedBy("operator")).toEqual(["prefix_blocked"])
  })

  it("does not count the steps that follow from a send", () => {
    const guard = counting(denying(rules))
    for (let step = 0; step < 10; step++) expect(guard.send(facts({ requests: 0 }), step).refused).toEqual([])
  })
})

describe("numbers of no country", () => {
  const world = (last: number) =>
    [`+8821612345${10 + last}`, `+8816123456${10 + last}`, `+8835100123${10 + last}`, `+8707731116${10 + last}`].map(
      (number) => E164.make(number)
    )

  it("are one country to limits and to pumping", () => {
    const limited = counting(denying({ limits: [{ name: "country", by: ["country"], rates: ["2/1h"] }] }))
    const pumped = counting(denying({ pumping: { country: { floor: 2, share: 0.5, window: "1h" }, block: "12h" } }))
    const sends = [0, 1].flatMap(world)
    expect(sends.map((to, now) => limited.send(facts({ to }), now).refused)).toEqual([
      [],
      [],
      ...sends.slice(2).map(() => ["limit_country"])
    ])
    expect(limited.send(facts(), sends.length).refused).toEqual([])
    const verdicts = sends.map((to, now) => pumped.send(facts({ to }), now))
    expect(verdicts.map(({ refused }) => refused.length)).toEqual([0, 0, ...sends.slice(2).map(() => 1)])
    expect(verdicts[2]?.blocks).toEqual(["001"])
  })

  it("are refused and allowed by 001, without a list of countries", () => {
    const [satellite = german] = world(0)
    expect(reasons({ countries: { deny: ["001"] } }, satellite)).toEqual(["country_not_allowed"])
    expect(reasons({ countries: { deny: ["001", "FR"] } }, french)).toEqual(["country_not_allowed"])
    expect(reasons({ countries: { deny: ["001", "FR"] } })).toEqual([])
    expect(reasons({ countries: { allow: ["DE", "001"] } }, satellite)).toEqual([])
    const blocked = counting(guardOf({}, { blocks: [new Map([["001", { until: HOUR, by: "operator" } as const]])] }))
    expect(blocked.send(facts({ to: satellite }), 0).refused).toEqual(["prefix_blocked"])
    expect(blocked.send(facts(), 0).refused).toEqual([])
  })

  it("are under the default rules, which refuse them to verifications", () => {
    const guard = counting(guardOf(DefaultRules))
    for (const to of [...world(0), E164.make("+878101234567890")]) {
      expect(guard.send(facts({ to, use: "verifications" }), 0).refused).toEqual(["number_not_allowed"])
      expect(guard.send(facts({ to }), 0).refused).toEqual([])
    }
    expect(guard.send(facts({ use: "verifications" }), 0).refused).toEqual([])
  })
})

describe("numbers that no plan knows", () => {
  const unassigned = [E164.make("+447612345678"), E164.make("+15331234567")]

  it("are of the type unknown", () => {
    for (const to of unassigned) {
      expect(reasons({ numbers: { deny_types: ["premium_rate"] } }, to)).toEqual([])
      expect(reasons({ numbers: { deny_types: ["unknown"] } }, to)).toEqual(["number_not_allowed"])
    }
    expect(reasons({ numbers: { deny_types: ["unknown"] } })).toEqual([])
    expect(reasons({ numbers: { deny_types: ["personal_number"] } }, E164.make("+447012345678"))).toHaveLength(1)
  })
})

describe("a phone that two numbers reach", () => {
  const pairs = [
    ["+5491123456789", "+541123456789"],
    ["+5511987654321", "+551187654321"]
  ] as const

  const orders = pairs.flatMap(([one, other]) => [
    [one, other],
    [other, one]
  ])

  it.each(orders)("has one limit by number for %s and %s", (first, second) => {
    const guard = counting(denying({ limits: [{ name: "number", by: ["to"], rates: ["2/1h"] }] }))
    const send = (to: string | undefined, now: number) => guard.send(facts({ to: E164.make(to ?? "") }), now).refused
    expect([send(first, 0), send(second, 1), send(first, 2), send(second, 3)]).toEqual([
      [],
      [],
      ["limit_number"],
      ["limit_number"]
    ])
  })

  it("counts by the spelling too, as servers of the release before do, and once by all else", () => {
    const rules: Rules = {
      limits: [
        { name: "number", by: ["to"], rates: ["2/1h"] },
        { name: "client", by: ["client_ip"], rates: ["2/1h"] }
      ]
    }
    const counters = (to: string) => {
      const { limits } = planOf(denying(rules), facts({ to: E164.make(to) }), 0)
      return new Set(limits.map(({ counter }) => counter.key)).size
    }
    expect([counters("+5491123456789"), counters("+541123456789"), counters("+4915123456789")]).toEqual([2, 3, 2])
  })

  it.each(orders)("is blocked by a block of %s for %s as well, and not by a prefix of it", (blocked, to) => {
    const until = (place: string) => [new Map([[place, { until: HOUR, by: "operator" } as const]])]
    const send = (place = "") =>
      counting(guardOf({ action: "deny" }, { blocks: until(place) })).send(facts({ to: E164.make(to ?? "") }), 0)
        .refused
    expect(send(blocked)).toEqual(["prefix_blocked"])
    expect(send(blocked?.slice(0, -1))).toEqual([])
  })
})
