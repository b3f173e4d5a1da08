/**
 * The bundled server, and whether it is still what the sources say. It is when every file that it was made of has the
 * size and the time that it had then.
 */
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

/** The folder that it is in. */
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
 * @param paths all that it was made of, relative to the workspace
 * @param startedAt when it was begun; what has changed since may not be in it
 */
export const remember = (paths, startedAt) => {
  if (paths.some((path) => statSync(join(root, path)).mtimeMs >= startedAt)) return
  writeFileSync(list, JSON.stringify(paths.map((path) => [path, look(path)])))
}

const look = (path) => {
  const { mtimeMs, size } = statSync(join(root, path))
  return `${mtimeMs} ${size}`
}
