/**
 * Which of the two commands catches a mutant.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Copy } from "./copy.ts"
import type { Mutant } from "./mutants.ts"
import type { Asked } from "./related.ts"

export type Command = "test" | "test:rest"
export type Verdict = Command | "nothing"

export interface Judge {
  readonly judge: (mutant: Mutant) => Promise<Verdict>
  /** The test files that fail without a mutant. */
  readonly broken: ReadonlySet<string>
}

export const make = (copy: Copy, commands: ReadonlyArray<Command>): Judge => {
  const { scripts } = JSON.parse(readFileSync(join(copy.root, "package.json"), "utf8"))
  const projectsOf = (command: Command): ReadonlyArray<string> =>
    [...String(scripts[command]).matchAll(/--project (\S+)/g)].map(([, project]) => project ?? "")

  const sound = new Set<string>()
  const broken = new Set<string>()

  const isCaught = async (mutant: Mutant, projects: ReadonlyArray<string>): Promise<boolean> => {
    const asked: Asked = { file: mutant.file, projects, only: [], without: [...broken] }
    const result = await copy.with(mutant.file, mutant.mutated, () => copy.run(asked))
    if (result === "late") return true
    if (result.failed.length + result.errors === 0) return false
    if (result.failed.some((test) => sound.has(test))) return true

    const again = await copy.run({ ...asked, only: result.failed })
    const failing = again === "late" ? result.failed : again.failed
    for (const test of result.failed) (failing.includes(test) ? broken : sound).add(test)
    if (result.failed.some((test) => sound.has(test))) return true
    if (result.failed.length > 0) return isCaught(mutant, projects)
    // It ended without a test file that failed, as one does that cannot start.
    if (again === "late" || again.errors > 0)
      throw new Error(`The tests of ${mutant.file} do not run without a mutant.`)
    return true
  }

  const judge: Judge["judge"] = async (mutant) => {
    for (const command of commands) if (await isCaught(mutant, projectsOf(command))) return command
    return "nothing"
  }
  return { judge, broken }
}
