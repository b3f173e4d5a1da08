/**
 * Limits messages or calls to a number per second, evenly spaced, by the generic cell rate algorithm (GCRA).
 *
 * A limiter with a {@link Backoff} slows down when the other side reports that it is throttling: it pauses, continues
 * at half the rate, and speeds up again step by step. Callers pass the time, so that a limiter needs neither a fiber
 * nor a timer: `availableAt` tells the time of the next turn, `take` uses one up.
 *
 * `effect/persistence/RateLimiter` serves keys in shared storage. Its token bucket lets a whole second's messages go
 * at once, which carriers answer by throttling, and it cannot tell the next turn without consuming it.
 *
 * Source: ITU-T I.371 §A.1 (GCRA).
 *
 * @example
 * ```ts
 * import { RateLimiter } from "@watchword/send/internal/gateway/RateLimiter"
 *
 * const limiter = new RateLimiter(10)
 * limiter.take(0)
 * // A tenth of a second, less the tolerance.
 * console.log(limiter.availableAt(0)) // 80
 * ```
 */

/** How a limiter reacts to throttling. */
export interface Backoff {
  /** Milliseconds without any message. */
  readonly pause: number
  /** By what the rate is multiplied at each step of the recovery. */
  readonly recovery: number
  /** Milliseconds between two steps. */
  readonly step: number
  /** The least rate per second. */
  readonly slowest: number
  /** The rate per second at which a limiter without a limit stops limiting again. */
  readonly fastest: number
}

/** A second's pause, then a tenth more each second. */
const backoff: Backoff = { pause: 1000, recovery: 1.1, step: 1000, slowest: 1, fastest: 10_000 }

/** How many milliseconds a turn may be early, so that the granularity of timers costs no throughput. */
const TOLERANCE = 20

export class RateLimiter {
  readonly #limit: number
  readonly #backoff: Backoff
  readonly #taken = new SecondCounter()
  #rate: number
  #due = Number.NEGATIVE_INFINITY
  #pausedUntil = Number.NEGATIVE_INFINITY
  #recoversAt = Number.POSITIVE_INFINITY

  /** @param limit turns per second, or null for no limit */
  constructor(limit: number | null, options: Backoff = backoff) {
    this.#limit = limit ?? Number.POSITIVE_INFINITY
    this.#backoff = options
    this.#rate = this.#limit
  }

  /** When the next turn may be taken. All times are milliseconds of one clock that never goes back. */
  availableAt(now: number): number {
    this.#recover(now)
    return Math.max(this.#pausedUntil, this.#due - TOLERANCE)
  }

  /** Takes a turn, now or in advance: each moves the time of the next. */
  take(now: number): void {
    this.#taken.add(now, 1)
    this.#due = Math.max(this.#due, now) + 1000 / this.#rate
  }

  /**
   * Slows down. Further reports during the pause are about messages that were under way already, and are ignored.
   *
   * @returns whether the rate changed
   */
  throttled(now: number): boolean {
    if (now < this.#pausedUntil) return false
    const { pause, slowest, step } = this.#backoff
    const rate = Number.isFinite(this.#rate) ? this.#rate : this.#taken.recent(now)
    this.#rate = Math.max(slowest, rate / 2)
    this.#pausedUntil = now + pause
    this.#recoversAt = this.#pausedUntil + step
    return true
  }

  #recover(now: number): void {
    const { fastest, recovery, step } = this.#backoff
    while (now >= this.#recoversAt && this.#rate < this.#limit) {
      const faster = this.#rate * recovery
      const full = Number.isFinite(this.#limit) ? this.#limit : fastest
      this.#rate = faster >= full ? this.#limit : faster
      this.#recoversAt += step
    }
  }
}

/** Counts the turns of the current and the previous second: the rate of a limiter without a limit. */
class SecondCounter {
  #start = Number.NEGATIVE_INFINITY
  #current = 0
  #previous = 0

  add(now: number, turns: number): void {
    if (now - this.#start >= 1000) {
      this.#previous = now - this.#start < 2000 ? this.#current : 0
      this.#current = 0
      this.#start = now
    }
    this.#current += turns
  }

  recent(now: number): number {
    this.add(now, 0)
    return Math.max(this.#current, this.#previous)
  }
}
