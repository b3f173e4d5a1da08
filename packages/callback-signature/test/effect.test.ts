import { assert, describe, it } from "@effect/vitest"
import { CallbackSignature, layer } from "@watchword/callback-signature/effect"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { token, vector } from "./cases.ts"

const headers = { "X-Request-Timestamp": vector.timestamp, "X-Request-Signature": vector.signature }
const live = layer({ accessToken: Redacted.make(token) })

describe("CallbackSignature", () => {
  it.effect("verifies on Effect's clock", () =>
    Effect.gen(function* () {
      const { verify } = yield* CallbackSignature
      yield* TestClock.setTime(vector.sentAt + 300_000)
      assert.deepStrictEqual(yield* verify(vector.body, headers), { request_id: "abc" })
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Effect.flip(verify(vector.body, headers))).code, "EXPIRED_TIMESTAMP")
    }).pipe(Effect.provide(live))
  )

  it.effect("signs on Effect's clock", () =>
    Effect.gen(function* () {
      const { sign } = yield* CallbackSignature
      yield* TestClock.setTime(vector.sentAt + 999)
      assert.deepStrictEqual(yield* sign(vector.body), headers)
    }).pipe(Effect.provide(live))
  )

  it.effect("has a tag to catch", () =>
    Effect.gen(function* () {
      const { verify } = yield* CallbackSignature
      yield* TestClock.setTime(vector.sentAt)
      const code = yield* verify(`${vector.body} `, headers).pipe(
        Effect.map(() => "verified"),
        Effect.catchTag("CallbackSignatureError", (error) => Effect.succeed(error.code))
      )
      assert.strictEqual(code, "INVALID_SIGNATURE")
    }).pipe(Effect.provide(live))
  )

  it.effect("takes its tolerance from the options", () =>
    Effect.gen(function* () {
      const { verify } = yield* CallbackSignature
      yield* TestClock.setTime(vector.sentAt + 11_000)
      assert.strictEqual((yield* Effect.flip(verify(vector.body, headers))).code, "EXPIRED_TIMESTAMP")
    }).pipe(Effect.provide(layer({ accessToken: Redacted.make(token), toleranceSeconds: 10 })))
  )

  it.effect("dies of a token that is empty", () =>
    Effect.gen(function* () {
      const { verify } = yield* CallbackSignature
      yield* TestClock.setTime(vector.sentAt)
      assert.isTrue(Exit.hasDies(yield* Effect.exit(verify(vector.body, headers))))
    }).pipe(Effect.provide(layer({ accessToken: Redacted.make("") })))
  )
})
