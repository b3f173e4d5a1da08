/**
 * The mutants of source files according to Stryker's operators, and a random sample of them from a seed.
 */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Instrumenter } from "@stryker-mutator/instrumenter"

export interface Mutant {
  /** The folder whose row in the table counts it. */
  readonly folder: string
  /** Relative to the root of the repository. */
  readonly file: string
  readonly operator: string
  /** The line, counted from 1. */
  readonly line: number
  readonly original: string
  readonly replacement: string
  /** Lines and columns are counted from 0. */
  readonly location: Location
}

interface Position {
  readonly line: number
  readonly column: number
}

interface Location {
  readonly start: Position
  readonly end: Position
}

const off = () => false
const ignore = () => {}
const logger = {
  isTraceEnabled: off,
  isDebugEnabled: off,
  isInfoEnabled: off,
  isWarnEnabled: off,
  isErrorEnabled: off,
  isFatalEnabled: off,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore
}

/** All mutants in the sources of a folder, ordered by file and position. */
export const mutantsOf = async (root: string, folder: string): Promise<ReadonlyArray<Mutant>> => {
  const files = globSync("**/*.ts", { cwd: join(root, folder) })
    .filter((file) => !file.endsWith(".d.ts") && !file.includes("conformance"))
    .sort()
  const found: Array<Mutant> = []
  for (const name of files) {
    const file = join(folder, name)
    const content = readFileSync(join(root, file), "utf8")
    const { mutants } = await instrumented([{ name: file, content, mutate: true }])
    const starts = startsOf(content)
    const offset = ({ column, line }: Position): number => (starts[line] ?? 0) + column
    for (const { location, mutatorName, replacement } of mutants) {
      found.push({
        folder,
        file,
        operator: mutatorName,
        line: location.start.line + 1,
        original: content.slice(offset(location.start), offset(location.end)),
        replacement,
        location
      })
    }
  }
  return found
}

/** The mutants of files, and the files with all of these mutants behind switches. */
export const instrumented = (files: Parameters<Instrumenter["instrument"]>[0]) =>
  new Instrumenter(logger).instrument(files, { plugins: null, ignorers: [], excludedMutations: [] })

/** The offset of each line. */
const startsOf = (content: string): ReadonlyArray<number> => [
  0,
  ...[...content.matchAll(/\n/g)].map(({ index }) => index + 1)
]

/** Draws `count` of them without repetition: the same ones for the same seed and the same sources. */
export const draw = <A>(all: ReadonlyArray<A>, count: number, seed: number): ReadonlyArray<A> => {
  const next = randomOf(seed)
  const left = [...all]
  return Array.from({ length: Math.min(count, all.length) }, () =>
    left.splice(Math.floor(next() * left.length), 1)
  ).flat()
}

/** Mulberry32: numbers from 0 up to but not including 1. */
const randomOf = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
