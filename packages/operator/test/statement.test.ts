/**
 * Statements of months against the ledger of any history.
 */
import { type AccountId, DeliveryId, EntryId, firstUlid, nextUlid } from "@watchword/schemas/Ids"
import { PositiveMicroEuros } from "@watchword/schemas/Money"
import { Store, about } from "@watchword/store/Store"
import { makeMemory } from "@watchword/store/MemoryStore"
import * as fc from "fast-check"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { createWatchword } from "watchword"
import { builtInChannels } from "watchword/Hosting"
import * as Layer from "effect/Layer"
import { accountFor, opening } from "../../../test/stores/fixtures.ts"
import { statement as command } from "../src/commands/StatementCommand.ts"
import { rowsOf } from "../src/insight/statement/Rows.ts"
import { LISTED, statement } from "../src/insight/statement/Statement.ts"

const MONTHS = ["2027-01", "2027-02", "2027-03", "2027-04"] as const
const FIRST = Date.UTC(2027, 0)
const DAY = 24 * 3_600_000

const NUMBERS = { DE: "+4915123456789", FR: "+33612345678", "": "+881612345678" } as const

interface Step {
  readonly at: number
  readonly amount: number
  readonly does: "credit" | "debit" | "accepted" | "rejected" | "refunded" | "open" | "refunded later"
  readonly channel: "sms" | "call" | "chatgw"
  readonly country: keyof typeof NUMBERS
}

/** Takes a step, which a balance that is too small leaves undone. */
const take = Effect.fnUntraced(function* (account: AccountId, { amount, at, channel, country, does }: Step) {
  const store = yield* Store
  const money = PositiveMicroEuros.make(amount)
  if (does === "credit" || does === "debit") {
    const entry = { id: EntryId.make(`${does} ${nextUlid(at)}`), account, amount: money, reason: null, at }
    return yield* Effect.asVoid(store[does](entry))
  }
  const id = DeliveryId.make(firstUlid(at).slice(0, 10) + nextUlid(at).slice(10))
  const outcome = does === "refunded later" ? "accepted" : does
  const close = { status: { name: "sent", rank: 1 }, refs: [id], details: {} } as const
  const { delivery, ...open } = opening(account, { id, channel, to: NUMBERS[country], price: money })
  yield* store.open({ ...open, delivery, at, ...(outcome === "open" ? {} : { close: { ...close, outcome } }) })
  if (does !== "refunded later") return
  // A month later, so that the refund is on another statement than the send.
  yield* store.report({ ...about(id, at + 30 * DAY, { status: { name: "expired", rank: 3 } }), refund: true })
})

const micros = (euros: number): number => Math.round(euros * 1_000_000)

const onStore = <A, E>(effect: Effect.Effect<A, E, Store | Layer.Success<typeof builtInChannels>>): Promise<A> =>
  effect.pipe(Effect.provideService(Store, makeMemory()), Effect.provide(builtInChannels), Effect.runPromise)

