import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { type Process, type Program, account, refused, setUp, startProcess, test } from "./fixture.ts"

describe("a revoked key", () => {
  test("stops working at once in the process that revoked it", () =>
    Effect.gen(function* () {
      const { ask, key, keys, secret } = yield* setUp
      yield* ask(secret)
      yield* ask(secret)
      yield* keys.revoke(key.id)
      yield* refused(ask(secret))
    }))

  test("stops working within a second in other processes", () =>
    Effect.gen(function* () {
      const { ask, key, secret } = yield* setUp
      const other = yield* startProcess
      yield* ask(secret)
      yield* ask(secret)
      yield* other.ask(secret)
      yield* other.keys.revoke(key.id)
      yield* refused(other.ask(secret))
      yield* TestClock.adjust("1 second")
      yield* refused(ask(secret))
    }))

  test("stops working in a process that was idle, for all of its first requests", () =>
    Effect.gen(function* () {
      const { ask, key, secret } = yield* setUp
      const other = yield* startProcess
      yield* ask(secret)
      yield* TestClock.adjust("10 seconds")
      yield* other.keys.revoke(key.id)
      yield* TestClock.adjust("4 minutes")
      yield* Effect.all(
        Array.from({ length: 10 }, () => refused(ask(secret))),
        { concurrency: "unbounded" }
      )
    }))

  test("stops working when the clock was set back", () =>
    Effect.gen(function* () {
      const { ask, key, secret } = yield* setUp
      const other = yield* startProcess
      yield* TestClock.adjust("1 hour")
      yield* ask(secret)
      yield* ask(secret)
      yield* TestClock.setTime(60_000)
      yield* ask(secret)
      yield* other.keys.revoke(key.id)
      yield* TestClock.adjust("1 second")
      yield* refused(ask(secret))
    }))

  test("costs the store one question a second, however many requests there are", () =>
    Effect.gen(function* () {
      const { ask, secret, watched } = yield* setUp
      yield* ask(secret)
      for (let tenth = 0; tenth < 100; tenth++) {
        for (let time = 0; time < 20; time++) yield* ask(secret)
        yield* TestClock.adjust(100)
      }
      assert.strictEqual(watched.lookUps, 1)
      assert.strictEqual(watched.looks, 10)
    }))

  test("stops working when the clock had been ahead for a while", () =>
    Effect.gen(function* () {
      const { ask, key, secret } = yield* setUp
      const other = yield* startProcess
      yield* ask(secret)
      yield* TestClock.setTime(200_000)
      yield* ask(secret)
      yield* TestClock.setTime(30_000)
      yield* other.keys.revoke(key.id)
      yield* refused(ask(secret))
    }))

  const revokedDuringLookUp = (revoke: (process: Process) => Program) =>
    Effect.gen(function* () {
      const process = yield* setUp
      const { ask, keys, secret, watched } = process
      // Has revocations asked for before and during the look-up, so that none follows it.
      const another = yield* keys.create({ account: account.id, mode: "live" })
      const askWithAnother = ask(Redacted.value(another.secret))
      yield* askWithAnother
      yield* askWithAnother
      const read = yield* Latch.make()
      const answer = yield* Latch.make()
      watched.beforeAnswer = Effect.andThen(read.open, answer.await)
      const first = yield* Effect.forkChild(ask(secret))
      yield* read.await
      watched.beforeAnswer = Effect.void
      yield* revoke(process)
      yield* askWithAnother
      yield* answer.open
      yield* Fiber.await(first)
      yield* refused(ask(secret))
    })

  test("is not remembered by a look-up that began before", () =>
    revokedDuringLookUp(({ key, keys }) => keys.revoke(key.id)))

  test("is not remembered by a slow look-up that began before another process revoked it", () =>
    revokedDuringLookUp(({ key }) =>
      Effect.gen(function* () {
        const other = yield* startProcess
        yield* other.keys.revoke(key.id)
        yield* TestClock.adjust("1 minute")
      })
    ))
})
