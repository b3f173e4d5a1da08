// Bundles the programs of the standalone server. Each program is one file beside its threads, and loads on demand what
// few starts need.
import { globSync } from "node:fs"
import { basename, join } from "node:path"
import { EXTERNAL } from "./published.mjs"

export const root = join(import.meta.dirname, "..")

/** Loaded on demand: the driver of PostgreSQL and the page that documents the interface. */
const APART = /store-postgres|node_modules\/pg|httpApiSwagger/

/** The server and its threads, by the names of their files. */
export const server = () => ({
  server: "examples/standalone/src/server.ts",
  ...Object.fromEntries(
    globSync("adapters/store-sqlite/src/*Thread.ts", { cwd: root }).map((thread) => [basename(thread, ".ts"), thread])
  )
})

/** The operator's command. */
export const command = { command: "examples/standalone/src/cli/main.ts" }

/**
 * Bundles programs into a folder.
 *
 * @param programs the first module of each, relative to the workspace, by the name of its file
 * @returns the absolute paths of all modules that the bundles have
 */
export const bundleInto = async (folder, programs) => {
  const { rolldown } = await import("rolldown")
  const modules = new Set()
  for (const [name, first] of Object.entries(programs)) {
    const build = await rolldown({
      input: { [name]: join(root, first) },
      platform: "node",
      external: EXTERNAL,
      logLevel: "silent"
    })
    const { output } = await build.write({
      dir: folder,
      entryFileNames: "[name].js",
      chunkFileNames: "[name].js",
      sourcemap: true,
      sourcemapExcludeSources: true,
      // In one file modules run in the order of their imports, as they do from sources.
      codeSplitting: { groups: [{ name, test: (path) => !APART.test(path) }] }
    })
    await build.close()
    for (const module of output.flatMap(({ moduleIds = [] }) => moduleIds)) modules.add(module)
  }
  return [...modules]
}
