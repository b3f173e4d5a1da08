// Bundles the standalone server and the operator's command, or those of the two that are named, unless their bundles are
// current. From the bundle `npm start` answers after 0.7 s instead of 1.3 s (medians of 5), because some 500 modules need not
// be found; making it takes 0.7 s, once after an installation or a change. By `env`, so that it is the Node that has just been
// installed. Where bundling fails, a program starts from its sources.
import { globSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs"
import { join, relative } from "node:path"
import { folderOf, forget, isCurrent, remember } from "../examples/standalone/bundle.mjs"
import { bundleInto, command, root, server } from "./bundling.mjs"

const programs = { server, command: () => command }

/** The files that decide where imports lead. */
const resolution = () => [
  "scripts/bundle.mjs",
  "scripts/bundling.mjs",
  "node_modules/.pnpm/lock.yaml",
  ...globSync("{packages,adapters,examples/standalone}/**/package.json", {
    cwd: root,
    exclude: ["**/node_modules/**", "**/dist/**"]
  })
]

const build = async (program) => {
  const folder = folderOf(program)
  // A folder beside the bundle, moved there file by file when complete: another start may read or bundle at the same time.
  const draft = `${folder}-${process.pid}`
  try {
    forget(program)
    const startedAt = Date.now()
    const inputs = new Set(resolution())
    for (const module of await bundleInto(draft, programs[program]())) {
      const path = relative(root, module)
      if (!/^(\0|\.\.)|node_modules\//.test(path)) inputs.add(path)
    }
    mkdirSync(folder, { recursive: true })
    for (const file of readdirSync(draft)) renameSync(join(draft, file), join(folder, file))
    remember(program, [...inputs], startedAt)
  } catch (error) {
    console.error(`The ${program} could not be bundled, and starts more slowly: ${error.message}`)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

const [, , ...named] = process.argv
for (const program of named.length === 0 ? Object.keys(programs) : named) {
  if (!isCurrent(program)) await build(program)
}
