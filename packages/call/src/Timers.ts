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
  /** Where it waits, and between which others. */
  queue: Queue | undefined = undefined
  sooner: Timer | undefined = undefined
  later: Timer | undefined = undefined

  abstract ring(): void
}

/** Timers with the same delay: the first that was set is the first to ring. */
class Queue {
  readonly delay: number
  /** When somebody looks at it: not after its first timer is to ring, though that one may be gone by then. */
  due: number
  first: Timer | undefined = undefined
  last: Timer | undefined = undefined

  constructor(delay: number, due: number) {
    this.delay = delay
    this.due = due
  }

  add(timer: Timer): void {
    const { last } = this
    timer.queue = this
    timer.sooner = last
    if (last === undefined) this.first = timer
    else last.later = timer
    this.last = timer
  }

  remove(timer: Timer): void {
    const { later, sooner } = timer
    if (sooner === undefined) this.first = later
    else sooner.later = later
    if (later === undefined) this.last = sooner
    else later.sooner = sooner
    timer.queue = timer.sooner = timer.later = undefined
  }
}

/**
 * A queue for each delay, of which there are few: thousands of timers are set and cancelled without being compared.
 * The queues are a binary heap, the earliest on top. Times are milliseconds of a clock that never goes back.
 */
export class Timers {
  readonly now: () => number
  private readonly wake: (at: number) => void
  private readonly queues = new Map<number, Queue>()
  private readonly heap: Array<Queue> = []

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

  /** Has a timer ring then, and not when it was to ring before. Parts of a millisecond are rounded up. */
  set(timer: Timer, delay: number): void {
    const time = Math.ceil(delay)
    timer.queue?.remove(timer)
    timer.at = this.now() + time
    const queue = this.queues.get(time)
    if (queue === undefined) this.begin(time, timer)
    else queue.add(timer)
  }

  cancel(timer: Timer | undefined): void {
    timer?.queue?.remove(timer)
  }

  /** Rings what is due. When one throws, the others are not forgotten: it has itself called again at once. */
  sweep(): void {
    const now = this.now()
    try {
      for (let queue = this.heap[0]; queue !== undefined && queue.due <= now; queue = this.heap[0]) {
        const { first } = queue
        if (first === undefined) this.end(queue)
        else if (first.at > queue.due) {
          queue.due = first.at
          this.down(queue)
        } else {
          queue.remove(first)
          first.ring()
        }
      }
    } finally {
      const next = this.heap[0]
      if (next !== undefined) this.wake(next.due)
    }
  }

  private begin(delay: number, timer: Timer): void {
    const queue = new Queue(delay, timer.at)
    queue.add(timer)
    this.queues.set(delay, queue)
    this.heap.push(queue)
    this.up(queue)
    if (this.heap[0] === queue) this.wake(queue.due)
  }

  /** Takes out the queue on top. */
  private end(queue: Queue): void {
    this.queues.delete(queue.delay)
    const last = this.heap.pop()
    if (last !== undefined && last !== queue) this.down(last)
  }

  /** Puts the last queue where it belongs. */
  private up(queue: Queue): void {
    let index = this.heap.length - 1
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = this.heap[above]
      if (parent === undefined || parent.due <= queue.due) break
      this.heap[index] = parent
      index = above
    }
    this.heap[index] = queue
  }

  /** Puts a queue where it belongs, instead of the one on top. */
  private down(queue: Queue): void {
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      const below = (this.heap[left + 1]?.due ?? Infinity) < (this.heap[left]?.due ?? Infinity) ? left + 1 : left
      const child = this.heap[below]
      if (child === undefined || child.due >= queue.due) break
      this.heap[index] = child
      index = below
    }
    this.heap[index] = queue
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
  const sweep = Effect.sync(() => {
    next = Number.POSITIVE_INFINITY
    timers.sweep()
  })
  // A sweep that asks for another one is replaced by it before it can say what went wrong.
  const ring = Effect.uninterruptible(
    Effect.catchCause(sweep, (cause) => Effect.logError("what a timer of a call began has failed", cause))
  )
  const timers: Timers = new Timers(now, (at) => {
    if (at >= next) return
    next = at
    // Never at once: a clock that does not sleep for nothing would have it ring within the step that asks for it.
    start(Effect.andThen(Effect.sleep(Math.max(1, Math.ceil(at - now()))), ring))
  })
  return timers
})

/** The clock that is no test's. It is read a dozen times a call, and without the BigInt that it makes. */
const machine = Context.get(Context.empty(), Clock.Clock)
