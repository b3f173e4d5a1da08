/**
 * Compiles mutants into the sources of a copy, each behind a switch: `__STRYKER_ACTIVE_MUTANT__` in the environment
 * names the active mutant, so one start of the test runner can try many.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Mutant, instrumented } from "./mutants.ts"

/** Returns the name of each mutant's switch, in the order of the mutants. */
export const compile = async (root: string, mutants: ReadonlyArray<Mutant>): Promise<ReadonlyArray<string>> => {
  const files = [...new Set(mutants.map(({ file }) => file))].map((name) => ({
    name,
    content: readFileSync(join(root, name), "utf8"),
    mutate: mutants.filter(({ file }) => file === name).map(({ location }) => location)
  }))
  const { files: compiled, mutants: placed } = await instrumented(files)
  for (const { content, name } of compiled) writeFileSync(join(root, name), content)
  const ids = new Map(placed.map((mutant) => [keyOf({ ...mutant, file: mutant.fileName }), mutant.id]))
  return mutants.map((mutant) => {
    const id = ids.get(keyOf({ ...mutant, mutatorName: mutant.operator }))
    if (id === undefined) throw new Error(`No switch for ${mutant.file}:${mutant.line}`)
    return id
  })
}

const keyOf = (mutant: {
  readonly file: string
  readonly mutatorName: string
  readonly replacement: string
  readonly location: Mutant["location"]
}): string => JSON.stringify([mutant.file, mutant.mutatorName, mutant.replacement, mutant.location])
