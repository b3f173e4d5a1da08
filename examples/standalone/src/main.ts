/**
 * Starts the standalone server. What has been compiled at one start is not compiled again at the next, which halves
 * the time until it answers.
 */
import { enableCompileCache } from "node:module"
import { join } from "node:path"

enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/compiled"))
await import("./server.ts")
