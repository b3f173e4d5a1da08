/**
 * The standalone server with a trunk, started as a user would start it, and an account that places calls.
 */
import Sqlite from "better-sqlite3"
import type { ChildProcess } from "node:child_process"
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { SERVER_CORE, end, pidOf, printed, startOn } from "../support/processes.ts"
import { NODE_OPTIONS } from "./systems.ts"

export interface CallServer {
  readonly child: ChildProcess
  readonly pid: number
  readonly port: number
  readonly headers: Readonly<Record<string, string>>
  readonly database: string
  readonly stop: () => Promise<void>
}

const root = join(import.meta.dirname, "../..")
const BALANCE = 1_000_000
/** The price of a call in the benchmarks, in euros. */
const PRICE = 0.02

/** @param args Node options, before the program */
export const startCallServer = async (
  folder: string,
  trunkPort: number,
  args: ReadonlyArray<string> = []
): Promise<CallServer> => {
  const prices = join(folder, "prices.json")
  const database = join(folder, "watchword.db")
  writeFileSync(prices, JSON.stringify({ call: { "*": PRICE } }))
  const env = {
    ...process.env,
    PORT: "0",
    DATABASE_URL: `sqlite:${database}`,
    PRICES: prices,
    SIP_URL: `sip:bench:secret@127.0.0.1:${trunkPort};keepalive=0`
  }
  const operate = (...command: ReadonlyArray<string>): Readonly<Record<string, string>> => {
    const words = [join(root, "examples/standalone/src/cli.ts"), ...command, "--json"]
    return JSON.parse(execFileSync(process.execPath, words, { env }).toString())
  }
  const money = ["--balance", String(BALANCE), "--caller", "+4930901820123"]
  const { account_id: account = "" } = operate("account", "create", ...money)
  const { key = "" } = operate("key", "create", "--account", account)
  const meter = ["--expose-gc", "--import", join(import.meta.dirname, "../support/meter.ts")]
  const words = [...NODE_OPTIONS, ...meter, ...args, join(root, "examples/standalone/src/main.ts")]
  const stdio = ["ignore", "pipe", "pipe", "ipc"] as const
  const child = startOn(SERVER_CORE, process.execPath, words, { cwd: folder, env, stdio: [...stdio] })
  const [, digits] = await printed(child, /serves http:\/\/127\.0\.0\.1:(\d+)/)
  return {
    child,
    pid: pidOf(child),
    port: Number(digits),
    headers: { "x-api-key": key, "x-account-id": account, "content-type": "application/json" },
    database,
    stop: () => end(child)
  }
}

/** The number of records of ended calls, by cause. */
export const endings = ({ database }: CallServer): ReadonlyMap<string, number> =>
  query(database, (db) => {
    const rows = db
      .prepare<[], { readonly cause: string; readonly n: number }>(
        `SELECT json_extract(details, '$.hangup_cause') AS cause, count(*) AS n
         FROM deliveries WHERE status = 'ended' GROUP BY cause`
      )
      .all()
    return new Map(rows.map(({ cause, n }) => [cause, n]))
  })

/** Null if exactly this many calls are on record, each ended and charged once; otherwise describes the difference. */
export const fault = (server: CallServer, calls: number): string | null =>
  query(server.database, (db) => {
    const money = db.prepare<[], { readonly available: number; readonly held: number }>("SELECT * FROM accounts").get()
    const records = db.prepare<[], number>("SELECT count(*) FROM deliveries").pluck().get()
    const ended = [...endings(server).values()].reduce((sum, n) => sum + n, 0)
    const spent = (BALANCE * 1e6 - (money?.available ?? 0)) / (PRICE * 1e6)
    if (records === calls && ended === calls && money?.held === 0 && spent === calls) return null
    return `${calls} calls, ${records} records, ${ended} ended, ${spent} charged, ${money?.held} held`
  })

const query = <A>(file: string, read: (db: Sqlite.Database) => A): A => {
  const db = new Sqlite(file, { readonly: true })
  try {
    return read(db)
  } finally {
    db.close()
  }
}
