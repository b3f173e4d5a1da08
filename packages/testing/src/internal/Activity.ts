/**
 * Whatever a service is doing: the tasks of its fibers, and the fibers that outlive a request.
 *
 * Tasks run as microtasks, which the fake timers of test runners leave alone.
 */
import type * as Fiber from "effect/Fiber"
import * as Scheduler from "effect/Scheduler"
import * as realTimers from "./realTimers.ts"

/** How many turns of the event loop are waited for at most: work that never ends must not hold a test up. */
const MOST_TURNS = 1_000

export class Activity {
  #tasks = 0
  readonly #fibers = new Set<Fiber.Fiber<unknown, unknown>>()

  readonly scheduler: Scheduler.Scheduler = new Scheduler.MixedScheduler("async", (run) => {
    let isWaiting = true
    const begin = (): boolean => {
      const waited = isWaiting
      if (waited) this.#tasks--
      isWaiting = false
      return waited
    }
    this.#tasks++
    void nextMicrotask(() => begin() && run())
    return () => void begin()
  })

  /** Receives the fibers that requests leave running. */
  readonly waitUntil = (fiber: Fiber.Fiber<unknown, unknown>): void => {
    this.#fibers.add(fiber)
    fiber.addObserver(() => this.#fibers.delete(fiber))
  }

  /** Waits until nothing runs. */
  readonly settled = async (): Promise<void> => {
    for (let turns = 0; turns < MOST_TURNS; turns++) {
      while (this.#tasks > 0) await Promise.resolve()
      if (this.#fibers.size === 0) return
      await realTimers.turn()
    }
  }
}

const nextMicrotask = (run: () => unknown): Promise<unknown> => Promise.resolve().then(run)
