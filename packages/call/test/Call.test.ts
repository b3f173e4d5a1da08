import { assert, describe, it } from "@effect/vitest"
import * as Call from "@watchword/call/Call"
import * as Accounts from "@watchword/ledger/Accounts"
import * as Ledger from "@watchword/ledger/Ledger"
import * as PriceTable from "@watchword/ledger/PriceTable"
import { ListBody } from "@watchword/pagination/Page"
import * as Records from "@watchword/records/Records"
import { CallOutcome, FlashCall } from "@watchword/schemas/Call"
import { nextDeliveryId, nextProcessId } from "@watchword/schemas/Ids"
import { MicroEuros, zero } from "@watchword/schemas/Money"
import type { Principal } from "@watchword/schemas/Account"
import { noKeys } from "@watchword/send/Claims"
import { heartbeatLayer } from "@watchword/send/pipeline"
import * as Send from "@watchword/send/Send"
import * as Settings from "@watchword/store/Settings"
import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { whatIsSet } from "../../../test/whatIsSet.ts"

const german = "+4915123456789"
const caller = "+4930901820123"

/** Everything but the channel, which comes and goes with a process. */
const base = Layer.unwrap(
  Effect.sync(() =>
    Layer.mergeAll(Send.layer, Records.layer, Ledger.layer, Accounts.layer, Settings.layer).pipe(
      Layer.provide(Layer.succeed(PriceTable.Prices, Result.getOrThrow(PriceTable.parse({ call: { "*": "0.02" } })))),
      Layer.provideMerge(whatIsSet),
      Layer.provideMerge(heartbeatLayer),
      Layer.provideMerge(Layer.succeed(Store, makeMemory()))
    )
  )
)

const layer = Layer.provideMerge(Call.layer, base)

const principal = Effect.fnUntraced(function* (mode: Principal["mode"], account: Accounts.NewAccount = { caller }) {
  const accounts = yield* Accounts.Accounts
  const made: Principal = { account: yield* accounts.create(account), mode, key: null, scopes: null }
  return made
})

const body = Schema.decodeUnknownSync(FlashCall)
const page = Schema.decodeUnknownSync(ListBody)

/** Places a call and lets the time pass that the sandbox takes. */
const flash = Effect.fnUntraced(function* (who: Principal, fields: Partial<typeof FlashCall.Encoded> = {}) {
  const call = yield* Call.Call
  const placed = yield* Effect.forkChild(call.flash(who, body({ callee: german, ...fields }), noKeys))
  yield* TestClock.adjust("300 millis")
  return yield* Fiber.join(placed)
})

const ending = (digits: string): string => `+491512345${digits}`

