// Makes one file of the standalone server and everything that it imports, unless that has been made already. Runs
// before `npm start`; by `env`, so that it is the Node that has just been installed. Where it fails, the server starts
// from its sources.
import { globSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { bundle, isCurrent, remember } from "../examples/standalone/bundle.mjs"

const root = join(import.meta.dirname, "..")

/** Loaded when they are asked for: the driver of PostgreSQL and the page that documents the interface. */
const APART = /store-postgres|node_modules\/pg|httpApiSwagger/

/** Threads are programs of their own, and are looked for beside what starts them. */
const programs = () => [
  "examples/standalone/src/server.ts",
  ...globSync("adapters/store-sqlite/src/*Thread.ts", { cwd: root })
]

/** Where imports lead is said by these, and by what is installed. */
const resolution = () => [
  "scripts/bundle.mjs",
  "node_modules/.pnpm/lock.yaml",
  ...globSync("{packages,adapters,examples/standalone}/**/package.json", {
    cwd: root,
    exclude: ["**/node_modules/**"]
  })
]

// Beside the bundle, and moved there file by file when it is whole: another start may be reading, or bundling as well.
const draft = `${bundle}-${process.pid}`

const build = async () => {
  const { rolldown } = await import("rolldown")
  const startedAt = Date.now()
  const inputs = new Set(resolution())
  for (const input of programs()) {
    const name = basename(input, ".ts")
    const build = await rolldown({
      input: { [name]: join(root, input) },
      platform: "node",
      // It finds its native part from where it is.
      external: ["better-sqlite3"],
      logLevel: "silent"
    })
    const { output } = await build.write({
      dir: draft,
      entryFileNames: "[name].js",
      chunkFileNames: "[name].js",
      sourcemap: true,
      sourcemapExcludeSources: true,
      // In one file modules run in the order of their imports, as they do from sources.
      codeSplitting: { groups: [{ name, test: (path) => !APART.test(path) }] }
    })
    await build.close()
    for (const module of output.flatMap(({ moduleIds = [] }) => moduleIds)) {
      const path = relative(root, module)
      if (!/^(\0|\.\.)|node_modules\//.test(path)) inputs.add(path)
    }
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
