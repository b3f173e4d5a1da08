/**
 * Lets a benchmark ask a server how much heap it uses: Node loads this into the server's process beside its program,
 * with `--expose-gc --import`.
 */

/** The answer to any message. */
export interface Reading {
  /** Bytes in use, after garbage has been collected. */
  readonly heap: number
}

process.on("message", () => {
  globalThis.gc?.()
  globalThis.gc?.()
  process.send?.({ heap: process.memoryUsage().heapUsed } satisfies Reading)
})
// Not awaited.
process.channel?.unref()
