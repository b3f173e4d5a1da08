/**
 * Whether a trunk may be given calls: a circuit breaker, and the pauses that the trunk asks for.
 *
 * Source: RFC 3261 §21.5.4 (503 and Retry-After).
 */

/** How many failures in a row open the circuit. */
const FAILURES = 3
/** When a trunk that is down is given one call as a trial, in milliseconds. */
const TRIAL = 30_000
/** The longest pause that is granted, in milliseconds. */
const LONGEST_REST = 300_000

export class TrunkHealth {
  private failures = 0
  private trialAt = Number.POSITIVE_INFINITY
  private restsUntil = Number.NEGATIVE_INFINITY
  private hasResponded = false

  /** Whether the trunk has responded, and is neither down nor pausing. */
  isUp(now: number): boolean {
    return this.hasResponded && !this.isDown && now >= this.restsUntil
  }

  get isDown(): boolean {
    return this.failures >= FAILURES
  }

  get isDoubtful(): boolean {
    return this.failures > 0
  }

  /** Whether it may be given a call. */
  isUsable(now: number): boolean {
    return now >= this.restsUntil && (!this.isDown || now >= this.trialAt)
  }

  /** Records a call that it is given: a trunk that is down gets one per trial. */
  used(now: number): void {
    if (this.isDown) this.trialAt = now + TRIAL
  }

  /**
   * Records a response.
   *
   * @returns whether the trunk was down
   */
  heard(): boolean {
    const wasDown = this.isDown
    this.failures = 0
    this.hasResponded = true
    return wasDown
  }

  /**
   * Records a failure.
   *
   * @returns whether the trunk has just gone down
   */
  failed(now: number): boolean {
    this.failures++
    if (this.failures < FAILURES) return false
    this.trialAt = now + TRIAL
    return this.failures === FAILURES
  }

  /** Gives it no calls for some seconds. */
  rest(now: number, seconds: number): void {
    this.restsUntil = Math.max(this.restsUntil, now + Math.min(seconds * 1000, LONGEST_REST))
  }
}
