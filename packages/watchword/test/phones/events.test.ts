import { assert, describe, it } from "@effect/vitest"
import type { PhoneEvent } from "@watchword/schemas/SandboxPhone"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { alone, messages, opened, sandbox, setPhone, text, to } from "./fixture.ts"

describe("the events of phones", () => {
  it.effect("have what has changed behind a cursor, once", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      const next = (after?: string) =>
        Effect.map(sandbox("phoneEvents", acme, after === undefined ? {} : { after }), Object)
      const first = yield* next()
      assert.deepInclude(first, { reset: true, events: [] })
      yield* setPhone(acme, { mode: "manual" })
      yield* text(acme)
      const second = yield* next(first.cursor)
      assert.deepStrictEqual(
        second.events.map(({ type }: PhoneEvent) => type),
        ["phone", "message"]
      )
      assert.deepInclude(yield* next(second.cursor), { reset: false, events: [], cursor: second.cursor })
      yield* sandbox("clear", acme)
      yield* sandbox("removePhone", acme, to)
      const third = yield* next(second.cursor)
      assert.deepStrictEqual(
        third.events.map(({ type }: PhoneEvent) => type),
        ["removed", "removed"]
      )
      assert.deepInclude(yield* next("elsewhere.1"), { reset: true, events: [] })
    }).pipe(alone)
  )

  it.effect("come at once when this process sends, reports or ends something", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, { mode: "manual" })
      let { cursor } = Object(yield* sandbox("phoneEvents", acme))
      const next = Effect.fnUntraced(function* <A, E, R>(cause: Effect.Effect<A, E, R>) {
        const waiting = yield* Effect.forkChild(sandbox("phoneEvents", acme, { after: cursor, wait: 30 }))
        yield* TestClock.adjust("1 millis")
        yield* cause
        yield* TestClock.adjust("100 millis")
        const found = Object(yield* Fiber.join(waiting))
        cursor = found.cursor
        return found.events.map((event: PhoneEvent) => ("message" in event ? event.message.state : event.type))
      })
      assert.deepStrictEqual(yield* next(text(acme)), ["sent"])
      const [message] = yield* messages(acme)
      const post = sandbox("messageEvent", acme, message?.id, { event: "delivered" })
      assert.deepStrictEqual(yield* next(post), ["delivered"])
    }).pipe(alone)
  )

  it.effect("are waited for, until one comes or the time is over", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      const { cursor } = Object(yield* sandbox("phoneEvents", acme))
      const waiting = yield* Effect.forkChild(sandbox("phoneEvents", acme, { after: cursor, wait: 20 }))
      yield* TestClock.adjust("19 seconds")
      assert.isUndefined(waiting.pollUnsafe())
      yield* setPhone(acme, {})
      yield* TestClock.adjust("50 millis")
      assert.lengthOf(Object(yield* Fiber.join(waiting)).events, 1)
      const idle = yield* Effect.forkChild(
        sandbox("phoneEvents", acme, { after: Object(yield* sandbox("phoneEvents", acme)).cursor, wait: 5 })
      )
      yield* TestClock.adjust("5 seconds")
      assert.deepInclude(Object(yield* Fiber.join(idle)), { reset: false, events: [] })
    }).pipe(alone)
  )
})
