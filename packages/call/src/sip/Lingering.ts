/**
 * What must be at hand for a while after it is over, in case the other side repeats itself. It is forgotten a
 * generation at a time: a timer for each would be most of the work at thousands of calls a second.
 */
import type { Timers } from "../Timers.ts"

/** Into how many parts the time is cut; what lingers does so for one part longer at most. */
const PARTS = 4

/** What lingers of one part of the time. */
export interface Generation {
  readonly size: number
}

export class Lingering<A extends Generation> {
  private readonly timers: Timers
  private readonly time: number
  private readonly make: () => A
  /** None while nothing lingers. */
  private current: Array<A> = []

  /**
   * @param time how long to keep things at least, in milliseconds
   * @param make begins a generation
   */
  constructor(timers: Timers, time: number, make: () => A) {
    this.timers = timers
    this.time = time
    this.make = make
  }

  /** The generation that things are to be put into now. */
  get latest(): A {
    return this.current[0] ?? this.begin([])
  }

  /** Those that a thing may be in, the latest first. */
  get generations(): ReadonlyArray<A> {
    return this.current
  }

  private begin(earlier: ReadonlyArray<A>): A {
    const generation = this.make()
    this.current = [generation, ...earlier]
    this.timers.after(this.time / PARTS, () => {
      const kept = this.current.slice(0, PARTS)
      if (kept.some(({ size }) => size > 0)) this.begin(kept)
      else this.current = []
    })
    return generation
  }
}
