import * as Authenticator from "@watchword/auth/Authenticator"
import { ServiceUnavailable } from "@watchword/schemas/Errors"
import { RequestsMayWait } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as TestClock from "effect/testing/TestClock"
import { account, refused, setUp, test, withChecksum } from "./fixture.ts"

const unknownKey = (index: number) => withChecksum(`sk_test_${String(index).padStart(43, "0")}`)

const times = <A>(count: number, make: (index: number) => A) => Array.from({ length: count }, (_, index) => make(index))

describe("keys that are not in the cache", () => {
  test("are looked up four at a time, while known ones work", () =>
    Effect.gen(function* () {
      const { ask, secret, watched } = yield* setUp
      yield* ask(secret)
      const answer = yield* Latch.make()
      watched.beforeAnswer = answer.await
      const flood = yield* Effect.forEach(times(500, unknownKey), (key) => Effect.forkChild(refused(ask(key))))
      yield* Effect.yieldNow
      assert.strictEqual(watched.lookUps, 1 + 4)
      yield* ask(secret)
      yield* answer.open
      yield* Effect.forEach(flood, Fiber.join)
      assert.strictEqual(watched.lookUps, 1 + 500)
    }))

  test("are looked up four at a time when clients hang up", () =>
    Effect.gen(function* () {
      const { ask, watched } = yield* setUp
      const answer = yield* Latch.make()
      watched.beforeAnswer = answer.await
      const flood = yield* Effect.forEach(times(500, unknownKey), (key) => Effect.forkChild(refused(ask(key))))
      yield* Effect.yieldNow
      const gone = yield* Effect.forkChild(Fiber.interruptAll(flood))
      yield* Effect.yieldNow
      yield* Effect.forEach(times(500, unknownKey), (key) => Effect.forkChild(refused(ask(key))))
      yield* Effect.yieldNow
      assert.strictEqual(watched.lookUps, 4)
      yield* answer.open
      yield* Fiber.join(gone)
    }))

  test("are looked up once for all requests that wait", () =>
    Effect.gen(function* () {
      const { ask, secret, watched } = yield* setUp
      const answer = yield* Latch.make()
      watched.beforeAnswer = answer.await
      const requests = yield* Effect.forEach(
        times(50, () => secret),
        (key) => Effect.forkChild(ask(key))
      )
      yield* Effect.yieldNow
      yield* answer.open
      yield* Effect.forEach(requests, Fiber.join)
      assert.strictEqual(watched.lookUps, 4)
    }))

  test("are refused with 503 where a thousand wait already, and answered again later", () =>
    Effect.gen(function* () {
      const { ask, watched } = yield* setUp
      const answer = yield* Latch.make()
      watched.beforeAnswer = answer.await
      const flood = yield* Effect.forEach(times(1_004, unknownKey), (key) => Effect.forkChild(refused(ask(key))))
      yield* Effect.yieldNow
      assert.instanceOf(yield* Effect.flip(ask(unknownKey(9_999))), ServiceUnavailable)
      yield* answer.open
      yield* Effect.forEach(flood, Fiber.join)
      yield* refused(ask(unknownKey(9_999)))
    }))

  test("do not wait for those of other requests where the host does not allow it", () =>
    Effect.gen(function* () {
      const { watched } = yield* setUp
      const authenticator = yield* Authenticator.make.pipe(
        Effect.provideService(Store, watched.store),
        Effect.provideService(RequestsMayWait, false)
      )
      const answer = yield* Latch.make()
      watched.beforeAnswer = answer.await
      const asked = times(20, (index) => ({
        apiKey: unknownKey(index),
        accountId: account.id,
        remoteAddress: null,
        accountRequired: true
      }))
      const requests = yield* Effect.forEach(asked, (each) =>
        Effect.forkChild(refused(authenticator.authenticate(each)))
      )
      yield* Effect.yieldNow
      assert.strictEqual(watched.lookUps, 20)
      yield* answer.open
      yield* Effect.forEach(requests, Fiber.join)
    }))
})

describe("revocations", () => {
  test("are asked for once, however many requests wait for them", () =>
    Effect.gen(function* () {
      const { ask, secret, watched } = yield* setUp
      yield* ask(secret)
      yield* ask(secret)
      const before = watched.looks
      const answer = yield* Latch.make()
      watched.beforeRevoked = answer.await
      yield* TestClock.adjust("10 seconds")
      const requests = yield* Effect.forEach(
        times(100, () => secret),
        (key) => Effect.forkChild(ask(key))
      )
      yield* Effect.yieldNow
      // The client of the request that asks hangs up.
      const [first, ...others] = requests
      if (first !== undefined) yield* Effect.forkChild(Fiber.interrupt(first))
      yield* answer.open
      yield* Effect.forEach(others, Fiber.join)
      assert.strictEqual(watched.looks, before + 1)
    }))
})
