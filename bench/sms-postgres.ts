/**
 * Text messages on a live key as in `sms`, stored in PostgreSQL 18 with `synchronous_commit = on`: the standalone
 * server, compared with the hand-written server on Fastify, pg and smpp, each of whose steps calls one function,
 * prepared on each of ten connections. Each has its own PostgreSQL server, which shares both cores with everything
 * else. With several accounts, steps need not wait for each other's balance.
 *
 * `npm run bench -- sms-postgres [--accounts=1] [--rounds=5] [--seconds=5] [--connections=50] [--no-request-ids]
 * [--json[=file]]`
 */
import { start } from "../test/PostgresServer.ts"
import { compare, connections, requestIds, rounds, seconds } from "./peers/messages.ts"
import { rivalLines, startRival, startWatchword } from "./peers/systems.ts"
import { figure, machineLine, numberOption, say, table, writeJson } from "./support/report.ts"

const accounts = numberOption("accounts", 1)
// Started before this process moves to a core of its own, to which its children would be bound, too.
const databases = [await start({ durable: true }), await start({ durable: true })] as const
try {
  const results = await compare([
    (surroundings) => startWatchword({ ...surroundings, accounts, postgres: databases[0] }),
    (surroundings) => startRival({ ...surroundings, accounts, postgres: databases[1] })
  ])
  say(
    `\n${machineLine()}; ${accounts} account${accounts === 1 ? "" : "s"}, ${connections} connections, medians of ${rounds} rounds of ${seconds} s\n`
  )
  say(
    table(
      ["", "requests/s", "drained/s", "CPU µs", "PostgreSQL µs", "p50 ms", "p99 ms", "load and carrier", "others"],
      results.map(({ cpu, databaseCpu, drained, load, name, others, p50, p99, requests }) => [
        name,
        figure(requests),
        figure(drained),
        figure(cpu),
        figure(databaseCpu),
        figure(p50),
        figure(p99),
        `${load.toFixed(0)} % CPU`,
        `${others.toFixed(0)} %`
      ])
    )
  )
  say(`\nThe server by hand has ${rivalLines("postgres.ts")} lines of code and this one endpoint.`)
  writeJson({
    bench: "sms-postgres",
    accounts,
    connections,
    seconds,
    requestIds,
    rivalLines: rivalLines("postgres.ts"),
    results
  })
} finally {
  for (const database of databases) await database.stop()
}
