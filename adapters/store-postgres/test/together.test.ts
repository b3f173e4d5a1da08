/**
 * Steps that share a call, and processes that share a database.
 */
import { type DeliveryId, nextAccountId, nextDeliveryId, nextEntryId } from "@watchword/schemas/Ids"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { MicroEuros, zero } from "@watchword/schemas/Money"
import type { Counter } from "@watchword/store/Counters"
import { type Signal, Store, about } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { connect, createServer } from "node:net"
import { until } from "../../../test/until.ts"
import { Client } from "pg"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type PostgresServer, start } from "../../../test/PostgresServer.ts"
import {
  AT,
  PRICE,
  accountFor,
  atOnce,
  balanceOf,
  closing,
  ending,
  expectSound,
  find,
  opening,
  receipt,
  sql,
  tally
} from "./fixtures.ts"
import * as BuiltIn from "./builtIn.ts"

let server: PostgresServer

beforeAll(async () => {
  server = await start({ settings: { track_functions: "pl" } })
})

afterAll(() => server.stop())

const runOn = <A, E>(schema: string, program: Effect.Effect<A, E, Store>, options: { readonly batch?: number } = {}) =>
  program.pipe(Effect.provide(BuiltIn.layer({ url: server.url, schema, ...options })), Effect.runPromise)

/** The number of calls of functions, counted once the connections that called them have ended. */
const callsOf = async (schema: string, ...names: ReadonlyArray<string>): Promise<ReadonlyArray<number>> => {
  await vi.waitUntil(async () => {
    const [open] = await sql<{ n: number }>(
      server.url,
      "SELECT count(*)::integer AS n FROM pg_stat_activity WHERE application_name = 'watchword'"
    )
    return open?.n === 0
  })
  const rows = await sql<{ name: string; calls: number }>(
    server.url,
    "SELECT funcname AS name, calls::integer AS calls FROM pg_stat_user_functions WHERE schemaname = $1",
    [schema]
  )
  return names.map((name) => rows.find((row) => row.name === name)?.calls ?? 0)
}

