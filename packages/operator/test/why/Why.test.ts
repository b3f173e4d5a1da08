import { builtInChannels } from "watchword/Hosting"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { AccountId } from "@watchword/schemas/Ids"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Details } from "@watchword/store/Delivery"
import { memory } from "@watchword/store/MemoryStore"
import { type Open, Store, about, aboutPart } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { remedies } from "../../src/insight/why/Remedies.ts"
import { type Story, why } from "../../src/insight/Why.ts"
import { accountFor, opening } from "../../../../test/stores/fixtures.ts"
import { GuardAdmin } from "@watchword/guards/operator"
import * as Settings from "@watchword/store/Settings"
import * as Layer from "effect/Layer"

const NUMBER = E164.make("+4915123456789")

/** A send some seconds ago. */
const sent = Effect.fnUntraced(function* (
  account: AccountId,
  ago: number,
  fields: Partial<Open["delivery"]> = {},
  close: Partial<NonNullable<Open["close"]>> = {}
) {
  const store = yield* Store
  const at = Date.now() - ago * 1000
  const id = fields.id ?? nextDeliveryId(at)
  yield* store.open({
    ...opening(account, { to: NUMBER, ...fields, id }),
    at,
    close: { outcome: "accepted", status: { name: "sent", rank: 1 }, refs: [id], details: {}, ...close }
  })
  return id
})

const verified = (account: AccountId, status: string, details: Details, attempts: ReadonlyArray<object> = []) =>
  sent(
    account,
    100,
    {
      channel: "verify",
      price: zero,
      status: { name: status, rank: 1 },
      details: {
        purpose: "login",
        test_number: false,
        reason: null,
        sends_left: 3,
        checks_left: 5,
        ...details,
        attempts: JSON.stringify(attempts)
      }
    },
    { status: { name: status, rank: 1 } }
  )

/** An action of a user who acts first. */
const heard = (result: string): Details => ({
  receives: JSON.stringify({ sms: "+4930901820000" }),
  heard: JSON.stringify([{ by: "sms", at: Date.now(), result, assurance: "network" }])
})

const attempt = (fields: object) => ({
  channel: "sms",
  delivery: null,
  at: Date.now(),
  outcome: "accepted",
  reason: null,
  ...fields
})

/** The story of a number after some sends. */
const storyOf = <E>(
  history: (account: AccountId) => Effect.Effect<unknown, E, Settings.Settings | Store>
): Promise<Story> =>
  Effect.gen(function* () {
    yield* history(yield* accountFor(100))
    return yield* why(NUMBER)
  }).pipe(Effect.provide(services()), Effect.runPromise)

const services = () => Layer.provideMerge(Settings.layer, Layer.merge(memory(), builtInChannels))

const receipt = (id: string, status: string, error: string) =>
  Store.use((store) =>
    store.report(
      aboutPart("sms", [id], Date.now(), {
        status: { name: status, rank: 2 },
        details: { carrier_status: "UNDELIV", carrier_error: error }
      })
    )
  )

const rejected = (details: Details) => ({ outcome: "rejected", details }) as const
const blocked = { outcome: "rejected", status: { name: "blocked", rank: 2 } } as const

