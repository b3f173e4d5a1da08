import { Failure } from "./failures.ts"

/** How long uncertain attempts are repeated, in milliseconds. */
const UNCERTAIN_FOR = 10_000
/** The pauses between attempts, in milliseconds. */
const PAUSES = [20, 50, 100, 200, 400]
/** How often an attempt is repeated that conflicted with other transactions, or met a server that takes no writes. */
const CONFLICTS = 5

/**
 * Repeats an attempt with the same ids while its outcome is uncertain, for at most ten seconds, and an attempt that
 * conflicted with other transactions a few times. Rejects with the last {@link Failure}, which is uncertain when any of
 * the attempts was; other errors are passed on at once.
 */
export const retry = async <A>(attempt: () => Promise<A>): Promise<A> => {
  let uncertainSince: number | null = null
  for (let count = 0; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (error.kind === "lost") uncertainSince ??= performance.now()
      if (!mayStillSucceed(error, count, uncertainSince)) {
        throw uncertainSince === null ? error : error.afterUncertain()
      }
      await pause(PAUSES[Math.min(count, PAUSES.length - 1)] ?? 0)
    }
  }
}

const mayStillSucceed = ({ kind }: Failure, count: number, uncertainSince: number | null): boolean => {
  if (kind === "mistake") return false
  if (uncertainSince !== null) return performance.now() - uncertainSince < UNCERTAIN_FOR
  return (kind === "conflict" || kind === "standby") && count < CONFLICTS
}

// A server restarts in its own time, whatever clock a test gives the program.
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
