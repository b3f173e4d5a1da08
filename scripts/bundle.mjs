// Bundles the programs of @watchword/standalone: the server and the operator's command. Each is one file next to its
// worker threads, and loads on demand what few starts need. `node scripts/bundle.mjs FOLDER` writes them to a folder.
import { globSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { rolldown } from "rolldown"
import { EXTERNAL } from "./published.mjs"

const root = join(import.meta.dirname, "..")

/** The entry module of each file, by program and file name. */
const programs = {
  server: {
    server: "packages/standalone/src/server.ts",
    ...Object.fromEntries(
      globSync("adapters/store-sqlite/src/*Thread.ts", { cwd: root }).map((thread) => [basename(thread, ".ts"), thread])
    )
  },
  command: { command: "packages/standalone/src/cli/main.ts" }
}

/** Writes each program to a subfolder with its name, and resolves to the bundled modules. */
export const bundle = async (folder) => {
  rmSync(folder, { recursive: true, force: true })
  const modules = new Set()
  for (const [program, files] of Object.entries(programs)) {
    for (const [name, first] of Object.entries(files)) {
      const build = await rolldown({
        input: { [name]: join(root, first) },
        platform: "node",
        external: EXTERNAL,
        logLevel: "silent"
      })
      const { output } = await build.write({
        // In separate folders, because chunks of two programs may have the same name.
        dir: join(folder, program),
        entryFileNames: "[name].js",
        chunkFileNames: `${name}.[name].js`,
        sourcemap: true,
        sourcemapExcludeSources: true,
        // Within one file, modules run in the order of their imports, as they do from sources.
        codeSplitting: { groups: [{ name: atStart(name, join(root, first)) }] }
      })
      await build.close()
      for (const module of output.flatMap(({ moduleIds = [] }) => moduleIds)) modules.add(module)
    }
  }
  return [...modules]
}

/**
 * Assigns a program's modules to chunks: the modules that every start needs go into its first file, and the modules
 * loaded on demand into others, such as the PostgreSQL driver, a development server and the interface documentation.
 */
const atStart = (name, first) => {
  let modules
  return (module, graph) => {
    modules ??= reached(first, graph)
    return modules.has(module) ? name : null
  }
}

const reached = (first, graph) => {
  const modules = new Set([first])
  // Iterating over a set includes the elements added meanwhile.
  for (const module of modules) for (const id of graph.getModuleInfo(module)?.importedIds ?? []) modules.add(id)
  return modules
}

if (import.meta.main) await bundle(process.argv[2])
