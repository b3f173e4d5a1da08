import { describe, expect, it } from "vitest"
import { list, listFilters } from "../../src/commands/DeliveryCommands.ts"
import { DeliveryId } from "@watchword/schemas/Ids"
import { Store } from "@watchword/store/Store"
import { AMOUNTS, hourOf } from "@watchword/store/Traffic"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { accountFor } from "../../../../test/stores/fixtures.ts"
import { onSqlite, sent } from "./onSqlite.ts"

const { ask, read, run } = onSqlite()

const blocked = { outcome: "rejected", status: { name: "blocked", rank: 2 } } as const

/** Two accounts, and the ids of five sends of theirs, the newest first. */
const traffic = () =>
  run(
    Effect.gen(function* () {
      const [one, other] = [yield* accountFor(99), yield* accountFor(99)]
      const ids = [
        yield* sent(one, 500),
        yield* sent(other, 400, { channel: "call", to: "+4915100000001" }),
        yield* sent(other, 300, { details: { guard_reasons: "prefix_blocked limit_ip" } }, blocked),
        yield* sent(one, 200, {
          mode: "sandbox",
          details: { carrier: "blue", cost: 61_000, verification: VERIFICATION, attempt: 0 }
        }),
        yield* sent(one, 100, {}, { outcome: "rejected", details: { failure_message: "no such number" } })
      ]
      return { one, other, ids: ids.toReversed() }
    })
  )

const VERIFICATION = "01KAJ3T8ZZ0000000000000000"

const listed = (input: object) => ask(list, input)

const decodePage = Schema.decodeUnknownSync(
  Schema.Struct({ deliveries: Schema.Array(Schema.Struct({ id: DeliveryId })), next: Schema.NullOr(DeliveryId) })
)

