/**
 * Starts the standalone server from its bundle, or from its sources where the bundle is not current. JavaScript, because
 * Node would load a compiler for the first line of TypeScript.
 */
import { enableCompileCache } from "node:module"
import { join } from "node:path"
import { bundle, isCurrent } from "./bundle.mjs"

if (isCurrent()) {
  enableCompileCache(join(bundle, "compiled"))
  const { mapStackTraces } = await import("./stackTraces.mjs")
  await import("./node_modules/.cache/bundle/server.js")
  // Last, because Effect reads two stack traces while it is loaded.
  mapStackTraces(join(bundle, "server.js"))
} else {
  await import("./src/main.ts")
}
