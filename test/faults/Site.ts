/**
 * An installation: a database, servers as processes, an account with money, and the operator's command.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { AccountId } from "@watchword/schemas/Ids"
import * as Logger from "effect/Logger"
import { createWatchword } from "watchword"
import { type Running, start } from "../../packages/standalone/test/Standalone.ts"
import { freePort } from "../freePort.ts"
import { start as startPostgres } from "../PostgresServer.ts"
import { type Cluster, openCluster } from "./cluster/Cluster.ts"
import { type Database, clusterOf, postgresOn, sqliteIn } from "./Database.ts"
import { type Peers, openPeers } from "./Peers.ts"
import { endWithRunner } from "../exits/endWithRunner.ts"

export interface Options {
  readonly seed: number
  readonly servers: 1 | 2
  readonly database: "sqlite" | "postgres" | "patroni"
  /** Whether a cluster's standbys may lag: a fail-over then loses commits that were already answered. */
  readonly asynchronous?: boolean
}

/** The output of a program, and how it ended. */
export interface Printed {
  readonly by: string
  readonly text: () => string
}

export interface Server {
  readonly name: string
  readonly origin: string
  readonly isUp: () => boolean
  readonly start: (ahead?: number) => Promise<void>
  readonly stop: () => Promise<void>
  readonly kill: () => Promise<void>
  readonly signal: (signal: NodeJS.Signals) => void
}

/** A running operator's command. */
export interface Command {
  readonly kill: () => void
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string }>
}