describe("the likely reason", () => {
  const reasons: ReadonlyArray<readonly [reason: RegExp, history: Parameters<typeof storyOf<unknown>>[0]]> = [
    [/^no request for this number was recorded/, () => Effect.void],
    [
      /^the network said undelivered: UNDELIV, error 027 \(absent subscriber/,
      (account) => Effect.flatMap(sent(account, 9), (id) => receipt(id, "undelivered", "027"))
    ],
    [
      /^the phone showed it: sms says delivered/,
      (account) => Effect.flatMap(sent(account, 9), (id) => receipt(id, "delivered", "000"))
    ],
    [/^accepted by the gateway of sms, but no receipt/, (account) => sent(account, 9)],
    [/^not sent by sms: Refused$/, (account) => sent(account, 9, {}, rejected({ failure_message: "Refused." }))],
    [/^the gateway of sms did not answer/, (account) => sent(account, 9, {}, { outcome: "unknown" })],
    [/^not delivered by chatgw/, (account) => sent(account, 9, { channel: "chatgw" }, { outcome: "refunded" })],
    [
      /^not sent by call: USER_BUSY \(SIP 486, Q\.850 17: busy\)$/,
      (account) =>
        sent(account, 9, { channel: "call" }, rejected({ hangup_cause: "USER_BUSY", sip_status: 486, q850: 17 }))
    ],
    [
      /^not sent by sms: no carrier takes messages to this number/,
      (account) => sent(account, 9, {}, rejected({ failure_reason: "no_route" }))
    ],
    [
      /^blocked by limit_number, country_not_allowed$/,
      (account) => {
        const details = { guard_reasons: "limit_number country_not_allowed" }
        return sent(account, 9, { price: zero, details }, blocked)
      }
    ],
    [/^the code was entered, and/, (account) => verified(account, "approved", {})],
    [/^wrong codes were entered until/, (account) => verified(account, "failed", { reason: "max_checks" })],
    [/^not enough balance/, (account) => verified(account, "pending", {}, [attempt({ outcome: "unpaid" })])],
    [/^a test number/, (account) => verified(account, "pending", { test_number: true })],
    [/^blocked by prefix_blocked$/, (account) => verified(account, "blocked", { guard_reasons: "prefix_blocked" })],
    [
      /^the client canceled the verification; before that, the last send, by sms, is undelivered \(BAD_REQUEST\)$/,
      (account) => verified(account, "canceled", {}, [attempt({ outcome: "undelivered", reason: "BAD_REQUEST" })])
    ],
    [
      /^the user was asked to write, call or sign in, and no action has arrived: it is expired$/,
      (account) => verified(account, "expired", { receives: JSON.stringify({ sms: "+4930901820000" }) })
    ],
    [
      /^a text came from another number: someone has passed it on, and it proves nothing any more \(network\)$/,
      (account) => verified(account, "pending", heard("other_number"))
    ],
    [
      /^a text came from the number, which approved the verification \(network\)$/,
      (account) => verified(account, "approved", heard("approved"))
    ],
    [
      /^the network said undelivered/,
      (account) =>
        Effect.gen(function* () {
          const id = nextDeliveryId(Date.now())
          const verification = yield* verified(account, "expired", {}, [attempt({ delivery: id })])
          yield* sent(account, 50, { id, details: { verification, attempt: 0 } })
          yield* receipt(id, "undelivered", "001")
        })
    ]
  ]

  it.each(reasons)("is %s", async (reason, history) => {
    expect((await storyOf(history)).reason).toMatch(reason)
  })

  it("comes with what to do about it", async () => {
    const told = async (history: Parameters<typeof storyOf<unknown>>[0]) => (await storyOf(history)).remedy
    expect(await told(() => Effect.void)).toMatch(/^watchword requests shows the requests that were refused/)
    expect(await told((account) => sent(account, 9, {}, rejected({})))).toMatch(/closed route$/)
    const refused = (details: Details) => told((account) => sent(account, 9, {}, rejected(details)))
    expect(await refused({ failure: "BAD_REQUEST", failure_field: "to" })).toMatch(
      /^the gateway says that the number is invalid/
    )
    expect(await refused({ failure: "BAD_REQUEST", failure_field: "from" })).toMatch(/closed route$/)
    expect(await refused({ failure: "SERVICE_UNAVAILABLE", carrier_status: "ESME_RINVSRCNPI" })).toMatch(
      /the option to try/
    )
    const canceled = await told((account) => verified(account, "canceled", {}, [attempt({ outcome: "unpaid" })]))
    expect(canceled).toBe("account show, then account credit")
  })

  it("names the rule in the console, how many of how many, and until when", async () => {
    const toldOf = async (history: Parameters<typeof storyOf<unknown>>[0]) => {
      const { console, reason } = await storyOf(history)
      return { command: reason, console: console.reason }
    }
    const until = Date.UTC(2027, 0, 31, 12)
    const details = {
      guard_reasons: "limit_number limit_ip",
      guard_limits: `limit_number 5/1h 5 ${until}`
    }
    expect(await toldOf((account) => sent(account, 9, { price: zero, details }, blocked))).toEqual({
      command: "blocked by limit_number (5 of 5 in 1h, until 2027-01-31T12:00:00.000Z), limit_ip",
      console: "blocked by the limit number: 5 of 5 in 1h, until 2027-01-31T12:00:00.000Z, and by the limit ip"
    })
    const spent = { guard_reasons: "spend", guard_limits: `spend 12.5/1d 12400000 ${until}` }
    expect((await toldOf((account) => sent(account, 9, { price: zero, details: spent }, blocked))).console).toBe(
      "blocked by the limit of money: 12.4 of 12.5 EUR in 1d, until 2027-01-31T12:00:00.000Z"
    )
    const refusedFor = (reason: string) => (account: AccountId) =>
      verified(account, "blocked", { guard_reasons: reason })
    expect((await toldOf(refusedFor("prefix_blocked"))).console).toBe("blocked by a block, which has ended since")
    const under = (account: AccountId) =>
      Effect.andThen(GuardAdmin.block(account, "+4915", 60_000), refusedFor("prefix_blocked")(account))
    expect(await toldOf(under)).toEqual({
      command: expect.stringMatching(/^blocked by prefix_blocked \(until 20.*Z\)$/),
      console: expect.stringMatching(/^blocked by the block of \+4915, which an operator set: until 20.*Z$/)
    })
    expect((await toldOf(refusedFor("country_not_allowed"))).console).toMatch(/do not allow Germany$/)
  })

  it("has a remedy in the console that links to its pages, and names no command", async () => {
    const { console } = await storyOf((account) => verified(account, "blocked", { guard_reasons: "limit_number" }))
    expect(console.remedy).toMatch(
      /^\[exempt .*\]\(guard pass\), .*\[Guards\]\(#\/guards\).*\(#\/accounts\/acc_[0-9A-Z]{26}\)$/
    )
    const pages = /^#\/(?:accounts|connections|guards|requests)?(?:\/ACCOUNT)?$|^guard pass$/
    const commands =
      /\b(?:guard (?:show|list|allow)|account (?:show|credit|test-number)|carrier (?:list|resume)|docs\/)/
    for (const [kind, { console }] of Object.entries(remedies)) {
      const targets = [...console.matchAll(/\[[^\]]+\]\(([^)]+)\)/g)].map(([, target = ""]) => target)
      expect([kind, targets.filter((target) => !pages.test(target)), commands.test(console)]).toEqual([kind, [], false])
    }
  })

  it("has the remedies of the handbook", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../../docs/operators/monitoring.md"), "utf8")
    const [table = ""] = /(?<=\| likely reason \| what to do \|\n\|---\|---\|\n)(?:\|.*\n)+/.exec(page) ?? []
    const plain = table.replaceAll("`", "").replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    const rows = plain.trim().split("\n")
    expect(rows.map((row) => row.split(" | ")[1]?.replace(/ \|$/, ""))).toEqual(
      Object.values(remedies).map(({ command }) => command)
    )
  })

  it("is not that of a probe that a send has spent", async () => {
    const { reason } = await storyOf((account) =>
      Effect.andThen(
        verified(account, "pending", {}, [attempt({ channel: "chatgw" })]),
        sent(account, 9, { channel: "chatgw_probe", price: zero }, { status: { name: "spent", rank: 2 } })
      )
    )
    expect(reason).toBe("the last send, by chatgw, is accepted")
  })

  it("says what users who act first were asked to do, and did", async () => {
    const { items } = await storyOf((account) => verified(account, "pending", heard("weak")))
    expect(items[0]?.lines).toEqual([
      "purpose login",
      "the user was asked to act first: sms to +4930901820000",
      expect.stringMatching(
        /^a text came from the number, but less sure than the verification asks for \(network\), after [0-9.]+ s$/
      ),
      "5 guesses and 3 sends left",
      "pending"
    ])
  })

  it("is that of the last request", async () => {
    const { items, reason } = await storyOf((account) =>
      Effect.andThen(verified(account, "approved", {}), sent(account, 9, { price: zero }, blocked))
    )
    expect(items.map(({ channel }) => channel)).toEqual(["verify", "sms"])
    expect(reason).toBe("blocked by a guard")
  })
})

