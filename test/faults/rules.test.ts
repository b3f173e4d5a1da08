/**
 * The rules of `npm run faults`, tested on correct evidence, and on evidence with one fault.
 */
import { nextDeliveryId, nextEventId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import { fromDeliveryId } from "@watchword/schemas/Sms"
import { StartVerification } from "@watchword/schemas/Verification"
import type { Delivery } from "@watchword/store/Delivery"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { askedFor, begun, statusOf } from "../../packages/verify/src/internal/VerificationRecord.ts"
import { someAccount } from "../accounts.ts"
import type { Arrival } from "./Arrivals.ts"
import type { Asked } from "./Asking.ts"
import type { Evidence } from "./Evidence.ts"
import { numberOf } from "./Load.ts"
import { type When, broken } from "./rules/rules.ts"

const AT = 1_790_000_000_000
const PRICE = MicroEuros.make(50_000)
const [TEXTED, VERIFIED, HAMMERED] = [numberOf(1, 10), numberOf(1, 11), numberOf(1, 1)]
const { id: account } = someAccount()

const record = (fields: Partial<Delivery>): Delivery => ({
  id: nextDeliveryId(AT),
  account,
  mode: "live",
  channel: "sms",
  to: TEXTED,
  from: "Shop",
  phase: "accepted",
  status: { name: "delivered", rank: 2 },
  price: PRICE,
  parts: 1,
  named: 1,
  reference: 1,
  createdAt: AT,
  statusAt: AT,
  dueAt: null,
  details: {},
  watch: { endpoints: ["whk_1"], version: 1 },
  ...fields
})

const arrival = (fields: Partial<Arrival>): Arrival => ({
  channel: "sms",
  number: TEXTED,
  identity: `${TEXTED} 1 1`,
  delivery: null,
  part: 1,
  code: "12345678",
  taken: true,
  owed: 1,
  told: 1,
  at: AT,
  ...fields
})

const asked = (fields: Partial<Asked>): Asked => ({
  number: TEXTED,
  path: "/sms",
  body: {},
  key: null,
  status: 200,
  answer: {},
  odd: null,
  at: AT,
  ...fields
})

const text = record({})
const verificationId = nextDeliveryId(AT)
const sent = record({ to: VERIFIED, createdAt: AT - 1, details: { verification: verificationId, attempt: 0 } })

const plan = {
  status: "approved",
  reason: null,
  workflow: [{ channel: "sms", timeout: 20 }],
  step: 0,
  attempts: [
    {
      step: 0,
      channel: "sms",
      delivery: sent.id,
      probe: null,
      caller: null,
      at: AT,
      outcome: "delivered",
      price: PRICE,
      reason: null
    }
  ],
  sendsLeft: 0,
  checksLeft: 1,
  dueAt: null,
  resendAt: AT,
  expiresAt: AT,
  approvedAt: AT,
  heard: []
} as const

const terms = {
  ...askedFor(Schema.decodeUnknownSync(StartVerification)({ to: VERIFIED, max_sends: 1 })),
  country: "DE",
  code_length: 8,
  secret: "s",
  sealed: null,
  test_number: false
}

const verified = (changed: Partial<Parameters<typeof begun>[1]> = {}): Delivery => {
  const whole = { ...plan, ...changed }
  return record({
    id: verificationId,
    channel: "verify",
    to: VERIFIED,
    price: MicroEuros.make(0),
    status: statusOf(whole),
    details: begun(terms, whole)
  })
}

const check = (fields: Partial<Asked>, answer: Asked["answer"] = {}): Asked =>
  asked({
    number: VERIFIED,
    path: "/verifications/check",
    body: { verification_id: `vrf_${verificationId}`, code: "87654321" },
    answer: { valid: true, status: "approved", checks_left: 1, ...answer },
    ...fields
  })

const eventOf = ({ id: delivery }: Delivery) => ({
  id: nextEventId(AT),
  endpoint: "whk_1",
  delivery,
  account,
  mode: "live" as const,
  version: 1
})

const told = ({ id }: { readonly id: string }) => ({
  id: `evt_${id}_updated`,
  body: "{}",
  taken: true
})

const records = [text, sent, verified()]
const events = records.map(eventOf)

const totalsOf = (records: ReadonlyArray<Delivery>): Evidence["totals"] =>
  [...Map.groupBy(records, ({ channel }) => channel)].map(([channel, own]) => ({
    channel,
    status: null,
    total: own.length
  }))

const right: Evidence = {
  records,
  entries: [],
  events,
  totals: totalsOf(records),
  audit: { ok: true, violations: [], found: 0, checked: { accounts: 1, deliveries: 3, entries: 4 } },
  arrivals: [arrival({}), arrival({ number: VERIFIED, identity: `${VERIFIED} 1 1`, code: "87654321" })],
  asked: [
    asked({ answer: { messageId: fromDeliveryId(text.id) } }),
    asked({
      number: VERIFIED,
      path: "/verifications",
      body: { max_checks: 2 },
      answer: { id: `vrf_${verificationId}` }
    }),
    check({}, { valid: false, status: "pending" }),
    check({ key: "a" }),
    check({ key: "a" })
  ],
  written: [],
  told: events.map(told),
  printed: [{ by: "server 1", text: '{"level":"info","message":"reconciled sends"}' }],
  secrets: ["a secret that is long enough"],
  deaths: [],
  erased: new Set(),
  traces: []
}

const ALL: ReadonlyArray<When> = ["always", "verified", "at rest", "erased"]

const rulesBrokenBy = (evidence: Evidence): ReadonlyArray<string> => [
  ...new Set(ALL.flatMap((when) => broken(when, evidence)).map(({ rule }) => rule))
]

/** The evidence with these records added; a record with an existing id replaces the old one. */
const withRecords = (...changed: ReadonlyArray<Delivery>): Evidence => {
  const ids = new Set<string>(changed.map(({ id }) => id))
  const all = [...records.filter(({ id }) => !ids.has(id)), ...changed]
  return { ...right, records: all, totals: totalsOf(all) }
}

const withAttempt = (fields: Partial<(typeof plan.attempts)[number]> | { readonly outcome: "opening" }): Evidence =>
  withRecords(verified({ attempts: [{ ...plan.attempts[0], ...fields }] }))

const withArrivals = (...more: ReadonlyArray<Arrival>): Evidence => ({
  ...right,
  arrivals: [...right.arrivals, ...more]
})
const withAsked = (...more: ReadonlyArray<Asked>): Evidence => ({ ...right, asked: [...right.asked, ...more] })
const unwatched = { watch: null }
const tooMany = Array.from({ length: 5 }, () => record({ to: HAMMERED, phase: "refunded", ...unwatched }))

describe("the rules of faults", () => {
  it("let a guard be blind that says so", () => {
    const printed = [{ by: "server 1", text: "a guard could not read its rules or counters, and allowed sends" }]
    expect(rulesBrokenBy({ ...withRecords(...tooMany), printed })).not.toContain("limit")
  })

  it("find nothing in what is right", () => {
    expect(ALL.flatMap((when) => broken(when, right))).toEqual([])
  })

  it.each<readonly [what: string, rules: ReadonlyArray<string>, evidence: Evidence]>([
    ["a message that was sent twice", ["sent-once", "recorded", "paid"], withArrivals(arrival({}))],
    ["a message of no record", ["recorded", "paid"], withArrivals(arrival({ number: numberOf(1, 12), identity: "x" }))],
    ["a charge without a message", ["charged"], withRecords(record({ to: numberOf(1, 13), ...unwatched }))],
    ["a hold that does not end", ["ended", "paid", "answered"], withRecords({ ...text, phase: "unknown" })],
    ["a message that was reported and not charged", ["paid", "answered"], withRecords({ ...text, phase: "rejected" })],
    [
      "an answer of which there is no record",
      ["answered"],
      withAsked(asked({ answer: { messageId: "no such message" } }))
    ],
    ["a refusal that was charged", ["refused", "answer"], { ...right, asked: [asked({ status: 402 })] }],
    [
      "an audit that finds something",
      ["audit: balance"],
      { ...right, audit: { ...right.audit, violations: [{ rule: "balance", id: account, message: "1" }] } }
    ],
    ["a limit that was passed", ["limit", "charged"], withRecords(...tooMany)],
    ["two right guesses", ["approved-once"], withAsked(check({ key: "b" }))],
    [
      "an approval that was forgotten",
      ["approved-once", "attempts"],
      withRecords(verified({ status: "expired", attempts: [{ ...plan.attempts[0], outcome: "accepted" }] }))
    ],
    [
      "a right guess of a code that was not sent",
      ["approved-once"],
      { ...right, asked: [check({ body: { verification_id: `vrf_${verificationId}`, code: "00000000" } })] }
    ],
    [
      "an approval by a text that the number has not sent",
      ["acted"],
      withRecords(verified({ heard: [{ by: "sms", at: AT, result: "approved", assurance: "network" }] }))
    ],
    [
      "an acknowledged text that was forgotten",
      ["acted"],
      {
        ...right,
        written: [{ verification: `vrf_${verificationId}`, from: VERIFIED, at: AT, acknowledgedAt: AT + 1 }]
      }
    ],
    ["a guess that cost nothing", ["guesses"], withAsked(check({}, { valid: false, status: "pending" }))],
    [
      "more messages than a verification may send",
      ["sent-once", "recorded", "sends", "paid"],
      withArrivals(arrival({ number: VERIFIED, identity: `${VERIFIED} 1 1`, code: "87654321" }))
    ],
    [
      "two codes of one verification",
      ["recorded", "sends", "one-code", "paid"],
      withArrivals(arrival({ number: VERIFIED, identity: "2", code: "11111111" }))
    ],
    ["a verification that does not end", ["approved-once", "final"], withRecords(verified({ status: "pending" }))],
    ["a verification that stays due", ["settled"], withRecords({ ...verified({}), dueAt: AT })],
    [
      "a send after the end",
      ["after-the-end"],
      withRecords({ ...sent, createdAt: AT + 1 }, verified({ attempts: [{ ...plan.attempts[0], at: AT + 1 }] }))
    ],
    ["an attempt that is stale", ["attempts"], withAttempt({ outcome: "opening" })],
    ["an attempt at another price", ["attempts"], withAttempt({ price: MicroEuros.make(0) })],
    ["a version without an event", ["event"], { ...right, events: events.slice(1) }],
    [
      "an event that was not taken",
      ["event"],
      { ...right, told: right.told.map((each) => ({ ...each, taken: false })) }
    ],
    ["a list that has lost a record", ["listed"], { ...right, totals: totalsOf(records.slice(1)) }],
    ["an error of no kind", ["answer"], withAsked(asked({ path: "/sms/sdr", status: 500, answer: {} }))],
    [
      "an error without its envelope",
      ["answer"],
      withAsked(asked({ path: "/sms/sdr", status: 400, answer: { error: "BAD_REQUEST" } }))
    ],
    ["an answer that is no JSON", ["answer"], withAsked(asked({ path: "/sms/sdr", odd: "<html>" }))],
    ["a server that ended", ["alive"], { ...right, deaths: ["server 1 ended with 1"] }],
    [
      "a rejection that nothing handled",
      ["foreseen"],
      { ...right, printed: [{ by: "server 1", text: "Unhandled 'error' event" }] }
    ],
    ["a number in a log", ["discreet"], { ...right, printed: [{ by: "server 1", text: `to ${TEXTED}` }] }],
    ["a code in a log", ["discreet"], { ...right, printed: [{ by: "server 1", text: "code 12345678" }] }],
    ["a secret in a log", ["discreet"], { ...right, printed: [{ by: "server 1", text: `key ${right.secrets[0]}` }] }],
    [
      "a number that was erased and is there",
      ["forgotten"],
      { ...right, traces: [`${TEXTED.slice(1)} in watchword.db`] }
    ]
  ])("find %s", (_, rules, evidence) => {
    expect(rulesBrokenBy(evidence)).toEqual(expect.arrayContaining([...rules]))
    expect(rulesBrokenBy(evidence)).toHaveLength(rules.length)
  })
})
