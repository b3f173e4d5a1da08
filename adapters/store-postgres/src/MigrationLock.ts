/**
 * The lock under which one process at a time migrates a schema. It ends with its connection, however the process ends.
 *
 * The connection is one of its own, because an index that is built concurrently is in no transaction. The lock is asked
 * for again and again rather than waited for: the snapshot of a statement that waits would keep such an index waiting
 * in turn.
 */
import type { Client } from "pg"
import { tryTake } from "./ConnectionLock.ts"
import { unusable } from "./ServerSettings.ts"

/** The class of the lock, which keeps it apart from other programs' locks: "WWRD". */
const APPLICATION = 0x57575244

/** How long the lock is asked for, and the pause in between, in milliseconds. */
const PATIENCE = 600_000
const PAUSE = 200

/** Takes the lock on a connection that serves nothing else until it ends. */
export const take = async (client: Client, schema: string): Promise<void> => {
  const until = performance.now() + PATIENCE
  while (!(await tryTake(client, APPLICATION, schema))) {
    if (performance.now() > until) {
      throw unusable(`Another process has been migrating the schema ${schema} for ten minutes.`)
    }
    await pause(PAUSE)
  }
}

// Not by Effect's clock, which a test may have stopped.
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
