import { assert, describe, it } from "@effect/vitest"
import { around } from "../src/internal/BeforeSend.ts"
import { MicroEuros } from "@watchword/schemas/Money"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { type Asked, type Service, passed } from "@watchword/send/SendGuard"
import type { Added } from "@watchword/store/Counters"
import * as Effect from "effect/Effect"
import { someAccount } from "../../../test/accounts.ts"
import { logged } from "../../../test/log.ts"

const added = (key: string): Added => ({ key, until: 1, amount: 1 })

const asked: Asked = {
  principal: { account: someAccount(), mode: "live", key: null, scopes: null },
  to: E164.make("+4915123456789"),
  client: {},
  requests: 1,
  price: MicroEuros.make(50_000),
  channel: "sms",
  use: "sends"
}

/** The keys whose counts are removed after such an answer of a check. */
const givenBack = Effect.fnUntraced(function* (check: () => unknown, fail: "open" | "closed" = "open") {
  const keys: Array<string> = []
  const guard: Service = {
    check: () =>
      Effect.succeed({
        ...passed,
        counted: { requests: [added("limit.1s"), added("pumping.1x")], money: [added("spent.1m")] }
      }),
    verified: () => Effect.void,
    unsent: (all) => Effect.sync(() => void keys.push(...all.map(({ key }) => key)))
  }
  const asking = yield* around(guard, { check, fail })
  yield* asking.check(asked, 0)
  return keys.toSorted()
})

describe("what was counted before a check", () => {
  it.effect("stays counted where it allows", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* givenBack(() => ({ decision: "allow" })), [])
    })
  )

  it.effect("is given back of money and of pumping where it denies, and stays counted to limits of sends", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* givenBack(() => ({ decision: "deny" })), ["pumping.1x", "spent.1m"])
    })
  )

  it.effect("is all given back where it fails closed", () =>
    Effect.gen(function* () {
      const failing = () => Promise.reject(new Error("down"))
      assert.deepStrictEqual(yield* givenBack(failing, "closed"), ["limit.1s", "pumping.1x", "spent.1m"])
    })
  )
})

describe("a check that fails", () => {
  const reasonOf = Effect.fnUntraced(function* (message: string) {
    const { lines, logger } = logged()
    yield* Effect.provide(
      givenBack(() => Promise.reject(new TypeError(message))),
      logger
    )
    return lines.map(({ annotations }) => annotations["why"])
  })

  it.effect("is logged by its own messages, and by the name alone of an error that may have a number in it", () =>
    Effect.gen(function* () {
      for (const own of ["no answer within 5 ms", "status 503", "an answer of more than 1000 bytes"]) {
        assert.deepStrictEqual(yield* reasonOf(own), [own])
        assert.deepStrictEqual(yield* reasonOf(`+4915123456789: ${own}`), ["TypeError"])
        assert.deepStrictEqual(yield* reasonOf(`${own} for +4915123456789`), ["TypeError"])
      }
    })
  )
})
