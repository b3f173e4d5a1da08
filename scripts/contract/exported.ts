/**
 * Export lists in an index, updated from the modules that they name.
 */

/** A module's exports: classes by name, types with the word `type` before the name. */
export const exportedBy = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(/^export (interface|type|class) (\w+)/gm)].map(([, kind, name = ""]) =>
    kind === "class" ? name : `type ${name}`
  )

/**
 * An index with its exports from a module replaced by these names.
 *
 * @param kept whether a name stays even if the list lacks it
 */
export const listing = (
  index: string,
  from: string,
  names: ReadonlyArray<string>,
  kept: (name: string) => boolean = () => false
): string => {
  const statement = new RegExp(`^export (type )?\\{([^}]*)\\} from "${from.replaceAll(".", "\\.")}"$`, "m")
  const [whole, isType, list = ""] = statement.exec(index) ?? []
  if (whole === undefined) throw new Error(`an index has no names of ${from}`)
  const before = list.split(",").flatMap((name) => name.trim() || [])
  const all = [...new Set([...before.filter(kept), ...names])].sort((a, b) => (bare(a) < bare(b) ? -1 : 1))
  const onlyTypes = isType !== undefined || all.every((name) => name.startsWith("type "))
  const written = onlyTypes ? `type { ${all.map(bare).join(", ")} }` : `{ ${all.join(", ")} }`
  return index.replace(whole, () => `export ${written} from "${from}"`)
}

const bare = (name: string): string => name.replace(/^type /, "")
