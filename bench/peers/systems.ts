/**
 * The servers that benchmarks compare, each started on the server's core as its user would start it.
 */
import Sqlite from "better-sqlite3"
import { execFileSync } from "node:child_process"
import { readFileSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Client } from "pg"
import { SERVER_CORE, end, pidOf, printed, startOn } from "../support/processes.ts"
import type { Check } from "./checks.ts"

/** A running server. */
export interface System {
  readonly name: string
  /** The system_id with which it binds to the carrier. */
  readonly systemId: string
  readonly port: number
  /** All of the server's processes. */
  readonly pids: ReadonlyArray<number>
  /** A request in wire format, or one for each account, and the status that means it was accepted. */
  readonly request: string | ReadonlyArray<string>
  readonly status: number
  /** The status of requests that a limit refuses, if one does. */
  readonly refusal?: number
  /** If the request starts a verification, the check that follows. */
  readonly check?: Check
  /**
   * The database that must contain everything afterwards, its table of messages, and that of approved verifications if
   * there is one; null if there is no database.
   */
  readonly records: { readonly address: string; readonly table: string; readonly verifications?: string } | null
  /** The main process of the PostgreSQL server that serves only this system; null without one. */
  readonly database: number | null
  readonly stop: () => Promise<void>
}

export interface Surroundings {
  /** A folder for its files. */
  readonly folder: string
  /** A database for its records, instead of a file in that folder. */
  readonly postgres?: { readonly url: string; readonly pid: () => number }
  /** How many accounts send; one by default. */
  readonly accounts?: number
  readonly smscPort: number
  /** The port from which Kannel fetches a page for each receipt. */
  readonly receiptPort: number
  /** Whether requests carry an `x-request-id`. */
  readonly requestIds: boolean
}

export const TEXT = "Your code is 123456. It is valid for five minutes."
export const TO = "49151########"
const here = import.meta.dirname
const ownRoot = join(here, "../..")

/** The price of a message in the benchmarks, in micro-euros. */
const PRICE = 70_000
/** An account's balance before it sends, in EUR. */
export const BALANCE = 1_000_000

/** Prices for both servers: every message and call costs something, so that money moves. */
export const writePrices = (folder: string): string => {
  const file = join(folder, "prices.json")
  writeFileSync(file, JSON.stringify({ sms: { "*": 0.05, "44": "0.04", "49": PRICE / 1e6 }, call: { "*": 0.02 } }))
  return file
}

/** The head of a client's request, without `content-length`. */
const headOf = (port: number, path: string, { account, key }: Sender): string =>
  `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-api-key: ${key}\r\nx-account-id: ${account}\r\n` +
  "content-type: application/json\r\n"

/** A client's request to `POST /v1/sms`. */
export const sendRequest = (
  port: number,
  account: string,
  key: string,
  { requestIds, to = `+${TO}` }: { readonly requestIds: boolean; readonly to?: string }
): string => {
  const body = JSON.stringify({ to, text: TEXT })
  return (
    headOf(port, "/v1/sms", { account, key }) +
    (requestIds ? "x-request-id: 0199a1c6-2f00-8000-8000-@@@@@@@@@@@@\r\n" : "") +
    `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}

/**
 * The requests of a verification by SMS: `POST /v1/verifications`, then its check.
 *
 * @param code the code of every verification, if the server has only one
 */
export const verificationOf = (
  port: number,
  sender: Sender,
  code: string | null
): Pick<System, "check" | "request"> => {
  const body = JSON.stringify({ to: `+${TO}`, workflow: [{ channel: "sms", timeout: 900 }] })
  return {
    request: `${headOf(port, "/v1/verifications", sender)}content-length: ${body.length}\r\n\r\n${body}`,
    check: { head: headOf(port, "/v1/verifications/check", sender), code }
  }
}

/** The options of `npm start`, also given to the hand-written server: fewer collections of young objects. */
export const NODE_OPTIONS = ["--max-semi-space-size=32"]

/** Runs an operator's command and returns its JSON. */
export type Operate = (...command: ReadonlyArray<string>) => Readonly<Record<string, string>>

/** The standalone server, and its senders. */
export interface Watchword extends System {
  readonly headers: Readonly<Record<string, string>>
  readonly senders: ReadonlyArray<Sender>
}

/** Starts the standalone server as `npm start` does. */
export const startWatchword = async (
  { accounts = 1, folder, postgres, requestIds, smscPort }: Surroundings,
  {
    args = [],
    env: settings = {},
    prepare,
    root = ownRoot,
    sandbox = false,
    senders: known
  }: {
    readonly args?: ReadonlyArray<string>
    readonly env?: Readonly<Record<string, string>>
    /** Runs further operator commands for the first account before the server starts. */
    readonly prepare?: (operate: Operate, account: string) => void
    /** The checkout whose server is started; this one by default. */
    readonly root?: string
    readonly sandbox?: boolean
    /** Accounts that the database already has; by default new accounts are created. */
    readonly senders?: ReadonlyArray<Sender>
  } = {}
): Promise<Watchword> => {
  const address = postgres?.url ?? join(folder, "watchword.db")
  const env = {
    ...process.env,
    PORT: "0",
    DATABASE_URL: postgres === undefined ? `sqlite:${address}` : address,
    PRICES: writePrices(folder),
    ...(sandbox ? {} : { SMPP_URL: `smpp://watchword:secret@127.0.0.1:${smscPort}` }),
    ...settings
  }
  const operate: Operate = (...command) =>
    JSON.parse(
      execFileSync(process.execPath, [join(root, "examples/standalone/src/cli.ts"), ...command, "--json"], {
        env,
        stdio: ["ignore", "pipe", "pipe"]
      }).toString()
    )
  const createSender = (): Sender => {
    const { account_id: account = "" } = operate(
      "account",
      "create",
      "--balance",
      String(BALANCE),
      "--sms-sender",
      "Watchword"
    )
    const { key = "" } = operate("key", "create", "--account", account, ...(sandbox ? ["--sandbox"] : []))
    return { account, key }
  }
  const senders = known ?? Array.from({ length: accounts }, createSender)
  prepare?.(operate, senders[0]?.account ?? "")
  const program = join(root, "examples/standalone/src/main.ts")
  const child = startOn(SERVER_CORE, process.execPath, [...NODE_OPTIONS, ...args, program], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"]
  })
  const [, digits] = await printed(child, /serves http:\/\/127\.0\.0\.1:(\d+)/)
  const port = Number(digits)
  return {
    name: "Watchword, standalone",
    systemId: "watchword",
    port,
    pids: [pidOf(child)],
    senders,
    headers: {
      "x-account-id": senders[0]?.account ?? "",
      "x-api-key": senders[0]?.key ?? "",
      "content-type": "application/json"
    },
    // The sandbox decides by a number's last digits how a message ends.
    request: senders.map(({ account, key }) =>
      sendRequest(port, account, key, { requestIds, ...(sandbox ? { to: "+4915123456789" } : {}) })
    ),
    status: 200,
    records: { address, table: postgres === undefined ? "deliveries" : "watchword.deliveries" },
    database: postgres?.pid() ?? null,
    stop: () => end(child)
  }
}

