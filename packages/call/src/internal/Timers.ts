/**
 * One-shot timers for code that runs outside of fibers, on the clock of the effect that makes them.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type { Scope } from "effect/Scope"

export interface Timers {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  /** Runs a function once after so many milliseconds, parts of one rounded up, and never before `after` returns. */
  readonly after: (delay: number, run: () => void) => Timer
}

export interface Timer {
  readonly cancel: () => void
}

/** Timers that are cancelled when the scope closes. An error that one of them throws is logged. */
export const make: Effect.Effect<Timers, never, Scope> = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const fork = yield* FiberSet.makeRuntime<never>()
  const guarded = (run: () => void): void => {
    try {
      run()
    } catch (error) {
      fork(Effect.logError("a timer of a call failed", error))
    }
  }
  return clock === systemClock ? yield* systemTimers(guarded) : clockTimers(clock, fork, guarded)
})

/** Runs a function that may throw. */
type Guarded = (run: () => void) => void

/** Timers of Node. They do not keep the process running: a server's sockets do. */
const systemTimers = Effect.fnUntraced(function* (guarded: Guarded): Effect.fn.Return<Timers, never, Scope> {
  let isClosed = false
  const close = Effect.sync(() => {
    isClosed = true
  })
  yield* Effect.addFinalizer(() => close)
  const expired = (run: () => void): void => {
    if (!isClosed) guarded(run)
  }
  return {
    now: () => performance.now(),
    after: (delay, run) => new SystemTimer(setTimeout(expired, Math.ceil(delay), run).unref())
  }
})

class SystemTimer implements Timer {
  private readonly timeout: NodeJS.Timeout

  constructor(timeout: NodeJS.Timeout) {
    this.timeout = timeout
  }

  cancel(): void {
    clearTimeout(this.timeout)
  }
}

/** Sleeping fibers, for a clock that a test adjusts. */
const clockTimers = (
  clock: Clock.Clock,
  fork: (effect: Effect.Effect<void>) => { readonly interruptUnsafe: () => void },
  guarded: Guarded
): Timers => ({
  now: () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6,
  after: (delay, run) => {
    const fiber = fork(
      Effect.delay(
        Effect.sync(() => guarded(run)),
        Math.max(1, Math.ceil(delay))
      )
    )
    return { cancel: () => fiber.interruptUnsafe() }
  }
})

const systemClock = Context.get(Context.empty(), Clock.Clock)
