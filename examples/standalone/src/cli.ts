/**
 * Starts the operator's command, from modules that an earlier run has compiled.
 */
import { enableCompileCache } from "node:module"
import { join } from "node:path"

enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/compiled"))
await import("@watchword/standalone/command")
