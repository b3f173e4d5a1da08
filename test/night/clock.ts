/**
 * A clock that stands still until the replay moves it. A sleep ends at once, at the time at which it began.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

const live = Effect.runSync(Clock.clockWith(Effect.succeed))

export const clockAt = (begin: number): Clock.Clock & { readonly set: (at: number) => void } => {
  let now = begin
  const nanos = (): bigint => BigInt(now) * 1_000_000n
  return {
    set: (at) => {
      now = Math.max(now, Math.round(at))
    },
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: () => live.sleep(Duration.millis(1))
  }
}
