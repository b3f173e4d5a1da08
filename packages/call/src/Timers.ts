/**
 * Many timers behind one: a call that is placed and ended sets half a dozen of them, most of which never ring.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberHandle from "effect/FiberHandle"
import type { Scope } from "effect/Scope"

/** What rings; it may be set again and again. */
export abstract class Timer {
  /** When it is to ring. */
  at = 0
  /** When it is looked at, which is earlier if it was put off. */
  due = 0
  /** Its place in the heap; -1 while it is not set. */
  index = -1

  abstract ring(): void
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

  /** Has a function called once. */
  after(delay: number, run: () => void): Timer {
    const timer = new Once(run)
    this.set(timer, delay)
    return timer
  }

  /** Has a timer ring then, and not when it was to ring before. */
  set(timer: Timer, delay: number): void {
    const at = this.now() + delay
    timer.at = at
    if (timer.index < 0) {
      timer.due = at
      timer.index = this.heap.length
      this.heap.push(timer)
    } else if (at < timer.due) timer.due = at
    // One that is put off stays where it is: before that time comes it will most likely be put off again or cancelled.
    else return
    this.up(timer)
    if (timer.index === 0) this.wake(at)
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

  /** Rings what is due. */
  sweep(): void {
    const now = this.now()
    for (let first = this.heap[0]; first !== undefined && first.due <= now; first = this.heap[0]) {
      if (first.at > first.due) {
        first.due = first.at
        this.down(first)
      } else {
        this.cancel(first)
        first.ring()
      }
    }
    const next = this.heap[0]
    if (next !== undefined) this.wake(next.due)
  }

  private place(timer: Timer, index: number): void {
    this.heap[index] = timer
    timer.index = index
  }

  private up(timer: Timer): void {
    for (;;) {
      const { index } = timer
      const parent = index > 0 ? this.heap[(index - 1) >> 1] : undefined
      if (parent === undefined || parent.due <= timer.due) return
      this.place(timer, parent.index)
      this.place(parent, index)
    }
  }

  private down(timer: Timer): void {
    for (;;) {
      const { index } = timer
      const left = this.heap[2 * index + 1]
      const right = this.heap[2 * index + 2]
      const child = right !== undefined && left !== undefined && right.due < left.due ? right : left
      if (child === undefined || child.due >= timer.due) return
      this.place(timer, child.index)
      this.place(child, index)
    }
  }
}

class Once extends Timer {
  private readonly run: () => void

  constructor(run: () => void) {
    super()
    this.run = run
  }

  ring(): void {
    this.run()
  }
}

/** Timers on the clock of the effect, which live as long as the scope. */
export const make: Effect.Effect<Timers, never, Scope> = Effect.gen(function* () {
  const start = yield* FiberHandle.makeRuntime<never>()
  const clock = yield* Clock.Clock
  const now = clock === machine ? () => performance.now() : () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
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

/** The clock that is no test's. It is read a dozen times a call, and without the BigInt that it makes. */
const machine = Context.get(Context.empty(), Clock.Clock)
