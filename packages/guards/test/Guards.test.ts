import { assert, describe, it } from "@effect/vitest"
import * as DeniedLimits from "../src/operator/DeniedLimits.ts"
import * as GuardAdmin from "../src/operator/GuardAdmin.ts"
import * as Guards from "../src/internal/Guards.ts"
import { DefaultRules, type Rules } from "@watchword/guards/Rules"
import { UsualRules, ofInstallation } from "../src/internal/UsualRules.ts"
import { nextAccountId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import { REASONS, noInstallationSecret, observedStore } from "@watchword/send/pipeline"
import type { Asked, Verdict } from "@watchword/send/SendGuard"
import * as Settings from "@watchword/store/Settings"
import { makeMemory, memory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { someAccount } from "../../../test/accounts.ts"

const german = E164.make("+4915123456789")

/** A guard, and a send of an account that it knows. */
const world = Effect.fnUntraced(function* (rules?: Rules) {
  const store = yield* Store
  const made =
    rules === undefined
      ? yield* Guards.make
      : yield* Effect.provideService(Guards.make, UsualRules, ofInstallation(rules))
  const check = (asked: Asked) => Effect.flatMap(Clock.currentTimeMillis, (now) => made.check(asked, now))
  const guard = { ...made, check, decide: made.check }
  const account = someAccount({ id: nextAccountId(0) })
  yield* store.createAccount(account)
  const principal: Principal = { account, mode: "live", key: null, scopes: null }
  const asked = (fields: Partial<Asked> = {}): Asked => ({
    principal,
    to: german,
    channel: "sms",
    client: { client_ip: "192.0.2.7" },
    requests: 1,
    price: MicroEuros.make(50_000),
    use: "sends",
    ...fields
  })
  return { guard, account: account.id, principal, asked }
})

const services = Layer.merge(Settings.layer, noInstallationSecret).pipe(
  Layer.provideMerge(observedStore),
  Layer.provide(memory())
)

/** A store whose calls are counted, and whose counters may be out of reach. */
const watching = (isBlind: boolean) => {
  const calls: Array<string> = []
  const store = makeMemory()
  const count: typeof store.count = (counters) =>
    Effect.suspend(() => {
      calls.push("count")
      return isBlind ? Effect.fail(new StoreError({ reason: "Unavailable", message: "away" })) : store.count(counters)
    })
  const layer = Layer.merge(Settings.layer, noInstallationSecret).pipe(
    Layer.provideMerge(observedStore),
    Layer.provide(Layer.succeed(Store, { ...store, count }))
  )
  return { calls, layer }
}

const perHour = (most: number): Rules => ({
  action: "deny",
  limits: [{ name: "number", by: ["to"], rates: [`${most}/1h`] }]
})

const countOf = Effect.fnUntraced(function* (name: string, attributes: Readonly<Record<string, string>> = {}) {
  const all = yield* Metric.snapshot
  const found = all.find(
    ({ attributes: have, id }) =>
      id === name && Object.entries(attributes).every(([key, value]) => have?.[key] === value)
  )
  return found?.type === "Counter" ? Number(found.state.count) : 0
})

describe("a guard", () => {
  it.effect("counts nothing where no rules are", () => {
    const { calls, layer } = watching(false)
    return Effect.gen(function* () {
      const { asked, guard } = yield* world()
      for (let send = 0; send < 3; send++) assert.strictEqual((yield* guard.check(asked()))._tag, "Passed")
      assert.deepStrictEqual(calls, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("refuses above a limit with 429, the limit's name and the seconds to wait", () =>
    Effect.gen(function* () {
      const { account, asked, guard } = yield* world()
      yield* GuardAdmin.set(account, perHour(2))
      for (let send = 0; send < 2; send++) assert.strictEqual((yield* guard.check(asked()))._tag, "Passed")
      const verdict = yield* guard.check(asked())
      if (verdict._tag !== "Refused") return assert.fail("it was let through")
      assert.deepInclude(verdict.failure, { _tag: "TOO_MANY_REQUESTS", reason: "limit_number", retryAfter: 3600 })
      assert.strictEqual(verdict.details[REASONS], "limit_number")
      const until = (yield* Clock.currentTimeMillis) + 3_600_000
      assert.deepStrictEqual(DeniedLimits.read(verdict.details), [
        { reason: "limit_number", rate: "2/1h", used: 2, until }
      ])
      yield* TestClock.adjust("3599 seconds")
      assert.strictEqual((yield* guard.check(asked()))._tag, "Refused")
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* guard.check(asked()))._tag, "Passed")
    }).pipe(Effect.provide(services))
  )

  it.effect("refuses with 403 what waiting does not change", () =>
    Effect.gen(function* () {
      const { account, asked, guard } = yield* world()
      yield* GuardAdmin.set(account, { action: "deny", countries: { allow: ["FR"] } })
      const verdict = yield* guard.check(asked())
      if (verdict._tag !== "Refused") return assert.fail("it was let through")
      assert.deepInclude(verdict.failure, { _tag: "FORBIDDEN", reason: "country_not_allowed" })
    }).pipe(Effect.provide(services))
  )

  it.effect("notes what rules that record would have refused", () =>
    Effect.gen(function* () {
      const { account, asked, guard } = yield* world()
      yield* GuardAdmin.set(account, { ...perHour(1), action: "record", countries: { allow: ["FR"] } })
      yield* guard.check(asked())
      const verdict = yield* guard.check(asked())
      assert.strictEqual(verdict._tag, "Passed")
      assert.deepStrictEqual(verdict.details, { [REASONS]: "country_not_allowed limit_number" })
    }).pipe(Effect.provide(services))
  )

  it.effect("goes by the installation's rules where an account has none of its own", () =>
    Effect.gen(function* () {
      const { account, asked, guard } = yield* world({ ...perHour(1), sandbox_under_way: 3 })
      assert.deepInclude(yield* guard.check(asked()), { _tag: "Passed", bounds: { sandbox_under_way: 3 } })
      assert.strictEqual((yield* guard.check(asked()))._tag, "Refused")
      yield* GuardAdmin.set(account, {})
      assert.notProperty(yield* guard.check(asked()), "bounds")
      assert.isTrue(yield* GuardAdmin.removeRules(account))
      assert.strictEqual((yield* guard.check(asked()))._tag, "Refused")
    }).pipe(Effect.provide(services))
  )

  it.effect("lets through when it cannot read its counters, and counts that", () => {
    const { layer } = watching(true)
    return Effect.gen(function* () {
      const { account, asked, guard, principal } = yield* world()
      yield* GuardAdmin.set(account, {
        ...perHour(1),
        pumping: { prefix: { floor: 1, share: 0, window: "1h" }, block: "1h" }
      })
      const before = yield* countOf("watchword_guard_blind_total")
      for (let send = 0; send < 3; send++) assert.strictEqual((yield* guard.check(asked()))._tag, "Passed")
      yield* guard.verified({ principal, to: german })
      assert.strictEqual((yield* countOf("watchword_guard_blind_total")) - before, 4)
    }).pipe(Effect.provide(layer))
  })

  it.effect("refuses what no counter decides, also when it cannot read them", () => {
    const { calls, layer } = watching(true)
    return Effect.gen(function* () {
      const { account, asked, guard } = yield* world()
      yield* GuardAdmin.set(account, { ...perHour(1), countries: { allow: ["FR"] } })
      assert.strictEqual((yield* guard.check(asked()))._tag, "Refused")
      assert.deepStrictEqual(calls, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("counts its decisions by reason", () =>
    Effect.gen(function* () {
      const { account, asked, guard } = yield* world()
      const name = "decisions_are_counted"
      yield* GuardAdmin.set(account, { action: "deny", limits: [{ name, by: ["to"], rates: ["1/1h"] }] })
      const passed = countOf("watchword_guard_decisions_total", { decision: "passed", reason: "none" })
      const before = yield* passed
      for (let send = 0; send < 3; send++) yield* guard.check(asked())
      const refused = { decision: "refused", reason: `limit_${name}` }
      assert.strictEqual(yield* countOf("watchword_guard_decisions_total", refused), 2)
      assert.strictEqual((yield* passed) - before, 1)
    }).pipe(Effect.provide(services))
  )
})

/** A verdict that takes neither the store nor a wait. */
const atHand = (verdict: Effect.Effect<Verdict>): unknown =>
  Exit.isExit(verdict) && Exit.isSuccess(verdict) ? verdict.value : undefined

describe("a verdict", () => {
  const { layer } = watching(false)

  it.effect("is at hand, and the same, for all sends that no rule and no block holds for", () =>
    Effect.gen(function* () {
      const { account, asked, guard } = yield* world()
      const first = yield* guard.check(asked())
      assert.strictEqual(atHand(guard.decide(asked(), 0)), first)
      assert.strictEqual(atHand(guard.decide(asked({ to: E164.make("+33612345678") }), 0)), first)
      assert.isUndefined(atHand(guard.decide(asked({ use: "verifications" }), 0)))
      yield* GuardAdmin.set(account, { ...perHour(1), for: "verifications", sandbox_under_way: 4 })
      yield* guard.check(asked())
      assert.deepInclude(atHand(guard.decide(asked(), 0)), { _tag: "Passed", bounds: { sandbox_under_way: 4 } })
      yield* GuardAdmin.block(null, "FR", 60_000)
      yield* guard.check(asked())
      assert.deepInclude(atHand(guard.decide(asked(), 0)), { _tag: "Passed", bounds: { sandbox_under_way: 4 } })
      assert.isUndefined(atHand(guard.decide(asked({ to: E164.make("+33612345678") }), 0)))
    }).pipe(Effect.provide(layer))
  )
})

describe("the default rules", () => {
  const verification = { use: "verifications" } as const

  const verdicts = (guard: Effect.Success<ReturnType<typeof world>>["guard"], ...asked: ReadonlyArray<Asked>) =>
    Effect.forEach(asked, (each) =>
      Effect.map(guard.check(each), (verdict) =>
        verdict._tag === "Passed" || !("reason" in verdict.failure) ? "passed" : String(verdict.failure.reason)
      )
    )

  it.effect("hold for live verifications of accounts for which nothing is set", () =>
    Effect.gen(function* () {
      const { account, asked, guard, principal } = yield* world()
      const sandbox: Principal = { ...principal, mode: "sandbox" }
      const one = asked(verification)
      assert.deepStrictEqual(yield* verdicts(guard, one, one), ["passed", "limit_number"])
      assert.deepStrictEqual(yield* verdicts(guard, asked(), asked(), asked()), ["passed", "passed", "passed"])
      const played = asked({ ...verification, principal: sandbox })
      assert.deepStrictEqual(yield* verdicts(guard, played, played), ["passed", "passed"])
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(yield* verdicts(guard, one, one), ["passed", "limit_number"])
      assert.deepStrictEqual((yield* GuardAdmin.show(account)).inForce, { from: "default", rules: DefaultRules })
      yield* GuardAdmin.allow(account, german, null)
      assert.deepStrictEqual(yield* verdicts(guard, one, one), ["passed", "passed"])
    }).pipe(Effect.provide(services))
  )

  it.effect("let five verifications of a number through in an hour, ten in a day, and a hundred from an address", () =>
    Effect.gen(function* () {
      const { asked, guard } = yield* world()
      const minutely = (client: Asked["client"], count: number) =>
        Effect.forEach(Array.from({ length: count }), () =>
          Effect.tap(verdicts(guard, asked({ ...verification, client })), TestClock.adjust("1 minute"))
        ).pipe(Effect.map((all) => all.flat().filter((each) => each === "passed").length))
      assert.strictEqual(yield* minutely({}, 20), 5)
      yield* TestClock.adjust("41 minutes")
      assert.strictEqual(yield* minutely({}, 20), 5)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* minutely({}, 20), 0)
      // Of two countries and many blocks, so that no place has many codes that are not entered.
      const numbers = Array.from({ length: 101 }, (_, index) =>
        E164.make(`${index % 2 === 0 ? "+4915" : "+336"}${1000 + index}12345`.slice(0, 12))
      )
      const all = yield* verdicts(guard, ...numbers.map((to) => asked({ ...verification, to })))
      assert.deepStrictEqual(all.slice(-2), ["passed", "limit_ip"])
    }).pipe(Effect.provide(services))
  )

  it.effect("refuse numbers that are dear to call, and none that clients send to themselves", () =>
    Effect.gen(function* () {
      const { asked, guard } = yield* world()
      for (const dear of ["+499001234567", "+491801234567"]) {
        const to = E164.make(dear)
        const [verified, sent] = [asked({ ...verification, to }), asked({ to })]
        assert.deepStrictEqual(yield* verdicts(guard, verified, sent), ["number_not_allowed", "passed"])
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("end where rules are set, also by rules that guard nothing", () =>
    Effect.gen(function* () {
      const { account, asked, guard } = yield* world()
      const one = asked(verification)
      yield* GuardAdmin.set(account, "none")
      assert.deepStrictEqual(yield* verdicts(guard, one, one), ["passed", "passed"])
      assert.deepStrictEqual((yield* GuardAdmin.show(account)).inForce, { from: "account", rules: {} })
      assert.deepStrictEqual(yield* GuardAdmin.countRules([account]), { accounts: 1, own: 1, none: 1 })
      const other = yield* world({})
      const another = other.asked(verification)
      assert.deepStrictEqual(yield* verdicts(other.guard, another, another), ["passed", "passed"])
    }).pipe(Effect.provide(services))
  )
})

describe("rules for verifications, and for sends that clients make themselves", () => {
  it.effect("hold for these alone; a limit may hold for others than its rules", () =>
    Effect.gen(function* () {
      const { account, asked, guard } = yield* world()
      yield* GuardAdmin.set(account, {
        for: "sends",
        action: "deny",
        countries: { allow: ["FR"] },
        limits: [{ name: "verified", by: ["to"], rates: ["1/1h"], for: "verifications" }]
      })
      const verdictOf = (use: Asked["use"]) => Effect.map(guard.check(asked({ use })), ({ _tag }) => _tag)
      assert.strictEqual(yield* verdictOf("sends"), "Refused")
      assert.strictEqual(yield* verdictOf("verifications"), "Passed")
      assert.strictEqual(yield* verdictOf("verifications"), "Refused")
      yield* GuardAdmin.set(account, { ...perHour(1), for: "verifications" })
      for (let send = 0; send < 3; send++) assert.strictEqual(yield* verdictOf("sends"), "Passed")
      assert.strictEqual(yield* verdictOf("verifications"), "Passed")
      assert.strictEqual(yield* verdictOf("verifications"), "Refused")
    }).pipe(Effect.provide(services))
  )
})

describe("pumping", () => {
  const rules: Rules = { action: "deny", pumping: { prefix: { floor: 2, share: 0.5, window: "1h" }, block: "12h" } }
  const number = (index: number) => E164.make(`+49151234567${String(index).padStart(2, "0")}`)
  const place = "+491512345"

  it.effect("blocks its prefix for the time of the rules, which an operator can end", () =>
    Effect.gen(function* () {
      const { account, asked, guard } = yield* world()
      yield* GuardAdmin.set(account, rules)
      const verdicts = yield* Effect.forEach([0, 1, 2, 3], (index) => guard.check(asked({ to: number(index) })))
      assert.deepStrictEqual(
        verdicts.map(({ _tag }) => _tag),
        ["Passed", "Passed", "Refused", "Refused"]
      )
      const { blocks } = yield* GuardAdmin.show(account)
      assert.deepStrictEqual([...blocks], [[place, { until: 12 * 3_600_000, by: "pumping" }]])
      yield* TestClock.adjust("2 hours")
      assert.strictEqual((yield* guard.check(asked({ to: number(4) })))._tag, "Refused")
      assert.isTrue(yield* GuardAdmin.remove(account, place))
      assert.strictEqual((yield* guard.check(asked({ to: number(4) })))._tag, "Passed")
    }).pipe(Effect.provide(services))
  )

  it.effect("leaves a place alone that an operator has let in again, until the block would have ended", () =>
    Effect.gen(function* () {
      const { account, asked, guard } = yield* world()
      yield* GuardAdmin.set(account, rules)
      let sends = 0
      const verdict = () => Effect.map(guard.check(asked({ to: number(sends++) })), ({ _tag }) => _tag)
      const verdicts = (count: number) => Effect.all(Array.from({ length: count }, verdict))
      assert.deepStrictEqual(yield* verdicts(3), ["Passed", "Passed", "Refused"])
      assert.isTrue(yield* GuardAdmin.remove(account, place))
      assert.isFalse(yield* GuardAdmin.remove(account, place))
      assert.strictEqual((yield* GuardAdmin.show(account)).blocks.size, 0)
      assert.notInclude(yield* verdicts(20), "Refused")
      yield* TestClock.adjust("12 hours")
      assert.deepStrictEqual(yield* verdicts(3), ["Passed", "Passed", "Refused"])
      yield* GuardAdmin.remove(account, place)
      yield* GuardAdmin.block(account, place, 60_000)
      assert.deepStrictEqual(yield* verdicts(1), ["Refused"])
    }).pipe(Effect.provide(services))
  )

  it.effect("is none where users prove to hold their numbers", () =>
    Effect.gen(function* () {
      const { account, asked, guard, principal } = yield* world()
      yield* GuardAdmin.set(account, rules)
      for (let index = 0; index < 20; index++) {
        assert.strictEqual((yield* guard.check(asked({ to: number(index) })))._tag, "Passed")
        yield* guard.verified({ principal, to: number(index) })
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("is none where no gateway took anything", () =>
    Effect.gen(function* () {
      const { account, asked, guard } = yield* world()
      yield* GuardAdmin.set(account, rules)
      for (let index = 0; index < 20; index++) {
        const verdict = yield* guard.check(asked({ to: number(index) }))
        if (verdict._tag !== "Passed") return assert.fail("it was refused")
        yield* guard.unsent(verdict.counted.requests)
      }
      const tags = yield* Effect.forEach([20, 21, 22], (index) =>
        Effect.map(guard.check(asked({ to: number(index) })), ({ _tag }) => _tag)
      )
      assert.deepStrictEqual(tags, ["Passed", "Passed", "Refused"])
    }).pipe(Effect.provide(services))
  )

  it.effect("in the sandbox blocks nothing", () =>
    Effect.gen(function* () {
      const { account, asked, guard, principal } = yield* world()
      yield* GuardAdmin.set(account, rules)
      const sandbox: Principal = { ...principal, mode: "sandbox" }
      const tags = yield* Effect.forEach([0, 1, 2], (index) =>
        Effect.map(guard.check(asked({ principal: sandbox, to: number(index) })), ({ _tag }) => _tag)
      )
      assert.deepStrictEqual(tags, ["Passed", "Passed", "Refused"])
      assert.strictEqual((yield* GuardAdmin.show(account)).blocks.size, 0)
      assert.strictEqual((yield* guard.check(asked()))._tag, "Passed")
    }).pipe(Effect.provide(services))
  )
})

describe("the operator", () => {
  it.effect("blocks prefixes and countries for an account, or for all, until their time is over", () =>
    Effect.gen(function* () {
      const one = yield* world()
      const other = yield* world()
      yield* GuardAdmin.block(one.account, "+49151", 60_000)
      assert.strictEqual((yield* one.guard.check(one.asked()))._tag, "Refused")
      assert.strictEqual((yield* other.guard.check(other.asked()))._tag, "Passed")
      yield* GuardAdmin.block(null, "DE", 120_000)
      assert.strictEqual((yield* other.guard.check(other.asked()))._tag, "Refused")
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual((yield* one.guard.check(one.asked()))._tag, "Passed")
      assert.strictEqual((yield* GuardAdmin.show(null)).blocks.size, 0)
      yield* GuardAdmin.block(null, "FR", 1)
      const store = yield* Store
      assert.deepStrictEqual(
        (yield* store.settings(null)).map(({ name }) => name),
        ["block:FR"]
      )
    }).pipe(Effect.provide(services))
  )

  it.effect("makes exceptions", () =>
    Effect.gen(function* () {
      const { account, asked, guard } = yield* world()
      yield* GuardAdmin.block(null, "+49", 60_000)
      yield* GuardAdmin.allow(account, german, null)
      assert.strictEqual((yield* guard.check(asked()))._tag, "Passed")
      assert.deepStrictEqual([...(yield* GuardAdmin.show(account)).exceptions.keys()], [german])
      assert.isTrue(yield* GuardAdmin.remove(account, german))
      assert.isFalse(yield* GuardAdmin.remove(account, german))
      assert.strictEqual((yield* guard.check(asked()))._tag, "Refused")
    }).pipe(Effect.provide(services))
  )

  it.effect("makes exceptions that end by themselves, and make room for others", () =>
    Effect.gen(function* () {
      const { account, asked, guard } = yield* world()
      yield* GuardAdmin.block(null, "+49", 600_000)
      const ends = yield* GuardAdmin.allow(account, german, 60_000)
      assert.deepStrictEqual([...(yield* GuardAdmin.show(account)).exceptions], [[german, ends]])
      yield* TestClock.adjust(59_000)
      assert.strictEqual((yield* guard.check(asked()))._tag, "Passed")
      yield* TestClock.adjust(1_000)
      assert.strictEqual((yield* guard.check(asked()))._tag, "Refused")
      assert.strictEqual((yield* GuardAdmin.show(account)).exceptions.size, 0)
      yield* GuardAdmin.allow(account, E164.make("+33612345678"), null)
      assert.isFalse(yield* GuardAdmin.remove(account, german))
    }).pipe(Effect.provide(services))
  )

  it.effect("lets a number pass for a day, and ends no longer exception before its time", () =>
    Effect.gen(function* () {
      const { account } = yield* world()
      const day = 86_400_000
      const now = yield* Clock.currentTimeMillis
      const pass = (owner: typeof account | null, to: string) => GuardAdmin.pass(owner, to, "ann")
      assert.strictEqual(yield* pass(account, german), now + day)
      yield* GuardAdmin.allow(account, german, 2 * day)
      assert.strictEqual(yield* pass(account, german), now + 2 * day)
      yield* TestClock.adjust(1.5 * day)
      assert.strictEqual(yield* pass(account, german), now + 2.5 * day)
      assert.deepStrictEqual([...(yield* GuardAdmin.show(account)).passes], [[german, now + 2.5 * day]])
      yield* GuardAdmin.allow(account, german, null)
      assert.isNull(yield* pass(account, german))
      assert.deepStrictEqual([...(yield* GuardAdmin.show(account)).exceptions.values()], [Number.POSITIVE_INFINITY])
      assert.isTrue(yield* GuardAdmin.remove(account, german))
      assert.strictEqual((yield* GuardAdmin.show(account)).passes.size, 0)
      assert.strictEqual((yield* Effect.flip(pass(null, "0151")))._tag, "BAD_REQUEST")
    }).pipe(Effect.provide(services))
  )

  it.effect("who lets numbers pass has ten an hour, and fills no place of what others allow", () =>
    Effect.gen(function* () {
      const { account, asked, guard } = yield* world()
      const number = (index: number) => `+4915123456${String(index).padStart(3, "0")}`
      const passes = (operator: string, from: number, count: number) =>
        Effect.forEach(
          Array.from({ length: count }, (_, index) => number(from + index)),
          (to) => Effect.result(GuardAdmin.pass(null, to, operator))
        )
      const made = yield* passes("ann", 0, 11)
      assert.deepStrictEqual(made.map(Result.isSuccess), [...Array.from({ length: 10 }, () => true), false])
      const [last] = made.slice(-1)
      if (last === undefined || Result.isSuccess(last)) return assert.fail("it was let through")
      assert.deepInclude(last.failure, { _tag: "TOO_MANY_REQUESTS", reason: "limit_passes", retryAfter: 3600 })
      assert.isTrue((yield* passes("ben", 20, 1)).every(Result.isSuccess))
      for (let hour = 1; hour < 10; hour++) {
        yield* TestClock.adjust("1 hour")
        yield* passes("ann", 100 + 10 * hour, 10)
      }
      assert.strictEqual((yield* GuardAdmin.show(null)).passes.size, 100)
      assert.strictEqual((yield* Effect.flip(GuardAdmin.pass(null, german, "cid")))._tag, "BAD_REQUEST")
      yield* GuardAdmin.allow(null, german, null)
      yield* GuardAdmin.block(null, "+49", 60_000)
      assert.strictEqual((yield* guard.check(asked({ to: E164.make(number(0)) })))._tag, "Passed")
      assert.strictEqual((yield* guard.check(asked({ to: E164.make(number(999)) })))._tag, "Refused")
      assert.strictEqual((yield* GuardAdmin.show(account)).passes.size, 0)
    }).pipe(Effect.provide(services))
  )

  it.effect("is told the field of a mistake, and nothing is set", () =>
    Effect.gen(function* () {
      const { account } = yield* world()
      const rules = { limits: [{ name: "a", by: ["to"], rates: ["1/30s", "5/h"] }], limit: [] }
      const error = yield* Effect.flip(GuardAdmin.set(account, rules))
      if (error._tag !== "BAD_REQUEST") return assert.fail(error._tag)
      assert.deepStrictEqual(
        error.issues?.map(({ path }) => path),
        ["limit", "limits[0].rates[1]"]
      )
      assert.strictEqual((yield* Effect.flip(GuardAdmin.block(null, "2348", 1)))._tag, "BAD_REQUEST")
      assert.strictEqual((yield* Effect.flip(GuardAdmin.allow(null, "0151", null)))._tag, "BAD_REQUEST")
      assert.isNull((yield* GuardAdmin.show(account)).rules)
    }).pipe(Effect.provide(services))
  )
})
