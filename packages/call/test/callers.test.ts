import { assert, describe, it } from "@effect/vitest"
import * as Call from "@watchword/call/Call"
import { CallGateway } from "@watchword/call/CallGateway"
import * as Accounts from "@watchword/ledger/Accounts"
import { ListBody } from "@watchword/pagination/Page"
import * as Records from "@watchword/records/Records"
import { FlashCall, REVEALED_CALLER } from "@watchword/schemas/Call"
import { BusyHere } from "@watchword/schemas/Errors"
import { nextDeliveryId, nextProcessId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import type { Principal } from "@watchword/schemas/Account"
import { poolOfCallers } from "@watchword/schemas/Originators"
import {
  CallerRests,
  Rests,
  areEnough,
  callersOf,
  contentOf,
  drawCaller,
  getCallers,
  heartbeatLayer,
  removeCallers,
  setCallers
} from "@watchword/send/pipeline"
import { type Origin, type RequestKeys, noKeys } from "@watchword/send/Claims"
import * as Send from "@watchword/send/Send"
import * as Settings from "@watchword/store/Settings"
import { makeMemory } from "@watchword/store/MemoryStore"
import { Store, about } from "@watchword/store/Store"
import { Prices, free } from "@watchword/ledger/PriceTable"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { whatIsSet } from "../../../test/whatIsSet.ts"

const german = "+4915123456789"
const caller = "+4930901820123"
const pool = ["+4930901820000-+4930901820009", "+4930901820010"]

/** The callers of calls that reached the gateway, which is busy, and the dialogs that it was to end. */
const reached: Array<string> = []
const recovered: Array<string> = []

const gateway = Layer.succeed(CallGateway, {
  dial: (call) =>
    Effect.sync(() => {
      reached.push(call.caller)
      return {
        _tag: "Failed",
        failure: new BusyHere({ message: "The callee is busy." }),
        cause: { hangupCause: "USER_BUSY", sipStatus: 486, q850: 17 }
      } as const
    }),
  recover: (calls) => Effect.sync(() => void recovered.push(...calls.map(({ dialog }) => dialog))),
  hangup: () => Effect.succeed(true),
  drain: Effect.void,
  events: () => Effect.void,
  health: Effect.succeed([])
})

const base = Layer.unwrap(
  Effect.sync(() => {
    reached.length = 0
    recovered.length = 0
    return Layer.mergeAll(Send.layer, Records.layer, Accounts.layer, Settings.layer).pipe(
      Layer.provide(Layer.succeed(Prices, free)),
      Layer.provideMerge(whatIsSet),
      Layer.provideMerge(heartbeatLayer),
      Layer.provideMerge(Layer.succeed(Store, makeMemory()))
    )
  })
)

const layer = Call.layer.pipe(Layer.provideMerge(gateway), Layer.provideMerge(base))

const body = Schema.decodeUnknownSync(FlashCall)
const page = Schema.decodeUnknownSync(ListBody)

const principal = Effect.fnUntraced(function* (mode: Principal["mode"], account: Accounts.NewAccount = {}) {
  const accounts = yield* Accounts.Accounts
  const made: Principal = { account: yield* accounts.create(account), mode, key: null, scopes: null }
  return made
})

/** The principal as it is after the account was changed. */
const renewed = Effect.fnUntraced(function* (who: Principal) {
  const { account } = yield* Accounts.Accounts.use((accounts) => accounts.get(who.account.id))
  return { ...who, account }
})

const flash = Effect.fnUntraced(function* (who: Principal, keys: RequestKeys = noKeys, from?: string) {
  const call = yield* Call.Call
  const fields = from === undefined ? {} : { caller: from }
  const placed = yield* Effect.forkChild(call.flash(who, body({ callee: german, ...fields }), keys))
  yield* TestClock.adjust("300 millis")
  return yield* Fiber.join(placed)
})

describe("a call of an account with a pool of callers", () => {
  it.effect("comes from a number of the pool, at random", () =>
    Effect.gen(function* () {
      const acme = yield* principal("sandbox")
      yield* setCallers(acme.account.id, { callers: pool })
      const callers = new Set<string>()
      for (let count = 0; count < 300; count++) callers.add((yield* flash(acme)).caller)
      assert.strictEqual(callers.size, 11)
      for (const each of callers) assert.match(each, /^\+493090182000[0-9]$|^\+4930901820010$/)
    }).pipe(Effect.provide(layer))
  )

  it.effect("comes from the caller that it names, or else from the account's own", () =>
    Effect.gen(function* () {
      const acme = yield* principal("sandbox", { caller })
      yield* setCallers(acme.account.id, { callers: pool })
      assert.strictEqual((yield* flash(acme)).caller, caller)
      assert.strictEqual((yield* flash(acme, noKeys, "+442079460018")).caller, "+442079460018")
    }).pipe(Effect.provide(layer))
  )

  it.effect("comes live from numbers that are on the account's list of callers too", () =>
    Effect.gen(function* () {
      const acme = yield* principal("live")
      yield* setCallers(acme.account.id, { callers: pool })
      yield* Accounts.Accounts.use((accounts) => accounts.allow(acme.account.id, { callers: ["+4930901820010"] }))
      const bound = yield* renewed(acme)
      for (let count = 0; count < 20; count++) yield* Effect.flip(flash(bound))
      assert.deepStrictEqual(new Set(reached), new Set(["+4930901820010"]))
      yield* Accounts.Accounts.use((accounts) => accounts.allow(acme.account.id, { callers: [caller] }))
      const error = yield* Effect.flip(flash(yield* renewed(acme)))
      assert.strictEqual(error._tag === "BAD_REQUEST" && error.issues?.[0]?.path, "caller")
    }).pipe(Effect.provide(layer))
  )
})

describe("a caller that networks block", () => {
  const blocked = (rests: Rests, caller: string, callees: number, now = 0) =>
    Array.from({ length: callees }, (_, index) => rests.blocked(caller, `+491512345670${index}`, now))

  it("rests for an hour after three callees in a row, and after each further one", () => {
    const rests = new Rests()
    assert.deepStrictEqual(blocked(rests, caller, 3), [false, false, true])
    assert.deepStrictEqual(rests.resting(3_599_999), [caller])
    assert.deepStrictEqual(rests.resting(3_600_000), [])
    // The same callee again and again is not a second network, and does not end a rest.
    assert.isFalse(rests.blocked(caller, "+4915123456700", 1))
    assert.deepStrictEqual(rests.resting(3_599_999), [caller])
    assert.isTrue(rests.blocked(caller, "+4915123456709", 3_600_000))
    rests.rang(caller)
    assert.deepStrictEqual(rests.resting(3_600_001), [])
    assert.deepStrictEqual(blocked(rests, caller, 2), [false, false])
  })

  it("is forgotten when a thousand others are newer", () => {
    const rests = new Rests()
    for (let index = 0; index <= 1000; index++) blocked(rests, `+49309018${10_000 + index}`, 3)
    assert.strictEqual(rests.resting(1).length, 1000)
    assert.notInclude(rests.resting(1), "+4930901810000")
  })

  it.effect("is not drawn from its pool, of which a tenth rests at most", () =>
    Effect.gen(function* () {
      const rests = new Rests()
      const draw = (pool: ReadonlyArray<string>) =>
        Effect.forEach(Array.from({ length: 200 }), () => drawCaller(poolOfCallers(pool))).pipe(
          Effect.map((drawn) => new Set<string | null>(drawn)),
          Effect.provideService(CallerRests, rests)
        )
      for (const last of ["0", "1", "2"]) blocked(rests, `+493090182000${last}`, 3)
      // The last one to be blocked.
      assert.isFalse((yield* draw(pool)).has("+4930901820002"))
      assert.isTrue((yield* draw(pool)).has("+4930901820000"))
      assert.deepStrictEqual(yield* draw(["+4930901820001-+4930901820002"]), new Set(["+4930901820001"]))
      // A pool of one has no other.
      assert.deepStrictEqual(yield* draw(["+4930901820002"]), new Set(["+4930901820002"]))
      const twenty = yield* draw(["+4930901820000-+4930901820019"])
      assert.strictEqual(["0", "1", "2"].filter((last) => twenty.has(`+493090182000${last}`)).length, 1)
    })
  )
})

describe("a pool", () => {
  it.effect("is refused with the entry that is wrong, or that the account's list does not let through", () =>
    Effect.gen(function* () {
      const acme = yield* principal("live")
      const { id } = acme.account
      const pathOf = (callers: ReadonlyArray<string>) =>
        Effect.map(Effect.flip(setCallers(id, { callers })), (error) =>
          error._tag === "BAD_REQUEST" ? error.issues?.[0]?.path : error._tag
        )
      assert.strictEqual(yield* pathOf([]), "callers")
      assert.strictEqual(yield* pathOf([caller, "Acme"]), "callers[1]")
      yield* Accounts.Accounts.use((accounts) => accounts.allow(id, { callers: ["+4930901820000-+4930901820004"] }))
      assert.strictEqual(yield* pathOf(["+4930901820001", "+4930901820003-+4930901820005"]), "callers[1]")
      assert.deepStrictEqual(yield* getCallers(id), Option.none())
      assert.isFalse(yield* removeCallers(id))
      assert.deepStrictEqual(yield* setCallers(id, { callers: ["+4930901820003"] }), {
        callers: ["+4930901820003"],
        allowSmall: false
      })
      assert.isTrue(yield* removeCallers(id))
    }).pipe(Effect.provide(layer))
  )

  it.effect("verifies with a thousand endings, or where the account says so", () =>
    Effect.gen(function* () {
      const acme = yield* principal("live")
      const enough = Effect.fnUntraced(function* (last: string, allowSmall: boolean) {
        yield* setCallers(acme.account.id, { callers: [`+4930901820000-${last}`], allowSmall })
        const callers = Option.getOrThrow(yield* callersOf(acme))
        return areEnough(callers, 6)
      })
      assert.isTrue(yield* enough("+4930901820999", false))
      assert.isFalse(yield* enough("+4930901820998", false))
      assert.isTrue(yield* enough("+4930901820998", true))
    }).pipe(Effect.provide(layer))
  )
})

/** Keys of a verification's call. */
const step = (more: Partial<Origin> = {}): RequestKeys => ({
  ...noKeys,
  origin: { id: nextDeliveryId(0), details: { verification: "v", attempt: 1 }, ...more }
})

describe("a verification's call", () => {
  it.effect("has its caller nowhere before it is revealed", () =>
    Effect.gen(function* () {
      const call = yield* Call.Call
      const store = yield* Store
      const acme = yield* principal("sandbox")
      const { caller: answered, uuid } = yield* flash(acme, step(), caller)
      const record = yield* call.get(acme, uuid)
      assert.deepStrictEqual([answered, record.caller], ["", null])
      assert.strictEqual((yield* call.list(acme, page({ filter: { caller } }))).total, 0)
      assert.notInclude(JSON.stringify(yield* call.list(acme, page({}))), caller)
      yield* store.report(about(uuid, 0, { details: { [REVEALED_CALLER]: caller } }))
      assert.deepStrictEqual(yield* call.get(acme, uuid), { ...record, caller })
    }).pipe(Effect.provide(layer))
  )

  it.effect("shows its caller in the inbox of the sandbox, with as many digits as the code has", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const acme = yield* principal("sandbox")
      const { uuid } = yield* flash(acme, step({ codeLength: 4 }), caller)
      const record = yield* store.find({ account: acme.account.id, mode: "sandbox", channel: "call", id: uuid })
      assert.deepStrictEqual(Option.map(record, contentOf), Option.some({ text: null, code: "0123", from: caller }))
    }).pipe(Effect.provide(layer))
  )

  it.effect("comes live from callers on the account's list only", () =>
    Effect.gen(function* () {
      const acme = yield* principal("live")
      yield* Accounts.Accounts.use((accounts) => accounts.allow(acme.account.id, { callers: ["+4930901820010"] }))
      const error = yield* Effect.flip(flash(yield* renewed(acme), step(), caller))
      assert.deepInclude(error, { _tag: "FORBIDDEN", reason: "caller_not_allowed" })
      assert.deepStrictEqual(reached, [])
    }).pipe(Effect.provide(layer))
  )

  it.effect("is ended by its dialog after its process has died", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const acme = yield* principal("live")
      const id = nextDeliveryId(0)
      yield* store.open({
        delivery: {
          id,
          account: acme.account.id,
          mode: "live",
          channel: "call",
          to: german,
          from: null,
          status: { name: "pending", rank: 0 },
          price: zero,
          parts: 1,
          reference: null,
          details: { hangup_cause: null, dialog: "the dialog", verification: "v" }
        },
        claims: [],
        owner: nextProcessId(0),
        at: 0
      })
      yield* TestClock.adjust("1 minute")
      const started = Effect.provide(Call.Call.use(Effect.succeed), Layer.fresh(Layer.provide(Call.layer, gateway)))
      const service = yield* Effect.forkChild(started)
      // The gateway of this test never reports the end that it was asked for.
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(service)
      assert.deepStrictEqual(recovered, ["the dialog"])
    }).pipe(Effect.provide(base))
  )
})
