/**
 * How fast a link may send: the rate that was agreed on, and less while the carrier asks for it.
 *
 * Messages are spaced evenly (the generic cell rate algorithm). When the carrier throttles, the link
 * pauses, goes on at half its rate, and then speeds up again little by little.
 *
 * Source: ITU-T I.371 §A.1 (GCRA); SMPP 3.4 §5.1.3 (ESME_RTHROTTLED).
 */
const PAUSE = 1000
/** How far a message may be ahead of its time, so that the grain of timers costs no throughput. */
const TOLERANCE = 20
const RECOVERY = 1.1
const RECOVERY_EVERY = 1000
const SLOWEST = 1
/** From here on a link without an agreed rate is not held back any more. */
const FAST = 10_000

export class Pace {
  private readonly agreed: number
  private rate: number
  private due = Number.NEGATIVE_INFINITY
  private pausedUntil = Number.NEGATIVE_INFINITY
  private recoverAt = Number.POSITIVE_INFINITY
  private second = Number.NEGATIVE_INFINITY
  private sentThisSecond = 0
  private sentLastSecond = 0

  /** @param agreed messages a second, or null for no limit */
  constructor(agreed: number | null) {
    this.agreed = agreed ?? Number.POSITIVE_INFINITY
    this.rate = this.agreed
  }

  /** The time from which the next message may go. All times are in milliseconds. */
  availableAt(now: number): number {
    this.recover(now)
    return Math.max(this.pausedUntil, this.due - TOLERANCE)
  }

  sent(now: number): void {
    this.count(now)
    this.due = Math.max(this.due, now) + 1000 / this.rate
  }

  /**
   * The carrier refused a message because there were too many. Answers to messages that were on their way
   * already say nothing new.
   *
   * @returns whether this was news
   */
  throttled(now: number): boolean {
    if (now < this.pausedUntil) return false
    this.count(now, 0)
    const recent = Math.max(this.sentLastSecond, this.sentThisSecond)
    this.rate = Math.max(SLOWEST, (Number.isFinite(this.rate) ? this.rate : recent) / 2)
    this.pausedUntil = now + PAUSE
    this.recoverAt = this.pausedUntil + RECOVERY_EVERY
    return true
  }

  private recover(now: number): void {
    while (now >= this.recoverAt && this.rate < this.agreed) {
      const faster = this.rate * RECOVERY
      const enough = Number.isFinite(this.agreed) ? this.agreed : FAST
      this.rate = faster >= enough ? this.agreed : faster
      this.recoverAt += RECOVERY_EVERY
    }
  }

  private count(now: number, messages = 1): void {
    if (now - this.second >= 1000) {
      this.sentLastSecond = now - this.second < 2000 ? this.sentThisSecond : 0
      this.sentThisSecond = 0
      this.second = now
    }
    this.sentThisSecond += messages
  }
}
