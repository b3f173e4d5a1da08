// Bundles what the tarball of @watchword/standalone has: the server, the operator's command, the notices of the
// software of others in them, and the documents as one text. Each program is one file beside its threads, and loads on
// demand what few starts need.
import { globSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { rolldown } from "rolldown"
import { joined } from "../examples/standalone/src/dev/documents.ts"
import { noticesOf } from "./notices.ts"
import { EXTERNAL } from "./published.mjs"

const root = join(import.meta.dirname, "..")
const folder = join(root, "examples/standalone/dist/bundle")

/** Loaded on demand: the driver of PostgreSQL and the page that documents the interface. */
const APART = /store-postgres|node_modules\/pg|httpApiSwagger/

/** The first module of each file, by the names of programs and files. */
const programs = {
  server: {
    server: "examples/standalone/src/server.ts",
    ...Object.fromEntries(
      globSync("adapters/store-sqlite/src/*Thread.ts", { cwd: root }).map((thread) => [basename(thread, ".ts"), thread])
    )
  },
  command: { command: "examples/standalone/src/cli/main.ts" }
}

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
      // Apart, because chunks of two programs may have the same name.
      dir: join(folder, program),
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
}
writeFileSync(join(folder, "THIRD_PARTY_NOTICES.txt"), await noticesOf([...modules]))
writeFileSync(join(root, "examples/standalone/llms.txt"), joined(root))
