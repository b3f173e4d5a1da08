/**
 * How many calls a second a trunk is given.
 *
 * Source: ITU-T I.371 §A.1 (the generic cell rate algorithm, a token bucket that needs one number).
 */

/** How far a call may be ahead of its time, in milliseconds. */
const TOLERANCE = 20

export class Pace {
  private readonly interval: number
  private due = Number.NEGATIVE_INFINITY

  /** @param cps calls a second, or null for no limit */
  constructor(cps: number | null) {
    this.interval = cps === null ? 0 : 1000 / cps
  }

  /** How many milliseconds the next call has to wait. */
  wait(now: number): number {
    return Math.max(0, this.due - TOLERANCE - now)
  }

  /** Takes the next call's turn; the call goes when it has waited for it. */
  take(now: number): void {
    this.due = Math.max(this.due, now) + this.interval
  }
}
