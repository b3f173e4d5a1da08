/**
 * Clocks that tests move.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export interface MovedClock extends Clock.Clock {
  readonly move: (milliseconds: number) => void
}

/** A clock that is ahead of the real one by the time it was moved. */
export const running = (): MovedClock => {
  let moved = 0
  return clock({
    now: () => Date.now() + moved,
    move: (milliseconds) => {
      moved += milliseconds
    },
    sleep: (duration) => live.sleep(duration)
  })
}

/** Longer sleeps take real time: no test depends on them. */
const LONGEST = 1_000

/**
 * A clock that stands still until the test moves it, or until a process sleeps for a moment: then that moment passes
 * at once.
 */
export const standing = (): MovedClock => {
  let now = Date.now()
  const move = (milliseconds: number): void => {
    now += milliseconds
  }
  return clock({
    now: () => now,
    move,
    sleep: (duration) => {
      const milliseconds = Duration.toMillis(duration)
      if (milliseconds > LONGEST) return live.sleep(duration)
      return Effect.andThen(
        live.sleep(Duration.millis(1)),
        Effect.sync(() => move(milliseconds))
      )
    }
  })
}

const live = Effect.runSync(Clock.clockWith(Effect.succeed))

const clock = (parts: {
  readonly now: () => number
  readonly move: MovedClock["move"]
  readonly sleep: Clock.Clock["sleep"]
}): MovedClock => {
  const { move, now, sleep } = parts
  const nanos = () => BigInt(now()) * 1_000_000n
  return {
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => live.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: live.monotonicTimeNanos,
    sleep,
    move
  }
}