describe("steps that wait at the same time", () => {
  it.each([
    [undefined, 60, 1],
    [1, 60, 60],
    [25, 60, 3]
  ] as const)("with batches of %j go %i at once in %j calls", async (batch, steps, calls) => {
    const schema = `batches ${batch}`
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(steps)
      yield* atOnce(steps, () => store.open(opening(account)))
    })
    await runOn(schema, program, batch === undefined ? {} : { batch })
    expect(await callsOf(schema, "look_up")).toEqual([calls])
  })

  it("do not take their neighbours with them when they fail", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(40)
      const step = (index: number) =>
        store.open(opening(account, index % 10 === 3 ? { parts: 3_000_000_000 } : { details: { index } }))
      const answers = yield* atOnce(30, (index) => Effect.exit(step(index)))
      expect(answers.flatMap((exit, index) => (Exit.isSuccess(exit) ? [] : [index]))).toEqual([3, 13, 23])
      expect(yield* balanceOf(account)).toMatchObject({ available: 13 * PRICE, held: 27 * PRICE })
      yield* expectSound(server.url, "neighbours")
    })
    await runOn("neighbours", program)
  })

  it("are let through in the order of their prices when an account has not enough for all", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(10)
      const prices = [8, 5, 2, 0, 1, 7].map((count) => MicroEuros.make(count * PRICE))
      const answers = yield* Effect.forEach(prices, (price) => store.open(opening(account, { price })), {
        concurrency: "unbounded"
      })
      expect(answers.map((answer) => [answer._tag, "available" in answer && answer.available / PRICE])).toEqual([
        ["Insufficient", 2],
        ["Opened", 2],
        ["Opened", 7],
        ["Opened", 10],
        ["Opened", 9],
        ["Insufficient", 2]
      ])
      yield* expectSound(server.url, "prices")
    })
    await runOn("prices", program)
  })

  it("are of every kind: opens, closes and reports, in one call", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(100)
      const some = (count: number, fields = {}) =>
        Effect.map(
          atOnce(count, () => {
            const request = opening(account, fields)
            return Effect.as(store.open(request), request.delivery.id)
          }),
          (ids) => ids
        )
      const [toClose, toReport, long] = [yield* some(20), yield* some(20), yield* some(1, { parts: 2 })]
      yield* Effect.forEach(toReport, (id) => store.close(closing(id, { refs: [`ref ${id}`] })), {
        concurrency: "unbounded"
      })
      const [whole = nextDeliveryId(AT)] = long
      yield* store.close(closing(whole, { refs: ["one", "other"] }))
      yield* store.report(receipt("early"))
      const [early = nextDeliveryId(AT), ...others] = toClose
      const steps: ReadonlyArray<Effect.Effect<{ readonly _tag: string }, unknown>> = [
        ...Array.from({ length: 20 }, () => store.open(opening(account))),
        store.close(closing(early, { refs: ["early"] })),
        ...others.map((id, index) => store.close(closing(id, { outcome: index % 2 === 0 ? "accepted" : "rejected" }))),
        store.close(closing(nextDeliveryId(AT))),
        ...toReport.map((id) => store.report(receipt(`ref ${id}`))),
        ...toReport.map((id) => store.report(receipt(`ref ${id}`))),
        store.report(receipt("one")),
        store.report(receipt("other")),
        store.report(receipt("unknown"))
      ]
      const answers = yield* Effect.forEach(steps, (step) => step, { concurrency: "unbounded" })
      expect(tally(answers.map(({ _tag }) => _tag))).toEqual({
        Opened: 20,
        Closed: 20,
        Missing: 1,
        Moved: 21,
        Unchanged: 21,
        Unmatched: 1
      })
      const statusOf = (id: DeliveryId) => Effect.map(find(account, id), (row) => Option.getOrThrow(row).status.name)
      expect(yield* statusOf(early)).toBe("delivered")
      expect(yield* statusOf(whole)).toBe("delivered")
      yield* expectSound(server.url, "kinds")
    })
    await runOn("kinds", program)
    expect(await callsOf("kinds", "look_up")).toEqual([7])
  })

  it("may open and close in one: in the order of their prices, and with the reports that waited for them", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(10)
      yield* atOnce(2, (index) => store.report(receipt(`early ${index}`)))
      const asked = [
        [8, "rejected"],
        [8, "accepted"],
        [3, "accepted"],
        [2, "unknown"],
        [0, "accepted"],
        [4, "rejected"],
        [9, "rejected"],
        [1, null]
      ] as const
      const answers = yield* Effect.forEach(
        asked,
        ([count, outcome], index) => {
          const fields = { price: MicroEuros.make(count * PRICE) }
          return store.open({ ...opening(account, fields), ...(outcome && { close: ending(outcome, `ref ${index}`) }) })
        },
        { concurrency: "unbounded" }
      )
      expect(answers.map((answer) => [answer._tag, "available" in answer && answer.available / PRICE])).toEqual([
        ["Insufficient", 4],
        ["Insufficient", 4],
        ["Opened", 4],
        ["Opened", 7],
        ["Opened", 10],
        ["Opened", 4],
        ["Insufficient", 4],
        ["Opened", 9]
      ])
      const later = yield* Effect.forEach(
        ["early 0", "early 1", "new"],
        (ref) => store.open({ ...opening(account), close: ending("accepted", ref) }),
        { concurrency: "unbounded" }
      )
      expect(later.map((answer) => answer._tag === "Opened" && answer.delivery.status.name)).toEqual([
        "delivered",
        "delivered",
        "sent"
      ])
      expect(yield* balanceOf(account)).toMatchObject({ available: PRICE, held: 3 * PRICE })
      yield* expectSound(server.url, "wholes")
    })
    await runOn("wholes", program)
    expect(await callsOf("wholes", "look_up")).toEqual([3])
  })

  it("may report on a condition, and end what costs nothing: once, with the time of the next step", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const ids = yield* atOnce(20, () => {
        const request = opening(account, { price: zero, details: { version: 1, code: null }, dueAt: AT })
        return Effect.as(store.open(request), request.delivery.id)
      })
      const expectAnswers = Effect.fnUntraced(function* (
        tag: "Moved" | "Unchanged",
        saysOf: (index: number) => Parameters<typeof about>[2]
      ) {
        const steps = ids.map((id, index) => store.report(about(id, AT, saysOf(index))))
        const answers = yield* Effect.forEach(steps, (step) => step, { concurrency: "unbounded" })
        expect(answers.map(({ _tag }) => _tag)).toEqual(ids.map(() => tag))
      })
      const records = Effect.forEach(ids, (id) => Effect.map(find(account, id), Option.getOrThrow))
      const dueOf = (index: number) => [{}, { dueAt: null }, { dueAt: AT + 1 }][index % 3]

      const wrong = [{ version: 2 }, { version: 1, code: "" }, { version: 1, other: 1 }]
      yield* expectAnswers("Unchanged", (index) => ({
        when: wrong[index % 3] ?? {},
        details: { version: 9 },
        dueAt: 9
      }))
      const right = { version: 1, code: null, other: null }
      yield* expectAnswers("Moved", (index) => ({ when: right, details: { version: 2 }, ...dueOf(index) }))
      yield* expectAnswers("Unchanged", () => ({ when: right, details: { version: 9 }, refund: true }))
      expect((yield* records).map(({ details, dueAt, phase }) => [details, dueAt, phase])).toEqual(
        ids.map((_, index) => [{ version: 2, code: null }, [AT, null, AT + 1][index % 3], "pending"])
      )

      const end = { when: { version: 2 }, status: { name: "approved", rank: 2 }, refund: true, dueAt: null }
      yield* expectAnswers("Moved", () => end)
      yield* expectAnswers("Unchanged", () => end)
      expect((yield* records).map(({ dueAt, phase, status }) => [status.name, phase, dueAt])).toEqual(
        ids.map(() => ["approved", "refunded", null])
      )
      yield* expectSound(server.url, "conditions")
    })
    await runOn("conditions", program)
    expect(await callsOf("conditions", "look_up")).toEqual([6])
  })

  it("are finished when the store is closed, and none is taken after that", async () => {
    const program = Effect.gen(function* () {
      const scope = yield* Scope.make()
      const store = yield* Scope.provide(BuiltIn.make({ url: server.url, schema: "closed" }), scope)
      const account = yield* Effect.provideService(accountFor(20), Store, store)
      const requests = Array.from({ length: 20 }, () => opening(account))
      const fibers = yield* Effect.forEach(requests, (request) =>
        Effect.forkChild(store.open(request), { startImmediately: true })
      )
      yield* Scope.close(scope, Exit.void)
      const answers = yield* Effect.forEach(fibers, (fiber) => Fiber.join(fiber))
      expect(answers.map(({ _tag }) => _tag)).toEqual(requests.map(() => "Opened"))
      const late = [yield* Effect.flip(store.open(opening(account))), yield* Effect.flip(store.ping)]
      expect(late.map(({ message, reason }) => [reason, message])).toEqual([
        ["Unavailable", "The database is closed."],
        ["Unavailable", "The database is closed."]
      ])
    })
    await Effect.runPromise(program)
  })
})

