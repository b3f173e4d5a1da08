import type { AccountId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import { add } from "../../src/commands/WebhookCommands.ts"
import { layerUnsealed, setLowBalance, states } from "@watchword/events/EndpointAdmin"
import { GuardAdmin } from "@watchword/guards/operator"
import { keepNotice } from "@watchword/send/gateway"
import { Store, about } from "@watchword/store/Store"
import { Settings } from "@watchword/store/Settings"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { overview } from "../../src/commands/OverviewCommand.ts"
import { AMOUNTS, hourOf } from "@watchword/store/Traffic"
import { PLACE } from "../../src/insight/traffic/Measures.ts"
import { BelowCost } from "../../src/insight/overview/BelowCost.ts"
import { accountFor } from "../../../../test/stores/fixtures.ts"
import { onSqlite, sent } from "./onSqlite.ts"

const { ask, read, run } = onSqlite()

const WEEK = 7 * 24 * 3_600

const failed = { outcome: "rejected", status: { name: "failed", rank: 2 } } as const
const blocked = { outcome: "rejected", status: { name: "blocked", rank: 2 } } as const

const times = <A, E, R>(count: number, effect: Effect.Effect<A, E, R>) =>
  Effect.forEach(Array.from({ length: count }), () => effect)

const delivered = Effect.fnUntraced(function* (account: AccountId, ago: number) {
  const id = yield* sent(account, ago)
  const at = Date.now() - ago * 1000
  yield* Store.use((store) => store.report(about(id, at, { status: { name: "delivered", rank: 2 } })))
})

describe("overview", () => {
  it("has nothing on an empty database", async () => {
    const none = { sent: 0, delivered: 0, failed: 0, pending: 0, blocked: 0 }
    const answer = await ask(overview)
    expect(answer).toMatchObject({
      version: null,
      migrations: null,
      problems: [],
      events: { pending: 0, oldest: null },
      unknown: { count: 0, oldest: null },
      low_balances: [],
      truncated: false
    })
    expect(answer).toHaveProperty(
      "channels",
      ["call", "sms", "chatgw", "bizchat"].map((channel) => ({ channel, hour: none, week_ago: none }))
    )
    expect((await read(overview))[0]).toBe("No known problems.")
  })

  it("counts live sends and verifications of the hour, and of the same hour a week ago", async () => {
    await run(
      Effect.gen(function* () {
        const account = yield* accountFor(99)
        yield* times(3, sent(account, 60))
        yield* delivered(account, 120)
        yield* sent(account, 130, {}, failed)
        yield* sent(account, 140, {}, blocked)
        yield* sent(account, 150, { mode: "sandbox" })
        yield* sent(account, 3 * 3_600)
        yield* times(2, delivered(account, WEEK + 600))
        yield* sent(account, WEEK - 600)
        yield* sent(account, 60, { channel: "call" }, { status: { name: "ended", rank: 2 } })
        yield* sent(account, 60, { channel: "chatgw" }, { status: { name: "read", rank: 3 } })
        yield* sent(account, 60, { channel: "chatgw_probe" })
        yield* sent(account, 60, { channel: "verify" }, { status: { name: "approved", rank: 2 } })
        yield* sent(account, 60, { channel: "verify" }, { status: { name: "pending", rank: 1 } })
        yield* sent(account, WEEK + 60, { channel: "verify" }, { status: { name: "expired", rank: 2 } })
      })
    )
    const none = { sent: 0, delivered: 0, failed: 0, pending: 0, blocked: 0 }
    const nothing = { started: 0, approved: 0, pending: 0, expired: 0, failed: 0, canceled: 0, blocked: 0 }
    expect(await ask(overview)).toMatchObject({
      channels: [
        { channel: "call", hour: { ...none, sent: 1, delivered: 1 }, week_ago: none },
        {
          channel: "sms",
          hour: { sent: 5, delivered: 1, failed: 1, pending: 3, blocked: 1 },
          week_ago: { ...none, sent: 2, delivered: 2 }
        },
        { channel: "chatgw", hour: { ...none, sent: 1, delivered: 1 }, week_ago: none },
        { channel: "bizchat", hour: none, week_ago: none }
      ],
      verifications: {
        hour: { ...nothing, started: 2, approved: 1, pending: 1 },
        week_ago: { ...nothing, started: 1, expired: 1 }
      }
    })
  })

  it("calls an attack one, with what it has cost, until its place is blocked", async () => {
    const hour = hourOf(Date.now())
    await run(
      Effect.gen(function* () {
        const account = yield* accountFor(9_999)
        for (let index = 0; index < 25; index++) {
          const to = `+234803${1_000_000 + index * 97_219}`
          yield* sent(account, 120, { channel: "verify", to, price: zero }, { status: { name: "pending", rank: 1 } })
        }
        const key = { hour, account, mode: "live", channel: "sms", carrier: "sms", country: "NG" } as const
        const amounts = Array.from({ length: AMOUNTS }, (_, place) => (place === PLACE.price ? 2_100_000 : 0))
        yield* Store.use((store) => store.addTraffic([{ key, amounts }]))
      })
    )
    const text = "0 of 25 codes to Nigeria were entered in the last hour; €2.10 so far."
    const act = { command: "guard block", label: "Block Nigeria", input: { place: "NG", for: "12h" } }
    expect(await ask(overview)).toMatchObject({ problems: [{ kind: "attack", text, act }] })
    expect(await read(overview)).toContain("      guard block NG --for 12h")
    await run(GuardAdmin.block(null, "NG", 3_600_000))
    expect(await ask(overview)).toMatchObject({ problems: [] })
  })

  it("says what is wrong, the worst first", async () => {
    const { account, webhook } = await run(
      Effect.gen(function* () {
        const account = yield* accountFor(60)
        yield* times(15, sent(account, 60))
        yield* times(15, sent(account, 60, {}, failed))
        yield* times(20, sent(account, WEEK + 60, { channel: "call", price: zero }))
        yield* sent(account, 90, { channel: "chatgw" }, { outcome: "unknown" })
        yield* setLowBalance(account, 100)
        yield* GuardAdmin.block(null, "+2348", 3_600_000, "pumping")
        yield* GuardAdmin.block(null, "+2349", 3_600_000)
        const { json } = yield* Effect.provide(
          Effect.flatMap(add.ask({ url: "https://example.com" }), ({ run }) => run),
          layerUnsealed
        )
        const { webhook_id: id } = json
        const settings = yield* Settings
        const notice = {
          about: "template otp",
          text: "The template otp is paused.",
          severity: "bad",
          lasts: null
        } as const
        yield* keepNotice(settings, notice)
        yield* keepNotice(settings, { ...notice, about: "an hour ago", lasts: -1 })
        yield* keepNotice(settings, { ...notice, about: "number" })
        yield* keepNotice(settings, { ...notice, about: "number", text: null })
        yield* settings.note(null, states.of(id), {
          failing_since: Date.now() - 1_000,
          disabled: { at: Date.now(), why: "gone" }
        })
        return { account, webhook: id }
      })
    )
    const answer = await ask(overview)
    const text = (what: RegExp): unknown => expect.stringMatching(what)
    expect(answer).toMatchObject({
      problems: [
        { kind: "channel_silent", severity: "bad", text: text(/by call .* 20 /), link: "#/connections" },
        { kind: "channel_failing", severity: "bad", text: text(/^50 % .* by sms/), link: "#/traffic" },
        { kind: "platform", severity: "bad", text: "The template otp is paused.", link: "#/connections" },
        {
          kind: "webhook_disabled",
          severity: "bad",
          text: text(/answered 410/),
          link: text(/^#\/connections\?webhook=whk_/)
        },
        { kind: "sends_unknown", severity: "warn", text: text(/^The outcome of 1 send is unknown/), link: "#/live" },
        { kind: "balance_low", severity: "warn", text: text(/Café Zürich/), link: `#/accounts/${account}` },
        { kind: "pumping", severity: "warn", text: text(/\+2348/), link: "#/guards" }
      ],
      unknown: { count: 1, oldest: text(/Z$/) },
      low_balances: [{ account_id: account, name: "Café Zürich", threshold: 100 }]
    })
    expect(JSON.stringify(answer)).toContain(webhook)
    expect((await read(overview))[0]).toMatch(/^bad {3}Nothing was sent by call/)
  })

  it("names the prices below cost that the program knows of, and no more than five", async () => {
    const losses = Array.from({ length: 9 }, (_, n) => `sms to ${n} sells for 0.05 EUR and costs 0.06 EUR by acme.`)
    const { json } = await run(Effect.provideService(overview.answer({}), BelowCost, Effect.succeed(losses)))
    expect(json).toMatchObject({
      problems: losses
        .slice(0, 5)
        .map((text) => ({ kind: "price_below_cost", severity: "warn", text, link: "#/traffic" }))
    })
  })
})
