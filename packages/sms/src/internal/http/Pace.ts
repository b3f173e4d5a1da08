/**
 * When the next request may be made: by the rate of the account, more slowly after the provider has throttled, and not
 * at all while it asks for a pause.
 */
import { RateLimiter } from "@watchword/send/gateway"

/** Milliseconds of the longest pause. The next request then shows whether the provider still wants it. */
const LONGEST_PAUSE = 10_000

/**
 * Milliseconds more than the provider asks for, because the HTTP client measures the same pause by the clock of the
 * day.
 */
const MARGIN = 20

export class Pace {
  readonly #limiter: RateLimiter
  #pausedUntil = Number.NEGATIVE_INFINITY

  /** @param rate messages a second, or null for as many as the provider takes */
  constructor(rate: number | null) {
    this.#limiter = new RateLimiter(rate)
  }

  /** The rate that throttling has taught; null while it is not below that of the account. */
  get learned(): number | null {
    return this.#limiter.learned
  }

  /**
   * Takes a turn. All times are milliseconds of one clock that never goes back.
   *
   * @param until the latest time of use
   * @returns the time of the turn, or null if it would be later; no turn is taken then
   */
  turn(now: number, until: number): number | null {
    const at = Math.max(now, this.#pausedUntil, this.#limiter.availableAt(now))
    if (at > until) return null
    this.#limiter.take(at)
    return at
  }

  /** Whether a turn that was taken still holds: since then the provider has asked for a pause. */
  holds(turn: number): boolean {
    return turn >= this.#pausedUntil
  }

  /** The provider has answered, and not that it is asked too fast. */
  answered(now: number): void {
    this.#limiter.accepted(now)
  }

  /**
   * The provider has throttled.
   *
   * @param pause milliseconds that it asks for
   */
  throttled(now: number, pause: number): void {
    const slowsDown = this.#limiter.throttled(now)
    // Waiting messages take another turn at the new rate.
    const least = slowsDown ? this.#limiter.availableAt(now) : now
    this.#pausedUntil = Math.max(this.#pausedUntil, least, now + Math.min(pause, LONGEST_PAUSE) + MARGIN)
  }
}