describe("requests to counters that wait at the same time", () => {
  const counter = (key: string, fields: Partial<Counter> = {}): Counter => ({
    key,
    window: 3_600_000,
    slice: 60_000,
    amount: 1,
    limit: null,
    ...fields
  })

  it("go in one call, and count one after the other", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      // The second request of each pair fits only if the first one leaves enough of the limit.
      const request = (index: number) => [
        counter(`pair ${index >> 1}`, { amount: 2 + (index & 1), limit: index < 10 ? 4 : 5 }),
        counter("all", { limit: 50 })
      ]
      const answers = yield* atOnce(60, (index) => store.count(request(index)))
      const counted = (index: number) => (index & 1) === 0 || index >= 10
      const before = (index: number) =>
        Array.from({ length: index }, (_, other) => counted(other)).filter(Boolean).length
      expect(answers.map((answer) => [answer.counted, answer.tallies.map(({ used }) => used)])).toEqual(
        Array.from({ length: 60 }, (_, index) => [
          counted(index) && before(index) < 50,
          [index & 1 && before(index - 1) < 50 ? 2 : 0, Math.min(50, before(index))]
        ])
      )
      const { tallies } = yield* store.count([counter("all", { amount: 0 }), counter("pair 29", { amount: 0 })])
      expect(tallies.map(({ used }) => used)).toEqual([50, 0])
    })
    await runOn("counters", program)
    expect(await callsOf("counters", "count_all")).toEqual([2])
  })

  it("do not take their neighbours with them when they fail", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const request = (index: number) => counter("all", index % 10 === 3 ? { amount: 2 ** 63 } : {})
      const answers = yield* atOnce(30, (index) => Effect.exit(store.count([request(index)])))
      expect(answers.flatMap((exit, index) => (Exit.isSuccess(exit) ? [] : [index]))).toEqual([3, 13, 23])
      expect((yield* store.count([counter("all", { amount: 0 })])).tallies[0]?.used).toBe(27)
    })
    await runOn("counters that fail", program)
  })
})

