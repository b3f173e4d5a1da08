import type { Described } from "@watchword/send/channel/Features"
import { builtInChannels, ownClock } from "watchword/Hosting"
import { ServiceUnavailable } from "@watchword/schemas/Errors"
import * as Outcome from "@watchword/send/Outcome"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import { makeMemory } from "@watchword/store/MemoryStore"
import { DIMENSIONS, HOUR } from "@watchword/store/Traffic"
import { observedStore } from "@watchword/send/pipeline"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { type Watchword, createWatchword, memory } from "watchword"
import { accountFor, opening } from "../../../test/stores/fixtures.ts"
import { isRow, rebuild } from "../src/insight/traffic/Rebuild.ts"
import { Rollup, layer as rollup } from "../src/insight/traffic/Rollup.ts"
import { traffic } from "../src/insight/traffic/Traffic.ts"

const german = "+4915123456789"
const french = "+33612345678"
/** The carrier refuses it. */
const refused = "+4915100000000"
const code = "123456"
const text = "Hello"

/** A carrier that names itself and its costs for German numbers. */
const carrier = Layer.succeed(SmsGateway, {
  events: () => Effect.void,
  health: Effect.succeed([]),
  webhook: null,
  send: ({ delivery, to }) =>
    Effect.succeed(
      to === refused
        ? Outcome.rejected(new ServiceUnavailable({ message: "The carrier is disconnected." }))
        : Outcome.accepted([`ref-${delivery}`], to.startsWith("+49") ? { carrier: "acme", cost: 60_000 } : {})
    )
})

const MINUTE = 60_000
const FIRST_NOON = Date.UTC(2027, 0, 15, 12, 10)

/** Ids follow the clock, and never go back with it: each test has a day of its own. */
let day = 0

/** A service on a store that lasts, by a clock that the test sets. */
const world = () => {
  const store = makeMemory()
  const noon = FIRST_NOON + day++ * 24 * HOUR
  let at = noon
  const clock = ownClock({ now: () => at })
  const run = <A, E>(effect: Effect.Effect<A, E | StoreError, Described | Store>): Promise<A> =>
    effect.pipe(
      Effect.provideService(Store, store),
      Effect.provide(Layer.merge(clock, builtInChannels)),
      Effect.runPromise
    )
  const during = async (use: (service: Watchword) => Promise<void>) => {
    const service = await createWatchword({
      store: Layer.succeed(Store, store),
      clock: { now: () => at },
      sms: carrier,
      prices: { sms: { "*": 0.1 } },
      guards: { countries: { allow: ["DE", "FR"] }, action: "deny" }
    })
    try {
      await use(service)
    } finally {
      await service.dispose()
    }
  }
  const set = (time: number) => void (at = time)
  return { store, run, during, set, noon }
}

const all = ["hour", "channel", "carrier", "country"] as const

const figures = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
  rows.map(({ approved, blocked, carrier, channel, cost, country, delivered, expired, failed, hour, price, sent }) => ({
    row: [new Date(hour ?? 0).getUTCHours(), channel, carrier, country].join(" "),
    counts: { sent, delivered, failed, approved, expired, blocked, cost, price }
  }))

const rowsOf = async (run: ReturnType<typeof world>["run"], sandbox = false) =>
  (await run(traffic({ by: all, sandbox }))).rows

const none = { sent: 0, delivered: 0, failed: 0, approved: 0, expired: 0, blocked: 0, cost: 0, price: 0 }

