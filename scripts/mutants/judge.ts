/**
 * Whether tests catch a mutant.
 */
import type { Runner } from "./copy.ts"
import type { Mutant } from "./mutants.ts"
import type { Related } from "./related.ts"
import type { Ran } from "./runner.ts"

/** How many test files are tried first, with all mutants. */
const NEAR = 12

export interface Tried {
  /** What caught it: a test file, or what became of the run. */
  readonly by: string | undefined
  /** How many test files reach it. */
  readonly related: number
  /** Whether all of these have been tried, or one has caught it. */
  readonly isDecided: boolean
}

export type Part = "near" | "far"

export const make =
  (related: Related) =>
  async (runner: Runner, mutant: Mutant, id: string, part: Part): Promise<Tried> => {
    const all = related.of(mutant, id)
    const files = part === "near" ? all.slice(0, NEAR) : all.slice(NEAR)
    const isDecided = part === "far" || all.length <= NEAR
    const tried = (by: string | undefined): Tried => ({
      by,
      related: all.length,
      isDecided: isDecided || by !== undefined
    })
    if (files.length === 0) return tried(undefined)

    const took = files.reduce((sum, file) => sum + file.took, 0)
    const longest = Math.max(...files.map((file) => file.longest))
    const on = { __STRYKER_ACTIVE_MUTANT__: id, MUTANTS_HITS: String(related.hits(id) * 100 + 10_000) }
    const run = (files: ReadonlyArray<Ran>) =>
      runner.run(
        { files: files.map(({ file, project }) => ({ file, project })), env: on, timeout: 20_000 + 5 * longest },
        120_000 + 5 * took
      )
    const own = mutant.file.split("/").slice(0, 2).join("/") + "/"
    const attempt = async (files: ReadonlyArray<Ran>): Promise<string | undefined> => {
      const result = await run(files)
      if (result === "late") return "it does not end"
      const failed = result.ran.filter(({ state }) => state === "failed").map(({ file }) => file)
      const [first] = failed
      if (first === undefined) return result.errors[0]
      // A test of another package, which is longer, may fail by chance.
      if (failed.some((file) => file.startsWith(own)) || files.length === 1) return first
      return (
        (await attempt(files.filter(({ file }) => file === first))) ??
        (await attempt(files.filter(({ file }) => file !== first)))
      )
    }
    return tried(await attempt(files))
  }