describe("a call in the sandbox", () => {
  it.effect("rings, and ends after max_ring_time with NO_ANSWER", () =>
    Effect.gen(function* () {
      const call = yield* Call.Call
      const acme = yield* principal("sandbox")
      const called = yield* flash(acme, { max_ring_time: 7.5 })
      assert.deepStrictEqual([called.caller, called.callee], [caller, german])
      const ringing = yield* call.get(acme, called.uuid)
      assert.deepStrictEqual(ringing, {
        ...called,
        hangup_cause: null,
        duration: 0,
        billsec: 0,
        pdd: 0.3,
        start_stamp: "1970-01-01T00:00:00.000Z",
        destination_country: "Germany",
        destination_country_code: "DE",
        reported_status: null,
        sip_status: null,
        q850: null,
        price: 0
      })
      yield* TestClock.adjust("7499 millis")
      assert.isNull((yield* call.get(acme, called.uuid)).hangup_cause)
      yield* TestClock.adjust("1 millis")
      const ended = { ...ringing, hangup_cause: "NO_ANSWER", sip_status: 487, duration: 8 }
      assert.deepStrictEqual(yield* call.get(acme, called.uuid), ended)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* call.get(acme, called.uuid), ended)
    }).pipe(Effect.provide(layer))
  )

  it.effect("lasts as long as it does, although the system's clock is set back meanwhile", () =>
    Effect.gen(function* () {
      const call = yield* Call.Call
      const acme = yield* principal("sandbox")
      yield* TestClock.adjust("2 hours")
      const called = yield* flash(acme, { max_ring_time: 60 })
      yield* TestClock.adjust("3 seconds")
      yield* TestClock.setTime((yield* Clock.currentTimeMillis) - 3_600_000)
      yield* call.hangup(acme, called.uuid)
      yield* TestClock.adjust("1 millis")
      assert.deepInclude(yield* call.get(acme, called.uuid), { hangup_cause: "ORIGINATOR_CANCEL", duration: 3 })
    }).pipe(Effect.provide(layer))
  )

  it.effect("has a record from its start", () =>
    Effect.gen(function* () {
      const call = yield* Call.Call
      const acme = yield* principal("sandbox")
      const placed = yield* Effect.forkChild(call.flash(acme, body({ callee: "+80012345678", caller }), noKeys))
      yield* TestClock.adjust("299 millis")
      const { list } = yield* call.list(acme, page({}))
      assert.strictEqual(list.length, 1)
      const { hangup_cause, destination_country, destination_country_code, pdd } = list[0] ?? assert.fail("no record")
      assert.deepStrictEqual([hangup_cause, destination_country, destination_country_code, pdd], [null, null, null, 0])
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* Fiber.join(placed)).uuid, list[0]?.uuid)
    }).pipe(Effect.provide(layer))
  )

  it.effect.each([
    ["0402", "PAYMENT_REQUIRED", null, null],
    ["0480", "TEMPORARY_UNAVAILABLE", "NO_USER_RESPONSE", 480],
    ["0486", "BUSY_HERE", "USER_BUSY", 486],
    ["0503", "SERVICE_UNAVAILABLE", "NORMAL_TEMPORARY_FAILURE", 503],
    ["0603", "DECLINE", "CALL_REJECTED", 603]
  ] as const)("to a number that ends in %s is answered %s", ([digits, code, cause, sipStatus]) =>
    Effect.gen(function* () {
      const call = yield* Call.Call
      const acme = yield* principal("sandbox")
      assert.strictEqual((yield* Effect.flip(flash(acme, { callee: ending(digits) })))._tag, code)
      yield* TestClock.adjust("1 hour")
      const { list } = yield* call.list(acme, page({}))
      assert.deepStrictEqual(
        list.map((record) => [record.hangup_cause, record.sip_status, record.duration]),
        cause === null ? [] : [[cause, sipStatus, 0]]
      )
    }).pipe(Effect.provide(layer))
  )

  it.effect.each([
    ["0001", "NO_ANSWER", 9],
    ["0002", "NO_USER_RESPONSE", 1],
    ["0003", "NO_ANSWER", 9]
  ] as const)("to a number that ends in %s ends with %s after %d seconds", ([digits, cause, duration]) =>
    Effect.gen(function* () {
      const call = yield* Call.Call
      const acme = yield* principal("sandbox")
      const { uuid } = yield* flash(acme, { callee: ending(digits), max_ring_time: 9 })
      yield* TestClock.adjust("1 minute")
      const record = yield* call.get(acme, uuid)
      assert.deepStrictEqual([record.hangup_cause, record.duration, record.billsec], [cause, duration, 0])
    }).pipe(Effect.provide(layer))
  )

  it.effect("rings between the account's bounds when no time is asked for", () =>
    Effect.gen(function* () {
      const call = yield* Call.Call
      const acme = yield* principal("sandbox", { caller, minRing: 3, maxRing: 5 })
      const durations = new Set<number>()
      for (let count = 0; count < 40; count++) {
        const { uuid } = yield* flash(acme)
        yield* TestClock.adjust("10 seconds")
        durations.add((yield* call.get(acme, uuid)).duration)
      }
      assert.deepStrictEqual(durations, new Set([3, 4, 5]))
    }).pipe(Random.withSeed("ring times"), Effect.provide(layer))
  )
})

