import { ServiceUnavailable } from "@watchword/schemas/Errors"
import * as Outcome from "@watchword/send/Outcome"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import * as MemoryStore from "@watchword/store/MemoryStore"
import { DIMENSIONS, HOUR } from "@watchword/store/internal/Traffic"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { type Watchword, createWatchword } from "watchword"
import * as OwnClock from "../src/internal/OwnClock.ts"
import { isRow, rebuild } from "../src/internal/traffic/Rebuild.ts"
import { traffic } from "../src/internal/traffic/Traffic.ts"

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
const noon = Date.UTC(2027, 0, 15, 12, 10)

/** A service on a store that lasts, by a clock that the test sets. */
const world = async () => {
  const store = MemoryStore.make()
  let at = noon
  const clock = OwnClock.layer({ now: () => at, after: (_, run) => (setTimeout(run, 0), () => {}) })
  const run = <A, E>(effect: Effect.Effect<A, E | StoreError, Store>): Promise<A> =>
    effect.pipe(Effect.provideService(Store, store), Effect.provide(clock), Effect.runPromise)
  const during = async (use: (service: Watchword) => Promise<void>) => {
    const service = await createWatchword({
      store: Layer.succeed(Store, store),
      clock: { now: () => at, after: () => () => {} },
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
  return { store, run, during, set }
}

const all = ["hour", "channel", "carrier", "country"] as const

const figures = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
  rows.map(({ approved, blocked, carrier, channel, cost, country, delivered, expired, failed, hour, price, sent }) => ({
    row: [new Date(hour ?? 0).getUTCHours(), channel, carrier, country].join(" "),
    counts: { sent, delivered, failed, approved, expired, blocked, cost, price }
  }))

const rowsOf = async (run: Awaited<ReturnType<typeof world>>["run"], sandbox = false) =>
  (await run(traffic({ by: all, since: new Date(noon - HOUR), sandbox }))).rows

const none = { sent: 0, delivered: 0, failed: 0, approved: 0, expired: 0, blocked: 0, cost: 0, price: 0 }

describe("traffic", () => {
  it("is what the records say, and counted from them again is the same", async () => {
    const { during, run, set, store } = await world()
    await during(async ({ operator, sms, verify }) => {
      const account = await operator.createAccount({ smsSender: "Acme" })
      await operator.credit(account, 100)
      await sms.send(account, { to: german, text })
      await sms.send(account, { to: french, text })
      await expect(sms.send(account, { to: refused, text })).rejects.toMatchObject({ status: 503 })
      const reported = await sms.send(account, { to: german, text })
      set(noon + 4_000)
      await sms.report(account, { id: reported.messageId, status: "delivered" })
      const workflow = [{ channel: "sms", timeout: 20 }] as const
      set(noon + 48 * MINUTE)
      const { id } = await verify.start(account, { to: german, code, workflow })
      set(noon + 52 * MINUTE)
      await sms.send(account, { to: german, text })
      await verify.check(account, { verification_id: id, code })
      await expect(verify.start(account, { to: "+390612345678", code, workflow })).rejects.toMatchObject({
        status: 403
      })
      await sms.send({ account, sandbox: true }, { to: german, text })
    })
    const live = await rowsOf(run)
    expect(figures(live)).toEqual([
      {
        row: "12 sms acme DE",
        counts: { ...none, sent: 3, delivered: 1, approved: 1, cost: 0.18, price: 0.3 }
      },
      { row: "12 sms sms DE", counts: { ...none, sent: 1, failed: 1 } },
      { row: "12 sms sms FR", counts: { ...none, sent: 1, price: 0.1 } },
      { row: "13 sms acme DE", counts: { ...none, sent: 1, cost: 0.06, price: 0.1 } },
      { row: "13 verify  IT", counts: { ...none, blocked: 1 } }
    ])
    expect(live[0]?.delay).toEqual({ p50: 5, p95: 5 })
    expect(figures(await rowsOf(run, true))).toMatchObject([{ row: "13 sms sms DE", counts: { sent: 1 } }])

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
})
