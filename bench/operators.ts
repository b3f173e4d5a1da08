/**
 * Sends while operators read: the time of a live `POST /v1/sms` on SQLite while ten operators at once run one command
 * again and again over an account with many records, alternating with the same sends while no operator is active.
 *
 * `npm run bench -- operators [--rows=1e6] [--days=27] [--rate=50] [--seconds=6] [--rounds=1]
 * [--follow] [--only=invoice] [--folder=records] [--checkout=folder] [--json[=file]]`
 *
 * With `--follow` they follow the command's answers as pages do, each by a stream of events.
 */
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../test/freePort.ts"
import type { Result, Task } from "./peers/load.ts"
import { type System, startWatchword } from "./peers/systems.ts"
import { LOAD_CORE, ask, end, forkOn, stepAside, workFolder } from "./support/processes.ts"
import { onSqlite } from "./support/recordStores.ts"
import { figure, machineLine, median, numberOption, say, table, textOption, writeJson } from "./support/report.ts"

const OPERATORS = 10
const CONNECTIONS = 200
const HOUR = 3_600_000

const rows = numberOption("rows", 1e6)
const days = numberOption("days", 27)
const rate = numberOption("rate", 50)
const seconds = numberOption("seconds", 6)
/** How often each command is tried, in turn with none; of the percentiles the medians are shown. */
const rounds = numberOption("rounds", 1)
const isFollowing = process.argv.includes("--follow")
const only = textOption("only")
const root = textOption("checkout")

const ago = (hours: number): string => new Date(Date.now() - hours * HOUR).toISOString()
const month = ago((24 * days) / 2).slice(0, 7)

interface Question {
  readonly command: string
  readonly input: (account: string) => object
  readonly what?: string
}

/** Each read that a role may run over many records, or that pages refresh. */
const questions = (number: string): ReadonlyArray<Question> => [
  { command: "invoice", input: () => ({ carrier: "sms", month }) },
  { command: "traffic rebuild", input: () => ({ since: ago(24 * days) }) },
  { command: "delivery list", input: () => ({ carrier: "nope" }), what: "a carrier that none has" },
  { command: "delivery list", input: () => ({ country: "FR" }), what: "a country that none has" },
  { command: "delivery list", input: () => ({ status: "sent" }), what: "a status that is rare" },
  { command: "delivery list", input: () => ({}) },
  { command: "verification list", input: () => ({}) },
  { command: "why", input: () => ({ number, since: ago(24 * days) }) },
  { command: "overview", input: () => ({}) },
  { command: "guard look", input: () => ({}) },
  { command: "traffic", input: () => ({ since: ago(24 * 90), by: ["country"] }) },
  { command: "account list", input: () => ({}) },
  { command: "account entries", input: (account_id) => ({ account_id, newest: 100 }) },
  { command: "carrier list", input: () => ({}) },
  { command: "process list", input: () => ({}) },
  { command: "webhook list", input: () => ({}) },
  { command: "operator log", input: () => ({}) }
]

stepAside()
const folder = workFolder()
const stores = onSqlite(textOption("folder"))
const records = await stores.open({ rows, days })
const [row] = await records.select("SELECT recipient FROM deliveries ORDER BY id DESC LIMIT 1")
const [file] = await records.select("SELECT file FROM pragma_database_list WHERE name = 'main'")
await stores.close()

const smsc = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/smsc.ts"))
const [ports] = await once(smsc, "message")
const load = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/load.ts"))
await once(load, "message")
const operationsPort = await freePort()
const tokens: Array<string> = []
let account = ""

/** Each command gets its own server, because a server keeps running queries that its clients have given up on. */
const start = () =>
  startWatchword(
    { folder, smscPort: ports.smpp, receiptPort: ports.http, requestIds: true },
    {
      ...(root === null ? {} : { root }),
      env: { DATABASE_URL: `sqlite:${String(file?.["file"])}`, OPERATIONS_PORT: String(operationsPort) },
      prepare: (operate, own) => {
        account = own
        for (let n = tokens.length; n < OPERATORS; n++) {
          const name = `bench-${process.pid}-${n}`
          tokens.push(operate("operator", "grant", "--name", name, "--role", "admin")["token"] ?? "")
        }
      }
    }
  )

