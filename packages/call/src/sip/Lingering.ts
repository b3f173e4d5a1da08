/**
 * What must be at hand for a while after it is over, in case the other side repeats itself. It is forgotten a
 * generation at a time: a timer for each would be most of the work at thousands of calls a second.
 */
import { type Named, Table } from "../Table.ts"
import type { Timers } from "../Timers.ts"

/** Into how many parts the time is cut; what lingers does so for one part longer at most. */
const PARTS = 4

export class Lingering<A extends Named<A>> {
  private readonly timers: Timers
  private readonly time: number
  /** The latest first; none while nothing lingers. */
  private generations: Array<Table<A>> = []

  /** @param time how long to keep things at least, in milliseconds */
  constructor(timers: Timers, time: number) {
    this.timers = timers
    this.time = time
  }

  keep(thing: A): void {
    if (this.generations.length === 0) this.begin([])
    this.generations[0]?.add(thing)
  }

  /** The tables that a thing may be in. */
  get tables(): ReadonlyArray<Table<A>> {
    return this.generations
  }

  private begin(earlier: ReadonlyArray<Table<A>>): void {
    // As many may come as came before.
    this.generations = [new Table(earlier[0]?.size), ...earlier]
    this.timers.after(this.time / PARTS, () => {
      const kept = this.generations.slice(0, PARTS)
      if (kept.some(({ size }) => size > 0)) this.begin(kept)
      else this.generations = []
    })
  }
}
