/**
 * Limits messages or calls to a number per second, evenly spaced, by the generic cell rate algorithm (GCRA), and learns
 * the rate of the other side from its answers.
 *
 * A throttling answer says that this moment's burst was too fast. The peer's other answers show its rate: the number of
 * messages that it accepted in that second. A throttled limiter continues at that rate, or at half of the best known
 * rate if a single answer says little. It doubles each second in which the rate was used up, until it is throttled
 * again; from then on it knows the rate, and grows by a fiftieth, and faster the longer nothing is throttled. A rate
 * that is not used does not grow, so that the learned one is there for the next burst. One throttled answer among many
 * that were not changes nothing.
 *
 * Callers pass the time, so that a limiter needs neither a fiber nor a timer: `availableAt` tells the time of the next
 * turn, `take` uses one up.
 *
 * `effect/persistence/RateLimiter` serves keys in shared storage. Its token bucket lets a whole second's messages go
 * at once, which carriers answer by throttling, and it cannot tell the next turn without consuming it.
 *
 * Source: ITU-T I.371 §A.1 (GCRA); RFC 5681 §3.1 (slow start, congestion avoidance), RFC 7661 (rates that are not
 * used), RFC 9438 §4.1 (growth by the time since the last loss).
 *
 * @example
 * ```ts
 * import { RateLimiter } from "@watchword/send/gateway"
 *
 * const limiter = new RateLimiter(10)
 * limiter.take(0)
 * // A tenth of a second minus the tolerance.
 * console.log(limiter.availableAt(0)) // 80
 * ```
 */

/** How many milliseconds a turn may be early, so that the granularity of timers costs no throughput. */
const TOLERANCE = 20
/**
 * Milliseconds without any message after a throttled answer: rates are by the second. Shorter where the rate is known.
 */
const PAUSE = 1000
const SHORTEST_PAUSE = 100
/** Milliseconds between two steps of growth. */
const STEP = 1000
/** The least rate per second. */
const SLOWEST = 1
/** The rate per second at which a limiter without a limit stops limiting again. */
const FASTEST = 10_000
/** The part of a second's turns that must have been taken for the rate to count as used up. */
const USED = 0.8
/** The most requests in flight while nothing is known of the peer. */
const WINDOW = 100
/** Milliseconds without a throttled answer after which the rate is probed again: the other side may have raised it. */
const STALE = 10 * 60 * 1000
/** The number of throttled answers in a second that reveals the rate. */
const SEVERAL = 3
/** The share of throttled answers that says nothing about the rate. */
const STRAY = 0.03
/** By what older answers count less with each one. */
const FADE = 0.98

/**
 * Knowledge of the rate: nothing yet, a guess that is being tried, or a rate at which the other side was seen to
 * throttle.
 */
type Knowledge = "none" | "guessed" | "known"

export class RateLimiter {
  readonly #limit: number
  readonly #best: number
  readonly #turns = new SecondCounter()
  readonly #accepted = new SecondCounter()
  #knowledge: Knowledge = "none"
  #rate: number
  #due = Number.NEGATIVE_INFINITY
  #pausedUntil = Number.NEGATIVE_INFINITY
  #growsAt = Number.NEGATIVE_INFINITY
  /** Used-up seconds since the last throttled answer. */
  #clear = 0
  #throttledAt = Number.NEGATIVE_INFINITY
  /** The rate before the second of the last throttled answers, and how many there were. */
  #before = Number.POSITIVE_INFINITY
  #throttlings = 0
  /** Whether the limiter has slowed down in that second, and whether it had known the rate before. */
  #isSlowing = false
  #isKnown = false
  /** Whether the rate is a guess from a single answer, and the options say nothing. */
  #isVague = false
  /** Answers, and throttled ones among them; older ones count less. */
  #answers = 0
  #refusals = 0

  /**
   * @param limit turns per second, or null for no limit
   * @param window messages that may be under way at a time
   */
  constructor(limit: number | null, window: number = WINDOW) {
    this.#limit = limit ?? Number.POSITIVE_INFINITY
    this.#best = limit ?? window
    this.#rate = this.#limit
  }