export interface Sender {
  readonly account: string
  readonly key: string
}

export const startRival = async (
  { accounts = 1, folder, postgres, requestIds, smscPort }: Surroundings,
  { args = [] }: { readonly args?: ReadonlyArray<string> } = {}
): Promise<System> => {
  const address = postgres?.url ?? join(folder, "rival.db")
  const child = startOn(
    SERVER_CORE,
    process.execPath,
    [...NODE_OPTIONS, ...args, join(here, "../rivals/sms/server.ts")],
    {
      cwd: folder,
      env: {
        ...process.env,
        NODE_ENV: "production",
        DATABASE: address,
        ACCOUNTS: String(accounts),
        PRICES: writePrices(folder),
        SMPP_PORT: String(smscPort)
      },
      stdio: ["ignore", "pipe", "inherit"]
    }
  )
  const [, json = ""] = await printed(child, /ready (.*)\n/)
  const { port, senders }: { readonly port: number; readonly senders: ReadonlyArray<Sender> } = JSON.parse(json)
  return {
    name: "Fastify by hand",
    systemId: "rival",
    port,
    pids: [pidOf(child)],
    request: senders.map(({ account, key }) => sendRequest(port, account, key, { requestIds })),
    status: 200,
    records: { address, table: "messages" },
    database: postgres?.pid() ?? null,
    stop: () => end(child)
  }
}

/**
 * Null if exactly this many messages are delivered on record, each charged once, and as many verifications approved;
 * otherwise a description.
 */
export const fault = async ({ records }: Pick<System, "records">, messages: number): Promise<string | null> => {
  if (records === null) return null
  const schema = records.table.includes(".") ? "watchword." : ""
  const approvals = records.verifications ?? null
  const { approved, available, delivered, held, n } = await readOne(
    records.address,
    `SELECT count(*) AS n, sum(available) AS available, sum(held) AS held,
     (SELECT count(*) FROM ${records.table} WHERE status = 'delivered') AS delivered,
     (SELECT count(*) FROM ${approvals ?? records.table} WHERE status = 'approved') AS approved
     FROM ${schema}accounts`
  )
  const spent = Number(n) * BALANCE * 1e6 - Number(available)
  const isCharged = Number(delivered) === messages && Number(held) === 0 && spent === messages * PRICE
  if (isCharged && (approvals === null || Number(approved) === messages)) return null
  return `${messages} messages, ${delivered} delivered, ${spent / PRICE} charged, ${held} held, ${approved} approved`
}

type Row = Readonly<Record<string, unknown>>

const readOne = async (address: string, query: string): Promise<Row> => {
  if (address.startsWith("postgres:")) {
    const client = new Client(address)
    await client.connect()
    const { rows } = await client.query<Row>(query)
    await client.end()
    return rows[0] ?? {}
  }
  const db = new Sqlite(address, { readonly: true })
  try {
    return db.prepare<[], Row>(query).get() ?? {}
  } finally {
    db.close()
  }
}

/** Only one JSON route. */
export const startRoute = async (server: "node" | "fastify"): Promise<System> => {
  const child = startOn(SERVER_CORE, process.execPath, [join(here, "../rivals/route.ts"), server], {
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const [, digits] = await printed(child, /ready (\d+)/)
  const port = Number(digits)
  return {
    name: server === "node" ? "node:http, one route" : "Fastify, one route",
    systemId: server,
    port,
    pids: [pidOf(child)],
    request: sendRequest(port, "acc_none", "none", { requestIds: false, to: "+4915123456789" }),
    status: 200,
    records: null,
    database: null,
    stop: () => end(child)
  }
}

/** The line count of the hand-written server with one of its stores, without blank lines and comments. */
export const rivalLines = (store: "sqlite.ts" | "postgres.ts"): number =>
  readdirSync(join(here, "../rivals/sms"))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
    .filter((file) => file === store || !["sqlite.ts", "postgres.ts"].includes(file))
    .flatMap((file) => readFileSync(join(here, "../rivals/sms", file), "utf8").split("\n"))
    .filter((line) => line.trim() !== "" && !/^\s*(\/\*\*|\*|\/\/)/.test(line)).length