describe("traffic", () => {
  it("is what the records say, and counted from them again is the same", async () => {
    const { during, noon, run, set, store } = world()
    await during(async ({ operator, sms, verify }) => {
      const { account_id: account } = await operator.account.create({ sms_sender: "Acme" })
      await operator.account.credit({ account_id: account, amount: 100 })
      await sms.send(account, { to: german, text })
      await sms.send(account, { to: french, text })
      await expect(sms.send(account, { to: refused, text })).rejects.toMatchObject({ status: 503 })
      const reported = await sms.send(account, { to: german, text })
      set(noon + 4_000)
      // The second time it says nothing new.
      for (let time = 0; time < 2; time++) await sms.report(account, { id: reported.messageId, status: "delivered" })
      const workflow = [{ channel: "sms", timeout: 20 }] as const
      set(noon + 48 * MINUTE)
      const { id } = await verify.start(account, { to: german, code, workflow })
      set(noon + 52 * MINUTE)
      await sms.send(account, { to: german, text })
      await verify.check(account, id, { code })
      await expect(verify.start(account, { to: "+390612345678", code, workflow })).rejects.toMatchObject({
        status: 403
      })
      await sms.send({ account, sandbox: true }, { to: german, text })
    })
    const live = await rowsOf(run)
    expect(figures(live)).toEqual([
      {
        row: "12 sms acme DE",
        counts: { ...none, sent: 3, delivered: 1, approved: 2, cost: 0.18, price: 0.3 }
      },
      { row: "12 sms sms DE", counts: { ...none, sent: 1, failed: 1 } },
      { row: "12 sms sms FR", counts: { ...none, sent: 1, price: 0.1 } },
      { row: "13 sms acme DE", counts: { ...none, sent: 1, cost: 0.06, price: 0.1 } },
      { row: "13 verify  IT", counts: { ...none, blocked: 1 } }
    ])
    expect(live[0]?.delay).toEqual({ p50: 5, p95: 5 })
    expect(live.map(({ margin }) => margin)).toEqual([0.12, 0, 0.1, 0.04, 0])
    for (const by of [all, ["channel"], ["hour", "account"], ["country"]] as const) {
      const { rows, total } = await run(traffic({ by }))
      const sums = { sent: 6, delivered: 1, failed: 1, approved: 2, blocked: 1, price: 0.5, cost: 0.24, margin: 0.26 }
      expect(total).toMatchObject({ ...sums, delay: { p50: 5, p95: 5 } })
      for (const name of ["price", "cost", "margin"] as const) {
        expect(rows.reduce((sum, row) => sum + Math.round(row[name] * 1e6), 0)).toBe(Math.round(total[name] * 1e6))
      }
    }
    expect(figures(await rowsOf(run, true))).toMatchObject([{ row: "13 sms sms DE", counts: { sent: 1 } }])

    const sums = async (input: Parameters<typeof traffic>[0]) =>
      (await run(traffic({ by: [], ...input }))).rows.map(({ blocked, day, sent }) => ({ sent, blocked, day }))
    expect(await sums({})).toEqual([{ sent: 6, blocked: 1 }])
    const start = new Date(Math.floor(noon / (24 * HOUR)) * 24 * HOUR)
    expect(await sums({ by: ["day"] })).toEqual([{ sent: 6, blocked: 1, day: start }])
    expect(await sums({ until: new Date(Math.floor(noon / HOUR) * HOUR + HOUR) })).toEqual([{ sent: 5, blocked: 0 }])
    expect(await sums({ since: new Date(noon + HOUR) })).toEqual([{ sent: 1, blocked: 1 }])
    expect(await sums({ country: "DE" })).toEqual([{ sent: 5, blocked: 0 }])
    expect(await sums({ country: "DE", carrier: "sms" })).toEqual([{ sent: 1, blocked: 0 }])
    expect(await sums({ channel: "verify", carrier: "" })).toEqual([{ sent: 0, blocked: 1 }])
    expect(await sums({ channel: "call" })).toEqual([])
    await expect(run(traffic({ since: new Date(noon), until: new Date(noon - HOUR) }))).rejects.toMatchObject({
      issues: [{ path: "since", message: "must be a time before until" }]
    })

    set(noon + 3 * HOUR)
    const since = new Date(noon)
    expect(await run(rebuild({ since }))).toMatchObject({ corrected: 0 })
    const query = { since: 0, until: 1e9, account: null } as const
    const [lost] = await run(store.traffic({ ...query, by: DIMENSIONS }))
    if (lost === undefined || !isRow(lost)) throw new Error("there is no row")
    const amounts = lost.amounts.map((amount) => -amount)
    await run(
      store.addTraffic([
        { ...lost, amounts },
        { key: { ...lost.key, country: "FR" }, amounts: lost.amounts }
      ])
    )
    expect(figures(await rowsOf(run))).not.toEqual(figures(live))
    expect(await run(rebuild({ since }))).toMatchObject({ corrected: 2 })
    expect(await rowsOf(run)).toEqual(live)
  })

  it("of all channels of the sandbox is what the records say", async () => {
    const { during, noon, run, set } = world()
    await during(async ({ bizchat, call, chatgw, operator, sms, verify }) => {
      const { account_id: account } = await operator.account.create({ sms_sender: "Acme" })
      const caller = { account, sandbox: true }
      for (const to of [german, "+4915123450503", "+4915123450480"]) {
        const sent = await Promise.allSettled([
          sms.send(caller, { to, text }),
          chatgw.send(caller, { to, code }),
          bizchat.send(caller, { to, text }),
          ...(to === german ? [] : [call.flash(caller, { callee: to, caller: french })])
        ])
        expect(sent.map(({ status }) => status === "fulfilled")).toEqual(sent.map(() => to === german))
      }
      for (const [place, channel] of (["sms", "chatgw", "bizchat"] as const).entries()) {
        const to = `+491512345678${place}`
        const { id } = await verify.start(caller, { to, code, workflow: [{ channel, timeout: 20 }] })
        if (place > 0) await verify.check(caller, id, { code })
      }
      const sent = await bizchat.send(caller, { to: "+4915123456784", text, code })
      const message = await chatgw.send(caller, { to: "+4915123456785", code })
      for (let time = 0; time < 2; time++) {
        await bizchat.report(caller, { uuid: sent.uuid, status: "Success" })
        await chatgw.report(caller, { id: message.uuid, status: "Success" })
      }
    })
    const counted = await rowsOf(run, true)
    expect(counted.reduce((sum, { approved }) => sum + approved, 0)).toBe(4)
    expect(new Set(counted.map(({ channel }) => channel))).toEqual(new Set(["bizchat", "call", "chatgw", "sms"]))
    set(noon + 3 * HOUR)
    expect(await run(rebuild({ since: new Date(noon) }))).toMatchObject({ corrected: 0 })
  })

  it("has a message that routes had no carrier for among the failed ones alone", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(9)
      const details = { route: "49", choice: "order; acme is drained" }
      const close = { outcome: "rejected", status: { name: "failed", rank: 3 }, refs: [], details } as const
      yield* store.open({ ...opening(account), close })
      yield* Rollup.use(({ flush }) => flush)
      return yield* store.traffic({ since: 0, until: 1e9, account: null, by: ["carrier"] })
    })
    const observed = Layer.merge(Layer.provide(observedStore, memory()), builtInChannels)
    const sums = await program.pipe(Effect.provide(Layer.provideMerge(rollup, observed)), Effect.runPromise)
    expect(sums.map(({ amounts, key }) => ({ key, counts: amounts.slice(0, 3) }))).toEqual([
      { key: { carrier: "" }, counts: [0, 0, 1] }
    ])
  })

  it("that the store did not take is added later, once, and what it may have taken is not added again", async () => {
    const made = makeMemory()
    const failures: Array<"Unavailable" | "Unknown"> = ["Unavailable", "Unavailable"]
    const store = Store.of({
      ...made,
      addTraffic: (rows) =>
        Effect.suspend(() => {
          const reason = failures.shift()
          const added = reason === "Unavailable" ? Effect.void : made.addTraffic(rows)
          const failed = reason === undefined ? Effect.void : new StoreError({ reason, message: "The store is away." })
          return Effect.andThen(added, failed)
        })
    })
    const sent = Effect.map(made.traffic({ since: 0, until: 1e9, account: null, by: [] }), ([sum]) => sum?.amounts[0])
    const program = Effect.gen(function* () {
      const { flush } = yield* Rollup
      const { open } = yield* Store
      const account = yield* accountFor(9)
      const send = Effect.suspend(() => {
        const close = { outcome: "accepted", status: { name: "sent", rank: 1 }, refs: [], details: {} } as const
        return open({ ...opening(account), close })
      })
      yield* send
      yield* Effect.ignore(flush)
      yield* send
      yield* Effect.ignore(flush)
      expect(yield* sent).toBeUndefined()
      yield* flush
      expect(yield* sent).toBe(2)
      failures.push("Unknown")
      yield* send
      yield* Effect.ignore(flush)
      yield* flush
      expect(yield* sent).toBe(3)
      yield* send
    })
    const observed = Layer.merge(Layer.provide(observedStore, Layer.succeed(Store, store)), builtInChannels)
    await program.pipe(Effect.provide(Layer.provideMerge(rollup, observed)), Effect.runPromise)
    expect(await Effect.runPromise(sent)).toBe(4)
  })
})
