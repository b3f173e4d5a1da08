/**
 * Runs the tests that import a file, until one fails: those of the file's own package first, which mostly fail first.
 * It is a process of its own in the copy, because a mutant may never return.
 */
import { join, relative, sep } from "node:path"
import { createVitest } from "vitest/node"

export interface Asked {
  /** Relative to the root, as are all files here. */
  readonly file: string
  /** Of vitest.config.ts. */
  readonly projects: ReadonlyArray<string>
  /** Only these test files, if there are any. */
  readonly only: ReadonlyArray<string>
  /** Not these test files. */
  readonly without: ReadonlyArray<string>
}

export interface Result {
  /** How many test files there were to run. */
  readonly ran: number
  /** The test files that failed. */
  readonly failed: ReadonlyArray<string>
  /** The errors outside of tests. */
  readonly errors: number
}

const run = async ({ file, only, projects, without }: Asked): Promise<Result> => {
  const root = process.cwd()
  const vitest = await createVitest("test", {
    watch: false,
    related: [file],
    project: [...projects],
    bail: 1,
    passWithNoTests: true,
    reporters: [{}]
  })
  try {
    const own = join(root, ...file.split(sep).slice(0, 2)) + sep
    const tests = (await vitest.getRelevantTestSpecifications()).filter(({ moduleId }) => {
      const test = relative(root, moduleId)
      return !without.includes(test) && (only.length === 0 || only.includes(test))
    })
    for (const isOwn of [true, false]) {
      const part = tests.filter(({ moduleId }) => moduleId.startsWith(own) === isOwn)
      if (part.length === 0) continue
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications(part)
      const failed = testModules
        .filter((module) => module.state() === "failed")
        .map(({ moduleId }) => relative(root, moduleId))
      if (failed.length + unhandledErrors.length > 0) {
        return { ran: tests.length, failed, errors: unhandledErrors.length }
      }
    }
    return { ran: tests.length, failed: [], errors: 0 }
  } finally {
    await vitest.close()
  }
}

if (import.meta.main) {
  const result = await run(JSON.parse(process.argv[2] ?? "{}"))
  process.send?.(result, undefined, undefined, () => process.exit())
}
