/**
 * The bundle of the server and its list of inputs. The bundle is current while every input has the size and modification
 * time that it had when the bundle was made.
 */
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

/** The bundle's folder. */
export const bundle = join(import.meta.dirname, "node_modules/.cache/bundle")

const list = join(bundle, "inputs.json")

export const isCurrent = () => {
  try {
    return JSON.parse(readFileSync(list, "utf8")).every(([path, seen]) => look(path) === seen)
  } catch {
    return false
  }
}

/**
 * Writes the list of inputs, unless one of them has changed while the bundle was made.
 *
 * @param paths the inputs, relative to the workspace
 * @param startedAt when bundling began
 */
export const remember = (paths, startedAt) => {
  if (paths.some((path) => statSync(join(root, path)).mtimeMs >= startedAt)) return
  writeFileSync(list, JSON.stringify(paths.map((path) => [path, look(path)])))
}

const look = (path) => {
  const { mtimeMs, size } = statSync(join(root, path))
  return `${mtimeMs} ${size}`
}
