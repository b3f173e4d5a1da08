/**
 * Repeats of a request: after which errors, and when. Whether a request may be repeated at all is for its endpoint to
 * say.
 */
import type { AnyWatchwordError } from "../Errors.ts"

/** The longest wait before a repeat, in milliseconds. An error that asks for more is the caller's to handle. */
const LONGEST = 10_000

/** The first wait, which doubles from one repeat to the next. */
const SHORTEST = 250

/** A first request that is in flight is with a gateway, which takes its time. */
const IN_FLIGHT = 1000

/** Milliseconds to wait before a request is repeated; null for an error that a repeat would meet again. */
export const waitAfter = (error: AnyWatchwordError, repeats: number): number | null => {
  const shortest = shortestAfter(error)
  if (shortest === null) return null
  if (error.retryAfter !== undefined) return error.retryAfter * 1000 <= LONGEST ? error.retryAfter * 1000 : null
  // The jitter keeps clients apart that a server's restart has cut off together.
  return Math.min(LONGEST, shortest * 2 ** repeats) * (0.5 + Math.random() / 2)
}

const shortestAfter = (error: AnyWatchwordError): number | null => {
  switch (error.code) {
    case "CONNECTION_FAILED":
    case "TIMED_OUT":
    case "INTERNAL_SERVER_ERROR":
    case "SERVICE_UNAVAILABLE":
      return SHORTEST
    case "CONFLICT":
      return error.reason === "in_flight" ? IN_FLIGHT : null
    case "TOO_MANY_REQUESTS":
      return error.retryAfter === undefined ? null : SHORTEST
    case "UNEXPECTED_ANSWER":
      return error.status !== undefined && error.status >= 500 ? SHORTEST : null
    default:
      return null
  }
}

/** Waits, and rejects with the signal's reason once that is aborted. */
export const wait = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort)
      resolve()
    }, milliseconds)
    signal?.addEventListener("abort", abort, { once: true })
    if (signal?.aborted === true) abort()
  })