describe("hanging up", () => {
  it.effect("ends a call that rings, once", () =>
    Effect.gen(function* () {
      const call = yield* Call.Call
      const acme = yield* principal("sandbox")
      const { uuid } = yield* flash(acme)
      yield* TestClock.adjust("2 seconds")
      yield* call.hangup(acme, uuid)
      yield* TestClock.adjust("1 millis")
      const record = yield* call.get(acme, uuid)
      assert.deepStrictEqual([record.hangup_cause, record.duration], ["ORIGINATOR_CANCEL", 2])
      assert.strictEqual((yield* Effect.flip(call.hangup(acme, uuid)))._tag, "NOT_FOUND")
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* call.get(acme, uuid), record)
    }).pipe(Effect.provide(layer))
  )

  it.effect("many times at once, and at the moment the call ends anyway, leaves one end", () =>
    Effect.gen(function* () {
      const call = yield* Call.Call
      const acme = yield* principal("sandbox")
      const { uuid } = yield* flash(acme, { max_ring_time: 5 })
      const attempts = yield* Effect.forkChild(
        Effect.delay(
          Effect.forEach(Array.from({ length: 20 }), () => Effect.exit(call.hangup(acme, uuid)), {
            concurrency: "unbounded"
          }),
          "5 seconds"
        )
      )
      yield* TestClock.adjust("5 seconds")
      const hungUp = (yield* Fiber.join(attempts)).filter((exit) => exit._tag === "Success")
      yield* TestClock.adjust("1 second")
      const record = yield* call.get(acme, uuid)
      assert.isAtMost(hungUp.length, 1)
      assert.strictEqual(record.hangup_cause, hungUp.length === 1 ? "ORIGINATOR_CANCEL" : "NO_ANSWER")
      assert.strictEqual(record.duration, 5)
    }).pipe(Effect.provide(layer))
  )

  it.effect("before the phone rings fails the call", () =>
    Effect.gen(function* () {
      const call = yield* Call.Call
      const acme = yield* principal("sandbox")
      const placed = yield* Effect.forkChild(Effect.flip(call.flash(acme, body({ callee: german }), noKeys)))
      yield* TestClock.adjust("100 millis")
      const { list } = yield* call.list(acme, page({}))
      const uuid = list[0]?.uuid ?? assert.fail("no record")
      yield* call.hangup(acme, uuid)
      yield* call.hangup(acme, uuid)
      yield* TestClock.adjust("200 millis")
      assert.strictEqual((yield* Fiber.join(placed))._tag, "TEMPORARY_UNAVAILABLE")
      assert.strictEqual((yield* call.get(acme, uuid)).hangup_cause, "ORIGINATOR_CANCEL")
      assert.strictEqual((yield* Effect.flip(call.hangup(acme, uuid)))._tag, "NOT_FOUND")
    }).pipe(Effect.provide(layer))
  )
})

