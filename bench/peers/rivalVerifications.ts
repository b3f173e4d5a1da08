/**
 * Verifications by SMS of the standalone server and of the hand-written one (bench/rivals/verify), from start to
 * approved, with receipts and an endpoint that receives every event; and bare sends of both, whose hand-written server
 * is bench/rivals/sms. All take turns in one run.
 *
 * On PostgreSQL the hand-written server runs twice: with requests that share transactions, and with a transaction
 * for each. Its sends have a transaction each.
 */
import { once } from "node:events"
import { join } from "node:path"
import { type PostgresServer, start } from "../../test/PostgresServer.ts"
import { LOAD_CORE, end, forkOn } from "../support/processes.ts"
import { figure, machineLine, say, table, textOption, writeJson } from "../support/report.ts"
import { compare, connections, rounds, seconds } from "./messages.ts"
import { type Surroundings, type System, startRival, startWatchword } from "./systems.ts"
import { startRivalVerifier, startVerifier } from "./verifiers.ts"

/** The most that a hand-written verification may cost of its own bare sends; above it the comparison is unfair. */
const MOST = 2.4

type Starter = (surroundings: Surroundings) => Promise<System>

type Result = Awaited<ReturnType<typeof compare>>[number]

const report = (results: ReadonlyArray<Result>, database: string): void => {
  const [ownSend, own, send, ...rivals] = results
  if (ownSend === undefined || own === undefined || send === undefined) throw new Error("a server was not measured")
  say(`\n${machineLine()}; ${database}, ${connections} connections, medians of ${rounds} rounds of ${seconds} s\n`)
  say(
    table(
      ["", "a second", "CPU µs", "PostgreSQL µs", "p50 ms", "p99 ms", "events each", "load and peers", "others"],
      results.map(({ cpu, databaseCpu, events, load, name, others, p50, p99, requests }) => [
        name,
        figure(requests),
        figure(cpu),
        figure(databaseCpu),
        figure(p50),
        figure(p99),
        events.toFixed(2),
        `${load.toFixed(0)} % CPU`,
        `${others.toFixed(0)} %`
      ])
    )
  )
  say(`\nA verification takes ${times(own.cpu, ownSend.cpu)} times the CPU of a bare send of the standalone server.`)
  for (const rival of rivals) {
    const own = rival.cpu / send.cpu
    const verdict = own <= MOST ? `at most ${MOST}, as it must be` : `more than the ${MOST} that it may take`
    say(`${rival.name}: ${own.toFixed(2)} times the CPU of a bare send by hand, ${verdict}.`)
  }
  const rows = rivals.map((rival) => [
    `ours / ${rival.name}`,
    times(own.requests, rival.requests),
    times(own.cpu, rival.cpu),
    times(own.cpu + own.databaseCpu, rival.cpu + rival.databaseCpu),
    times(own.p99, rival.p99)
  ])
  rows.push([
    "ours / by hand, bare sends",
    times(ownSend.requests, send.requests),
    times(ownSend.cpu, send.cpu),
    times(ownSend.cpu + ownSend.databaseCpu, send.cpu + send.databaseCpu),
    times(ownSend.p99, send.p99)
  ])
  say(`\n${table(["", "a second", "CPU", "CPU with PostgreSQL", "p99"], rows)}`)
  writeJson({ bench: "verify", database, connections, seconds, results })
}

const times = (one: number, other: number): string => (one / other).toFixed(2)

/** Measures and prints. `--database=postgres` chooses PostgreSQL instead of SQLite. */
export const compareVerifiers = async (): Promise<void> => {
  const isPostgres = textOption("database") === "postgres"
  const receiver = forkOn(LOAD_CORE, join(import.meta.dirname, "receiver.ts"))
  const [port] = await once(receiver, "message")
  const bareSends: Starter = async (surroundings) => ({
    ...(await startWatchword(surroundings)),
    name: "Watchword, sends"
  })
  const sends: Starter = async (surroundings) => ({ ...(await startRival(surroundings)), name: "by hand, sends" })
  const starters = [
    bareSends,
    startVerifier(port),
    sends,
    startRivalVerifier(port),
    ...(isPostgres ? [startRivalVerifier(port, false)] : [])
  ]
  // Started before this process moves to a core of its own, to which its children would be bound, too.
  const databases: Array<PostgresServer> = []
  try {
    if (isPostgres) for (const _ of starters) databases.push(await start({ durable: true }))
    const on =
      (starter: Starter, postgres: PostgresServer | undefined): Starter =>
      (surroundings) =>
        starter(postgres === undefined ? surroundings : { ...surroundings, postgres })
    const results = await compare(
      starters.map((starter, index) => on(starter, databases[index])),
      [],
      receiver
    )
    report(results, isPostgres ? "PostgreSQL 18" : "SQLite")
  } finally {
    await end(receiver)
    for (const database of databases) await database.stop()
  }
}
