/**
 * Time by a clock that runs evenly: setting the system's clock does not change how long a call lasts.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Milliseconds since the epoch by the system's clock as it is now, from here on moved by the monotonic clock. */
export const make: Effect.Effect<() => number> = Effect.map(Clock.Clock, (clock) => {
  const monotonic = (): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
  const epoch = clock.currentTimeMillisUnsafe() - monotonic()
  return () => Math.round(epoch + monotonic())
})
