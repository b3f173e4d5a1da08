/**
 * How many small faults the tests find. See README.md.
 */
import { appendFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Copy from "./copy.ts"
import * as Judge from "./judge.ts"
import { type Mutant, draw, mutantsOf } from "./mutants.ts"
import * as Related from "./related.ts"
import { compile } from "./switches.ts"
import { type Command, type Verdict, described, tableOf } from "./table.ts"

const FOLDERS = [
  "packages/store/src/step",
  "packages/send/src",
  "packages/verify/src/internal/plan",
  "packages/ledger/src",
  "packages/auth/src",
  "packages/guards/src",
  "packages/sms/src/internal/smpp",
  "packages/call/src/internal/sip",
  "packages/server/src"
]

/** How many runs there are at the same time. */
const WORKERS = 2

const text = { type: "string" } as const
const { values } = parseArgs({
  options: {
    seed: { ...text, default: "1" },
    count: { ...text, default: "300" },
    folder: { ...text, multiple: true },
    results: text,
    only: text
  }
})
const [seed, count] = [Number(values.seed), Number(values.count)]
const commands = (["test", "test:rest"] as const).filter((command) => (values.only ?? command) === command)
if (!Number.isInteger(seed) || !(count >= 1) || commands.length === 0) {
  console.error(
    "npm run mutants -- [--count=300] [--seed=1] [--folder=FOLDER]… [--only=test|test:rest] [--results=FILE]"
  )
  process.exit(2)
}

const folders = values.folder ?? FOLDERS
const copy = Copy.make(join(import.meta.dirname, "../.."))
const judged = new Map<Mutant, Verdict>()
/** Mutants that have passed the tests tried so far, with other tests still to be tried. */
const undecided = new Set<Mutant>()
const broken: Array<string> = []

/** Prints the results so far, even if the run is interrupted. */
const end = (code: number): void => {
  copy.remove()
  console.log(tableOf(folders, [...judged]))
  if (undecided.size > 0) console.log(`${undecided.size} more are undecided: the tests that were tried have passed.\n`)
  for (const [mutant, verdict] of judged) if (verdict === "nothing") console.log(`- ${described(mutant)}`)
  for (const test of broken) console.log(`- Left out, because it fails without a mutant: \`${test}\``)
  process.exit(code)
}
process.once("SIGINT", () => end(130))

const note = (mutant: Mutant, command: Command, part: Judge.Part, { by, related }: Judge.Tried): void => {
  const caught = by === undefined ? "passes" : "fails"
  const line = `${command} ${part} ${caught}: ${described(mutant)} (${related} files reach it) ${by ?? ""}`
  console.error(line)
  if (values.results !== undefined) {
    appendFileSync(values.results, JSON.stringify({ ...mutant, command, part, caught, by, related }) + "\n")
  }
}

const judgeBy = async (command: Command, projects: ReadonlyArray<string>, mutants: ReadonlyMap<Mutant, string>) => {
  const related = await Related.learn(copy, projects)
  for (const { file, why } of related.broken) {
    broken.push(file)
    console.error(`fails without a mutant: ${file}: ${why}`)
  }
  const judge = Judge.make(related)
  const runners = Array.from({ length: WORKERS }, () => copy.runner({ projects, workers: 1, bail: true }))
  for (const part of ["near", "far"] as const) {
    const waiting = [...mutants].filter(([mutant]) =>
      part === "near" ? (judged.get(mutant) ?? "nothing") === "nothing" : undecided.has(mutant)
    )
    // The quickest first, so that an interrupted run has decided as many as it can.
    if (part === "far")
      waiting.sort(([one, id], [other, otherId]) => related.took(one, id) - related.took(other, otherId))
    await Promise.all(
      runners.map(async (runner) => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const [mutant, id] = next
          const tried = await judge(runner, mutant, id, part)
          note(mutant, command, part, tried)
          if (tried.isDecided) undecided.delete(mutant)
          else undecided.add(mutant)
          if (tried.by !== undefined) judged.set(mutant, command)
          else if (tried.isDecided) judged.set(mutant, "nothing")
        }
      })
    )
  }
  await Promise.all(runners.map(({ close }) => close()))
}

try {
  const all = (await Promise.all(folders.map((folder) => mutantsOf(copy.root, folder)))).flat()
  const drawn = draw(all, count, seed)
  const ids = await compile(copy.root, drawn)
  console.error(`${drawn.length} of ${all.length} mutants, in ${copy.root}`)
  const mutants = new Map(drawn.map((mutant, index) => [mutant, ids[index] ?? ""]))
  const { scripts } = JSON.parse(readFileSync(join(copy.root, "package.json"), "utf8"))
  for (const command of commands) {
    const projects = [...String(scripts[command]).matchAll(/--project (\S+)/g)].map(([, project]) => project ?? "")
    await judgeBy(command, projects, mutants)
  }
  end(0)
} catch (error) {
  console.error(error)
  end(1)
}
