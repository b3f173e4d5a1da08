/**
 * Tests of gateways over real connections: clocks, conditions and logs.
 */
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type { Scope } from "effect/Scope"
import * as Until from "./until.ts"

/** A test in real time, without logs. */
export const test = <A, E>(name: string, effect: () => Effect.Effect<A, E, Scope>): void =>
  // oxlint-disable-next-line vitest/expect-expect -- The tests that are given assert.
  it.live(name, () => Effect.provide(Effect.suspend(effect), Logger.layer([])))

/** A test on a clock that stands still until the test adjusts it, without logs. */
export const timed = <A, E>(name: string, effect: () => Effect.Effect<A, E, Scope>): void =>
  // oxlint-disable-next-line vitest/expect-expect -- The tests that are given assert.
  it.effect(name, () => Effect.provide(Effect.suspend(effect), Logger.layer([])))

/** Waits some turns of the event loop, regardless of the test's clock, until sockets of this process are idle. */
export const turns: Effect.Effect<void> = Effect.promise(() => Until.turns())

/** Polls in real time until a condition holds, then lets its consequences happen, regardless of the test's clock. */
export const eventually = (condition: Effect.Effect<boolean>): Effect.Effect<void> =>
  Effect.flatMap(Effect.context<never>(), (context) =>
    Effect.promise(async () => {
      await Until.until(() => Effect.runPromiseWith(context)(condition), Boolean, 2)
      await Until.turns()
    })
  )

/** The result of an effect, and its logs as one text. */
export const logged = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<readonly [A, string], E, R> =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
    return Effect.map(Effect.provide(effect, Logger.layer([logger])), (value) => [value, lines.join("\n")] as const)
  })
