/**
 * Tests of gateways over real connections: clocks, conditions and logs.
 */
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type { Scope } from "effect/Scope"

/** A test in real time, without logs. */
export const test = <A, E>(name: string, effect: () => Effect.Effect<A, E, Scope>): void =>
  // oxlint-disable-next-line vitest/expect-expect -- The tests that are given assert.
  it.live(name, () => Effect.provide(Effect.suspend(effect), Logger.layer([])))

/** A test on a clock that stands still until the test adjusts it, without logs. */
export const timed = <A, E>(name: string, effect: () => Effect.Effect<A, E, Scope>): void =>
  // oxlint-disable-next-line vitest/expect-expect -- The tests that are given assert.
  it.effect(name, () => Effect.provide(Effect.suspend(effect), Logger.layer([])))

/** Waits in real time, whatever the test's clock. */
export const moment = (milliseconds: number): Effect.Effect<void> =>
  Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)))

/** Polls in real time until a condition holds. */
export const eventually = (condition: Effect.Effect<boolean>): Effect.Effect<void> =>
  Effect.asVoid(Effect.repeat(Effect.tap(condition, moment(2)), { until: (holds) => holds }))

/** The result of an effect, and its logs as one text. */
export const logged = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<readonly [A, string], E, R> =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
    return Effect.map(Effect.provide(effect, Logger.layer([logger])), (value) => [value, lines.join("\n")] as const)
  })
