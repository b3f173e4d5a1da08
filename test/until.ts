/**
 * Waiting for events in other processes, or in later turns of this one's event loop.
 */
// oxlint-disable-next-line no-restricted-imports -- Tests wait by these functions.
import { setTimeout as delay } from "node:timers/promises"
import { inspect } from "node:util"

/** Below the time limit of a test, so that a test that waits in vain fails with the last value it read. */
const PATIENCE = 100_000

/**
 * Reads until a value is good, and resolves to this value.
 *
 * @param pause milliseconds between two reads
 */
export const until = async <A>(
  read: () => A | Promise<A>,
  good: (value: A) => boolean = Boolean,
  pause = 20
): Promise<A> => {
  for (const end = Date.now() + PATIENCE; ;) {
    const value = await read()
    if (good(value)) return value
    if (Date.now() > end) throw new Error(`waited in vain; the last value was ${inspect(value)}`)
    await delay(pause)
  }
}

/** Waits some turns of the event loop, in which sockets and promises of this process make progress. */
export const turns = async (count = 50): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/**
 * Lets real time pass, if time is the subject or no condition shows its end: for a slow peer, or for a server that must
 * do nothing in a pass. `test/workspace.test.ts` limits the number of calls.
 *
 * @param _why a description of the event that the test waits for
 */
export const realTime = (milliseconds: number, _why: string): Promise<void> => delay(milliseconds)