describe("delivery list", () => {
  it("shows the sends of all accounts, the newest first", async () => {
    const { ids, one, other } = await traffic()
    const answer = await ask(list)
    const money = { price: 0.05, cost: null, margin: null }
    const fields = { to: "+4915123456789", ...money, carrier: null, verification_id: null, reason: null }
    const iso: unknown = expect.stringMatching(/^20\d\d-.*Z$/)
    const times = { created_at: iso, updated_at: iso }
    const sms = { ...fields, ...times, channel: "sms", mode: "live", status: "sent", phase: "accepted" }
    expect(answer).toEqual({
      deliveries: [
        { ...sms, id: ids[0], account_id: one, phase: "rejected", price: 0, reason: "no such number" },
        {
          ...sms,
          id: ids[1],
          account_id: one,
          mode: "sandbox",
          carrier: "blue",
          cost: 0.061,
          margin: -0.011,
          verification_id: `vrf_${VERIFICATION}`
        },
        {
          ...sms,
          id: ids[2],
          account_id: other,
          phase: "rejected",
          price: 0,
          status: "blocked",
          reason: "prefix_blocked, limit_ip"
        },
        { ...sms, id: ids[3], account_id: other, channel: "call", to: "+4915100000001" },
        { ...sms, id: ids[4], account_id: one }
      ],
      next: null
    })
    expect((await read(list))[1]).toContain("price 0.05 EUR, cost 0.061 EUR, margin -0.011 EUR")
  })

  it("shows those of one country, also of one that shares its calling code, page by page", async () => {
    const [canada, states, france] = ["+14165550123", "+12125550123", "+33612345678"]
    const to = async (number: string, ago: number) =>
      run(Effect.flatMap(accountFor(99), (account) => sent(account, ago, { to: number })))
    const ids = [await to(canada, 500), await to(states, 400), await to(france, 300), await to(canada, 200)]
    const page = async (input: object) => {
      const { deliveries, next } = decodePage(await listed(input))
      return { ids: deliveries.map(({ id }) => ids.indexOf(id)), next }
    }
    expect(await page({ country: "CA" })).toEqual({ ids: [3, 0], next: null })
    expect(await page({ country: "US" })).toEqual({ ids: [1], next: null })
    const first = await page({ country: "CA", limit: 1 })
    expect(first).toEqual({ ids: [3], next: ids[3] })
    expect(await page({ country: "CA", limit: 1, after: first.next })).toEqual({ ids: [0], next: null })
    await expect(listed({ country: "Canada" })).rejects.toMatchObject({ issues: [{ path: "country" }] })
  })

  it("shows those that meet all filters", async () => {
    const { ids, one } = await traffic()
    const found = async (input: object) => {
      const lines = await read(list, input)
      return ids.flatMap((id, place) => (lines.some((line) => line.includes(id)) ? [place] : []))
    }
    expect(await found({ account_id: one })).toEqual([0, 1, 4])
    expect(await found({ mode: "live" })).toEqual([0, 2, 3, 4])
    expect(await found({ channel: "call" })).toEqual([3])
    expect(await found({ status: "blocked" })).toEqual([2])
    expect(await found({ carrier: "blue" })).toEqual([1])
    expect(await found({ country: "DE" })).toEqual([0, 1, 2, 3, 4])
    expect(await found({ country: "FR" })).toEqual([])
    expect(await found({ prefix: "+491510" })).toEqual([3])
    expect(await found({ prefix: "+4915", country: "DE" })).toEqual([0, 1, 2, 3, 4])
    expect(await found({ prefix: "+48" })).toEqual([])
    expect(await found({ since: new Date(Date.now() - 350_000).toISOString(), account_id: one })).toEqual([0, 1])
    expect(await found({ until: new Date(Date.now() - 350_000).toISOString() })).toEqual([3, 4])
    expect(await read(list, { status: "unheard" })).toEqual(["There is no such send."])
  })

  it("goes on where a page ended", async () => {
    const { ids } = await traffic()
    expect(await ask(list, { limit: 2 })).toMatchObject({ next: ids[1] })
    expect((await read(list, { limit: 2 })).at(-1)).toBe(`There may be more; continue with --after ${ids[1]}`)
    const rest = await ask(list, { after: ids[1] })
    expect(rest).toMatchObject({ deliveries: [{ id: ids[2] }, { id: ids[3] }, { id: ids[4] }], next: null })
  })

  it("names the field that is wrong", async () => {
    const issues = (path: string, message: RegExp) => ({
      code: "BAD_REQUEST",
      issues: [{ path, message: expect.stringMatching(message) }]
    })
    await expect(listed({ channel: "pigeon" })).rejects.toMatchObject(issues("channel", /^must be one of .*sms/))
    await expect(listed({ channel: "verify" })).rejects.toMatchObject(issues("channel", /^must be one of/))
    await expect(listed({ prefix: "+4915123456789" })).rejects.toMatchObject(issues("prefix", /1 to 7 digits/))
    await expect(listed({ prefix: "4915" })).rejects.toMatchObject(issues("prefix", /plus sign/))
    await expect(listed({ limit: 101 })).rejects.toMatchObject(issues("limit", /from 1 to 100/))
    await expect(listed({ after: "x" })).rejects.toMatchObject(issues("after", /ULID/))
    await expect(listed({ since: "yesterday" })).rejects.toMatchObject(issues("since", /ISO 8601/))
    await expect(listed({ number: "+4915123456789" })).rejects.toMatchObject(issues("number", /./))
  })
})

describe("delivery filters", () => {
  it("lists the channels of the service, and the countries and carriers of the last month's sends", async () => {
    const row = (ago: number, carrier: string, country: string) =>
      Effect.map(accountFor(1), (account) => ({
        key: {
          hour: hourOf(Date.now()) - ago,
          account,
          mode: "live" as const,
          channel: "sms" as const,
          carrier,
          country
        },
        amounts: Array.from({ length: AMOUNTS }, () => 1)
      }))
    await run(
      Effect.gen(function* () {
        const { addTraffic } = yield* Store
        yield* addTraffic([
          yield* row(1, "bell", "NG"),
          yield* row(700, "acme", "DE"),
          yield* row(2, "", ""),
          yield* row(24 * 31, "old", "FR")
        ])
      })
    )
    expect(await ask(listFilters)).toEqual({
      channels: expect.arrayContaining(["sms", "call", "chatgw", "bizchat"]),
      countries: ["DE", "NG"],
      carriers: ["acme", "bell"]
    })
    expect(await read(listFilters)).toContain("countries  DE,NG")
  })
})
