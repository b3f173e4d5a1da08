/**
 * Hostile inputs, made by generators, for everything that reads what others send. See test/README.md.
 */
import { parseArgs } from "node:util"
import type { Fault, Result } from "./Kind.ts"
import { kinds } from "./kinds.ts"

const text = { type: "string" } as const
const { values } = parseArgs({
  options: { count: { ...text, default: "100000" }, seed: { ...text, default: "1" }, only: text }
})
const [count, seed] = [Number(values.count), Number(values.seed)]
const only = values.only?.split(",") ?? kinds.map(({ name }) => name)
const chosen = kinds.filter(({ name }) => only.includes(name))
if (!(count >= 1) || !Number.isInteger(seed) || chosen.length < only.length) {
  console.error("npm run hostile -- [--count=100000] [--seed=1] [--only=kind,…]")
  console.error(`The kinds are ${kinds.map(({ name }) => name).join(", ")}.`)
  process.exit(2)
}

/** A result, with a fault where the memory has grown by half and more than it may by chance. */
const withMemory = (kind: string, result: Result): Result => {
  const [before, after] = result.memory ?? [0, 0]
  if (after <= before * 1.5 || after - before < 128) return result
  const what = `the memory grew from ${before.toFixed(0)} to ${after.toFixed(0)} MB`
  return { ...result, faults: [...result.faults, { kind, what, input: `${result.inputs} inputs of seed ${seed}` }] }
}

const shares = chosen.reduce((sum, { share }) => sum + share, 0)
const rows: Record<string, object> = {}
const faults: Array<Fault> = []
const startedAt = Date.now()
let inputs = 0

for (const { name, run, share } of chosen) {
  const begunAt = Date.now()
  const result = withMemory(name, await run(Math.max(1, Math.round((count * share) / shares)), seed))
  const [before, after] = result.memory ?? []
  inputs += result.inputs
  faults.push(...result.faults)
  const seconds = (Date.now() - begunAt) / 1000
  rows[name] = {
    inputs: result.inputs,
    faults: result.faults.length,
    seconds: seconds.toFixed(1),
    "a second": Math.round(result.inputs / seconds),
    "MB before": before?.toFixed(0) ?? "-",
    "MB after": after?.toFixed(0) ?? "-"
  }
  console.log(`${name}: ${result.inputs} inputs, ${result.faults.length} faults, ${seconds.toFixed(1)} s`)
  for (const { input, kind, what } of result.faults) console.log(`  FAULT of ${kind}: ${what}\n    by ${input}`)
}
console.table(rows)
console.log(
  `${inputs} inputs with seed ${seed}: ${faults.length} faults in ${((Date.now() - startedAt) / 1000).toFixed(0)} s`
)
process.exitCode = faults.length === 0 ? 0 : 1
