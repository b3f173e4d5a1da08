/**
 * Many timers behind one: a call that is placed and ended sets half a dozen of them, most of which never ring.
 */
import * as Effect from "effect/Effect"
import * as FiberHandle from "effect/FiberHandle"
import type { Scope } from "effect/Scope"

export interface Timer {
  readonly at: number
  readonly run: () => void
  /** Its place in the heap; -1 when it is not set any more. */
  index: number
}

/** A binary heap, the earliest timer on top. Times are milliseconds of a clock that never goes back. */
export class Timers {
  readonly now: () => number
  private readonly wake: (at: number) => void
  private readonly heap: Array<Timer> = []

  /** @param wake has `sweep` called at that time or soon after */
  constructor(now: () => number, wake: (at: number) => void) {
    this.now = now
    this.wake = wake
  }

  after(delay: number, run: () => void): Timer {
    const timer: Timer = { at: this.now() + delay, run, index: this.heap.length }
    this.heap.push(timer)
    this.up(timer)
    if (timer.index === 0) this.wake(timer.at)
    return timer
  }

  cancel(timer: Timer | undefined): void {
    if (timer === undefined || timer.index < 0) return
    const { index } = timer
    timer.index = -1
    const last = this.heap.pop()
    if (last === undefined || last === timer) return
    this.place(last, index)
    this.up(last)
    this.down(last)
  }

  /** Runs what is due. */
  sweep(): void {
    const now = this.now()
    for (let first = this.heap[0]; first !== undefined && first.at <= now; first = this.heap[0]) {
      this.cancel(first)
      first.run()
    }
    const next = this.heap[0]
    if (next !== undefined) this.wake(next.at)
  }

  private place(timer: Timer, index: number): void {
    this.heap[index] = timer
    timer.index = index
  }

  private up(timer: Timer): void {
    for (;;) {
      const { index } = timer
      const parent = index > 0 ? this.heap[(index - 1) >> 1] : undefined
      if (parent === undefined || parent.at <= timer.at) return
      this.place(timer, parent.index)
      this.place(parent, index)
    }
  }

  private down(timer: Timer): void {
    for (;;) {
      const { index } = timer
      const left = this.heap[2 * index + 1]
      const right = this.heap[2 * index + 2]
      const child = right !== undefined && left !== undefined && right.at < left.at ? right : left
      if (child === undefined || child.at >= timer.at) return
      this.place(timer, child.index)
      this.place(child, index)
    }
  }
}

/** Timers on the clock of the effect, which live as long as the scope. */
export const make = Effect.fnUntraced(function* (now: () => number): Effect.fn.Return<Timers, never, Scope> {
  const start = yield* FiberHandle.makeRuntime<never>()
  let next = Number.POSITIVE_INFINITY
  const ring = Effect.sync(() => {
    next = Number.POSITIVE_INFINITY
    timers.sweep()
  })
  const timers: Timers = new Timers(now, (at) => {
    if (at >= next) return
    next = at
    start(Effect.andThen(Effect.sleep(Math.ceil(Math.max(0, at - now()))), ring))
  })
  return timers
})