describe("statements", () => {
  const step: fc.Arbitrary<Step> = fc.record({
    at: fc.integer({ min: FIRST - 20 * DAY, max: Date.UTC(2027, 4) - 1 }),
    amount: fc.integer({ min: 1, max: 2_000_000 }),
    does: fc.constantFrom("credit", "credit", "debit", "accepted", "rejected", "refunded", "open", "refunded later"),
    channel: fc.constantFrom("sms", "call", "chatgw"),
    country: fc.constantFrom("DE", "FR", "")
  })

  it("add up, follow each other without a gap, and end with the ledger's balance", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (history) => {
        const { all, balance, before } = await onStore(
          Effect.gen(function* () {
            const account = yield* accountFor(0)
            for (const each of history.toSorted((one, other) => one.at - other.at)) yield* take(account, each)
            const store = yield* Store
            const entries = yield* store.entries({ account, after: null, limit: 1_000 })
            const isSettled = new Set(["credit", "refund"])
            const changes = entries.flatMap(({ amount, at, kind }) =>
              kind === "hold" || kind === "release" ? [] : [{ at, change: isSettled.has(kind) ? amount : -amount }]
            )
            const until = (time: number) => changes.reduce((sum, { at, change }) => sum + (at < time ? change : 0), 0)
            return {
              all: yield* Effect.forEach(MONTHS, (month) => statement({ account, month })),
              balance: until(Date.UTC(2027, 4)),
              before: until(FIRST)
            }
          })
        )
        let expected = before
        for (const { closing, opening, ...sums } of all) {
          expect(opening).toBe(expected)
          const changes = rowsOf(sums).reduce((sum, { amount }) => sum + micros(amount), 0)
          expect(opening + changes).toBe(closing)
          expected = closing
        }
        expect(expected).toBe(balance)
      }),
      { numRuns: 100 }
    )
  })

  it("have sends and refunds by channel and country, and each credit and debit", async () => {
    const at = FIRST + DAY
    const { csv, first, lines, second } = await onStore(
      Effect.gen(function* () {
        const account = yield* accountFor(0)
        const steps = [
          { does: "credit", amount: 10_000_000 },
          { does: "debit", amount: 500_000 },
          { does: "accepted", amount: 50_000 },
          { does: "accepted", amount: 61_001 },
          { does: "accepted", amount: 20_000, channel: "call" },
          { does: "accepted", amount: 70_000, country: "FR" },
          { does: "rejected", amount: 70_000, country: "FR" },
          { does: "open", amount: 70_000, country: "FR" },
          { does: "refunded later", amount: 10_000, channel: "chatgw" }
        ] as const
        for (const each of steps) yield* take(account, { at, channel: "sms", country: "DE", ...each })
        const input = { account, month: "2027-01" }
        const linesOf = (more: object) =>
          Effect.flatMap(command.answer({ account_id: account, month: input.month, ...more }), ({ lines }) => lines)
        return {
          first: yield* statement(input),
          second: yield* statement({ ...input, month: "2027-02" }),
          csv: yield* linesOf({ csv: true }),
          lines: yield* linesOf({})
        }
      })
    )
    const row = { date: "", channel: "", country: "", note: "" }
    expect(rowsOf(first)).toEqual([
      { ...row, date: "2027-01-02", item: "credit", count: 1, amount: 10, note: expect.stringMatching(/^credit /) },
      { ...row, date: "2027-01-02", item: "debit", count: 1, amount: -0.5, note: expect.stringMatching(/^debit /) },
      { ...row, item: "sends", channel: "call", country: "DE", count: 1, amount: -0.02 },
      { ...row, item: "sends", channel: "chatgw", country: "DE", count: 1, amount: -0.01 },
      { ...row, item: "sends", channel: "sms", country: "DE", count: 2, amount: -0.111001 },
      { ...row, item: "sends", channel: "sms", country: "FR", count: 1, amount: -0.07 }
    ])
    expect(first).toMatchObject({ opening: 0, closing: 9_288_999, isOver: false })
    expect(rowsOf(second)).toEqual([
      { ...row, item: "refunds", channel: "chatgw", country: "DE", count: 1, amount: 0.01 }
    ])
    expect(second).toMatchObject({ opening: 9_288_999, closing: 9_298_999 })
    expect([csv[0], csv[1], csv.at(-1)]).toEqual([
      "date,item,channel,country,count,amount,note",
      ",opening balance,,,0,0,",
      ",closing balance,,,0,9.288999,"
    ])
    expect(lines.at(-1)).toMatch(/^closing balance +9\.288999$/)
    expect(lines.find((line) => line.startsWith("debit 2027-01-02"))).toMatch(/ 1 +-0\.500000 {2}debit /)
  })

  it("have the sends of deleted records and of erased numbers, without a place", async () => {
    const rows = await onStore(
      Effect.gen(function* () {
        const store = yield* Store
        const account = yield* accountFor(0)
        const usual = { amount: 50_000, at: FIRST + DAY, channel: "sms", country: "DE" } as const
        yield* take(account, { ...usual, does: "credit", amount: 1_000_000 })
        yield* take(account, { ...usual, does: "accepted" })
        yield* take(account, { ...usual, at: FIRST + 2 * DAY, country: "FR", does: "accepted" })
        yield* store.purge({ before: FIRST + 2 * DAY, limit: 10 })
        const left = yield* store.deliveriesBefore({ before: FIRST + 3 * DAY, after: null, limit: 10 })
        expect(left.map(({ to }) => to)).toEqual([NUMBERS.FR])
        yield* store.redact(left.map(({ id }) => ({ id, to: true, from: true, details: {} })))
        return rowsOf(yield* statement({ account, month: "2027-01" }))
      })
    )
    expect(rows.filter(({ item }) => item === "sends")).toMatchObject([
      { channel: "", country: "", count: 1, amount: -0.05 },
      { channel: "sms", country: "", count: 1, amount: -0.05 }
    ])
  })

  it("of more entries than a page list so many credits, and have the sum of the others", async () => {
    const all = LISTED + 300
    const made = await onStore(
      Effect.gen(function* () {
        const account = yield* accountFor(0)
        for (let n = 0; n < all; n++) {
          yield* take(account, { at: FIRST + n, amount: 3, channel: "sms", country: "DE", does: "credit" })
        }
        for (let n = 0; n < all; n++) {
          yield* take(account, { at: FIRST + DAY + n, amount: 1, channel: "sms", country: "DE", does: "accepted" })
        }
        return yield* statement({ account, month: "2027-01" })
      })
    )
    const rows = rowsOf(made)
    expect(rows.slice(LISTED)).toMatchObject([
      { item: "further credits", count: 300, amount: 0.0009 },
      { item: "sends", count: all, amount: -all / 1_000_000 }
    ])
    expect(made.closing).toBe(2 * all)
  })

  it("refuse an unknown account, and a text that is not a month", async () => {
    const service = await createWatchword({ store: Layer.succeed(Store, makeMemory()) })
    const account_id = "acc_01KAJ3T8ZZ0000000000000000"
    await expect(service.operator.statement({ account_id, month: "2027-01" })).rejects.toMatchObject({
      code: "NOT_FOUND"
    })
    await expect(service.operator.statement({ account_id, month: "January" })).rejects.toMatchObject({
      issues: [{ path: "month", message: "must be a month such as 2027-01" }]
    })
    await service.dispose()
  })
})
