import { assert, describe, it } from "@effect/vitest"
import * as EndpointAdmin from "@watchword/events/EndpointAdmin"
import { Descriptions } from "../src/internal/Described.ts"
import * as Endpoints from "../src/internal/Endpoints.ts"
import * as Handlers from "../src/internal/Handlers.ts"
import * as LowBalance from "../src/internal/LowBalance.ts"
import * as Watching from "../src/internal/Watching.ts"
import type { EventPattern } from "@watchword/schemas/Event"
import { type AccountId, nextAccountId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import { type WatchersAsked, noInstallationSecret } from "@watchword/send/pipeline"
import * as Settings from "@watchword/store/Settings"
import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { someAccount } from "../../../test/accounts.ts"

/** The event types of a service's products, in addition to the event types of messages. */
const descriptions = Layer.succeed(
  Descriptions,
  new Map([
    ["verify", { types: ["verification.approved", "guard.tripped"], describe: () => [], own: {} }],
    ["call", { types: ["delivery.updated", "guard.tripped", "call.ended"], describe: () => [], own: {} }]
  ])
)

const services = Layer.merge(Endpoints.layer, descriptions).pipe(
  Layer.provideMerge(Handlers.layer),
  Layer.provideMerge(Layer.merge(Settings.layer, noInstallationSecret)),
  Layer.provideMerge(Layer.sync(Store, makeMemory))
)

/** The watchers of a service, and an account of it. */
const setUp = Effect.gen(function* () {
  const store = yield* Store
  const account = nextAccountId(0)
  yield* store.createAccount(someAccount({ id: account }))
  const { watch } = yield* Watching.make
  const asked = (fields: Partial<WatchersAsked> = {}): WatchersAsked => ({
    account,
    mode: "live",
    channel: "sms",
    ...fields
  })
  const atOnce = (fields?: Partial<WatchersAsked>) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const found = watch(asked(fields), now)
      return Exit.isExit(found) && Exit.isSuccess(found) ? found.value : undefined
    })
  const watched = (fields?: Partial<WatchersAsked>) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => watch(asked(fields), now))
  return { account, atOnce, store, watched }
})

const add = (owner: AccountId | null, ...events: ReadonlyArray<EventPattern>) =>
  Effect.map(EndpointAdmin.add(owner, { url: "https://example.com/hook", events }), ({ id }) => id)

describe("the watch of a delivery", () => {
  it.effect("is at hand once the account's settings were read, and none without endpoints", () =>
    Effect.gen(function* () {
      const { account, atOnce, watched } = yield* setUp
      assert.isUndefined(yield* atOnce())
      assert.isNull(yield* watched())
      assert.isNull(yield* atOnce())
      const id = yield* add(account, "delivery.updated")
      assert.deepStrictEqual(yield* watched(), { endpoints: [id] })
      assert.strictEqual(yield* atOnce(), yield* watched())
      assert.isNull(yield* atOnce({ channel: "verify" }))
      yield* TestClock.adjust("1 second")
      assert.isUndefined(yield* atOnce())
    }).pipe(Effect.provide(services))
  )

  it.effect("names those of the account and of the installation that want its events", () =>
    Effect.gen(function* () {
      const { account, watched } = yield* setUp
      const own = yield* add(account, "verification.*", "call.ended")
      const common = yield* add(null, "*")
      assert.deepStrictEqual(yield* watched(), { endpoints: [common] })
      assert.deepStrictEqual(yield* watched({ channel: "call" }), { endpoints: [own, common] })
      assert.deepStrictEqual(yield* watched({ channel: "verify" }), { endpoints: [own, common] })
      assert.deepStrictEqual(yield* watched(), { endpoints: [common] })
    }).pipe(Effect.provide(services))
  )

  it.effect("of a live send has the threshold of a low balance, the account's own before the installation's", () =>
    Effect.gen(function* () {
      const { account, watched } = yield* setUp
      const id = yield* add(account, "balance.low")
      assert.isNull(yield* watched())
      yield* LowBalance.set(null, 5)
      const low = (threshold: number) => ({
        endpoints: [],
        balanceLow: { threshold: MicroEuros.make(threshold), endpoints: [id] }
      })
      assert.deepEqual(yield* watched(), low(5_000_000))
      yield* LowBalance.set(account, 2)
      assert.deepEqual(yield* watched(), low(2_000_000))
      assert.isNull(yield* watched({ mode: "sandbox" }))
    }).pipe(Effect.provide(services))
  )

  it.effect("has a handler of its process from the first moment to the last", () =>
    Effect.gen(function* () {
      const { atOnce, watched } = yield* setUp
      const handlers = yield* Handlers.Handlers
      assert.isNull(yield* watched())
      const off = handlers.on("delivery.updated", () => undefined)
      assert.deepStrictEqual(yield* atOnce(), { endpoints: ["on:delivery.updated"] })
      off()
      assert.isNull(yield* atOnce())
    }).pipe(Effect.provide(services))
  )

  it.effect("fails where an endpoint cannot be read", () =>
    Effect.gen(function* () {
      const { account, store, watched } = yield* setUp
      yield* store.changeSetting({ account, name: "webhook:whk_1", value: "7" })
      assert.instanceOf(yield* Effect.flip(watched()), StoreError)
    }).pipe(Effect.provide(services))
  )
})
