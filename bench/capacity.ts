/**
 * One, two and four standalone servers on one PostgreSQL, with one account and with many: the cost of a send in each
 * process, its load on the database, and the waits of the servers' connections. Texts on live keys as in
 * `sms-postgres`.
 *
 * Servers, PostgreSQL, load and carrier share all cores, so sends per second show how the cost of a send changes, not
 * how well servers scale on machines of their own; the waits of the connections show that. Loads:
 *
 * - `full`: `--connections` in total, each of which sends again as soon as it is answered.
 * - `slow commits`: the same, with commits that take `--slow` ms longer, as with a synchronous replica far away.
 *   Processors then idle, and servers wait for each other as they would on machines of their own.
 * - `--rate` sends a second, at fixed times.
 *
 * `pgbench --skip-some-updates` on the same server, if installed, is the yardstick for the machine.
 *
 * `npm run bench -- capacity [--processes=1,2,4] [--accounts=1,1000] [--connections=200] [--rate=200] [--slow=5]
 * [--rounds=2] [--seconds=5] [--warm-up=8] [--json[=file]]`
 */
import { type ChildProcess, spawnSync } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { start } from "../test/PostgresServer.ts"
import type { Result as Load, Task } from "./peers/load.ts"
import { type Replicas, openAccounts, requestsOf, startReplicas } from "./peers/replicas.ts"
import type { Counts as Carrier } from "./peers/smsc.ts"
import { fault } from "./peers/systems.ts"
import { ask, cpuOf, cpuOfAll, end, familyOf, forkOn, pidOf, workFolder } from "./support/processes.ts"
import { undisturbed } from "./support/quiet.ts"
import { figure, machineLine, medians, numberOption, say, table, textOption, writeJson } from "./support/report.ts"
import { between, observe, settings } from "./support/statements.ts"

const numbersOf = (name: string, otherwise: string): ReadonlyArray<number> =>
  (textOption(name) ?? otherwise).split(",").map(Number)

const processes = numbersOf("processes", "1,2,4")
const accounts = numbersOf("accounts", "1,1000")
const connections = numberOption("connections", 200)
const rate = numberOption("rate", 200)
const slow = numberOption("slow", 5)
const rounds = numberOption("rounds", 2)
const seconds = numberOption("seconds", 5)
const warmUp = numberOption("warm-up", 8)

const folder = workFolder()
const database = await start({ durable: true, settings })
const observer = await observe(database.url)
const senders = await openAccounts(database.url, Math.max(...accounts))
const smsc = forkOn(null, join(import.meta.dirname, "peers/smsc.ts"))
const [{ smpp }] = await once(smsc, "message")
const load = forkOn(null, join(import.meta.dirname, "peers/load.ts"))
await once(load, "message")

/** Transactions per second of pgbench's simple update; null if it is not installed. */
const pgbench = (clients: number): number | null => {
  const run = (...args: ReadonlyArray<string>) => spawnSync("pgbench", [...args, database.url], { encoding: "utf8" })
  if (run("--initialize", "--scale=10", "--quiet").status !== 0) return null
  const { stdout } = run("--skip-some-updates", "--protocol=prepared", `--client=${clients}`, "--time=4", "--no-vacuum")
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? Number.NaN)
}

const carrier = (): Promise<Carrier> => ask(smsc, { about: "watchword" })

/** Waits until every receipt is acknowledged. */
const settled = async (): Promise<Carrier> => {
  for (let waited = 0; waited < 600; waited++) {
    const counts = await carrier()
    if (counts.acknowledged === counts.submits) return counts
    await sleep(50)
  }
  throw new Error("receipts are missing")
}

/** One load on some servers. All figures are per send, except latencies and shares. */
const round = async (servers: Replicas, task: Pick<Task, "rate" | "request">, duration: number) => {
  const peers: ReadonlyArray<ChildProcess> = [load, smsc]
  const cpu = () => ({
    servers: cpuOf(...servers.pids),
    postgres: cpuOfAll(database.pid()),
    peers: cpuOf(...peers.map(pidOf))
  })
  const before = { cpu: cpu(), counts: await observer.counts(), submits: (await carrier()).submits }
  const startedAt = performance.now()
  const full: Task = {
    ...task,
    port: servers.ports,
    status: 200,
    connections,
    until: { milliseconds: duration * 1000 }
  }
  const [{ p50, p99 }, waits] = await observer.waitsDuring(servers.pids.length, ask<Load>(load, full))
  const during = (await carrier()).submits - before.submits
  const loaded = (performance.now() - startedAt) / 1000
  const sends = (await settled()).submits - before.submits
  const used = cpu()
  const { fsyncs, lookUps, statements, transactions, walBytes } = between(before.counts, await observer.counts())
  return {
    sends: during / loaded,
    serverCpu: (used.servers - before.cpu.servers) / sends,
    postgresCpu: (used.postgres - before.cpu.postgres) / sends,
    peersCpu: (used.peers - before.cpu.peers) / sends,
    /** A transaction of steps sends its four statements in two round trips. */
    trips: (statements - 2 * lookUps) / sends,
    /** Open, close and receipt are three steps. */
    steps: (3 * sends) / lookUps,
    transactions: transactions / sends,
    walBytes: walBytes / sends,
    fsyncs: fsyncs / sends,
    lock: waits.lock * 100,
    disk: waits.disk * 100,
    busy: waits.busy * 100,
    p50,
    p99
  }
}

