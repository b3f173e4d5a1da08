import { zero } from "@watchword/schemas/Money"
import { GuardAdmin } from "@watchword/guards/operator"
import { REASONS } from "@watchword/send/pipeline"
import { ERASED } from "@watchword/store/Delivery"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { look } from "../../src/commands/GuardLookCommand.ts"
import { accountFor } from "../../../../test/stores/fixtures.ts"
import { onSqlite, sent } from "./onSqlite.ts"

const { ask, read, run } = onSqlite()

const HOUR = 3_600

const blocked = { outcome: "rejected", status: { name: "blocked", rank: 2 } } as const

describe("guard look", () => {
  it("has the default rules and nothing else on an empty database", async () => {
    expect(await ask(look)).toMatchObject({
      blocks: [],
      exceptions: 0,
      trips: [],
      countries: [],
      rules: [{ account_id: null, from: "default", rules: { action: "deny" } }]
    })
  })

  it("shows blocks of all accounts with the time left, counts exceptions, and has the rules of accounts", async () => {
    const account = await run(
      Effect.gen(function* () {
        const account = yield* accountFor(0)
        yield* GuardAdmin.block(account, "NG", 2 * HOUR * 1000, "pumping")
        yield* GuardAdmin.block(null, "+2348", HOUR * 1000)
        yield* GuardAdmin.allow(null, "+4915123456789", null)
        yield* GuardAdmin.allow(account, "+4915123456780", 60_000)
        yield* GuardAdmin.set(account, { action: "record", countries: { allow: ["DE"] } })
        return account
      })
    )
    const answer = await ask(look)
    expect(answer).toMatchObject({
      blocks: [
        { account_id: null, place: "+2348", seconds_left: HOUR, by: "operator" },
        { account_id: account, place: "NG", seconds_left: 2 * HOUR, by: "pumping" }
      ],
      exceptions: 2,
      rules: [
        { account_id: null, from: "default" },
        { account_id: account, from: "account", rules: { action: "record", countries: { allow: ["DE"] } } }
      ]
    })
    expect(JSON.stringify(answer)).not.toContain("+49151234567")
  })

  it("counts by rule and account what was refused and what would have been, of the hour and the day", async () => {
    const { one, other } = await run(
      Effect.gen(function* () {
        const [one, other] = [yield* accountFor(99), yield* accountFor(99)]
        const reasons = (text: string) => ({ [REASONS]: text })
        yield* sent(one, 60, { details: reasons("limit_ip") }, blocked)
        yield* sent(one, 70, { details: reasons("limit_ip limit_number") }, blocked)
        yield* sent(one, 5 * HOUR, { details: reasons("limit_ip") })
        yield* sent(other, 80, { details: reasons("country_not_allowed") })
        yield* sent(other, 30 * HOUR, { details: reasons("country_not_allowed") })
        yield* sent(other, 90, { mode: "sandbox", details: reasons("limit_ip") }, blocked)
        yield* sent(other, 100)
        return { one, other }
      })
    )
    const none = { refused: 0, noted: 0 }
    expect(await ask(look)).toMatchObject({
      trips: [
        { rule: "limit_ip", account_id: one, hour: { refused: 2, noted: 0 }, day: { refused: 2, noted: 1 } },
        { rule: "country_not_allowed", account_id: other, hour: { ...none, noted: 1 }, day: { ...none, noted: 1 } },
        { rule: "limit_number", account_id: one, hour: { ...none, refused: 1 }, day: { ...none, refused: 1 } }
      ]
    })
    expect(await read(look)).toContain(
      `limit_ip  ${one}  refused 2 in the last hour and 2 in the last day; 0 and 1 would have been`
    )
  })

  it("shows where codes were not entered, by country and prefix", async () => {
    await run(
      Effect.gen(function* () {
        const account = yield* accountFor(0)
        const verified = (to: string, status: string, ago = 60) =>
          sent(account, ago, { channel: "verify", to, price: zero }, { status: { name: status, rank: 2 } })
        for (let index = 0; index < 5; index++) {
          yield* verified(`+234801234000${index}`, index === 0 ? "pending" : "expired")
          yield* verified(`+491519999000${index}`, "expired", 2 * HOUR)
        }
        yield* verified("+2348012340009", "approved")
        yield* verified("+2348012340010", "blocked")
        yield* verified("+4915123450001", "failed")
        yield* verified(ERASED, "expired")
      })
    )
    const sum = { unverified: 5, approved: 1 }
    expect(await ask(look)).toHaveProperty("countries", [
      { country: "NG", ...sum, prefixes: [{ prefix: "+234801234", ...sum }] }
    ])
    expect(await read(look)).toContain("  +234801234…  5 not entered, 1 approved")
  })
})
