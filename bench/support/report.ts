/**
 * The output of a benchmark: a table and bars for people, JSON for programs, and always a description of the machine.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { canPin } from "./processes.ts"

/** The machine, the versions and the date, on which every figure depends. */
const machine = () => ({
  cpu: cpus()[0]?.model.trim() ?? "unknown",
  cores: cpus().length,
  pinned: canPin,
  node: process.version,
  date: new Date().toISOString().slice(0, 10)
})

export const machineLine = (): string => {
  const { cores, cpu, date, node, pinned } = machine()
  return `${cpu}, ${cores} cores${pinned ? "" : ", not pinned"}, Node ${node.slice(1)}, ${date}`
}

export const sorted = (values: ReadonlyArray<number>): Array<number> => values.toSorted((a, b) => a - b)

export const quantile = (values: ReadonlyArray<number>, q: number): number => {
  const ordered = sorted(values)
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * q))] ?? Number.NaN
}

export const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)

/** The median of each field over rounds. */
export const medians = <K extends string>(rounds: ReadonlyArray<Readonly<Record<K, number>>>): Record<K, number> => {
  const names = Object.keys(rounds[0] ?? {})
  const isName = (name: string): name is K => names.includes(name)
  const result: Partial<Record<K, number>> = {}
  for (const name of names.filter(isName)) result[name] = median(rounds.map((round) => round[name]))
  return Object.assign(result as Record<K, number>)
}

/** Three significant digits, with a separator for thousands. */
export const figure = (value: number): string => {
  if (!Number.isFinite(value)) return "–"
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en")
  return String(Number(value.toPrecision(3)))
}

/** Columns under their headings; the first is aligned left, the others right. */
export const table = (headings: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0))
  )
  const line = (cells: ReadonlyArray<string>): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd()
  return [headings, ...rows].map(line).join("\n")
}

const BAR = 40

/** A bar for each name, scaled to the largest value. */
export const bars = (entries: ReadonlyArray<{ readonly name: string; readonly value: number }>): string => {
  const most = Math.max(...entries.map(({ value }) => value))
  const width = Math.max(...entries.map(({ name }) => name.length))
  return entries
    .map(({ name, value }) => {
      const bar = "█".repeat(Math.max(1, Math.round((value / most) * BAR)))
      return `${name.padEnd(width)}  ${bar} ${figure(value)}`
    })
    .join("\n")
}

/** Prints progress; with `--json` without a file, standard output is reserved for the result. */
export const say = (text: string): void => {
  if (jsonTo === "stdout") console.error(text)
  else console.log(text)
}

/** Writes the result to the place that `--json` or `--json=file` names. */
export const writeJson = (result: object): void => {
  if (jsonTo === null) return
  const text = JSON.stringify({ machine: machine(), ...result }, null, 2)
  if (jsonTo === "stdout") console.log(text)
  else writeFileSync(jsonTo, `${text}\n`)
}

/** The value after `--name=`; null if the option was not given, empty if it was given without a value. */
export const textOption = (name: string): string | null => {
  const given = process.argv.find((argument) => argument === `--${name}` || argument.startsWith(`--${name}=`))
  return given === undefined ? null : given.slice(name.length + 3)
}

/** A switch such as `--quick`. */
export const flag = (name: string): boolean => textOption(name) !== null

/** A number such as `--rows=1000000`, or `--rows 1e6`. */
export const numberOption = (name: string, otherwise: number): number => {
  const text = textOption(name)
  if (text === null) return otherwise
  const value = Number(text === "" ? process.argv[process.argv.indexOf(`--${name}`) + 1] : text)
  if (!Number.isFinite(value) || value <= 0) throw new Error(`--${name} must be a positive number.`)
  return value
}

const jsonTo = ((): string | null => {
  const text = textOption("json")
  return text === null ? null : text === "" ? "stdout" : text
})()

// The comment at the top of a benchmark describes it and its options.
if (flag("help")) {
  const [comment = ""] = /\/\*\*[^]*?\*\//.exec(readFileSync(process.argv[1] ?? "", "utf8")) ?? []
  console.log(comment.replaceAll(/^ ?\*?\/?\*{0,2}\/? ?/gm, "").trim())
  process.exit()
}
