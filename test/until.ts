/**
 * Waiting for what happens in other processes, or in other turns of this one.
 */
// oxlint-disable-next-line no-restricted-imports -- Tests wait by these functions.
import { setTimeout as delay } from "node:timers/promises"
import { inspect } from "node:util"

/** Below the time limit of a test, so that a test that waits in vain fails with what it saw. */
const PATIENCE = 100_000

/**
 * Reads until a value is good, and resolves to it.
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

/** Turns of the event loop, in which sockets and promises of this process have said what they have to say. */
export const turns = async (count = 50): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/**
 * Lets real time pass, where time is the subject or no condition shows its end: a peer that is slow, or a pass of a
 * server that must do nothing. `test/workspace.test.ts` has how many lines do so.
 *
 * @param _why what passes meanwhile
 */
export const realTime = (milliseconds: number, _why: string): Promise<void> => delay(milliseconds)
