/**
 * Flash calls through the whole service: HTTP, key, SQLite with synchronous = FULL, SIP over UDP, records.
 * First 2,000 calls at 200 a second, each hung up by its ring time; then 5,000 ringing at once, ended by DELETE.
 * Says what a call costs this process, checks every record and the ledger. The trunk and the clients are
 * processes of their own. Run with `node --expose-gc bench/calls.ts`.
 */
import * as PriceTable from "@watchword/ledger/PriceTable"
import { sip } from "@watchword/call/sip"
import { type Serving, serve } from "@watchword/node"
import { sqlite } from "@watchword/store-sqlite"
import * as Result from "effect/Result"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Watchword, createWatchword } from "watchword"
import { trunk } from "./peers/trunk.ts"

const RATED = 2_000
const RATE = 200
const RINGING = 5_000
const CLIENTS = 100
const PRICE = 0.02

/** What the client process is told to do. */
interface Task {
  readonly port: number
  readonly headers: Readonly<Record<string, string>>
  readonly calls: number
  /** Calls a second, or null for as fast as a hundred clients get answers. */
  readonly rate: number | null
  readonly maxRing: number
  /** Calls to end with DELETE before any is placed. */
  readonly end: ReadonlyArray<string>
}

const client = (): void => {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const ask = (task: Task, method: string, path: string, body?: object) =>
    new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
      const asking = request(
        { agent, method, path: `/v1${path}`, host: "127.0.0.1", port: task.port, headers: task.headers },
        (response) => {
          let text = ""
          response.setEncoding("utf8")
          response.on("data", (chunk: string) => (text += chunk))
          response.on("end", () => resolve({ status: response.statusCode ?? 0, text }))
        }
      )
      asking.on("error", reject)
      asking.end(body === undefined ? undefined : JSON.stringify(body))
    })
  const call = async (task: Task): Promise<string | null> => {
    const body = { callee: "+4915123456789", max_ring_time: task.maxRing }
    const { status, text } = await ask(task, "POST", "/call/flash", body)
    return status === 200 ? JSON.parse(text).uuid : null
  }
  const some = async <A>(count: number, work: (index: number) => Promise<A>): Promise<ReadonlyArray<A>> => {
    const results: Array<A> = []
    let next = 0
    const one = async () => {
      while (next < count) results.push(await work(next++))
    }
    await Promise.all(Array.from({ length: CLIENTS }, one))
    return results
  }
  process.on("message", async (task: Task) => {
    await some(task.end.length, (index) => ask(task, "DELETE", `/call/flash/${task.end[index]}`))
    const { rate } = task
    const uuids =
      rate === null
        ? await some(task.calls, () => call(task))
        : await Promise.all(
            Array.from({ length: task.calls }, async (_, index) => {
              await new Promise((resolve) => setTimeout(resolve, (index * 1000) / rate))
              return call(task)
            })
          )
    process.send?.(uuids.filter((uuid) => uuid !== null))
  })
  process.once("disconnect", () => process.exit())
}

const memory = (): number => {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

const placed = async (clients: ChildProcess, task: Task): Promise<ReadonlyArray<string>> => {
  clients.send(task)
  const [uuids] = await once(clients, "message")
  return uuids
}

/** Waits until so many records say how they ended, and answers how many say what. */
const endings = async (service: Watchword, account: string, cause: string, count: number): Promise<number> => {
  for (let waited = 0; ; waited++) {
    const { total } = await service.call.list(account, { filter: { hangup_cause: cause }, rows_per_page: 1 })
    if (total >= count || waited > 200) return total
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const check = (what: string, found: unknown, expected: unknown): void => {
  if (found !== expected) throw new Error(`${what}: ${String(found)} instead of ${String(expected)}`)
}

const measure = async (service: Watchword, serving: Serving, clients: ChildProcess): Promise<void> => {
  const account = await service.operator.createAccount({ caller: "+4930901820123" })
  await service.operator.credit(account, 1_000)
  const { key } = await service.operator.createKey({ account })
  const headers = { "x-api-key": key, "x-account-id": account, "content-type": "application/json" }
  const task = { port: serving.port, headers, calls: RATED, rate: RATE, maxRing: 1, end: [] }

  const cpu = process.cpuUsage()
  const rated = await placed(clients, task)
  check("calls that rang", rated.length, RATED)
  check("calls that ended by their ring time", await endings(service, account, "NO_ANSWER", RATED), RATED)
  const { user, system } = process.cpuUsage(cpu)
  console.log(`${RATED} calls at ${RATE} a second: ${((user + system) / RATED).toFixed(0)} µs CPU a call, all told`)

  const before = memory()
  const ringing = await placed(clients, { ...task, calls: RINGING, rate: null, maxRing: 60 })
  check("calls that ring at once", ringing.length, RINGING)
  const bytes = (memory() - before) / RINGING
  console.log(`${RINGING} ringing at once: ${(bytes / 1024).toFixed(1)} KiB heap a call`)
  await placed(clients, { ...task, calls: 0, end: ringing })
  check("calls that DELETE ended", await endings(service, account, "ORIGINATOR_CANCEL", RINGING), RINGING)

  const { total } = await service.call.list(account, { rows_per_page: 1 })
  check("records", total, RATED + RINGING)
  const { available, held } = await service.operator.balance(account)
  check("held", held, 0)
  check("available", available, 1_000 - (RATED + RINGING) * PRICE)
  console.log(`every record closed once, ${RATED + RINGING} charges, nothing held`)
}

const main = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "watchword-"))
  const trunkProcess = fork(import.meta.filename, ["trunk"])
  const clients = fork(import.meta.filename, ["client"])
  const [{ port }] = await once(trunkProcess, "message")
  const service = await createWatchword({
    store: sqlite(join(folder, "bench.db")),
    call: sip(`sip:bench:secret@127.0.0.1:${port};keepalive=0`),
    prices: Result.getOrThrow(PriceTable.parse({ call: { "*": PRICE } }))
  })
  const serving = await serve({ handle: service.handle, basePath: "/v1", port: 0 })
  try {
    await measure(service, serving, clients)
  } finally {
    clients.disconnect()
    await serving.close()
    await service.dispose()
    trunkProcess.disconnect()
    rmSync(folder, { recursive: true })
  }
}

switch (process.argv[2]) {
  case "trunk":
    trunk()
    break
  case "client":
    client()
    break
  default:
    await main()
}