const slowCommits = async (milliseconds: number): Promise<void> => {
  await observer.query(`ALTER SYSTEM SET commit_delay = ${milliseconds * 1000}`)
  await observer.query("ALTER SYSTEM SET commit_siblings = 0")
  await observer.query("SELECT pg_reload_conf()")
}

const measure = async (count: number, accounts: number) => {
  const servers = await startReplicas(count, { folder, smscPort: smpp, url: database.url })
  const request = requestsOf(senders.slice(0, accounts))
  const pids = () => [...servers.pids, pidOf(load), pidOf(smsc), ...familyOf(database.pid())]
  const run = async (name: string, task: Pick<Task, "rate" | "request">, times: number) => {
    const each = []
    for (let index = 0; index < times; index++) {
      await round(servers, task, 1)
      each.push(await undisturbed(pids(), () => round(servers, task, seconds), 1))
    }
    const result = { processes: count, accounts, load: name, ...medians(each), rounds: each }
    say(
      `${count} × ${accounts} accounts, ${name}: ${figure(result.sends)}/s, ${figure(result.lock)} % of the time locked`
    )
    return result
  }
  try {
    await sleep(500)
    await round(servers, { request }, warmUp)
    const full = await run("full", { request }, rounds)
    const paced = await run(`${rate}/s`, { request, rate }, 1)
    await slowCommits(slow)
    const slowed = await run("slow commits", { request }, 1)
    await slowCommits(0)
    return [full, slowed, paced]
  } finally {
    await servers.stop()
  }
}

type Row = Awaited<ReturnType<typeof measure>>[number]

/** Bytes and rows per send of the tables that grow. */
const growth = async (sends: number) => {
  const { rows } = await observer.query<Record<string, string>>(
    `SELECT c.relname AS name, pg_table_size(c.oid) AS bytes, pg_indexes_size(c.oid) AS indexes,
       (xpath('/row/n/text()', query_to_xml('SELECT count(*) AS n FROM watchword.' || quote_ident(c.relname), false, true, '')))[1]::text AS rows
     FROM pg_class c WHERE c.relnamespace = 'watchword'::regnamespace AND c.relkind = 'r' ORDER BY pg_total_relation_size(c.oid) DESC`
  )
  return rows.map(({ bytes, indexes, name = "", rows }) => ({
    name,
    rows: Number(rows) / sends,
    bytes: Number(bytes) / sends,
    indexes: Number(indexes) / sends
  }))
}

const report = (results: ReadonlyArray<Row>): void => {
  const of = (row: Row): number =>
    results.find(({ accounts, load, processes }) => processes === 1 && accounts === row.accounts && load === row.load)
      ?.sends ?? Number.NaN
  const loads = [...new Set(results.map(({ load }) => load))]
  for (const load of loads) {
    say(`\n${load}\n`)
    say(
      table(
        [
          "accounts",
          "servers",
          "sends/s",
          "ratio",
          "server µs",
          "PostgreSQL µs",
          "peers µs",
          "round trips",
          "steps/call",
          "commits",
          "fsyncs",
          "WAL bytes",
          "busy",
          "locked",
          "disk",
          "p50 ms",
          "p99 ms"
        ],
        results
          .filter((row) => row.load === load)
          .map((row) => [
            String(row.accounts),
            String(row.processes),
            figure(row.sends),
            `${(row.sends / of(row)).toFixed(2)}x`,
            figure(row.serverCpu),
            figure(row.postgresCpu),
            figure(row.peersCpu),
            row.trips.toFixed(3),
            figure(row.steps),
            row.transactions.toFixed(3),
            row.fsyncs.toFixed(3),
            figure(row.walBytes),
            `${row.busy.toFixed(0)} %`,
            `${row.lock.toFixed(0)} %`,
            `${row.disk.toFixed(0)} %`,
            figure(row.p50),
            figure(row.p99)
          ])
      )
    )
  }
}

try {
  const machine = processes.map((clients) => ({ clients, tps: pgbench(clients) }))
  const results: Array<Row> = []
  for (const many of accounts) for (const count of processes) results.push(...(await measure(count, many)))
  const { submits } = await settled()
  const wrong = await fault({ records: { address: database.url, table: "watchword.deliveries" } }, submits)
  if (wrong !== null) throw new Error(wrong)
  const tables = await growth(submits)
  say(`\n${machineLine()}; ${connections} connections, medians of ${rounds} rounds of ${seconds} s`)
  say(
    `pgbench, simple update: ${machine.map(({ clients, tps }) => `${clients}: ${tps === null ? "–" : figure(tps)}/s`).join(", ")}`
  )
  report(results)
  say(`\nTables after ${submits} sends, for a send\n`)
  say(
    table(
      ["", "rows", "bytes", "bytes of indexes"],
      tables
        .filter(({ bytes }) => bytes > 1)
        .map(({ bytes, indexes, name, rows }) => [name, rows.toFixed(2), figure(bytes), figure(indexes)])
    )
  )
  writeJson({ bench: "capacity", connections, rate, slow, seconds, pgbench: machine, results, tables })
} finally {
  await end(load)
  await end(smsc)
  await observer.close()
  await database.stop()
}
