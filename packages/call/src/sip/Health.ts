/**
 * Whether a trunk may be given calls: a circuit breaker, and the rest that a trunk asks for.
 *
 * Source: RFC 3261 §21.5.4 (503 and Retry-After).
 */

/** How many failures in a row open the circuit. */
const FAILURES = 3
/** When a trunk that is down is given one call to try, in milliseconds. */
const TRIAL = 30_000
/** The longest rest that is granted. */
const LONGEST_REST = 300_000

export class Health {
  private failures = 0
  private trialAt = Number.POSITIVE_INFINITY
  private restsUntil = Number.NEGATIVE_INFINITY
  private hasAnswered = false

  /** Whether something came from the trunk, and it is neither down nor resting. */
  isUp(now: number): boolean {
    return this.hasAnswered && !this.isDown && now >= this.restsUntil
  }

  get isDown(): boolean {
    return this.failures >= FAILURES
  }

  get isDoubtful(): boolean {
    return this.failures > 0
  }

  /** Whether a call may be given to it. */
  isUsable(now: number): boolean {
    return now >= this.restsUntil && (!this.isDown || now >= this.trialAt)
  }

  /** A call is given to it: one is enough to try a trunk that is down. */
  used(now: number): void {
    if (this.isDown) this.trialAt = now + TRIAL
  }

  /**
   * Something came from it.
   *
   * @returns whether it was down
   */
  heard(): boolean {
    const wasDown = this.isDown
    this.failures = 0
    this.hasAnswered = true
    return wasDown
  }

  /**
   * Nothing came from it, or it had no use for a call.
   *
   * @returns whether it is down now and was not before
   */
  failed(now: number): boolean {
    this.failures++
    if (this.failures < FAILURES) return false
    this.trialAt = now + TRIAL
    return this.failures === FAILURES
  }

  /** It asks to be left alone for some seconds. */
  rest(now: number, seconds: number): void {
    this.restsUntil = Math.max(this.restsUntil, now + Math.min(seconds * 1000, LONGEST_REST))
  }
}
