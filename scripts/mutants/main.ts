/**
 * How many small faults the tests find. See README.md.
 */
import { parseArgs } from "node:util"
import { join } from "node:path"
import * as Copy from "./copy.ts"
import * as Judge from "./judge.ts"
import { type Mutant, draw, mutantsOf } from "./mutants.ts"
import { described, tableOf } from "./table.ts"

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

const text = { type: "string" } as const
const { values } = parseArgs({
  options: {
    seed: { ...text, default: "1" },
    count: { ...text, default: "300" },
    folder: { ...text, multiple: true },
    minutes: { ...text, default: "20" },
    only: text
  }
})
const [seed, count, minutes] = [Number(values.seed), Number(values.count), Number(values.minutes)]
const commands = (["test", "test:rest"] as const).filter((command) => (values.only ?? command) === command)
if (!Number.isInteger(seed) || !(count >= 1) || !(minutes > 0) || commands.length === 0) {
  console.error("npm run mutants -- [--count=300] [--seed=1] [--folder=FOLDER]… [--minutes=20] [--only=test|test:rest]")
  process.exit(2)
}

const folders = values.folder ?? FOLDERS
const copy = Copy.make(join(import.meta.dirname, "../.."), minutes * 60_000)
const { broken, judge } = Judge.make(copy, commands)
const judged: Array<readonly [Mutant, Judge.Verdict]> = []

/** Prints what there is by now, also of a run that is interrupted. */
const end = (code: number): void => {
  copy.remove()
  console.log(tableOf(folders, judged))
  for (const [mutant] of judged.filter(([, verdict]) => verdict === "nothing")) console.log(`- ${described(mutant)}`)
  for (const test of broken) console.log(`- Left out, because it fails without a mutant: \`${test}\``)
  process.exit(code)
}
process.once("SIGINT", () => end(130))

try {
  const all = (await Promise.all(folders.map((folder) => mutantsOf(copy.root, folder)))).flat()
  const drawn = draw(all, count, seed)
  console.error(`${drawn.length} of ${all.length} mutants, in ${copy.root}`)
  for (const mutant of drawn) {
    const verdict = await judge(mutant)
    judged.push([mutant, verdict])
    console.error(`${judged.length}. ${verdict}: ${described(mutant)}`)
  }
  end(0)
} catch (error) {
  console.error(error)
  end(1)
}
