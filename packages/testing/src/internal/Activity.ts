/**
 * Whatever a service is doing: the tasks of its fibers, and the fibers that outlive a request.
 *
 * Tasks run as microtasks, which test runners' fake timers do not replace.
 */
import type * as Fiber from "effect/Fiber"
import * as Scheduler from "effect/Scheduler"
import * as realTimers from "./realTimers.ts"

/** How many milliseconds are waited for at most, about: work that never ends must not hold a test up. */
const PATIENCE = 10_000

export class Activity {
  #tasks = 0
  readonly #fibers = new Set<Fiber.Fiber<unknown, unknown>>()
  readonly #isSending: () => boolean

  constructor(isSending: () => boolean) {
    this.#isSending = isSending
  }

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

  /** Waits until nothing runs, and nothing is on its way out of the process. */
  readonly settled = async (): Promise<void> => {
    for (let waited = 0; waited < PATIENCE; waited++) {
      while (this.#tasks > 0) await Promise.resolve()
      if (this.#fibers.size === 0 && !this.#isSending()) return
      await realTimers.pause(1)
    }
  }
}

const nextMicrotask = (run: () => unknown): Promise<unknown> => Promise.resolve().then(run)
