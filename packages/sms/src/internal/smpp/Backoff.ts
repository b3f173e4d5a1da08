/**
 * Delays before a link reconnects, in milliseconds: exponential, with jitter.
 */

/** Why a link is down: the connection failed or was lost, or the carrier refused the bind. */
export type Failure = "lost" | "refused"

const bounds: { readonly [F in Failure]: { readonly first: number; readonly longest: number } } = {
  lost: { first: 500, longest: 30_000 },
  // Carriers lock accounts that keep knocking.
  refused: { first: 5000, longest: 60_000 }
}

/**
 * The delay doubles with each failure. Half of it is random, so that many clients do not reconnect at once.
 *
 * @param attempt failures in a row before this one
 * @param random from 0 to 1
 */
export const delay = (failure: Failure, attempt: number, random: number): number => {
  const { first, longest } = bounds[failure]
  const most = Math.min(longest, 2 * first * 2 ** attempt)
  return Math.round(most * (0.5 + 0.5 * random))
}
