/**
 * Whether a trunk may be given calls: a circuit breaker, and the pauses that the trunk asks for.
 *
 * A trunk that does not respond fails for all calls, and some such failures in a row open the circuit. A rejected call
 * may fail only because of its destination, which a customer has chosen: its Retry-After makes the trunk rest for that
 * destination, and rejections open the circuit when they are half of the latest calls, and to several destinations.
 *
 * Source: RFC 3261 §21.5.4 (503 and Retry-After).
 */

/** How many failures in a row open the circuit. */
const FAILURES = 3
/** To how many destinations calls are rejected before the circuit opens. */
const DESTINATIONS = 3
/** The number of latest calls that count, and for how many milliseconds they do. */
const LATEST = 20
const LATEST_FOR = 60_000
/** When a trunk that is down is given one call as a trial, in milliseconds. */
const TRIAL = 30_000
/** The longest pause that is granted, in milliseconds: for all calls, and for those to one destination. */
const LONGEST_REST = 300_000
const LONGEST_REST_OF_ONE = 10_000

interface Outcome {
  readonly at: number
  /** The number that the trunk rejected; null for a call that it took. */
  readonly rejected: string | null
  /** The time from which that number may be called again. */
  readonly restsUntil: number
}

export class TrunkHealth {
  private readonly isWatched: boolean
  private isOpen = false
  private failures = 0
  /** Of calls, latest last. */
  private outcomes: Array<Outcome> = []
  private trialAt = Number.POSITIVE_INFINITY
  private restsUntil = Number.NEGATIVE_INFINITY
  private hasResponded = false

  /** @param isWatched whether OPTIONS are sent: until it responds to them the trunk is not up */
  constructor(isWatched: boolean) {
    this.isWatched = isWatched
  }

  /** Whether the trunk is neither down nor pausing, and has responded if it is watched. */
  isUp(now: number): boolean {
    return (this.hasResponded || !this.isWatched) && !this.isOpen && now >= this.restsUntil
  }

  get isDoubtful(): boolean {
    return this.isOpen || this.failures > 0
  }

  /** Whether it may be given a call to a destination. */
  isUsable(now: number, destination: string): boolean {
    if (now < this.restsUntil || (this.isOpen && now < this.trialAt)) return false
    return !this.outcomes.some(({ rejected, restsUntil }) => now < restsUntil && rejected === destination)
  }

  /** Records a call that it is given: a trunk that is down gets one per trial. */
  used(now: number): void {
    if (this.isOpen) this.trialAt = now + TRIAL
  }

  /**
   * Records a response that is not a failure.
   *
   * @returns whether the trunk was down
   */
  heard(): boolean {
    const wasDown = this.isOpen
    this.isOpen = false
    this.failures = 0
    this.hasResponded = true
    if (wasDown) this.outcomes = []
    return wasDown
  }

  /** Records a call that it took, whatever became of it. */
  took(now: number): void {
    this.record({ at: now, rejected: null, restsUntil: now })
  }

  /**
   * Records a call that it rejected for a reason of its own.
   *
   * @param rest for how many seconds it asks to rest
   * @returns whether the trunk has just gone down
   */
  rejected(now: number, destination: string, rest: number): boolean {
    const restsUntil = now + Math.min(rest * 1000, LONGEST_REST_OF_ONE)
    this.record({ at: now, rejected: destination, restsUntil })
    const latest = this.outcomes.filter(({ at }) => at > now - LATEST_FOR)
    const rejected = latest.map((outcome) => outcome.rejected).filter((number) => number !== null)
    const isFailing = new Set(rejected).size >= DESTINATIONS && 2 * rejected.length >= latest.length
    return (this.isOpen || isFailing) && this.open(now)
  }

  /**
   * Records that it did not respond, or that it is not in service.
   *
   * @returns whether the trunk has just gone down
   */
  failed(now: number): boolean {
    this.failures++
    return this.failures >= FAILURES && this.open(now)
  }

  /** Gives it no calls for some seconds. */
  rest(now: number, seconds: number): void {
    this.restsUntil = Math.max(this.restsUntil, now + Math.min(seconds * 1000, LONGEST_REST))
  }

  private record(outcome: Outcome): void {
    this.outcomes.push(outcome)
    if (this.outcomes.length > LATEST) this.outcomes.shift()
  }

  private open(now: number): boolean {
    const wasOpen = this.isOpen
    this.isOpen = true
    this.trialAt = now + TRIAL
    return !wasOpen
  }
}
