/**
 * Steps of verifications that are due: taken by the service itself, by maintenance where nothing runs by itself, and by
 * the successor of the process that started the verification.
 */
import { assert, describe, it } from "@effect/vitest"
import { Features } from "@watchword/send/channel/Features"
import * as Accounts from "@watchword/ledger/Accounts"
import type { Principal } from "@watchword/schemas/Account"
import type { Verification } from "@watchword/schemas/Verification"
import { noKeys } from "@watchword/send/Claims"
import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as Services from "watchword/Services"
import { Maintenance } from "watchword/Services"

// A sandbox number that accepts everything, and never reports anything.
const silent = "+491512340001"

const body = {
  to: silent,
  ttl: 60,
  workflow: [
    { channel: "bizchat", timeout: 20 },
    { channel: "sms", timeout: 20 }
  ]
}

const verification = Effect.map(Features, (all) => {
  const running = all.find(({ feature }) => feature.name === "verify")
  const { get, start } = running?.operations ?? {}
  assert(get?._tag === "ReadBy" && start?._tag === "Send")
  return { start, get }
})

const started = Effect.fnUntraced(function* (principal: Principal) {
  const { start } = yield* verification
  return String(Object(yield* Effect.orDie(start.run(principal, body, noKeys))).id)
})

const progressOf = Effect.fnUntraced(function* (principal: Principal, id: string) {
  const { get } = yield* verification
  const { attempts, status }: Pick<Verification, "attempts" | "status"> = Object(
    yield* Effect.orDie(get.run(principal, id, {}))
  )
  return [status, ...attempts.map(({ channel }) => channel)].join(" ")
})

const opened = Accounts.Accounts.use((accounts) =>
  Effect.map(accounts.create({ name: "Acme" }), (account): Principal => ({
    account,
    mode: "sandbox",
    key: null,
    scopes: null
  }))
)

const processOn = (store: Layer.Layer<Store>, background: boolean) => Layer.fresh(Services.layer({ store, background }))

const newStore = () => Layer.succeed(Store, makeMemory())

describe("a step of a verification", () => {
  it.effect("is taken when it is due, and the verification expires", () =>
    Effect.gen(function* () {
      const principal = yield* opened
      const id = yield* started(principal)
      yield* TestClock.adjust("19 seconds")
      assert.strictEqual(yield* progressOf(principal, id), "pending bizchat")
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual(yield* progressOf(principal, id), "pending bizchat sms")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* progressOf(principal, id), "expired bizchat sms")
    }).pipe(Effect.provide(processOn(newStore(), true)))
  )

  it.effect("is taken by maintenance where nothing runs by itself", () =>
    Effect.gen(function* () {
      const principal = yield* opened
      const id = yield* started(principal)
      const { run } = yield* Maintenance
      yield* run
      yield* TestClock.adjust("22 seconds")
      assert.strictEqual(yield* progressOf(principal, id), "pending bizchat")
      yield* run
      yield* run
      assert.strictEqual(yield* progressOf(principal, id), "pending bizchat sms")
      yield* TestClock.adjust("1 minute")
      yield* run
      assert.strictEqual(yield* progressOf(principal, id), "expired bizchat sms")
    }).pipe(Effect.provide(processOn(newStore(), false)))
  )

  it.effect("is taken by the next process where its own has ended", () =>
    Effect.gen(function* () {
      const store = newStore()
      const [principal, id] = yield* Effect.gen(function* () {
        const principal = yield* opened
        return [principal, yield* started(principal)] as const
      }).pipe(Effect.provide(processOn(store, true)))
      yield* TestClock.adjust("25 seconds")
      yield* Effect.gen(function* () {
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual(yield* progressOf(principal, id), "pending bizchat sms")
      }).pipe(Effect.provide(processOn(store, true)))
    })
  )
})
