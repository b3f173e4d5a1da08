/**
 * A clock that stands still until it is advanced.
 *
 * A sleeping fiber wakes when the clock gets there, or after as much real time, whichever comes first: a request that
 * waits for another one gets its answer in a test that advances nothing. Only `advance` changes the reading, so that
 * nothing expires and no receipt comes by itself.
 */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as realTimers from "./realTimers.ts"

interface Entry {
  readonly at: number
  readonly run: () => Promise<void> | void
}

/** The work of one advance, in addition to the clock's own sleepers. */
export interface Advance {
  /** When the first work that is in the store is due after one time, and until another; null if no work is due then. */
  readonly nextDue: (after: number, until: number) => number | null
  /** Does the work that is due. */
  readonly maintain: () => Promise<void>
  /** Waits until all started work has ended. */
  readonly settled: () => Promise<void>
}

export class ManualClock implements Clock.Clock {
  readonly #start: number
  #now: number
  /** In their order. */
  readonly #entries: Array<Entry> = []
  #isAdvancing = false

  /** @param now in milliseconds since the epoch */
  constructor(now: number) {
    this.#start = now
    this.#now = now
  }

  currentTimeMillisUnsafe(): number {
    return this.#now
  }

  currentTimeNanosUnsafe(): bigint {
    return nanos(this.#now)
  }

  monotonicTimeNanosUnsafe(): bigint {
    return nanos(this.#now - this.#start)
  }

  readonly currentTimeMillis = Effect.sync(() => this.currentTimeMillisUnsafe())
  readonly currentTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe())
  readonly monotonicTimeNanos = Effect.sync(() => this.monotonicTimeNanosUnsafe())

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    const millis = Duration.toMillis(duration)
    if (millis <= 0) return Effect.yieldNow
    if (!Number.isFinite(millis)) return Effect.never
    return Effect.callback((resume) => {
      const entry = this.#add(millis, () => {
        cancel()
        resume(Effect.void)
      })
      const expired = (): void => {
        // An advance wakes in the order of its own time.
        if (this.#isAdvancing) cancel = realTimers.after(1, expired)
        else if (this.#remove(entry)) resume(Effect.void)
      }
      let cancel = realTimers.after(millis, expired)
      return Effect.sync(() => {
        cancel()
        this.#remove(entry)
      })
    })
  }

  /** Runs a function when the clock has advanced by so many milliseconds. Real time does not count. */
  schedule(delay: number, run: () => Promise<void>): void {
    this.#add(delay, run)
  }

  /** Advances the clock by `millis` milliseconds, and runs all due work on the way, each piece at its time. */
  async advance(millis: number, { maintain, nextDue, settled }: Advance): Promise<void> {
    this.#isAdvancing = true
    try {
      await settled()
      const end = this.#now + millis
      for (;;) {
        const before = this.#now
        const due = nextDue(before, end) ?? Infinity
        const at = Math.min(due, this.#entries[0]?.at ?? Infinity)
        if (at > end) break
        this.#now = Math.max(before, at)
        if (due === at) await maintain()
        while ((this.#entries[0]?.at ?? Infinity) <= this.#now) {
          await this.#entries.shift()?.run()
          await settled()
        }
      }
      this.#now = end
      await maintain()
      await settled()
    } finally {
      this.#isAdvancing = false
    }
  }

  #add(delay: number, run: Entry["run"]): Entry {
    const entry = { at: this.#now + delay, run }
    const place = this.#entries.findLastIndex(({ at }) => at <= entry.at)
    this.#entries.splice(place + 1, 0, entry)
    return entry
  }

  #remove(entry: Entry): boolean {
    const place = this.#entries.indexOf(entry)
    if (place >= 0) this.#entries.splice(place, 1)
    return place >= 0
  }
}

const nanos = (millis: number): bigint => BigInt(Math.round(millis * 1_000_000))
