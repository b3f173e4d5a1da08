/**
 * Rounds of load and faults on real servers, and what breaks a rule. See test/README.md.
 */
import { type Arguments, USAGE, read } from "./Arguments.ts"
import { type Outcome, type Round, runBatch } from "./Batch.ts"
import { randomOf } from "./seeds.ts"
import { printTable } from "./Table.ts"

/** The rounds in batches. Each kind comes once before one comes again, in an order of the seed. */
const batchesOf = ({ batch, from, kinds, rounds, seed }: Arguments): ReadonlyArray<ReadonlyArray<Round>> => {
  const order = kinds
    .map((kind) => [randomOf(seed, kind).below(1e9), kind] as const)
    .sort(([one], [other]) => one - other)
  const all = Array.from({ length: rounds }, (_, nth) => ({
    nth: nth + 1,
    kind: order[nth % order.length]?.[1] ?? "calm"
  })).slice(from - 1)
  return Array.from({ length: Math.ceil(all.length / batch) }, (_, nth) => all.slice(nth * batch, (nth + 1) * batch))
}

const run = async (args: Arguments): Promise<number> => {
  const startedAt = Date.now()
  const outcomes: Array<Outcome> = []
  const batches = batchesOf(args)
  const left = [...batches]
  const say = (line: string): void => console.log(line)
  const work = async (): Promise<void> => {
    for (let rounds = left.shift(); rounds !== undefined; rounds = left.shift()) {
      const begunAt = Date.now()
      const outcome = await runBatch({ ...args, rounds, say })
      outcomes.push(outcome)
      const seconds = ((Date.now() - begunAt) / 1000).toFixed(0)
      say(
        `Rounds ${rounds[0]?.nth} to ${rounds.at(-1)?.nth}: ${outcome.asked} requests, ${outcome.asked - outcome.answered} ` +
          `unanswered, ${outcome.arrived} messages, ${outcome.records} records, ${outcome.events} webhooks, ` +
          `${outcome.found.length} violations; ${seconds} s`
      )
    }
  }
  await Promise.all(Array.from({ length: args.parallel }, work))
  const found = outcomes.flatMap((outcome) => outcome.found)
  printTable(
    batches.flat(),
    found,
    outcomes.flatMap((outcome) => outcome.pauses)
  )
  console.log(
    `${batches.flat().length} rounds with seed ${args.seed} on ${args.database}, ${args.servers} server(s): ` +
      `${found.length} violations in ${((Date.now() - startedAt) / 1000).toFixed(0)} s`
  )
  for (const { number, round, rule, what } of found)
    console.log(`seed ${args.seed}, round ${round.nth}, ${round.kind}, ${rule}, ${number ?? "-"}: ${what}`)
  return found.length === 0 ? 0 : 1
}

try {
  process.exitCode = await run(read(process.argv.slice(2)))
} catch (error) {
  console.error(error instanceof Error ? (error.stack ?? error.message) : error)
  console.error(USAGE)
  // An installation that could not be made has servers that run.
  process.exit(2)
}
