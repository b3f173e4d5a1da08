/**
 * Waiting for what happens in other processes.
 */
import { setTimeout as delay } from "node:timers/promises"

/** Reads until a value is good, and resolves to it. A test that waits in vain ends by its time limit. */
export const until = async <A>(read: () => A | Promise<A>, good: (value: A) => boolean = Boolean): Promise<A> => {
  for (;;) {
    const value = await read()
    if (good(value)) return value
    await delay(20)
  }
}