/** Sends at fixed times, without waiting for answers. */
const sends = ({ port, request, status }: System, duration = seconds): Promise<Result> => {
  const until = { milliseconds: duration * 1_000 }
  return ask<Result>(load, { port, request, status, rate, connections: CONNECTIONS, until } satisfies Task)
}

/** Follows a command's answers for each operator, as a page does. */
const followedBy = (command: string, input: object) => {
  const counts = { answered: 0, refused: 0 }
  const over = new AbortController()
  const { signal } = over
  const fields = Object.entries(input).map(([name, value]) => [name, String(value)])
  const path = `watch/${command.replaceAll(" ", "/")}?${new URLSearchParams(fields)}`
  const open = async (token: string): Promise<void> => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`http://127.0.0.1:${operationsPort}/operator/v1/${path}`, { headers, signal })
    if (response.status !== 200) throw new Error(`${command}: ${response.status} ${await response.text()}`)
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      counts.answered += chunk.split("event: answer").length - 1
    }
  }
  const streams = Promise.allSettled(tokens.map(open))
  const stop = async () => {
    over.abort()
    throwFailures(await streams)
  }
  return { counts, stop }
}

const throwFailures = (ended: ReadonlyArray<PromiseSettledResult<void>>): void => {
  for (const each of ended) {
    if (each.status === "rejected" && each.reason?.name !== "AbortError") throw each.reason
  }
}

/** Runs a command for each operator, again once it is answered. */
const askedBy = (command: string, input: object) => {
  const counts = { answered: 0, refused: 0 }
  const over = new AbortController()
  const { signal } = over
  const url = `http://127.0.0.1:${operationsPort}/operator/v1/${command.replaceAll(" ", "/")}`
  const loop = async (token: string): Promise<void> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    while (!signal.aborted) {
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(input), signal })
      const text = await response.text()
      if (response.status === 200) counts.answered += 1
      else if (response.status === 429) counts.refused += 1
      else throw new Error(`${command}: ${response.status} ${text}`)
      if (response.status === 429) await sleep(100, undefined, { signal })
    }
  }
  const loops = Promise.allSettled(tokens.map(loop))
  const stop = async () => {
    over.abort()
    throwFailures(await loops)
  }
  return { counts, stop }
}

const percentilesOf = (results: ReadonlyArray<Result>) => ({
  p50: median(results.map(({ p50 }) => p50)),
  p99: median(results.map(({ p99 }) => p99))
})

const results = []
try {
  for (const { command, input, what } of questions(String(row?.["recipient"]))) {
    if (only !== null && !only.split(",").includes(command)) continue
    const server = await start()
    await sends(server, 3)
    const idles: Array<Result> = []
    const askeds: Array<Result> = []
    const counts = { answered: 0, refused: 0 }
    for (let round = 0; round < rounds; round += 1) {
      idles.push(await sends(server))
      const asking = (isFollowing ? followedBy : askedBy)(command, input(account))
      askeds.push(await sends(server))
      counts.answered += asking.counts.answered
      counts.refused += asking.counts.refused
      await asking.stop()
    }
    const [idle, asked] = [percentilesOf(idles), percentilesOf(askeds)]
    for (const pid of server.pids) process.kill(pid, "SIGKILL")
    await server.stop()
    results.push({ command: what === undefined ? command : `${command}, ${what}`, idle, asked, ...counts })
    say(`${command}: p99 ${figure(asked.p99)} ms, idle ${figure(idle.p99)} ms`)
  }
  say(
    `\n${machineLine()}; ${figure(rows)} records of ${days} days, ${rate} sends/s for ${seconds} s, ${rounds} rounds, ` +
      `${OPERATORS} operators at once, ms\n`
  )
  say(
    table(
      ["command", "idle p50", "p99", "asked p50", "p99", "answers", "refused"],
      results.map(({ answered, asked, command, idle, refused }) => [
        command,
        figure(idle.p50),
        figure(idle.p99),
        figure(asked.p50),
        figure(asked.p99),
        figure(answered),
        figure(refused)
      ])
    )
  )
  writeJson({ bench: "operators", rows, days, rate, seconds, results })
} finally {
  await end(load)
  await end(smsc)
}
