import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { audit } from "../../src/insight/Audit.ts"
import type { AccountId } from "@watchword/schemas/Ids"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Settings from "@watchword/store/Settings"
import { ERASED } from "@watchword/store/Delivery"
import { memory } from "@watchword/store/MemoryStore"
import type { Snapshots } from "@watchword/store/Snapshots"
import { type Open, Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { erase } from "../../src/privacy/Erasure.ts"
import { accountFor, opening } from "../../../../test/stores/fixtures.ts"

const NUMBER = E164.make("+4915123456789")
const OTHER = E164.make("+4915198765432")

const nothing = { records: 0, claims: 0, reports: 0, settings: 0, blocks_kept: 0, under_way: 0, reclaimed: true }

/** A send some seconds ago, whose outcome is known unless it is said otherwise. */
const sent = Effect.fnUntraced(function* (
  account: AccountId,
  fields: Partial<Open["delivery"]> = {},
  outcome: "accepted" | "unknown" = "accepted",
  ago = 60
) {
  const store = yield* Store
  const at = Date.now() - ago * 1000
  const id = nextDeliveryId(at)
  yield* store.open({
    ...opening(account, { id, to: NUMBER, ...fields }),
    at,
    close: { outcome, status: { name: "sent", rank: 1 }, refs: [id], details: {} }
  })
  return id
})

const run = <A>(
  program: (
    account: AccountId
  ) => Effect.Effect<A, unknown, ChannelRegistry.ChannelRegistry | Store | Snapshots | Settings.Settings>
): Promise<A> =>
  Effect.flatMap(accountFor(1_000), program).pipe(
    Effect.provide(Layer.merge(Settings.layer, ChannelRegistry.layerBuiltIn).pipe(Layer.provideMerge(memory()))),
    Effect.runPromise
  )

const recordsTo = (to: string): Effect.Effect<number, StoreError, Store> =>
  Effect.map(
    Store.use((store) => store.deliveriesTo({ to, since: 0, until: Date.now() + 60_000, limit: 5_000 })),
    ({ length }) => length
  )

const textOf = (account: AccountId, id: Effect.Success<ReturnType<typeof sent>>, channel = "sms") =>
  Effect.map(
    Store.use((store) => store.find({ account, mode: "live", channel, id })),
    (found) => JSON.stringify(found)
  )

describe("an erasure", () => {
  it("takes both numbers of a phone that two numbers reach", () =>
    run(
      Effect.fnUntraced(function* (account) {
        const [one, other] = [E164.make("+5491123456789"), E164.make("+541123456789")]
        yield* sent(account, { to: one })
        yield* sent(account, { to: other })
        expect(yield* erase(other)).toEqual({ ...nothing, records: 2 })
        expect([yield* recordsTo(one), yield* recordsTo(other)]).toEqual([0, 0])
      })
    ))

  it("takes the number out of all its records, and leaves others", () =>
    run(
      Effect.fnUntraced(function* (account) {
        const id = yield* sent(account, { details: { text: "Your code is 424242", encoding: "gsm7" } })
        const call = yield* sent(account, {
          channel: "call",
          from: "+4930901820123",
          details: { hangup_cause: "NORMAL" }
        })
        yield* sent(account, { to: OTHER })
        const erased = yield* erase(NUMBER)
        expect(erased).toEqual({ ...nothing, records: 2 })
        expect([yield* recordsTo(NUMBER), yield* recordsTo(OTHER), yield* recordsTo(ERASED)]).toEqual([0, 1, 2])
        expect(yield* textOf(account, id)).not.toContain("424242")
        expect(yield* textOf(account, call, "call")).not.toContain("0123")
        expect(yield* erase(NUMBER)).toEqual(nothing)
        expect(yield* audit).toMatchObject({ ok: true })
      })
    ))

  it("takes more records than one step does", () =>
    run(
      Effect.fnUntraced(function* (account) {
        for (let n = 0; n < 600; n++) yield* sent(account, { price: zero })
        expect(yield* erase(NUMBER)).toMatchObject({ records: 600, under_way: 0 })
      })
    ))

  it("leaves what is under way, and says how much", () =>
    run(
      Effect.fnUntraced(function* (account) {
        const unknown = yield* sent(account, {}, "unknown")
        const ringing = { channel: "call", details: { dialog: "sip:+4915123456789@host" } }
        yield* sent(account, ringing)
        yield* sent(account, ringing, "accepted", 7_200)
        expect(yield* erase(NUMBER)).toMatchObject({ records: 1, under_way: 2 })
        const close = { outcome: "accepted", status: { name: "sent", rank: 1 }, refs: [], details: {} } as const
        yield* Store.use((store) => store.close({ ...close, id: unknown, at: Date.now() }))
        expect(yield* erase(NUMBER)).toMatchObject({ records: 1, under_way: 1 })
      })
    ))

  it("is refused where a record is of a channel that the program lacks", () =>
    run(
      Effect.fnUntraced(function* (account) {
        yield* sent(account, { channel: "pigeon", details: { feather: "71930482" } })
        expect(yield* Effect.flip(erase(NUMBER))).toMatchObject({
          reason: "Unavailable",
          message: expect.stringContaining("a record of the product pigeon, and this program does not have its channel")
        })
        expect(yield* recordsTo(NUMBER)).toBe(1)
      })
    ))

  it("removes exceptions, test numbers and phones, and keeps blocks of the number", () =>
    run(
      Effect.fnUntraced(function* (account) {
        const store = yield* Store
        const set = (owner: AccountId | null, name: string, value: unknown) =>
          store.changeSetting({ account: owner, name, value: JSON.stringify(value) })
        const until = new Date(Date.now() + 60_000).toISOString()
        yield* set(account, `allow:${NUMBER}`, true)
        yield* set(account, `allow:${OTHER}`, true)
        yield* set(account, `test-number:${NUMBER}`, { code: "424242", until })
        yield* set(account, `phone:${NUMBER}`, {})
        yield* set(null, `block:${NUMBER}`, { until: Date.now() + 60_000, by: "operator" })
        expect(yield* erase(NUMBER)).toEqual({ ...nothing, settings: 3, blocks_kept: 1 })
        expect(yield* store.settings(account)).toEqual([{ name: `allow:${OTHER}`, value: "true" }])
        expect((yield* store.settings(null)).map(({ name }) => name)).toEqual([`block:${NUMBER}`])
      })
    ))
})