describe("two processes", () => {
  const both = (schema: string, options: { readonly batch?: number }) =>
    Effect.all([
      BuiltIn.make({ url: server.url, schema, ...options }),
      BuiltIn.make({ url: server.url, schema, ...options })
    ])

  it.each([512, 1])(
    "lose no receipt that comes to one while the other learns its ref, with batches of %i",
    async (batch) => {
      const schema = `receipts ${batch}`
      const program = Effect.gen(function* () {
        const [one, other] = yield* both(schema, { batch })
        const accounts = yield* Effect.provideService(
          atOnce(5, () => accountFor(1_000)),
          Store,
          one
        )
        for (let round = 0; round < 12; round++) {
          const requests = Array.from({ length: 40 }, (_, index) => opening(accounts[index % 5] ?? nextAccountId(AT)))
          yield* Effect.forEach(requests, (request) => one.open(request), { concurrency: "unbounded" })
          const steps = requests.flatMap(({ delivery }, index) => {
            const [here, there] = index % 2 === 0 ? [one, other] : [other, one]
            const close = Effect.asVoid(here.close(closing(delivery.id, { refs: [`ref ${delivery.id}`] })))
            const report = Effect.asVoid(there.report(receipt(`ref ${delivery.id}`)))
            return index % 3 === 0 ? [report, close] : [close, report]
          })
          yield* Effect.forEach(steps, (step) => step, { concurrency: "unbounded" })
          for (const { delivery } of requests) {
            const record = Option.getOrThrow(yield* one.find(delivery))
            expect([record.phase, record.status.name]).toEqual(["accepted", "delivered"])
          }
        }
        yield* Effect.provideService(expectSound(server.url, schema), Store, one)
      })
      await Effect.runPromise(Effect.scoped(program))
      const left = await sql(
        server.url,
        `SELECT FROM "${schema}".unmatched_reports UNION ALL SELECT FROM "${schema}".unmatched_refs`
      )
      expect(left).toHaveLength(0)
    }
  )

  it("wait for each other where one keeps a report and the other names its ref, in both orders", async () => {
    const ref = (name: string) => `ref ${name}`
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(2)
      const [keptFirst, closedFirst] = [opening(account).delivery, opening(account).delivery]
      for (const delivery of [keptFirst, closedFirst]) yield* store.open({ ...opening(account), delivery })

      const keeping = yield* transaction
      const [one, other] = [ref("other spelling"), ref("first")]
      const channel = ChannelRegistry.make(ChannelRegistry.builtIn).codeOf("sms")
      const about = { channel, refs: [one, other], recipient: null, reference: null }
      yield* keeping.ask("SELECT unsure.look_up($1)", [JSON.stringify([{ ...about, id: null, keys: [] }])])
      const kept = {
        ...about,
        status: "delivered",
        rank: 2,
        details: {},
        conditions: {},
        every_part: true,
        refund: false
      }
      yield* keeping.ask("SELECT unsure.apply($1)", [
        JSON.stringify({
          unmatched: [{ ...kept, at: 0 }],
          refs: [
            [channel, one],
            [channel, other]
          ]
        })
      ])
      const close = store.close(closing(keptFirst.id, { refs: [ref("first")] }))
      const closed = yield* keeping.whileItHolds(close)
      expect("delivery" in closed && closed.delivery.status.name).toBe("delivered")

      const closingNow = yield* transaction
      const nothing = { account: null, mode: null, keys: [], channel: null, recipient: null, reference: null }
      yield* closingNow.ask("SELECT unsure.look_up($1)", [
        JSON.stringify([{ ...nothing, id: closedFirst.id, refs: [ref("second")] }])
      ])
      const accepted = { phase: 2, named: 1, status: "sent", rank: 1, status_at: AT, details: {} }
      yield* closingNow.ask("SELECT unsure.apply($1)", [
        JSON.stringify({
          updated: [{ ...accepted, id: closedFirst.id }],
          entries: [{ account, place: 1, delivery: closedFirst.id, kind: 2, amount: PRICE, at: AT }],
          balances: [{ account, available: 0, held: 0, places: 1 }],
          parts: [{ channel, ref: ref("second"), delivery: closedFirst.id, name: ref("second") }]
        })
      ])
      const reported = yield* closingNow.whileItHolds(store.report(receipt(ref("second"))))
      expect(reported._tag).toBe("Moved")
      yield* expectSound(server.url, "unsure")
    })
    await runOn("unsure", Effect.scoped(program))
  })

  it("lock accounts in one order, which prevents deadlocks", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const accounts = [yield* accountFor(2), yield* accountFor(2), yield* accountFor(2)]
      const known = yield* Effect.forEach(accounts, (account) => {
        const request = opening(account)
        return Effect.as(store.open(request), request.delivery.id)
      })
      const [first, second, third] = accounts
      const other = yield* transaction
      yield* other.ask("SELECT FROM ordered.accounts WHERE id = $1 FOR UPDATE", [first])
      const steps = [
        Effect.asVoid(store.open(opening(third ?? nextAccountId(AT)))),
        ...known.toReversed().map((id) => Effect.asVoid(store.close(closing(id))))
      ]
      const waiting = Effect.forEach(steps, (step) => step, { concurrency: "unbounded" })
      yield* other.whileItHolds(
        waiting,
        // The batch waits for the first account before it locks the others.
        other.ask("SELECT FROM ordered.accounts WHERE id = ANY ($1) FOR UPDATE NOWAIT", [[second, third]])
      )
      yield* expectSound(server.url, "ordered")
    })
    await runOn("ordered", Effect.scoped(program))
  })

  it("leave every ledger sound, whatever they do to the same accounts", async () => {
    const program = Effect.gen(function* () {
      const stores = yield* both("circle", {})
      const accounts = yield* Effect.provideService(
        atOnce(8, () => accountFor(500)),
        Store,
        stores[0]
      )
      yield* Effect.forEach(
        stores,
        (store, which) =>
          atOnce(
            60,
            Effect.fnUntraced(function* (index) {
              for (let turn = 0; turn < 5; turn++) {
                const request = opening(accounts[(index * (which === 0 ? 1 : 7) + turn) % 8] ?? nextAccountId(AT))
                const { id } = request.delivery
                yield* store.open(request)
                const peer = stores[which === 0 ? 1 : 0]
                yield* peer.close(closing(id, { outcome: turn % 2 === 0 ? "unknown" : "accepted", refs: [id] }))
                yield* store.report(receipt(id, { refund: turn === 3 }))
              }
            })
          ),
        { concurrency: "unbounded" }
      )
      yield* Effect.provideService(expectSound(server.url, "circle"), Store, stores[0])
    })
    await Effect.runPromise(Effect.scoped(program))
  })
})

