/**
 * The bundles of the server and of the operator's command, and the lists of their inputs. A bundle is current while every
 * input has the size and modification time that it had when the bundle was made.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { enableCompileCache } from "node:module"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

/** What runs while a bundle is not current. */
const sources = { server: "./src/main.ts", command: "./src/cli.ts" }

/** The folder of a program's bundle. */
export const folderOf = (program) => join(import.meta.dirname, "dist/current", program)

/** Runs a program from its bundle, or from its sources where the bundle is not current. */
export const launch = async (program) => {
  if (!isCurrent(program)) return import(sources[program])
  const folder = folderOf(program)
  enableCompileCache(join(folder, "compiled"))
  const { mapStackTraces } = await import("./stackTraces.mjs")
  await import(join(folder, `${program}.js`))
  // Last, because Effect reads two stack traces while it is loaded.
  mapStackTraces(join(folder, `${program}.js`))
}

export const isCurrent = (program) => {
  try {
    return JSON.parse(readFileSync(listOf(program), "utf8")).every(([path, seen]) => look(path) === seen)
  } catch {
    return false
  }
}

/**
 * Writes the list of a bundle's inputs, unless one of them has changed while the bundle was made.
 *
 * @param paths the inputs, relative to the workspace
 * @param startedAt when bundling began
 */
export const remember = (program, paths, startedAt) => {
  if (paths.some((path) => statSync(join(root, path)).mtimeMs >= startedAt)) return
  writeFileSync(listOf(program), JSON.stringify(paths.map((path) => [path, look(path)])))
}

/** Makes a bundle count as not current. */
export const forget = (program) => rmSync(listOf(program), { force: true })

const listOf = (program) => join(folderOf(program), "inputs.json")

const look = (path) => {
  const { mtimeMs, size } = statSync(join(root, path))
  return `${mtimeMs} ${size}`
}
