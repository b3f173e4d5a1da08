/**
 * The service as `deploy/compose.postgres.yaml` runs it, twice: two server processes on one PostgreSQL, with their
 * secrets in files and an operations listener each.
 */
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { type Running, command, start } from "../../packages/standalone/test/Standalone.ts"
import { freePort } from "../freePort.ts"
import { type PostgresServer, start as startPostgres } from "../PostgresServer.ts"
import { type Target, isReady } from "./Front.ts"

export type Environment = Readonly<Record<string, string>>

export interface Server extends Target {
  readonly name: string
  running: Running
  readonly start: () => Promise<void>
}

export interface Service {
  readonly servers: readonly [Server, Server]
  /** Runs the operator's command, and resolves to its JSON output. */
  readonly operator: (...args: ReadonlyArray<string>) => Promise<Record<string, unknown>>
  readonly close: () => Promise<void>
}

/** The hostname at which customers and gateways reach the service: its load balancer's. */
export const PUBLIC_URL = "https://otp.example.com"

/**
 * @param settings for both servers, in addition to the settings in the Compose file
 * @param secrets by setting name; each is written to a file
 */
export const open = async (folder: string, settings: Environment, secrets: Environment): Promise<Service> => {
  const database: PostgresServer = await startPostgres({ durable: true })
  const files = await inFiles(folder, { DATABASE_URL: database.url, ...secrets })
  const shared = { ...(await composed("postgres")), PUBLIC_URL, ...settings, ...files, OPERATIONS_HOST: "127.0.0.1" }
  const servers = [await serverOf("one", shared), await serverOf("two", shared)] as const
  return {
    servers,
    operator: (...args) => command(shared, ...args),
    close: async () => {
      await Promise.all(servers.map(({ running }) => (hasEnded(running) ? null : running.stop())))
      await database.stop()
    }
  }
}

export const hasEnded = ({ process }: Running): boolean => process.exitCode !== null || process.signalCode !== null

const serverOf = async (name: string, shared: Environment): Promise<Server> => {
  const [port, operations] = [await freePort(), await freePort()]
  const environment = { ...shared, PORT: String(port), OPERATIONS_PORT: String(operations) }
  const target = { customers: `http://127.0.0.1:${port}`, operations: `http://127.0.0.1:${operations}` }
  const begin = async (): Promise<Running> => {
    const running = await start(environment)
    while (!(await isReady(target))) await delay(50)
    return running
  }
  const server: Server = {
    ...target,
    name,
    running: await begin(),
    start: async () => {
      server.running = await begin()
    }
  }
  return server
}

/** The settings of the service `watchword` in a Compose file. */
export const composed = async (database: "postgres" | "sqlite"): Promise<Environment> => {
  const file = await readFile(new URL(`../../deploy/compose.${database}.yaml`, import.meta.url), "utf8")
  const [, service = ""] = file.split("\n  watchword:\n")
  return Object.fromEntries(
    [...service.matchAll(/^ {6}([A-Z_]+): "?([^"$\n]*)"?$/gm)].map(([, name = "", value = ""]) => [name, value])
  )
}

/** Writes secrets to files, and returns the settings that name the files. */
export const inFiles = async (folder: string, secrets: Environment): Promise<Environment> => {
  const named = Object.entries(secrets).map(async ([name, value]) => {
    const file = join(folder, name.toLowerCase())
    await writeFile(file, `${value}\n`, { mode: 0o600 })
    return [`${name}_FILE`, file] as const
  })
  return Object.fromEntries(await Promise.all(named))
}