  /** The rate per second that throttled answers have taught; null while it is not below the limit. */
  get learned(): number | null {
    return this.#knowledge === "none" ? null : this.#rate
  }

  /** When the next turn may be taken. All times are milliseconds of one clock that never goes back. */
  availableAt(now: number): number {
    if (this.#knowledge !== "none" && now >= this.#growsAt) this.#grow(now)
    // A guess must not keep a second's messages from leaving at once if each has a carrier and does not wait.
    const tolerance = this.#isVague ? Math.max(TOLERANCE, 1000 - 1000 / this.#rate) : TOLERANCE
    return Math.max(this.#pausedUntil, this.#due - tolerance)
  }

  /** Takes a turn, now or in advance: each moves the time of the next. */
  take(now: number): void {
    this.#turns.add(now, 1)
    this.#due = Math.max(this.#due, now) + 1000 / this.#rate
  }

  /** An answer that is not about the rate. */
  accepted(now: number): void {
    this.#accepted.add(now, 1)
    this.#answers = this.#answers * FADE + 1
    this.#refusals *= FADE
  }

  /**
   * A throttled answer.
   *
   * @returns whether the limiter slows down; further answers of the same second only correct by how much
   */
  throttled(now: number): boolean {
    this.#answers = this.#answers * FADE + 1
    this.#refusals = this.#refusals * FADE + 1
    const isFirst = now - this.#throttledAt >= PAUSE
    if (isFirst) {
      this.#before = this.#rate
      this.#throttlings = 0
      this.#isSlowing = false
      this.#throttledAt = now
    }
    this.#throttlings++
    const taken = this.#accepted.recent(now)
    // A peer that accepted nothing at all was busy, which says nothing about its rate.
    const saysRate = this.#throttlings >= SEVERAL && taken > 0 && this.#throttlings > taken / 10
    if (!saysRate && this.#refusals <= STRAY * this.#answers) return false
    const slowsDown = !this.#isSlowing
    if (slowsDown) {
      this.#isSlowing = true
      this.#isKnown = this.#knowledge === "known"
      this.#knowledge = this.#knowledge === "none" ? "guessed" : "known"
    }
    this.#slowDown(taken, saysRate)
    return slowsDown
  }

  /** Sets the rate by the answers of this second, each time from the rate before it. */
  #slowDown(taken: number, saysRate: boolean): void {
    const before = Number.isFinite(this.#before) ? this.#before : Math.max(this.#best, taken)
    const least = saysRate ? SLOWEST : Math.max(SLOWEST, before / 2)
    this.#rate = Math.max(least, Math.min(taken, before * 0.9))
    this.#isVague = this.#knowledge === "guessed" && !saysRate && this.#limit === Number.POSITIVE_INFINITY
    const pause = this.#isKnown && !saysRate ? Math.max(SHORTEST_PAUSE, Math.min(PAUSE, 2000 / this.#rate)) : PAUSE
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#throttledAt + pause)
    this.#due = Math.min(this.#due, this.#pausedUntil)
    this.#clear = 0
    this.#growsAt = this.#pausedUntil + STEP
  }

  #grow(now: number): void {
    const isUsed = this.#turns.recent(now) >= USED * this.#rate
    this.#growsAt = now + STEP
    if (now - this.#throttledAt > STALE) this.#knowledge = "guessed"
    if (!isUsed) return
    this.#clear++
    const creep = 0.02 * Math.max(1, (this.#clear / 5) ** 2)
    this.#rate *= this.#knowledge === "guessed" ? 2 : 1 + Math.min(1, creep)
    if (this.#rate < Math.min(this.#limit, FASTEST)) return
    this.#rate = this.#limit
    this.#knowledge = "none"
    this.#isVague = false
  }
}

/** Counts in the current and the previous second. */
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

  /** The greater of the two. */
  recent(now: number): number {
    this.add(now, 0)
    return Math.max(this.#current, this.#previous)
  }
}