describe("another transaction that holds an account", () => {
  it("is waited for; in the end only that account's steps are refused", { timeout: 30_000 }, async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const [held, free] = [yield* accountFor(10), yield* accountFor(10)]
      const other = new Client(server.url)
      yield* Effect.promise(async () => {
        await other.connect()
        await other.query("BEGIN")
        await other.query("SELECT FROM locked.accounts WHERE id = $1 FOR UPDATE", [held])
      })
      const answers = yield* atOnce(10, (index) => Effect.exit(store.open(opening(index < 3 ? held : free))))
      expect(answers.map(Exit.isSuccess)).toEqual([false, false, false, true, true, true, true, true, true, true])
      for (const exit of answers.slice(0, 3)) {
        expect(JSON.stringify(exit)).toContain("another transaction keeps a row locked (55P03)")
        expect(JSON.stringify(exit)).toContain("Unavailable")
      }
      const waiting = yield* Effect.forkChild(store.open(opening(held)), { startImmediately: true })
      yield* Effect.promise(async () => {
        await isWaitedFor(other)
        await other.query("ROLLBACK")
        await other.end()
      })
      expect((yield* Fiber.join(waiting))._tag).toBe("Opened")
    })
    await runOn("locked", program)
  })
})

describe("a connection that is cut", () => {
  it("after a step was written neither doubles the step nor fails it", { timeout: 30_000 }, async () => {
    const proxy = await cutting(server.url)
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(400)
      const requests = Array.from({ length: 100 }, () => opening(account))
      for (let round = 0; round < 5; round++) {
        proxy.cutNextAnswer()
        const some = requests.slice(round * 20, round * 20 + 20)
        const answers = yield* Effect.forEach(some, (request) => store.open(request), { concurrency: "unbounded" })
        expect(tally(answers.map(({ _tag }) => _tag))).toEqual({ Opened: 20 })
        const closes = some.map(({ delivery }) => store.close(closing(delivery.id, { refs: [delivery.id] })))
        proxy.cutNextAnswer()
        const ends = yield* Effect.forEach(closes, (close) => close, { concurrency: "unbounded" })
        // The call whose answer was lost has closed them.
        expect(ends.map((end) => "delivery" in end && end.delivery.phase)).toEqual(some.map(() => "accepted"))
        proxy.cutNextAnswer()
        const credit = { id: nextEntryId(AT), account, amount: PRICE, at: AT }
        // The call whose answer was lost has written it.
        expect((yield* store.credit(credit))._tag).toBe("Repeated")
      }
      expect(proxy.cuts()).toBe(15)
      expect((yield* balanceOf(account)).available).toBe(305 * PRICE)
      yield* expectSound(server.url, "cut")
    })
    await Effect.runPromise(Effect.provide(program, BuiltIn.layer({ url: proxy.url, schema: "cut" })))
    await proxy.stop()
  })
})

