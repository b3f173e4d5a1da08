import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { audit } from "../../src/insight/Audit.ts"
import { type AccountId, DeliveryId, firstUlid, nextDeliveryId } from "@watchword/schemas/Ids"
import { BackgroundAllowed } from "@watchword/send/pipeline"
import * as Settings from "@watchword/store/Settings"
import { memory } from "@watchword/store/MemoryStore"
import type { Snapshots } from "@watchword/store/Snapshots"
import { type Open, Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"
import * as Periods from "../../src/privacy/Periods.ts"
import { Retention, layer } from "../../src/privacy/Retention.ts"
import { accountFor, opening } from "../../../../test/stores/fixtures.ts"

const DAY = 24 * 60 * 60 * 1000

const idAt = (at: number) => DeliveryId.make(firstUlid(at).slice(0, 10) + nextDeliveryId(at).slice(10))

/** A text so many days ago. */
const sent = Effect.fnUntraced(function* (
  account: AccountId,
  days: number,
  outcome: "accepted" | "unknown" = "accepted",
  fields: Partial<Open["delivery"]> = {}
) {
  const store = yield* Store
  const at = Date.now() - days * DAY
  const id = idAt(at)
  yield* store.open({
    ...opening(account, { id, details: { text: "Your code is 424242" }, ...fields }),
    at,
    close: { outcome, status: { name: "sent", rank: 1 }, refs: [id], details: {} }
  })
  return id
})

type Services = ChannelRegistry.ChannelRegistry | Retention | Settings.Settings | Snapshots | Store

const services = layer.pipe(
  Layer.provideMerge(Settings.layer),
  Layer.provideMerge(Layer.merge(memory(), ChannelRegistry.layerBuiltIn)),
  Layer.provide(Layer.succeed(BackgroundAllowed, false))
)

const run = (program: (account: AccountId) => Effect.Effect<void, unknown, Services>): Promise<void> =>
  Effect.flatMap(accountFor(2_000), program).pipe(Effect.provide(services), Effect.runPromise)

const pass = Retention.use((retention) => retention.run)

/** The text of each record; null if it is gone, and undefined if the record is. */
const textsOf = Effect.fnUntraced(function* (account: AccountId, ids: ReadonlyArray<DeliveryId>) {
  const store = yield* Store
  const found = yield* Effect.forEach(ids, (id) => store.find({ account, mode: "live", channel: "sms", id }))
  return found.map((each) => Option.getOrUndefined(each)?.details["text"])
})

const TEXT = "Your code is 424242"

describe("the log of refused requests", () => {
  const refused = (days: number) => ({
    id: idAt(Date.now() - days * DAY),
    account: null,
    mode: null,
    key: null,
    operation: "POST /sms",
    status: 401,
    code: "UNAUTHORIZED",
    reason: null,
    requestId: null,
    client: null,
    number: null,
    count: 1
  })

  const anything = { account: null, mode: null, status: null, code: null, operation: null, before: null }

  const idsOf = Store.use((store) =>
    store.refused({ ...anything, since: 0, until: Date.now() + DAY, limit: 10_000, reach: 10_000 })
  ).pipe(Effect.map(({ rows }) => rows.map(({ id }) => id)))

  it("lasts a week, or as long as records", () =>
    run(
      Effect.fnUntraced(function* () {
        const store = yield* Store
        const [old, young, now] = [refused(7.5), refused(6.5), refused(1)]
        yield* store.addRefused([...Array.from({ length: 2_500 }, () => refused(8)), old, young, now])
        yield* pass
        expect(yield* idsOf).toEqual([now.id, young.id])
        yield* Periods.set({ records: 5 })
        yield* pass
        expect(yield* idsOf).toEqual([now.id])
        yield* Periods.set({ records: 90 })
        yield* store.addRefused([young])
        yield* pass
        expect(yield* idsOf).toEqual([now.id, young.id])
      })
    ))
})

describe("the operators' log", () => {
  const entryOf = (days: number) => ({
    id: idAt(Date.now() - days * DAY),
    who: "anna",
    by: "api",
    command: "guard block",
    input: "{}",
    outcome: "done",
    output: null
  })

  it("loses entries that are as old as records that are deleted", () =>
    run(() =>
      Effect.gen(function* () {
        const store = yield* Store
        const settings = yield* Settings.Settings
        const days = [400, 91, 89, 0]
        for (const each of days) yield* store.beginLogEntry(entryOf(each))
        const left = Effect.map(store.logEntries({ since: 0, before: null, limit: 10 }), (all) => all.length)
        yield* pass
        expect(yield* left).toBe(4)
        yield* Effect.provideService(Periods.set({ records: 90 }), Settings.Settings, settings)
        yield* pass
        expect(yield* left).toBe(2)
      })
    ))
})

describe("phones of the sandbox", () => {
  const phone = (days: number) => ({
    mode: "auto",
    call: "ring",
    sms: "deliver",
    chatgw: true,
    bizchat: "deliver",
    offline: false,
    set_at: Date.now() - days * DAY
  })

  it("go once they were set longer ago than records are kept", () =>
    run(
      Effect.fnUntraced(function* (account) {
        const store = yield* Store
        for (const [name, value] of [
          ["phone:+4915123456781", phone(31)],
          ["phone:+4915123456782", phone(29)],
          ["phone:+4915123456783", "of another version"]
        ] as const) {
          yield* store.changeSetting({ account, name, value: JSON.stringify(value) })
        }
        const names = Effect.map(store.settings(account), (rows) => rows.map(({ name }) => name))
        yield* pass
        expect(yield* names).toHaveLength(3)
        yield* Periods.set({ records: 30 })
        yield* pass
        expect(yield* names).toEqual(["phone:+4915123456782", "phone:+4915123456783"])
      })
    ))
})

describe("periods", () => {
  const refused = (change: Partial<Periods.Periods>) =>
    Effect.flip(Periods.set(change)).pipe(Effect.provide(services), Effect.scoped, Effect.runPromise)

  it("are none until they are set, and each stays as it is when the other is set", () =>
    run(() =>
      Effect.gen(function* () {
        expect(yield* Periods.get).toEqual({ records: null, texts: null })
        yield* Periods.set({ records: 90 })
        yield* Periods.set({ texts: 30 })
        expect(yield* Periods.get).toEqual({ records: 90, texts: 30 })
        expect(yield* Periods.set({ records: null })).toEqual({ records: null, texts: 30 })
      })
    ))

  it.each([
    ["records", { records: 1 }, "must be 2d to 3650d, in whole days, or forever"],
    ["records", { records: Number.NaN }, "must be 2d to 3650d, in whole days, or forever"],
    ["texts", { texts: 0.5 }, "must be 1d to 3650d, in whole days, or forever"],
    ["texts", { texts: 4_000 }, "must be 1d to 3650d, in whole days, or forever"],
    ["texts", { records: 30, texts: 31 }, "must not be longer than records, which is 30d"]
  ] as const)("are refused by name: %s of %o", async (path, change, message) => {
    expect(await refused(change)).toMatchObject({ _tag: "BAD_REQUEST", issues: [{ path, message }] })
  })

  it("are read as they are written", () => {
    expect(["90d", "forever", "0d", "12h", "d", ""].map(Periods.parse)).toEqual([90, null, NaN, NaN, NaN, NaN])
    expect([90, null].map(Periods.written)).toEqual(["90d", null])
  })
})

describe("a sweep", () => {
  it("keeps everything where no period is set", () =>
    run(
      Effect.fnUntraced(function* (account) {
        const old = yield* sent(account, 1_000)
        expect(yield* pass).toEqual({ records: 0, texts: 0 })
        expect(yield* textsOf(account, [old])).toEqual([TEXT])
      })
    ))

  it("takes texts, then deletes records, and leaves the money", () =>
    run(
      Effect.fnUntraced(function* (account) {
        const ids = [yield* sent(account, 91), yield* sent(account, 31), yield* sent(account, 29)]
        const before = yield* Store.use((store) => store.account(account))
        yield* Periods.set({ records: 90, texts: 30 })
        expect(yield* pass).toEqual({ records: 1, texts: 1 })
        expect(yield* textsOf(account, ids)).toEqual([undefined, null, TEXT])
        expect(yield* pass).toEqual({ records: 0, texts: 0 })
        expect(yield* Store.use((store) => store.account(account))).toEqual(before)
        expect(yield* audit).toMatchObject({ ok: true })
      })
    ))

  it("waits for sends under way, and goes on behind them once they have ended", () =>
    run(
      Effect.fnUntraced(function* (account) {
        const ids = [yield* sent(account, 40), yield* sent(account, 39, "unknown"), yield* sent(account, 38)] as const
        yield* Periods.set({ records: 90, texts: 30 })
        expect(yield* pass).toEqual({ records: 0, texts: 1 })
        const close = { outcome: "rejected", status: { name: "failed", rank: 2 }, refs: [], details: {} } as const
        yield* Store.use((store) => store.close({ ...close, id: ids[1], at: Date.now() }))
        expect(yield* pass).toEqual({ records: 0, texts: 2 })
        expect(yield* textsOf(account, ids)).toEqual([null, null, null])
      })
    ))

  it("leaves what follows a record of a channel that this process lacks to the process that has it", () =>
    run(
      Effect.fnUntraced(function* (account) {
        const before = yield* sent(account, 40)
        yield* sent(account, 39, "accepted", { channel: "pigeon" })
        const after = yield* sent(account, 38)
        yield* Periods.set({ texts: 30 })
        expect(yield* pass).toEqual({ records: 0, texts: 1 })
        expect(yield* textsOf(account, [before, after])).toEqual([null, TEXT])
      })
    ))

  it("takes more than one step does", () =>
    run(
      Effect.fnUntraced(function* (account) {
        for (let n = 0; n < 300; n++) yield* sent(account, 100 - n / 1_000)
        for (let n = 0; n < 300; n++) yield* sent(account, 50 - n / 1_000)
        yield* Periods.set({ records: 90, texts: 30 })
        expect(yield* pass).toEqual({ records: 300, texts: 300 })
      })
    ))
})
