/**
 * The time of genuine requests while one party holds all it can get of a shared resource, compared with an idle server:
 * the cases of `test/strangers`, against the standalone server on SQLite. Genuine requests come one at a time, each on
 * a connection of its own. Server and strangers share all cores.
 *
 * `npm run bench -- strangers [--times=200] [--json[=file]]`
 */
import { cases } from "../test/strangers/cases.ts"
import { type Question, type World, open } from "../test/strangers/World.ts"
import { figure, machineLine, numberOption, quantile, say, table, writeJson } from "./support/report.ts"

const times = numberOption("times", 200)

/** The milliseconds of each question, and how many were answered with a status other than 200. */
const ask = async (world: World, questions: ReadonlyArray<Question>) => {
  const taken: Array<number> = []
  let refused = 0
  for (let time = 0; time < times; time++) {
    for (const question of questions) {
      const began = performance.now()
      if ((await question(world)) !== 200) refused++
      taken.push(performance.now() - began)
    }
  }
  return { p50: quantile(taken, 0.5), p99: quantile(taken, 0.99), refused }
}

const results: Array<object> = []
const rows: Array<ReadonlyArray<string>> = []
for (const { hold, name, questions } of cases) {
  say(`${name} …`)
  const world = await open()
  await ask(world, questions)
  const idle = await ask(world, questions)
  const held = await hold(world)
  const beside = await ask(world, questions)
  await held.release()
  await world.close()
  const ratio = beside.p99 / idle.p99
  results.push({ name, idle, beside, ratio })
  rows.push([name, ...[idle.p50, idle.p99, beside.p50, beside.p99, ratio].map(figure), String(beside.refused)])
}

say(`\n${table(["held", "idle p50 ms", "p99 ms", "held p50 ms", "p99 ms", "ratio of p99", "not 200"], rows)}\n`)
say(machineLine())
writeJson({ times, results })
process.exit()