describe("records", () => {
  it.effect("are of one account and one mode", () =>
    Effect.gen(function* () {
      const call = yield* Call.Call
      const acme = yield* principal("sandbox")
      const { uuid } = yield* flash(acme)
      for (const stranger of [yield* principal("sandbox"), { ...acme, mode: "live" } as const]) {
        const attempts = [
          call.get(stranger, uuid),
          call.hangup(stranger, uuid),
          call.report(stranger, { uuid, status: "Success" })
        ]
        for (const attempt of attempts) assert.strictEqual((yield* Effect.flip(attempt))._tag, "NOT_FOUND")
        assert.strictEqual((yield* call.list(stranger, page({}))).total, 0)
      }
      const at = yield* Clock.currentTimeMillis
      for (const id of ["", "nothing", nextDeliveryId(at), uuid.toLowerCase(), uuid.replace(/.$/, "\0")]) {
        assert.strictEqual((yield* Effect.flip(call.get(acme, id)))._tag, "NOT_FOUND")
        assert.strictEqual((yield* Effect.flip(call.hangup(acme, id)))._tag, "NOT_FOUND")
      }
      assert.isNull((yield* call.get(acme, uuid)).hangup_cause)
    }).pipe(Effect.provide(layer))
  )

  it.effect("are listed newest first, filtered and sorted by any field", () =>
    Effect.gen(function* () {
      const call = yield* Call.Call
      const acme = yield* principal("sandbox")
      const made: Array<string> = []
      for (const [callee, ring] of [
        [german, 20],
        [ending("0002"), 5],
        ["+33612345678", 5],
        [german, 60]
      ] as const) {
        made.push((yield* flash(acme, { callee, max_ring_time: ring })).uuid)
        yield* TestClock.adjust("9700 millis")
      }
      const listed = (given: unknown) =>
        Effect.map(call.list(acme, page(given)), ({ list }) => list.map(({ uuid }) => made.indexOf(uuid)))
      assert.deepStrictEqual(yield* listed({}), [3, 2, 1, 0])
      assert.deepStrictEqual(yield* listed({ page: 2, rows_per_page: 3 }), [0])
      assert.deepStrictEqual(yield* listed({ filter: { hangup_cause: null } }), [3])
      assert.deepStrictEqual(yield* listed({ filter: { hangup_cause: ["NO_ANSWER", "NO_USER_RESPONSE"] } }), [2, 1, 0])
      assert.deepStrictEqual(yield* listed({ filter: { destination_country_code: "FR" } }), [2])
      assert.deepStrictEqual(yield* listed({ filter: { destination_country: "Germany", callee: german } }), [3, 0])
      assert.deepStrictEqual(yield* listed({ filter: { duration: { gte: 5 } } }), [2, 0])
      assert.deepStrictEqual(yield* listed({ filter: { pdd: { gt: 0.2, lt: 0.4 }, sip_status: 480 } }), [1])
      assert.deepStrictEqual(yield* listed({ filter: { start_stamp: { gte: "1970-01-01T00:00:20Z" } } }), [3, 2])
      assert.deepStrictEqual(yield* listed({ sort_by: "duration", sort_direction: "ASC" }), [3, 1, 2, 0])
      yield* call.report(acme, { uuid: made[2] ?? "", status: "Success" })
      assert.deepStrictEqual(yield* listed({ filter: { reported_status: "Success" } }), [2])
      assert.deepStrictEqual(yield* listed({ filter: { reported_status: null } }), [3, 1, 0])
      for (const wrong of [
        { filter: { dialog: "x" } },
        { sort_by: "rang_at" },
        { filter: { reported_status: "Fine" } }
      ]) {
        assert.strictEqual((yield* Effect.flip(call.list(acme, page(wrong))))._tag, "BAD_REQUEST")
      }
    }).pipe(Effect.provide(layer))
  )
})

describe("reported outcomes", () => {
  it.effect("are kept once, beside how the call ended", () =>
    Effect.gen(function* () {
      const call = yield* Call.Call
      const acme = yield* principal("sandbox")
      for (const status of CallOutcome.literals) {
        const { uuid } = yield* flash(acme, { max_ring_time: 5 })
        const reported = { message: "OK", uuid, status } as const
        assert.deepStrictEqual(yield* call.report(acme, { uuid, status }), reported)
        yield* TestClock.adjust("6 seconds")
        assert.deepStrictEqual(yield* call.report(acme, { uuid, status }), reported)
        for (const other of CallOutcome.literals.filter((each) => each !== status)) {
          assert.strictEqual((yield* Effect.flip(call.report(acme, { uuid, status: other })))._tag, "CONFLICT")
        }
        const record = yield* call.get(acme, uuid)
        assert.deepStrictEqual([record.reported_status, record.hangup_cause], [status, "NO_ANSWER"])
      }
    }).pipe(Effect.provide(layer))
  )
})

describe("what a call needs", () => {
  it.effect("is a caller, the account's or its own", () =>
    Effect.gen(function* () {
      const call = yield* Call.Call
      const acme = yield* principal("sandbox", {})
      const error = yield* Effect.flip(call.flash(acme, body({ callee: german }), noKeys))
      assert.strictEqual(error._tag === "BAD_REQUEST" && error.issues?.[0]?.path, "caller")
      assert.strictEqual((yield* flash(acme, { caller })).caller, caller)
    }).pipe(Effect.provide(layer))
  )

  it("is a callee in E.164 and a time of 1 to 60 seconds", () => {
    const read = Schema.decodeUnknownResult(FlashCall)
    for (const max_ring_time of [1, 1.5, 60]) {
      assert.isTrue(Result.isSuccess(read({ callee: german, max_ring_time })))
    }
    for (const wrong of [0, 0.999, 60.001, -1, "5", null, Number.NaN]) {
      assert.isTrue(Result.isFailure(read({ callee: german, max_ring_time: wrong })))
    }
    for (const wrong of [{}, { callee: "4915123456789" }, { callee: german, caller: "Acme" }]) {
      assert.isTrue(Result.isFailure(read(wrong)))
    }
  })

  it.effect("is a gateway, for live keys", () =>
    Effect.gen(function* () {
      const call = yield* Call.Call
      const acme = yield* principal("live")
      const error = yield* Effect.flip(call.flash(acme, body({ callee: german }), noKeys))
      assert.strictEqual(error._tag, "SERVICE_UNAVAILABLE")
      assert.strictEqual((yield* call.list(acme, page({}))).total, 0)
    }).pipe(Effect.provide(layer))
  )
})