describe("signals", () => {
  it("are heard again after the server or the connection was lost", { timeout: 30_000 }, async () => {
    const proxy = await cutting(server.url)
    const listening = Effect.gen(function* () {
      const store = yield* Store
      const heard = yield* Queue.unbounded<Signal>()
      yield* store.signals((signal) => Effect.asVoid(Queue.offer(heard, signal)))
      return heard
    })
    const program = Effect.gen(function* () {
      const teller = yield* Store
      const scope = yield* Scope.make()
      const other = yield* Scope.provide(BuiltIn.make({ url: server.url, schema: "heard", direct: proxy.url }), scope)
      const ear = yield* Scope.provide(Effect.provideService(listening, Store, other), scope)
      const first = { topic: "hangup", delivery: nextDeliveryId(AT) }
      yield* teller.signal(first)
      expect(yield* Queue.take(ear)).toEqual(first)
      proxy.cutAll()
      // A signal that is sent before the process listens again is lost.
      const again = { topic: "hangup", delivery: nextDeliveryId(AT) }
      const saying = yield* Effect.forkChild(Effect.repeat(teller.signal(again), Schedule.spaced(20)))
      expect(yield* Queue.take(ear)).toEqual(again)
      yield* Fiber.interrupt(saying)
      yield* Scope.close(scope, Exit.void)
    })
    await Effect.runPromise(
      Effect.provide(program, BuiltIn.layer({ url: server.url, schema: "heard" })).pipe(Effect.scoped)
    )
    await proxy.stop()
  })

  it("of another schema are not heard", async () => {
    const program = Effect.gen(function* () {
      const here = yield* BuiltIn.make({ url: server.url, schema: "here" })
      const there = yield* BuiltIn.make({ url: server.url, schema: "there" })
      const heard = yield* Queue.unbounded<Signal>()
      yield* here.signals((signal) => Effect.asVoid(Queue.offer(heard, signal)))
      const [strange, known] = [nextDeliveryId(AT), nextDeliveryId(AT)]
      yield* there.signal({ topic: "hangup", delivery: strange })
      yield* here.signal({ topic: "hangup", delivery: known })
      expect((yield* Queue.take(heard)).delivery).toBe(known)
    })
    await Effect.runPromise(Effect.scoped(program))
  })
})

