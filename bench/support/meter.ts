/**
 * Lets a benchmark ask a server how much heap it uses: Node loads this module into the server's process in addition to
 * its program, with `--expose-gc --import`.
 */

/** The answer to any message. */
export interface Reading {
  /** Bytes in use after a garbage collection. */
  readonly heap: number
}

process.on("message", () => {
  globalThis.gc?.()
  globalThis.gc?.()
  process.send?.({ heap: process.memoryUsage().heapUsed } satisfies Reading)
})
// The channel must not keep the process alive.
process.channel?.unref()
