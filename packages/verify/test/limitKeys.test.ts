import { assert, describe, it } from "@effect/vitest"
import { type Asked, SendGuard, passed } from "@watchword/send/SendGuard"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { SMS, get, inWorld, next, principal, start } from "./fixture.ts"

/** A guard that notes the limit keys that it is asked with. */
const noting = () => {
  const seen: Array<Asked["limitKeys"]> = []
  const guard = Effect.provideService(SendGuard, {
    check: ({ limitKeys, requests }) =>
      Effect.sync(() => {
        if (requests === 1) seen.push(limitKeys)
        return passed
      }),
    verified: () => Effect.void,
    unsent: () => Effect.void
  })
  return { guard, seen }
}

describe("limit keys of a start", () => {
  it.effect("are the same codes to the guard at a start, a resend, a next step and another start", () => {
    const { guard, seen } = noting()
    return guard(
      inWorld(() =>
        Effect.gen(function* () {
          const by = yield* principal()
          const limit_keys = { session: "xyz", device: "xyz" }
          const started = yield* start(by, { ...SMS, limit_keys })
          yield* TestClock.adjust("30 seconds")
          yield* start(by, { ...SMS, limit_keys })
          yield* TestClock.adjust("30 seconds")
          yield* next(by, started, "sms")
          yield* start(by, { ...SMS, to: "+4915123456780", limit_keys })
          yield* start(by, { ...SMS, to: "+4915123456781" })
          const [first, ...others] = seen
          assert.deepStrictEqual(others, [first, first, first, undefined])
          assert.match(first?.["session"] ?? "", /^[0-9a-f]{24}$/)
          assert.notStrictEqual(first?.["session"], first?.["device"])
          const stored = yield* Store.use((store) =>
            store.deliveriesTo({ to: started.to, since: 0, until: 1e15, limit: 9 })
          )
          assert.notInclude(JSON.stringify(stored), "xyz")
          assert.notProperty(yield* get(by, started), "limit_keys")
        })
      )
    )
  })

  it.effect.each([
    { a: "1", b: "2", c: "3", d: "4", e: "5", f: "6" },
    { "a b": "1" },
    { "": "1" },
    { a: "" },
    { a: "1".repeat(201) }
  ])("are refused as %j", (limit_keys) =>
    inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const failed = yield* Effect.exit(Effect.suspend(() => start(by, { ...SMS, limit_keys })))
        assert.strictEqual(failed._tag, "Failure")
      })
    )
  )
})
