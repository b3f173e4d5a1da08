/**
 * The clock of a service: the one in its options, for tests, or the system's.
 *
 * Test runners replace the global timers, often after a service has started. Its fibers take turns by the event loop of
 * Node as it was when this module was loaded, so that they never wait for a runner's clock; a clock of the options
 * waits by the timers of that moment too.
 */
import * as EffectClock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scheduler from "effect/Scheduler"

/**
 * The clock that a service uses for expiry, the steps of verifications and reconciling.
 *
 * @example
 * ```ts
 * import type { Clock } from "watchword"
 *
 * let ahead = 0
 * const clock: Clock = { now: () => Date.now() + ahead }
 * ahead += 10 * 60_000 // codes made before are old now
 * ```
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /**
   * Runs a function once, when so many milliseconds of this clock have passed, and returns how to cancel that. Without
   * it the service waits in real time: it looks for due work once a second.
   */
  readonly after?: (milliseconds: number, run: () => void) => () => void
}

const { clearImmediate, clearTimeout, setImmediate, setTimeout } = globalThis

const turns =
  setImmediate === undefined
    ? Layer.empty
    : Layer.succeed(
        Scheduler.Scheduler,
        new Scheduler.MixedScheduler("async", (run) => {
          const turn = setImmediate(run)
          return () => clearImmediate(turn)
        })
      )

export const layer = (clock: Clock | undefined): Layer.Layer<never> =>
  clock === undefined ? turns : Layer.merge(turns, Layer.succeed(EffectClock.Clock, toEffect(clock)))

/** Node counts a longer delay as one millisecond. */
const LONGEST = 2 ** 31 - 1

const inRealTime: Required<Clock>["after"] = (milliseconds, run) => {
  const timer = setTimeout(run, Math.min(milliseconds, LONGEST))
  return () => clearTimeout(timer)
}

const toEffect = ({ after = inRealTime, now }: Clock): EffectClock.Clock => {
  const nanos = (): bigint => BigInt(Math.round(now() * 1e6))
  return {
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) => {
      const milliseconds = Duration.toMillis(duration)
      if (milliseconds <= 0) return Effect.yieldNow
      if (!Number.isFinite(milliseconds)) return Effect.never
      return Effect.callback<void>((resume) => {
        const cancel = after(milliseconds, () => resume(Effect.void))
        return Effect.sync(cancel)
      })
    }
  }
}
