/**
 * Notices a server that takes requests and does not answer: each wait asks it whether it is there.
 */

/**
 * In milliseconds: how long an answer or a stream may be silent before the server is asked, and how long it may take to
 * say that it is there. Together they are the ten seconds within which a page notices.
 */
const QUIET = 7_000
export const ANSWER = 3_000

/** How long a page waits for an answer of a server that is there, in milliseconds. */
const LONGEST = 30_000

/** A wait for the server, which ends with `stop`; `heard` begins it again. */
export interface Wait {
  /** Aborted once the server has been silent for too long, though it is there. */
  readonly signal: AbortSignal
  readonly heard: () => void
  readonly stop: () => void
}

/**
 * @param ask asks the server whether it is there
 * @param longest in milliseconds; infinite for an act, which may take as long as it must
 */
export const waiting = (ask: () => void, longest = LONGEST): Wait => {
  const ending = new AbortController()
  const timers: Array<ReturnType<typeof setTimeout>> = []
  const stop = (): void => timers.splice(0).forEach(clearTimeout)
  const heard = (): void => {
    stop()
    timers.push(setTimeout(ask, QUIET))
    if (Number.isFinite(longest)) timers.push(setTimeout(() => ending.abort(), longest))
  }
  heard()
  return { signal: ending.signal, heard, stop }
}
