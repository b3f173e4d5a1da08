/**
 * Starts the standalone server: from the one file that `scripts/bundle.mjs` has made of its sources, which takes half
 * the time, or from the sources themselves where they have changed since. JavaScript, because Node would load a
 * compiler for the first line of TypeScript.
 */
import { enableCompileCache } from "node:module"
import { join } from "node:path"
import { bundle, isCurrent } from "./bundle.mjs"

if (isCurrent()) {
  // What has been compiled at one start is not compiled again at the next.
  enableCompileCache(join(bundle, "compiled"))
  const { mapStackTraces } = await import("./stackTraces.mjs")
  await import("./node_modules/.cache/bundle/server.js")
  // Afterwards, because Effect looks at two traces while it is loaded.
  mapStackTraces(join(bundle, "server.js"))
} else {
  await import("./src/main.ts")
}