describe("texts that PostgreSQL cannot hold", () => {
  it("are kept with U+FFFD in their place, and found by what they were", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(10)
      const strange = String.raw`back\u0000slash "` + "nul\0 half\ud83d \\\ud83d whole🔑"
      const kept = String.raw`back\u0000slash "` + "nul\uFFFD half\uFFFD \\\uFFFD whole🔑"
      const requests = [1, 2, 3].map(() => opening(account, { from: strange, details: { text: strange } }))
      yield* Effect.forEach(requests, (request) => store.open(request), { concurrency: "unbounded" })
      yield* store.open(opening(account, { from: strange, details: { text: strange } }))
      const asked = { account, mode: "live", channel: "sms", offset: 0, limit: 9 } as const
      for (const field of ["from", "details.text"] as const) {
        const { rows } = yield* store.list({
          ...asked,
          where: [{ _tag: "In", field, values: [strange] }],
          sort: { field, direction: "ASC" }
        })
        expect(rows.map(({ details, from }) => [from, details["text"]])).toEqual([1, 2, 3, 4].map(() => [kept, kept]))
      }
    })
    await runOn("texts", program)
  })
})

/** Waits until another session waits for a lock that a session holds. */
const isWaitedFor = (holder: Client): Promise<unknown> =>
  until(async () => {
    const waiting = "SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))"
    return (await holder.query(waiting)).rows.length > 0
  })

/** A transaction next to the store's, open until the test commits it. */
const transaction = Effect.map(
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client(server.url)
      await client.connect()
      await client.query("BEGIN")
      return client
    }),
    (client) => Effect.promise(() => client.end())
  ),
  (client) => {
    const ask = (text: string, values: ReadonlyArray<unknown>) =>
      Effect.promise(async () => void (await client.query(text, [...values])))
    /** Starts an effect that has to wait, runs another one meanwhile, and commits. */
    const whileItHolds = <A, E>(waiting: Effect.Effect<A, E>, meanwhile: Effect.Effect<void> = Effect.void) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(waiting, { startImmediately: true })
        yield* Effect.promise(() => isWaitedFor(client))
        expect(fiber.pollUnsafe()).toBeUndefined()
        yield* meanwhile
        yield* ask("COMMIT", [])
        return yield* Fiber.join(fiber)
      })
    return { ask, whileItHolds }
  }
)

/** A proxy in front of the server that can cut connections, also just before an answer passes. */
const cutting = async (url: string) => {
  const { hostname, port } = new URL(url)
  let pending = 0
  let cuts = 0
  const open = new Set<() => void>()
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    const end = (): void => {
      open.delete(end)
      client.destroy()
      upstream.destroy()
    }
    open.add(end)
    let asked = false
    client.on("data", (data) => {
      // A simple or extended query, not the greeting.
      if (data[0] === 0x50 || data[0] === 0x51) asked = true
      upstream.write(data)
    })
    upstream.on("data", (data) => {
      if (asked && pending > 0) {
        pending -= 1
        cuts += 1
        return end()
      }
      client.write(data)
    })
    for (const socket of [client, upstream]) socket.on("error", end).on("close", end)
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  const address = proxy.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return {
    url: url.replace(`:${port}`, `:${address.port}`),
    cutNextAnswer: () => void (pending += 1),
    cutAll: () => {
      for (const end of open) end()
    },
    cuts: () => cuts,
    stop: async () => {
      for (const end of open) end()
      await new Promise((resolve) => proxy.close(resolve))
    }
  }
}
