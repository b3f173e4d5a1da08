/**
 * Records which mutants the tests reach, and how often. Node loads this first in each process of a run: the workers
 * and the processes that tests start. In a worker, mutants count for the test file that is running; while modules load
 * they count for no file, because files share the modules.
 */
import { ChildProcess } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** How often each mutant was reached, by the name of its switch. */
export type Counts = Record<string, number>

/** The counts that a process writes when it exits: by test file, and outside of all files. */
export interface Reached {
  readonly perTest: Record<string, Counts>
  readonly static: Counts
}

declare global {
  /** Variables that Stryker's switches read and write. */
  var __stryker__:
    | { hitCount?: number; hitLimit?: number; mutantCoverage?: Reached; currentTestId?: string | undefined }
    | undefined
}

/** From now on, counts mutants for a test file, or for no file. */
export const follow = (test: string | undefined): void => {
  const switches = (globalThis.__stryker__ ??= {})
  switches.currentTestId = test
  if (test === undefined) delete process.env.MUTANTS_TEST
  else process.env.MUTANTS_TEST = test
}

const { MUTANTS_HITS: hits, MUTANTS_REACHED: folder, MUTANTS_TEST: test } = process.env

const begin = (): void => {
  const switches = (globalThis.__stryker__ ??= {})
  if (hits !== undefined) {
    // A mutant that makes a loop endless throws when it is reached far more often than without the mutant.
    switches.hitCount = 0
    switches.hitLimit = Number(hits)
  }
  if (folder === undefined) return
  if (test !== undefined) switches.currentTestId = test
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${process.pid}-${Math.round(performance.timeOrigin)}.json`)
  const write = (): void => {
    if (switches.mutantCoverage !== undefined) writeFileSync(file, JSON.stringify(switches.mutantCoverage))
  }
  process.on("exit", write)
  // Written regularly, because tests kill some of the processes that they start.
  if (test !== undefined) setInterval(write, 500).unref()
}

/** Variables that a process passes to its child processes, even if a test gives them an environment of their own. */
const PASSED = ["MUTANTS_HITS", "MUTANTS_REACHED", "MUTANTS_TEST", "__STRYKER_ACTIVE_MUTANT__"]

const passOn = (): void => {
  const spawn = Reflect.get(ChildProcess.prototype, "spawn")
  const options = `--import ${import.meta.url}`
  const spawnPassing = function (this: ChildProcess, given: { envPairs: Array<string> }) {
    const pairs = given.envPairs.filter((pair) => !PASSED.some((name) => pair.startsWith(`${name}=`)))
    for (const name of PASSED) if (process.env[name] !== undefined) pairs.push(`${name}=${process.env[name]}`)
    const own = pairs.findIndex((pair) => pair.startsWith("NODE_OPTIONS="))
    if (own === -1) pairs.push(`NODE_OPTIONS=${options}`)
    else if (!pairs[own]?.includes(options)) pairs[own] += ` ${options}`
    return Reflect.apply(spawn, this, [{ ...given, envPairs: pairs }])
  }
  Reflect.set(ChildProcess.prototype, "spawn", spawnPassing)
}

// Vitest loads this module a second time.
if (globalThis.__stryker__ === undefined) {
  begin()
  passOn()
}