export interface Site {
  readonly folder: string
  readonly database: Database
  /** The cluster that hosts the database; null for a single server. */
  readonly cluster: Cluster | null
  readonly servers: ReadonlyArray<Server>
  readonly peers: Peers
  readonly account: AccountId
  readonly key: string
  /** Starts a command, whose clock may be ahead by some milliseconds. */
  readonly command: (args: ReadonlyArray<string>, ahead?: number) => Command
  readonly printed: ReadonlyArray<Printed>
  /** A sentence for each exit of a server that no fault has caused. */
  readonly deaths: ReadonlyArray<string>
  /** Secrets that must not appear in any log. */
  readonly secrets: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

export const PRICES = {
  sms: { "*": 0.05 },
  call: { "*": 0.02 },
  chatgw: { "*": 0.01 },
  chatgw_probe: { "*": 0.01 },
  bizchat: { "*": 0.04 }
}

/** The maximum number of sends per device, which the load exceeds again and again. */
export const MOST_OF_DEVICE = 4

const GUARDS = { action: "deny", limits: [{ name: "device", by: ["client_ref"], rates: [`${MOST_OF_DEVICE}/1h`] }] }

export const CALLERS = "+493023125000-+493023126999"

export const openSite = async (options: Options): Promise<Site> => {
  const { seed, servers: count } = options
  const folder = await mkdtemp(join(tmpdir(), "watchword-faults-"))
  const { cluster, database, end } = await databaseOf(options, folder)
  const secret = crypto.randomUUID() + crypto.randomUUID()
  const settings: Record<string, string> = {
    ...database.settings,
    PRICES: join(folder, "prices.json"),
    GUARDS: join(folder, "guards.json"),
    VERIFY_SECRET: secret,
    DEMO: "no",
    DOCS: "no",
    LOG_LEVEL: "debug"
  }
  await writeFile(join(folder, "prices.json"), JSON.stringify(PRICES))
  await writeFile(join(folder, "guards.json"), JSON.stringify(GUARDS))

  const servers: Array<Server> = []
  const printed: Array<Printed> = []
  const deaths: Array<string> = []
  let turn = 0
  const peers = await openPeers(seed, () => {
    const up = servers.filter((server) => server.isUp())
    return (up[turn++ % up.length] ?? servers[0])?.origin ?? ""
  })
  Object.assign(settings, peers.settings)
  const { account, key, secrets } = await makeAccount(database, secret, peers.receiver.url)
  for (let nth = 1; nth <= count; nth++) {
    servers.push(await serverOf(`server ${nth}`, settings, printed, deaths))
  }
  await Promise.all(servers.map((server) => server.start()))

  return {
    folder,
    database,
    cluster,
    servers,
    peers,
    account,
    key,
    command: (args, ahead = 0) => begin({ ...settings, ...clock(ahead) }, args, printed),
    printed,
    deaths,
    secrets: [secret, key, ...secrets, ...SECRET_SETTINGS.map((name) => settings[name] ?? "")],
    close: async () => {
      await Promise.all(servers.map((server) => (server.isUp() ? server.kill() : null)))
      await peers.close()
      await end()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** A server or a cluster of its own, so that its failures affect no other installation. */
const databaseOf = async ({ asynchronous = false, database: kind }: Options, folder: string) => {
  if (kind === "sqlite") return { cluster: null, database: sqliteIn(folder), end: () => Promise.resolve() }
  if (kind === "postgres") {
    const server = await startPostgres()
    return { cluster: null, database: postgresOn(server), end: server.stop }
  }
  const own = await mkdtemp(join(tmpdir(), "watchword-cluster-"))
  const cluster = await openCluster(own, { isSynchronous: !asynchronous })
  const end = async (): Promise<void> => {
    await cluster.stop()
    await rm(own, { recursive: true, force: true })
  }
  return { cluster, database: clusterOf(cluster), end }
}

const SECRET_SETTINGS = ["CHATGW_TOKEN", "BIZCHAT_TOKEN", "BIZCHAT_APP_SECRET"]

const makeAccount = async (database: Database, secret: string, url: string) => {
  const options = { store: database.layer, secret, webhooks: { allowPrivate: true }, observability: Logger.layer([]) }
  await using service = await createWatchword(options)
  const { operator } = service
  const { account_id: account } = await operator.account.create({
    name: "Shop",
    sms_sender: "Shop",
    caller: "+4930901820123"
  })
  await operator.account.credit({ account_id: account, amount: 100_000 })
  await operator.account.callers({ account_id: account, numbers: [CALLERS] })
  const webhook = await operator.webhook.add({ url, account_id: account })
  const { key } = await operator.key.create({ account_id: account })
  return { account: AccountId.make(account), key, secrets: [webhook.secret] }
}

const serverOf = async (
  name: string,
  settings: Readonly<Record<string, string>>,
  printed: Array<Printed>,
  deaths: Array<string>
): Promise<Server> => {
  const port = await freePort()
  let running: Running | null = null
  const end = async (ending: (running: Running) => Promise<unknown>): Promise<void> => {
    const one = running
    running = null
    if (one !== null) await ending(one)
  }
  return {
    name,
    origin: `http://127.0.0.1:${port}`,
    isUp: () => running !== null,
    start: async (ahead = 0) => {
      const one = await supervised({ ...settings, ...clock(ahead), PORT: String(port) })
      running = one
      printed.push({ by: name, text: one.printed })
      one.process.once("exit", (code, signal) => {
        if (running !== one) return
        running = null
        deaths.push(`${name} ended with ${code ?? signal}: ${one.printed().slice(-2_000)}`)
      })
    },
    stop: () =>
      end(async (one) => {
        const code = await one.stop()
        if (code !== 0) deaths.push(`${name} stopped with ${code}: ${one.printed().slice(-2_000)}`)
      }),
    kill: () => end((one) => one.kill()),
    signal: (signal) => void running?.process.kill(signal)
  }
}

/** Starts a server; like a supervisor, retries while it cannot start because its database is down. */
const supervised = async (settings: Readonly<Record<string, string>>): Promise<Running> => {
  for (const end = Date.now() + 20_000; ; await delay(200)) {
    try {
      return await start(settings)
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

/** The settings of a process whose clock is ahead. */
const clock = (ahead: number): Readonly<Record<string, string>> =>
  ahead === 0
    ? {}
    : { NODE_OPTIONS: `--import ${new URL("ahead.mjs", import.meta.url).href}`, CLOCK_AHEAD: String(ahead) }

const program = fileURLToPath(new URL("../../examples/standalone/src/cli.ts", import.meta.url))

const begin = (
  settings: Readonly<Record<string, string>>,
  args: ReadonlyArray<string>,
  printed: Array<Printed>
): Command => {
  const env = { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...settings }
  const child: ChildProcess = spawn(process.execPath, [program, ...args], { env, stdio: ["ignore", "pipe", "pipe"] })
  endWithRunner(child)
  let [stdout, stderr] = ["", ""]
  child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
  printed.push({ by: `watchword ${args[0]}`, text: () => stderr })
  return {
    kill: () => void child.kill("SIGKILL"),
    ended: once(child, "close").then(() => ({ code: child.exitCode, stdout }))
  }
}