describe("the story of a number", () => {
  it("has all accounts and modes, the newest last, with what happened to each", async () => {
    const { items, truncated } = await storyOf((account) =>
      Effect.gen(function* () {
        const store = yield* Store
        const call = yield* sent(account, 20, { channel: "call", mode: "sandbox", price: zero })
        const details = { pdd: 1.5, hangup_cause: "NORMAL_CLEARING", sip_status: 200, reported_status: "Success" }
        yield* store.report(about(call, Date.now(), { status: { name: "ended", rank: 2 }, details }))
        yield* sent(yield* accountFor(1), 10)
        yield* sent(account, 5, { to: "+4915123456780" })
      })
    )
    expect(truncated).toBe(false)
    expect(items).toMatchObject([
      {
        channel: "call",
        mode: "sandbox",
        status: "ended",
        lines: [
          "the gateway accepted it",
          "rang after 1.5 s",
          "the network said: NORMAL_CLEARING (SIP 200)",
          "the client reported: Success",
          expect.stringMatching(/^ended after \d+(?:\.\d+)? s$/)
        ]
      },
      { channel: "sms", mode: "live", status: "sent", name: "Café Zürich" }
    ])
    expect(new Set(items.map(({ account }) => account)).size).toBe(2)
  })

  it("names what the account paid, what the carrier asks, and the margin", async () => {
    const money = async (details: Details, close: Parameters<typeof sent>[3] = {}) => {
      const { items } = await storyOf((account) => sent(account, 9, { details }, close))
      const [{ cost, lines, margin, price } = { cost: 0, lines: [], margin: 0, price: 0 }] = items
      return { lines: lines.filter((line) => line.includes("EUR")), amounts: [price, cost, margin] }
    }
    expect(await money({ carrier: "acme", cost: 61_000 })).toEqual({
      lines: ["the account paid 0.05 EUR, the carrier asks 0.061 EUR: a margin of -0.011 EUR"],
      amounts: [0.05, 0.061, -0.011]
    })
    expect(await money({})).toEqual({ lines: ["the account paid 0.05 EUR"], amounts: [0.05, null, null] })
    expect(await money({ cost: 0 }, rejected({}))).toEqual({ lines: [], amounts: [0, 0, 0] })
    expect(await money({ cost: 20_000 }, { outcome: "refunded" })).toEqual({
      lines: ["the account paid 0.00 EUR, the carrier asks 0.02 EUR: a margin of -0.02 EUR"],
      amounts: [0, 0.02, -0.02]
    })
  })

  it("has the money of all sends of a verification with it", async () => {
    const { items } = await storyOf((account) =>
      Effect.gen(function* () {
        const verification = yield* verified(account, "expired", {}, [attempt({}), attempt({})])
        yield* sent(account, 50, { details: { verification, attempt: 0, cost: 61_000 } })
        yield* sent(account, 40, { details: { verification, attempt: 1, cost: 1 } })
      })
    )
    expect(items[0]).toMatchObject({ channel: "verify", price: 0.1, cost: 0.061001, margin: 0.038999 })
    expect(items[0]?.lines).toContain(
      "the account paid 0.10 EUR, the carriers ask 0.061001 EUR: a margin of 0.038999 EUR"
    )
  })

  it("has no code, no text, no caller and no address", async () => {
    const story = await storyOf((account) =>
      Effect.gen(function* () {
        const secrets = { text: "Your code is 864297", inbox_code: "864297", client_ip: "192.0.2.77", sealed: "864297" }
        yield* sent(account, 20, { from: "+4930901864297", details: secrets })
        yield* verified(account, "pending", secrets, [attempt({ caller: "864297" })])
      })
    )
    expect(story.items).toHaveLength(2)
    expect(JSON.stringify(story)).not.toMatch(/864297|192\.0\.2\.77/)
  })

  it("is bounded, leaves out the oldest, and begins at a time", async () => {
    const ids: Array<string> = []
    const stories = await Effect.gen(function* () {
      const account = yield* accountFor(100)
      for (const ago of [40, 30, 20, 10]) ids.push(yield* sent(account, ago))
      return yield* Effect.all([why(NUMBER, { limit: 2 }), why(NUMBER, { since: Date.now() - 25_000 })])
    }).pipe(Effect.provide(services()), Effect.runPromise)
    for (const { items } of stories) expect(items.map(({ id }) => id)).toEqual(ids.slice(2))
    expect(stories.map(({ truncated }) => truncated)).toEqual([true, false])
  })
})
