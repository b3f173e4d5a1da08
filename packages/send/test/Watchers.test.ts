import { assert, describe, it } from "@effect/vitest"
import { Forbidden } from "@watchword/schemas/Errors"
import { accepted } from "@watchword/send/Outcome"
import { Send } from "@watchword/send/Send"
import { REASONS } from "../src/pipeline/GuardReasons.ts"
import { SendGuard, type Verdict } from "@watchword/send/SendGuard"
import { type Asked, Watchers } from "../src/pipeline/Watchers.ts"
import { makeMemory } from "@watchword/store/MemoryStore"
import type { Open, Watch } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import { PRICE, layerOn, principalWith, request } from "./fixtures.ts"

const watch: Watch = { endpoints: ["one"] }

/** A store in memory that notes the opens that it is asked for. */
const noting = () => {
  const store = makeMemory()
  const opens: Array<Open> = []
  const open: typeof store.open = (each) => Effect.suspend(() => (opens.push(each), store.open(each)))
  return { opens, store: { ...store, open } }
}

const refused = {
  _tag: "Refused",
  failure: new Forbidden({ message: "No.", reason: "number_not_allowed" }),
  details: { [REASONS]: "number_not_allowed" }
} satisfies Verdict

/** The facts of all events, in their order. */
const factsIn = (store: ReturnType<typeof makeMemory>) =>
  Effect.map(store.takeEvents({ lease: 1, limit: 100, perEndpoint: 100 }), (events) =>
    events.map(({ endpoint, fact }) => [
      endpoint,
      fact._tag === "DeliveryChanged" ? `${fact.version} ${fact.status} ${fact.phase}` : fact._tag
    ])
  )

describe("a send of a service with watchers", () => {
  it.effect("asks them for its account, mode and channel, and is told of", () =>
    Effect.gen(function* () {
      const { opens, store } = noting()
      const asked: Array<Asked> = []
      const sent = Effect.gen(function* () {
        const { send } = yield* Send
        const by = yield* principalWith(PRICE)
        yield* send(request(by))
        return by.account.id
      })
      const account = yield* sent.pipe(
        Effect.provide(layerOn(store)),
        Effect.provideService(Watchers, {
          watch: (each) => Effect.sync(() => (asked.push(each), watch))
        })
      )
      assert.deepStrictEqual(asked, [{ account, mode: "live", channel: "sms" }])
      assert.deepStrictEqual(
        opens.map((open) => open.watch),
        [watch]
      )
      assert.deepStrictEqual(yield* factsIn(store), [["one", "1 sent accepted"]])
    })
  )

  it.effect("is told of where a guard blocks it, and where the sandbox ends it at once", () =>
    Effect.gen(function* () {
      const { store } = noting()
      let asked = 0
      const program = Effect.gen(function* () {
        const { send } = yield* Send
        yield* Effect.flip(send(request(yield* principalWith(PRICE))))
        const sandbox = yield* principalWith(0, "sandbox")
        const predetermine = () => ({ outcome: accepted(["ref"]), afterwards: Effect.void })
        yield* Effect.flip(send(request(sandbox, undefined, { predetermine })))
      })
      yield* program.pipe(
        Effect.provide(layerOn(store)),
        // The second answer is at hand.
        Effect.provideService(Watchers, {
          watch: () => (asked++ === 0 ? Effect.sync(() => watch) : Effect.succeed(watch))
        }),
        Effect.provideService(SendGuard, {
          check: () => Effect.succeed(refused),
          verified: () => Effect.void,
          unsent: () => Effect.void
        })
      )
      assert.deepStrictEqual(yield* factsIn(store), [
        ["one", "1 blocked rejected"],
        ["one", "1 blocked rejected"]
      ])
    })
  )

  it.effect("reaches no gateway where they cannot be asked", () =>
    Effect.gen(function* () {
      const { opens, store } = noting()
      const error = new StoreError({ reason: "Unavailable", message: "away" })
      const program = Effect.gen(function* () {
        const { send } = yield* Send
        const by = yield* principalWith(PRICE)
        assert.strictEqual(yield* Effect.flip(send(request(by, Effect.die("the gateway was asked")))), error)
      })
      yield* program.pipe(
        Effect.provide(layerOn(store)),
        Effect.provideService(Watchers, { watch: () => Effect.fail(error) })
      )
      assert.deepStrictEqual(opens, [])
    })
  )

  it.effect("asks the store for nothing more where nothing watches it, with watchers and without", () =>
    Effect.gen(function* () {
      for (const watchers of [null, { watch: () => Effect.succeed(null) }, { watch: () => Effect.sync(() => null) }]) {
        const { opens, store } = noting()
        const program = Effect.gen(function* () {
          const { send } = yield* Send
          yield* send(request(yield* principalWith(PRICE)))
        })
        yield* program.pipe(Effect.provide(layerOn(store)), Effect.provideService(Watchers, watchers))
        assert.deepStrictEqual(
          opens.map((open) => "watch" in open),
          [false]
        )
      }
    })
  )
})