describe("a service that stops", () => {
  it.effect("ends its calls first", () =>
    Effect.gen(function* () {
      const acme = yield* principal("sandbox")
      const { uuid } = yield* Effect.provide(flash(acme), Layer.fresh(Call.layer))
      const { list } = yield* Effect.provide(
        Call.Call.use((call) => call.list(acme, page({ filter: { uuid } }))),
        Layer.fresh(Call.layer)
      )
      assert.deepStrictEqual(
        list.map(({ hangup_cause }) => hangup_cause),
        ["ORIGINATOR_CANCEL"]
      )
    }).pipe(Effect.provide(base))
  )

  it.effect("without doing so has the next one close their records", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const ledger = yield* Ledger.Ledger
      const acme = yield* principal("sandbox")
      const price = MicroEuros.make(20_000)
      yield* ledger.credit(acme.account.id, price)
      const left = nextDeliveryId(0)
      for (const [id, mode] of [
        [left, "sandbox"],
        [nextDeliveryId(0), "live"]
      ] as const) {
        const delivery = { id, account: acme.account.id, mode, channel: "call", to: german, from: caller } as const
        const rest = {
          price: mode === "live" ? price : zero,
          parts: 1,
          reference: null,
          details: { hangup_cause: null }
        }
        yield* store.open({
          delivery: { ...delivery, ...rest, status: { name: "pending", rank: 0 } },
          claims: [],
          owner: nextProcessId(0),
          at: 0
        })
        if (mode === "live") continue
        yield* store.close({
          id,
          outcome: "accepted",
          status: { name: "ringing", rank: 1 },
          refs: [],
          details: { rang_at: 1000 },
          at: 1000
        })
      }
      yield* TestClock.adjust("11 seconds")
      yield* Effect.gen(function* () {
        const call = yield* Call.Call
        const record = yield* call.get(acme, left)
        assert.deepStrictEqual([record.hangup_cause, record.duration], ["SYSTEM_SHUTDOWN", 10])
        const { list } = yield* call.list({ ...acme, mode: "live" }, page({}))
        assert.deepStrictEqual(
          list.map(({ hangup_cause }) => hangup_cause),
          ["SYSTEM_SHUTDOWN"]
        )
        assert.strictEqual((yield* Effect.flip(call.hangup(acme, left)))._tag, "NOT_FOUND")
      }).pipe(Effect.provide(Layer.fresh(Call.layer)))
      const open = yield* store.unresolved({ phase: "pending", createdBefore: 1e15, abandoned: false, limit: 10 })
      assert.deepStrictEqual(open, [])
      assert.deepStrictEqual(yield* ledger.balance(acme.account.id), { posted: price, held: zero, available: price })
    }).pipe(Effect.provide(base))
  )

  it.effect("leaves more calls than fit on a page, and the next one closes the records of all", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const acme = yield* principal("sandbox")
      const owner = nextProcessId(0)
      const delivery = { account: acme.account.id, mode: "sandbox", channel: "call", to: german, from: caller } as const
      const rest = { price: zero, parts: 1, reference: null, details: {}, status: { name: "pending", rank: 0 } }
      yield* Effect.forEach(
        Array.from({ length: 2100 }, () => nextDeliveryId(0)),
        (id) => store.open({ delivery: { ...delivery, ...rest, id }, claims: [], owner, at: 0 }),
        { discard: true }
      )
      const open = store.unresolved({ phase: "pending", createdBefore: 1e15, abandoned: false, limit: 1 })
      const left = yield* Effect.andThen(Effect.yieldNow, open).pipe(
        Effect.repeat({ until: ({ length }) => length === 0 }),
        Effect.provide(Layer.fresh(Call.layer))
      )
      assert.deepStrictEqual(left, [])
    }).pipe(Effect.provide(base))
  )
})
