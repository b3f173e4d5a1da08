import { assert, describe, it } from "@effect/vitest"
import { EventHub, NotHandled } from "@watchword/send/gateway"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"

const recorder = () => {
  const events: Array<number> = []
  return { events, handle: (event: number) => Effect.sync(() => void events.push(event)) }
}

const publishInBackground = <E>(hub: EventHub<number, E>, event: number) =>
  Effect.forkChild(hub.publish(event), { startImmediately: true })

describe("an event hub", () => {
  it.effect("gives a handler the events that waited for it, and all later ones", () =>
    Effect.gen(function* () {
      const hub = new EventHub<number>()
      const { events, handle } = recorder()
      const early = yield* publishInBackground(hub, 1)
      assert.deepStrictEqual(events, [])
      yield* hub.subscribe(handle)
      yield* Fiber.join(early)
      yield* hub.publish(2)
      assert.deepStrictEqual(events, [1, 2])
    })
  )

  it.effect("gives each event to every handler, and succeeds when all have", () =>
    Effect.gen(function* () {
      const hub = new EventHub<number>()
      const gate = yield* Deferred.make<void>()
      const [first, second] = [recorder(), recorder()]
      yield* hub.subscribe(first.handle)
      yield* hub.subscribe((event) => Effect.andThen(Deferred.await(gate), second.handle(event)))
      const published = yield* publishInBackground(hub, 1)
      yield* Effect.yieldNow
      assert.isUndefined(published.pollUnsafe())
      assert.strictEqual(hub.handling, 1)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(published)
      assert.deepStrictEqual([first.events, second.events, hub.handling], [[1], [1], 0])
    })
  )

  it.effect("fails with a handler's error, after the others have finished", () =>
    Effect.gen(function* () {
      const hub = new EventHub<number, string>()
      const { events, handle } = recorder()
      yield* hub.subscribe(() => Effect.fail("away"))
      yield* hub.subscribe((event) => Effect.andThen(Effect.yieldNow, handle(event)))
      assert.strictEqual(yield* Effect.flip(hub.publish(1)), "away")
      assert.deepStrictEqual(events, [1])
    })
  )

  it.effect("gives nothing to a handler whose scope has closed, and the next event to the next handler", () =>
    Effect.gen(function* () {
      const hub = new EventHub<number>()
      const [first, second] = [recorder(), recorder()]
      yield* Effect.scoped(Effect.andThen(hub.subscribe(first.handle), hub.publish(1)))
      const between = yield* publishInBackground(hub, 2)
      yield* hub.subscribe(second.handle)
      yield* Fiber.join(between)
      assert.deepStrictEqual([first.events, second.events], [[1], [2]])
    })
  )

  it.effect("refuses events beyond its capacity, waiting and begun ones together", () =>
    Effect.gen(function* () {
      const hub = new EventHub<number>(2)
      const gate = yield* Deferred.make<void>()
      const waiting = yield* publishInBackground(hub, 1)
      yield* publishInBackground(hub, 2)
      assert.deepStrictEqual(yield* Effect.flip(hub.publish(3)), new NotHandled({ reason: "Full" }))
      yield* hub.subscribe(() => Deferred.await(gate))
      assert.deepStrictEqual(yield* Effect.flip(hub.publish(4)), new NotHandled({ reason: "Full" }))
      assert.isUndefined(waiting.pollUnsafe())
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(waiting)
      yield* hub.publish(5)
    })
  )

  it.effect("takes a waiting event back when its publisher is interrupted", () =>
    Effect.gen(function* () {
      const hub = new EventHub<number>(1)
      yield* Fiber.interrupt(yield* publishInBackground(hub, 1))
      const { events, handle } = recorder()
      yield* hub.subscribe(handle)
      yield* hub.publish(2)
      assert.deepStrictEqual(events, [2])
    })
  )

  it.effect("lets a closing handler finish what it has begun", () =>
    Effect.gen(function* () {
      const hub = new EventHub<number>()
      const gate = yield* Deferred.make<void>()
      const scope = yield* Scope.make()
      yield* Scope.provide(
        hub.subscribe(() => Deferred.await(gate)),
        scope
      )
      const published = yield* publishInBackground(hub, 1)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      yield* TestClock.adjust("4 seconds")
      assert.isUndefined(closing.pollUnsafe())
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(closing)
      yield* Fiber.join(published)
    })
  )

  it.effect("interrupts what a closing handler does not finish in time, which then counts as not handled", () =>
    Effect.gen(function* () {
      const hub = new EventHub<number>()
      const scope = yield* Scope.make()
      yield* Scope.provide(
        hub.subscribe(() => Effect.never),
        scope
      )
      const published = yield* publishInBackground(hub, 1)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(closing)
      assert.deepStrictEqual(yield* Effect.flip(Fiber.join(published)), new NotHandled({ reason: "Closed" }))
    })
  )

  it.effect("handles an event in its publisher's context, and one from outside of fibers in the subscriber's", () =>
    Effect.gen(function* () {
      const Origin = Context.Reference("test/Origin", { defaultValue: () => "subscriber" })
      const hub = new EventHub<number>()
      const origins: Array<string> = []
      yield* hub.subscribe(() => Effect.map(Origin, (origin) => void origins.push(origin)))
      yield* Effect.provideService(hub.publish(1), Origin, "publisher")
      const handled = yield* Deferred.make<void, NotHandled>()
      hub.offer(2, (exit) => Deferred.doneUnsafe(handled, exit))
      yield* Effect.orDie(Deferred.await(handled))
      assert.deepStrictEqual(origins, ["publisher", "subscriber"])
    })
  )
})
