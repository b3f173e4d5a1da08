// Bundles the standalone server before `npm start`, unless the bundle is current. From the bundle `npm start` answers after
// 0.7 s instead of 1.3 s (medians of 5), because some 500 modules need not be found; making it takes 0.7 s, once after an
// installation or a change. By `env`, so that it is the Node that has just been installed. Where bundling fails, the server
// starts from its sources.
import { globSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs"
import { join, relative } from "node:path"
import { bundle, isCurrent, remember } from "../examples/standalone/bundle.mjs"
import { bundleInto, root, server } from "./bundling.mjs"

/** The files that decide where imports lead. */
const resolution = () => [
  "scripts/bundle.mjs",
  "scripts/bundling.mjs",
  "node_modules/.pnpm/lock.yaml",
  ...globSync("{packages,adapters,examples/standalone}/**/package.json", {
    cwd: root,
    exclude: ["**/node_modules/**"]
  })
]

// A folder beside the bundle, moved there file by file when complete: another start may read or bundle at the same time.
const draft = `${bundle}-${process.pid}`

const build = async () => {
  const startedAt = Date.now()
  const inputs = new Set(resolution())
  for (const module of await bundleInto(draft, server())) {
    const path = relative(root, module)
    if (!/^(\0|\.\.)|node_modules\//.test(path)) inputs.add(path)
  }
  mkdirSync(bundle, { recursive: true })
  for (const file of readdirSync(draft)) renameSync(join(draft, file), join(bundle, file))
  remember([...inputs], startedAt)
}

if (!isCurrent()) {
  try {
    rmSync(join(bundle, "inputs.json"), { force: true })
    await build()
  } catch (error) {
    console.error(`The server could not be bundled, and starts more slowly: ${error.message}`)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
