import { AccountId } from "@watchword/schemas/Ids"
import { MicroEuros, zero } from "@watchword/schemas/Money"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { RULES } from "../../src/insight/overview/ProblemRules.ts"
import { type Facts, problemsOf } from "../../src/insight/overview/Problems.ts"
import type { Verification } from "../../src/insight/overview/Unverified.ts"

const NOW = Date.parse("2027-01-31T12:30:00.000Z")
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const account = AccountId.make("acc_01KAJ3V0D4N9J2M5T8Q1W7XYZA")

/** An installation without a problem, an hour and a half into the hours that are summed. */
const calm: Facts = {
  since: NOW - 1.5 * HOUR,
  channels: [],
  verifications: { hour: new Map(), weekAgo: new Map() },
  codes: [],
  refused: [],
  costs: new Map(),
  spent: new Map(),
  carriers: [],
  balances: [],
  blocked: [],
  webhooks: [],
  lowBalances: [],
  testNumbers: [],
  certificates: [],
  blocks: [],
  truncated: false,
  unknown: { count: 0, oldest: null },
  events: { pending: 0, oldestPending: null },
  notices: [],
  belowCost: [],
  migrations: null
}

const problems = (facts: Partial<Facts>) => problemsOf({ ...calm, ...facts }, NOW)

const codes = (count: number, more: Partial<Verification> = {}): ReadonlyArray<Verification> =>
  Array.from({ length: count }, (_, index) => ({
    to: E164.make(`+234803${String(1_000_000 + index * 397_219).slice(0, 7)}`),
    createdAt: NOW - 10 * MINUTE,
    isApproved: false,
    isPending: false,
    isGuessed: false,
    ...more
  }))

