/**
 * Delays before a link reconnects, in milliseconds: exponential, with jitter.
 */

/**
 * Why a link is down: the connection failed or was lost, the carrier refused the bind, or it still holds a session that
 * was lost and allows no other (ESME_RALYBND).
 */
export type Failure = "lost" | "refused" | "held"

interface Bounds {
  readonly first: number
  readonly longest: number
  /** The factor by which the delay grows with each failure. */
  readonly growth: number
  /** How much of the delay is random. */
  readonly jitter: number
}

const bounds: { readonly [F in Failure]: Bounds } = {
  lost: { first: 1000, longest: 30_000, growth: 2, jitter: 0.5 },
  // Carriers lock accounts that keep knocking.
  refused: { first: 10_000, longest: 60_000, growth: 2, jitter: 0.5 },
  // 5 ± 2 seconds: it passes once the carrier's own time-out has ended that session.
  held: { first: 7000, longest: 7000, growth: 1, jitter: 4 / 7 }
}

/**
 * The delay before the next try. A part of it is random, so that many clients do not reconnect at once.
 *
 * @param attempt failures in a row before this one
 * @param random from 0 to 1
 */
export const delay = (failure: Failure, attempt: number, random: number): number => {
  const { first, growth, jitter, longest } = bounds[failure]
  const most = Math.min(longest, first * growth ** attempt)
  return Math.round(most * (1 - jitter + jitter * random))
}
