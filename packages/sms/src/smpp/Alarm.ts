/**
 * One timer for many times: it rings at the earliest it was set to, and is then set anew.
 */
import * as Effect from "effect/Effect"
import * as FiberHandle from "effect/FiberHandle"

/**
 * Makes an alarm that lives as long as the scope. The function it gives sets it to a time of `now`; a later
 * time than the one it is set to already changes nothing.
 */
export const make = Effect.fnUntraced(function* (now: () => number, ring: () => void) {
  const start = yield* FiberHandle.makeRuntime<never>()
  let next = Number.POSITIVE_INFINITY
  const rings = Effect.sync(() => {
    next = Number.POSITIVE_INFINITY
    ring()
  })
  return (at: number): void => {
    if (at >= next) return
    next = at
    start(Effect.andThen(Effect.sleep(Math.ceil(Math.max(0, at - now()))), rings))
  }
})