describe("problems", () => {
  it("are empty while all is well", () => {
    expect(problems({})).toEqual([])
  })

  it("call an attack one, with its cost and the block that stops it", () => {
    expect(problems({ codes: codes(25), costs: new Map([["NG", 2_100_000]]) })).toEqual([
      {
        kind: "attack",
        about: "NG",
        severity: "bad",
        text: "0 of 25 codes to Nigeria were entered in the last hour; €2.10 so far.",
        link: "#/guards",
        act: { command: "guard block", label: "Block Nigeria", input: { place: "NG", for: "12h" } }
      }
    ])
  })

  it("doubt an attack while a carrier loses texts", () => {
    const counts = { sent: 100, delivered: 60, failed: 40, pending: 0, blocked: 0 }
    const channels = [{ channel: "sms", hour: counts, weekAgo: { ...counts, failed: 0 } }]
    expect(problems({ codes: codes(25), channels }).map(({ text }) => text)).toEqual([
      "0 of 25 codes to Nigeria were entered in the last hour. Sends by sms fail too: look at the carrier before you block.",
      "40 % of the last hour's sends by sms failed; a week ago it was 0 %."
    ])
  })

  it("do not call codes an attack that users may still be entering, or whose place is blocked", () => {
    const typing = codes(25, { isPending: true, createdAt: NOW - MINUTE + 1 })
    expect(problems({ codes: typing })).toEqual([])
    expect(problems({ codes: codes(25, { isPending: true, createdAt: NOW - MINUTE }) })).toHaveLength(1)
    expect(problems({ codes: codes(25), blocked: ["NG"] })).toEqual([])
    expect(problems({ codes: codes(25), blocked: ["+49"] })).toHaveLength(1)
  })

  it("count refused verifications from twenty on, and from a fifth of all", () => {
    const hour = (blocked: number, approved: number) => ({
      hour: new Map([
        ["blocked", blocked],
        ["approved", approved]
      ]),
      weekAgo: new Map()
    })
    expect(problems({ verifications: hour(20, 80) })).toMatchObject([
      { kind: "verifications_refused", text: "Guards refused 20 of 100 verifications in the last hour." }
    ])
    expect(problems({ verifications: hour(20, 81) })).toEqual([])
    expect(problems({ verifications: hour(19, 0) })).toEqual([])
  })

  it("see one number flooded, whose codes no one enters, with the number masked in all but the act", () => {
    const number = E164.make("+4915123456789")
    const sent = codes(5, { to: number })
    const refused = (count: number) => Array.from({ length: count }, () => number)
    expect(problems({ codes: sent, refused: refused(5) })).toEqual([
      {
        kind: "flooding",
        about: "+491********89",
        severity: "bad",
        text: "Codes for +491********89 were asked for 10 times in the last hour, and none was entered; guards refused 5 of them.",
        link: "#/guards",
        act: { command: "guard block", label: "Block +491********89", input: { place: number, for: "12h" } }
      }
    ])
    expect(problems({ codes: sent, refused: refused(4) })).toEqual([])
    expect(problems({ codes: codes(5, { to: number, isApproved: true }), refused: refused(9) })).toEqual([])
    expect(problems({ codes: sent, refused: refused(9), blocked: [number] })).toEqual([])
    expect(problems({ codes: sent, refused: refused(9), blocked: ["+4915"] })).toEqual([])
  })

  it("see codes of one number guessed", () => {
    const number = E164.make("+4915123456789")
    expect(problems({ codes: codes(3, { to: number, isGuessed: true }) })).toMatchObject([
      {
        kind: "guessing",
        text: "Wrong codes used up all checks of 3 verifications of +491********89 in the last hour.",
        act: { input: { place: number } }
      }
    ])
    expect(problems({ codes: codes(2, { to: number, isGuessed: true }) })).toEqual([])
  })

  it("see conversion that falls, by verifications that have ended", () => {
    const of = (approved: number, expired: number, pending = 0) =>
      new Map([
        ["approved", approved],
        ["expired", expired],
        ["pending", pending]
      ])
    expect(problems({ verifications: { hour: of(29, 21, 100), weekAgo: of(40, 10) } })).toMatchObject([
      {
        kind: "conversion_low",
        severity: "bad",
        text: "58 % of the last hour's verifications were approved; a week ago it was 80 %."
      }
    ])
    expect(problems({ verifications: { hour: of(31, 19), weekAgo: of(40, 10) } })).toEqual([])
    expect(problems({ verifications: { hour: of(0, 49), weekAgo: of(40, 10) } })).toEqual([])
    expect(problems({ verifications: { hour: of(0, 50), weekAgo: of(40, 9) } })).toEqual([])
  })

  it("see a carrier whose receipts slow down, and drain it if it has a name", () => {
    const slow = { channel: "sms", now: { receipts: 20, p50: 60 }, usual: { receipts: 100, p50: 20 } }
    const carriers = [
      { ...slow, carrier: "alpha" },
      { ...slow, carrier: "sms", now: { receipts: 20, p50: null } },
      { ...slow, carrier: "few", now: { receipts: 19, p50: 60 } },
      { ...slow, carrier: "new", usual: { receipts: 99, p50: 20 } },
      { ...slow, carrier: "usual", now: { receipts: 20, p50: 30 } },
      { ...slow, carrier: "quick", now: { receipts: 20, p50: 10 }, usual: { receipts: 100, p50: 1 } }
    ]
    expect(problems({ carriers })).toMatchObject([
      {
        kind: "carrier_slow",
        about: "sms alpha",
        text: "Half of the receipts of alpha take up to 60 s; in the day before it was 20 s.",
        act: { command: "carrier drain", label: "Drain alpha", input: { carrier: "alpha" } }
      },
      { about: "sms sms", text: expect.stringContaining("more than 30 minutes"), act: null }
    ])
  })

  it("see a balance that ends within twelve hours", () => {
    const balances = [{ account, name: "Acme", available: MicroEuros.make(40_000_000) }]
    expect(problems({ balances, spent: new Map([[account, 15_000_000]]) })).toMatchObject([
      {
        kind: "balance_ending",
        about: account,
        text: "The balance of Acme, €40.00, ends in about 4 hours at this rate.",
        act: { command: "account credit", input: { account_id: account } }
      }
    ])
    expect(problems({ balances, spent: new Map([[account, 5_000_000]]) })).toEqual([])
    const empty = [{ account, name: "Acme", available: zero }]
    expect(problems({ balances: empty, spent: new Map([[account, 15_000_000]]) })).toEqual([])
    const cheap = [{ account, name: "Acme", available: MicroEuros.make(1_000) }]
    expect(problems({ balances: cheap, spent: new Map([[account, 999_999]]) })).toEqual([])
  })

  it("see certificates and test numbers that end", () => {
    const DAY = 24 * HOUR
    const certificates = [3, 21, 2.9, -1].map((days, place) => ({ connection: `sms:${place}`, ends: NOW + days * DAY }))
    expect(problems({ certificates }).map(({ about, severity }) => [about, severity])).toEqual([
      ["sms:2", "bad"],
      ["sms:3", "bad"],
      ["sms:0", "warn"]
    ])
    expect(problems({ certificates: certificates.slice(0, 1) })[0]?.text).toBe(
      "The certificate of sms:0 ends at 2027-02-03T12:30:00.000Z: its next connection after that fails, unless the other side renews it."
    )
    const testNumbers = [2.9, 3].map((days) => ({
      account,
      name: "Acme",
      number: "+4915123456789",
      until: NOW + days * DAY
    }))
    expect(problems({ testNumbers })).toMatchObject([
      {
        kind: "test_number_ends",
        severity: "warn",
        text: "The test number +491********89 of Acme ends at 2027-02-03T10:06:00.000Z; from then on its code is refused.",
        link: `#/accounts/${account}`
      }
    ])
  })

  it("have their rules in the documents", async () => {
    const page = await readFile("docs/operators/monitoring.md", "utf8")
    for (const [kind, rule] of Object.entries(RULES)) expect(page).toContain(`| \`${kind}\` | ${rule} |`)
  })
})
