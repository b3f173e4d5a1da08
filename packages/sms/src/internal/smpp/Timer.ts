/**
 * A one-shot timer for many deadlines: it runs its action when the earliest of them passes.
 */
import * as Effect from "effect/Effect"
import * as FiberHandle from "effect/FiberHandle"

/**
 * Makes a timer that lives as long as the scope, and returns the function that sets it. A time later than the one it
 * is set to changes nothing, so the action has to set it again to the next deadline.
 *
 * @param now the clock, in milliseconds, that deadlines are measured by
 */
export const make = Effect.fnUntraced(function* (now: () => number, action: () => void) {
  const start = yield* FiberHandle.makeRuntime<never>()
  let next = Number.POSITIVE_INFINITY
  const run = Effect.sync(() => {
    next = Number.POSITIVE_INFINITY
    action()
  })
  return (at: number): void => {
    if (at >= next) return
    next = at
    start(Effect.andThen(Effect.sleep(Math.ceil(Math.max(0, at - now()))), run))
  }
})
