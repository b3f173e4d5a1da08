/**
 * Which of a command's test files can catch a mutant: the files that reach it.
 */
import { globSync, readFileSync, rmSync } from "node:fs"
import { join, relative } from "node:path"
import type { Copy } from "./copy.ts"
import type { Mutant } from "./mutants.ts"
import type { Counts, Reached } from "./reached.ts"
import type { Ran } from "./runner.ts"

export interface Related {
  /** The test files that reach a mutant, starting with the files that are likely to catch it soon. */
  readonly of: (mutant: Mutant, id: string) => ReadonlyArray<Ran>
  /** Milliseconds that these files take. */
  readonly took: (mutant: Mutant, id: string) => number
  /** How often all tests together reach it. */
  readonly hits: (id: string) => number
  /** The test files that fail even without a mutant. */
  readonly broken: ReadonlyArray<Ran>
}

/** Runs all of a command's tests without a mutant. */
export const learn = async (copy: Copy, projects: ReadonlyArray<string>): Promise<Related> => {
  const folder = join(copy.root, "build/reached")
  const runner = copy.runner({ projects, workers: 2, bail: false }, { MUTANTS_REACHED: folder })
  const result = await runner.run({ files: [], env: {}, timeout: 240_000 }, 60 * 60_000)
  if (result === "late") throw new Error(`The tests of ${projects.join(", ")} do not end.`)
  const sound = result.ran.filter(({ state }) => state === "passed")
  if (sound.length === 0) throw new Error(`No test of ${projects.join(", ")} passes: ${result.ran[0]?.why}`)
  // Workers write their counts when they exit.
  await runner.close()

  const loaded: Counts = {}
  const perTest = new Map<string, Counts>()
  for (const name of globSync("*.json", { cwd: folder })) {
    const reached: Reached = JSON.parse(readFileSync(join(folder, name), "utf8"))
    add(loaded, reached.static)
    for (const [test, counts] of Object.entries(reached.perTest)) {
      const file = relative(copy.root, test)
      perTest.set(file, add(perTest.get(file) ?? {}, counts))
    }
  }
  rmSync(folder, { recursive: true, force: true })

  const of: Related["of"] = (mutant, id) => {
    const own = mutant.file.split("/").slice(0, 2).join("/") + "/"
    const cost = ({ file, imports, took }: Ran): number => {
      const distance = imports.indexOf(mutant.file)
      return (distance === -1 ? 2000 : distance + 10) * (took + 300) * (file.startsWith(own) ? 1 : 10)
    }
    return sound
      .filter(
        ({ file, imports }) =>
          (perTest.get(file)?.[id] ?? 0) > 0 || ((loaded[id] ?? 0) > 0 && imports.includes(mutant.file))
      )
      .map((ran) => ({ ran, cost: cost(ran) }))
      .sort((one, other) => one.cost - other.cost)
      .map(({ ran }) => ran)
  }
  const hits: Related["hits"] = (id) =>
    [loaded, ...perTest.values()].reduce((sum, counts) => sum + (counts[id] ?? 0), 0)
  const took: Related["took"] = (mutant, id) => of(mutant, id).reduce((sum, { took }) => sum + took, 0)
  return { of, took, hits, broken: result.ran.filter((ran) => !sound.includes(ran)) }
}

const add = (sum: Counts, counts: Counts): Counts => {
  for (const [id, count] of Object.entries(counts)) sum[id] = (sum[id] ?? 0) + count
  return sum
}
