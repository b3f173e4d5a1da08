/**
 * Timers of the machine. They are taken when this module loads, and from `node:timers`: the fake timers of test runners
 * replace the globals, often before anything of a test is imported.
 */
import * as timers from "node:timers"

const { clearTimeout, setTimeout } = timers

/** Up to this delay, in milliseconds, a timer keeps the process running. */
const SHORT = 1_000

/** The longest delay of a timer, in milliseconds. */
const LONGEST = 2 ** 31 - 1

/** Runs a function after so many milliseconds. Gives the function that takes it back. */
export const after = (delay: number, run: () => void): (() => void) => {
  const timeout = setTimeout(run, Math.min(delay, LONGEST))
  if (delay > SHORT) timeout.unref()
  return () => clearTimeout(timeout)
}

/** The same with a timer that keeps the process running, however long it is. */
export const within = (delay: number, run: () => void): (() => void) => {
  const timeout = setTimeout(run, Math.min(delay, LONGEST))
  return () => clearTimeout(timeout)
}

/** Resolves after so many milliseconds. */
export const pause = (delay: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delay))
