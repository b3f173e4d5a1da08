/**
 * The standalone server as a process, and its operator's command, for tests.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { endWithRunner } from "../../../test/exits/endWithRunner.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** The folder of the programs, which are bundled like the package's programs. */
export const bundles = fileURLToPath(new URL("../build/tested", import.meta.url))

const run = promisify(execFile)

export type Environment = Readonly<Record<string, string>>

/** A compiled module is shared by all processes that tests start. */
const inherited = { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] }

const main = join(bundles, "server/server.js")

/** The operator's command. */
export const watchword = join(bundles, "command/command.js")

/** The same where a preload of the process changes modules: the sources' positions. */
const sources = new Map([
  [main, "server.ts"],
  [watchword, "cli/main.ts"]
])

const programIn = (environment: Environment, bundled: string): string => {
  const source = environment["NODE_OPTIONS"] === undefined ? undefined : sources.get(bundled)
  return source === undefined ? bundled : fileURLToPath(new URL(`../src/${source}`, import.meta.url))
}

/** Ways to start the server: by itself, by npm, and by npm on a terminal. */
const programs = {
  server: [process.execPath, main],
  "server with 80 descriptors": ["sh", "-c", 'ulimit -n 80; exec "$0" "$1"', process.execPath, main],
  "npm start": ["npm", "start", "--silent"],
  "npm start on a terminal": ["script", "-qec", "exec npm start --silent", "/dev/null"]
} as const

export type Program = keyof typeof programs

/** A running server. */
export interface Running {
  readonly baseUrl: string
  readonly origin: string
  readonly process: ChildProcess
  /** Signals the server and all processes that started it, as a terminal does. */
  readonly signalGroup: (signal: NodeJS.Signals) => void
  /** Resolves to the exit code, which is null after a signal. */
  readonly exited: Promise<number | null>
  /** Everything it has printed so far. */
  readonly printed: () => string
  /** Ends it as an operator would; resolves to the exit code. */
  readonly stop: () => Promise<number | null>
  /** Ends it as bad luck would. */
  readonly kill: () => Promise<void>
}

/** Starts the server on a free port, in a process group of its own, and waits until it serves. */
export const start = async (environment: Environment, program: Program = "server"): Promise<Running> => {
  const [command, ...args] = programs[program]
  const child = spawn(
    command,
    args.map((arg) => programIn(environment, arg)),
    {
      cwd: root,
      env: { ...inherited, PORT: "0", ...environment },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true
    }
  )
  endWithRunner(child, () => child.pid !== undefined && process.kill(-child.pid, "SIGKILL"))
  const exited = once(child, "exit").then(() => child.exitCode)
  let printed = ""
  let isServing = false
  const serving = new Promise<string>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      printed += chunk.toString()
      if (isServing) return
      const address = /serves (http:\S+)/.exec(printed)?.[1]
      if (address === undefined) return
      isServing = true
      resolve(address)
    }
    child.stdout.on("data", onData)
    child.stderr.on("data", onData)
    void exited.then(() => reject(new Error(`the server ended before it served: ${printed}`)))
  })
  const baseUrl = await serving
  return {
    baseUrl,
    origin: new URL(baseUrl).origin,
    process: child,
    signalGroup: (signal) => void process.kill(-(child.pid ?? 0), signal),
    exited,
    printed: () => printed,
    stop: async () => {
      child.kill("SIGTERM")
      return exited
    },
    kill: async () => {
      child.kill("SIGKILL")
      await exited
    }
  }
}

/** Runs the server, as another user where one is given, until it gives up by itself. */
export const startFailing = async (
  environment: Environment,
  user: { readonly uid?: number } = {}
): Promise<{ readonly code: number; readonly printed: string }> =>
  run(process.execPath, [main], { ...user, env: { ...inherited, PORT: "0", ...environment } }).then(
    () => ({ code: 0, printed: "" }),
    (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => ({
      code: error.code,
      printed: error.stdout + error.stderr
    })
  )

/** A young generation that is large from the start saves a command a fifth of its CPU. */
const FLAGS = ["--min-semi-space-size=32"]

const runCommand = (environment: Environment, args: ReadonlyArray<string>) =>
  run(process.execPath, [...FLAGS, programIn(environment, watchword), ...args], {
    env: { ...inherited, ...environment }
  })

/** Runs the operator's command with `--json` and reads its output. */
export const command = async (
  environment: Environment,
  ...args: ReadonlyArray<string>
): Promise<Record<string, unknown>> => JSON.parse((await runCommand(environment, [...args, "--json"])).stdout)

/** The result of the operator's command. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the operator's command, whether it succeeds or fails. */
export const answerOf = (environment: Environment, ...args: ReadonlyArray<string>): Promise<Ended> =>
  runCommand(environment, args).then(
    ({ stderr, stdout }) => ({ code: 0, stdout, stderr }),
    ({ code, stderr, stdout }: Ended) => ({ code, stdout, stderr })
  )

/** Runs the operator's command and expects it to fail. */
export const failingCommand = async (
  environment: Environment,
  ...args: ReadonlyArray<string>
): Promise<Pick<Ended, "code" | "stderr">> => {
  const { code, stderr } = await answerOf(environment, ...args)
  return { code, stderr: code === 0 ? "" : stderr }
}
