/**
 * A development server as a process, for tests.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { until } from "../../../test/until.ts"
import { watchword } from "../../standalone/test/Standalone.ts"
import { endWithRunner } from "../../../test/exits/endWithRunner.ts"

export interface DevServer {
  readonly origin: string
  readonly account: string
  readonly key: string
  readonly secret: string
  readonly out: () => string
  readonly err: () => string
  /** Asks its interface with its sandbox key. */
  readonly ask: (
    path: string,
    body?: unknown,
    method?: string
  ) => Promise<{ readonly status: number; readonly body: Body }>
  readonly exited: Promise<number | null>
  readonly stop: () => Promise<number | null>
}

/** Each test knows the fields of its bodies. */
export type Body = Readonly<Record<string, unknown>>

export interface Given {
  readonly folder: string
  readonly flags?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

export const run = ({ env = {}, flags = [], folder }: Given) => {
  const child = spawn(
    process.execPath,
    [watchword, "dev", ...(flags.includes("--port") ? [] : ["--port", "0"]), ...flags],
    {
      cwd: folder,
      env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], HOME: folder, ...env },
      stdio: ["ignore", "pipe", "pipe"]
    }
  )
  const printed = { out: "", err: "" }
  child.stdout.on("data", (chunk: Buffer) => (printed.out += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (printed.err += chunk.toString()))
  endWithRunner(child)
  const exited = once(child, "exit").then(() => child.exitCode)
  return { child, printed, exited }
}

/** Starts a server, and waits until it has printed its address. */
export const start = async (given: Given): Promise<DevServer> => {
  const { child, exited, printed } = run(given)
  const lines = /interface at (http:\S+)\/v1[\s\S]*ACCOUNT_ID=(\S+)\n\S*API_KEY=(\S+)\n\S*SECRET=(\S+)/
  const gone = exited.then(() => {
    throw new Error(`it ended before it served: ${printed.err}`)
  })
  const found = await Promise.race([until(() => lines.exec(printed.err)), gone])
  gone.catch(() => {})
  const [, origin = "", account = "", key = "", secret = ""] = found ?? []
  const ask: DevServer["ask"] = async (path, body, method = body === undefined ? "GET" : "POST") => {
    const response = await fetch(`${origin}/v1${path}`, {
      method,
      headers: { "x-account-id": account, "x-api-key": key, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, body: text === "" ? {} : JSON.parse(text) }
  }
  return {
    origin,
    account,
    key,
    secret,
    out: () => printed.out,
    err: () => printed.err,
    ask,
    exited,
    stop: async () => {
      child.kill("SIGTERM")
      return exited
    }
  }
}
