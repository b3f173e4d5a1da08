import { failedAttempts } from "@watchword/auth/Authenticator"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import * as TestClock from "effect/testing/TestClock"
import { refused, setUp, test } from "./fixture.ts"

/** Lines that were logged, as JSON. */
const logging = () => {
  const lines: Array<string> = []
  const logger = Logger.make(({ message }) => void lines.push(JSON.stringify(message)))
  return { lines, layer: Logger.layer([logger]) }
}

describe("failed authentication", () => {
  it.effect("is logged by client, from ten on and at most one line a minute", () => {
    const { layer, lines } = logging()
    const attempts = failedAttempts()
    return Effect.gen(function* () {
      for (let index = 0; index < 9; index++) yield* attempts.note("203.0.113.7", index)
      assert.deepStrictEqual(lines, [])
      yield* attempts.note("203.0.113.7", 9)
      const line = (failures: number, clients: object) =>
        JSON.stringify(["requests failed to authenticate", { failures, clients }])
      assert.deepStrictEqual(lines, [line(10, { "203.0.113.7": 10 })])
      for (let index = 0; index < 30; index++) yield* attempts.note("203.0.113.8", index + 10)
      yield* attempts.note(null, 60_008)
      assert.strictEqual(lines.length, 1)
      yield* attempts.note("203.0.113.7", 60_009)
      assert.strictEqual(lines[1], line(32, { "203.0.113.8": 30, unknown: 1, "203.0.113.7": 1 }))
      for (let index = 0; index < 10; index++) yield* attempts.note("203.0.113.7", 1_000)
      assert.strictEqual(lines.length, 3)
    }).pipe(Effect.provide(layer))
  })

  it.effect("counts a client of IPv6 by its network, and holds a bounded number of clients", () => {
    const { layer, lines } = logging()
    const attempts = failedAttempts()
    return Effect.gen(function* () {
      for (let index = 0; index < 10; index++) yield* attempts.note("2001:db8::1", 0)
      for (let index = 0; index < 5_000; index++) {
        yield* attempts.note(`2001:db8:0:1::${index.toString(16)}`, 1)
        yield* attempts.note(`10.0.${index >> 8}.${index & 255}`, 1)
      }
      yield* attempts.note("x".repeat(100_000), 60_000)
      assert.match(lines[0] ?? "", /"2001:db8::\/64":10/)
      assert.match(lines[1] ?? "", /"failures":10001,"clients":\{"2001:db8:0:1::\/64":5000,"others":4002,/)
      assert.isBelow(lines.join().length, 500)
    }).pipe(Effect.provide(layer))
  })

  const { layer, lines } = logging()
  test("is counted for each refusal, whatever its reason, and never with the key", () =>
    Effect.gen(function* () {
      const counted = Effect.map(PrometheusMetrics.format(), (text) =>
        [...text.matchAll(/^watchword_authentication_failures_total\{reason="[^"]+"\} (\d+)$/gm)].reduce(
          (sum, [, count]) => sum + Number(count),
          0
        )
      )
      const before = yield* counted
      const { ask, secret } = yield* setUp
      yield* ask(secret)
      const remoteAddress = "203.0.113.9"
      yield* refused(ask(null, { remoteAddress }))
      yield* TestClock.adjust("1 minute")
      yield* refused(ask(secret, { remoteAddress, accountId: "acc_another" }))
      yield* refused(ask(`${secret.slice(0, -1)}_`, { remoteAddress }))
      for (let index = 0; index < 7; index++) yield* refused(ask(null, { remoteAddress }))
      assert.strictEqual(yield* counted, before + 10)
      assert.include(lines.join(), remoteAddress)
      // The first of each reason is a warning.
      const warned = lines.filter((line) => line.includes("a key was refused; further refusals"))
      const reasons = [
        "no x-api-key",
        "the key is of another account",
        "the key does not have the form of this service's keys"
      ]
      assert.deepStrictEqual(
        reasons.map((reason) => warned.filter((line) => line.includes(`"reason":"${reason}`)).length),
        [1, 1, 1]
      )
      assert.strictEqual(warned.length, 3)
      assert.notInclude(lines.join(), secret.slice(0, 20))
    }).pipe(Effect.provide(layer)))
})
