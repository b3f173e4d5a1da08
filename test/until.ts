/**
 * Waiting for what happens in other processes.
 */
import { setTimeout as delay } from "node:timers/promises"
import { inspect } from "node:util"

/** Below the time limit of a test, so that a test that waits in vain fails with what it saw. */
const PATIENCE = 100_000

/** Reads until a value is good, and resolves to it. */
export const until = async <A>(read: () => A | Promise<A>, good: (value: A) => boolean = Boolean): Promise<A> => {
  for (const end = Date.now() + PATIENCE; ;) {
    const value = await read()
    if (good(value)) return value
    if (Date.now() > end) throw new Error(`waited in vain; the last value was ${inspect(value)}`)
    await delay(20)
  }
}
