/**
 * Callers that rest, because networks have blocked calls from them again and again. A pool leaves them out for a while,
 * so that they lose the name of numbers that send spam, and calls get through meanwhile.
 *
 * Each process knows only its own observations, and forgets them when it ends.
 */
import * as Context from "effect/Context"

/** Callees in a row whose networks blocked a caller, with no call in between that rang. */
const SEVERAL = 3
/** How long it rests, in milliseconds. The next block after that lets it rest again. */
const REST = 60 * 60 * 1000
/** Callers that are remembered; beyond it the oldest is forgotten. */
const CAPACITY = 1_000

interface Blocked {
  readonly callees: ReadonlySet<string>
  /** The time until which it rests; 0 where it never has. */
  readonly until: number
}

export class Rests {
  readonly #byCaller = new Map<string, Blocked>()

  /**
   * Records that a network has blocked a call.
   *
   * @returns whether the caller begins to rest
   */
  blocked(caller: string, callee: string, now: number): boolean {
    const before = this.#byCaller.get(caller)
    const { callees: others = new Set<string>(), until = 0 } = before ?? {}
    const callees = new Set(others).add(callee)
    const rests = callees.size >= SEVERAL
    this.#byCaller.delete(caller)
    this.#byCaller.set(caller, rests ? { callees: others, until: now + REST } : { callees, until })
    for (const oldest of this.#byCaller.keys()) {
      if (this.#byCaller.size <= CAPACITY) break
      this.#byCaller.delete(oldest)
    }
    return rests && now >= until
  }

  /** Records that a phone rang. */
  rang(caller: string): void {
    this.#byCaller.delete(caller)
  }

  /** Callers that rest, the latest first. */
  resting(now: number): ReadonlyArray<string> {
    return [...this.#byCaller]
      .filter(([, { until }]) => now < until)
      .map(([caller]) => caller)
      .toReversed()
  }
}

/** The process's own. */
export const CallerRests = Context.Reference<Rests>("@watchword/send/pipeline/CallerRests", {
  defaultValue: () => new Rests()
})
