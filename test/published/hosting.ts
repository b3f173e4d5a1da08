/**
 * Runs the programs of docs/embedding.md on their hosts, and sends them the requests that the page shows.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"
import { Miniflare } from "miniflare"
import { type Embedding, requests } from "./embeddings.ts"
import { endWithRunner } from "../exits/endWithRunner.ts"
import { freePort } from "../freePort.ts"
import { until } from "../until.ts"

/** The answers to the page's requests and to one with a wrong number, and the interface's status without a key. */
export interface Answers {
  readonly answers: ReadonlyArray<Answer>
  /** Its text comes from the host's own error page, if the host has one. */
  readonly wrong: { readonly status: number; readonly text: string }
  readonly withoutKey: number
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

type Send = (path: string, request: RequestInit) => Promise<Response>

const SECRET = "0123456789abcdef0123456789abcdef"

/** @param cwd the folder of the program's files and of the packages it installs */
export const answersOf = (embedding: Embedding, cwd: string): Promise<Answers> => {
  const app = Object.keys(embedding.project.files).find((file) => /^app\.\w+$/.test(file))
  if (app !== undefined) return onNode(existsSync(join(cwd, "dist/app.js")) ? "dist/app.js" : app, cwd)
  return "wrangler.json" in embedding.project.files ? onWorkerd(cwd) : asRoutes(cwd)
}

const ask = async (send: Send): Promise<Answers> => {
  const headers = { "content-type": "application/json" }
  const sent = (path: string, body: string | null) => send(path, body === null ? {} : { method: "POST", headers, body })
  const answers: Array<Answer> = []
  for (const { body, path } of requests()) {
    const response = await sent(path, body && completed(body, answers))
    answers.push({ status: response.status, body: await response.json() })
  }
  const wrong = await sent("/signup", '{"to": "0151"}')
  const refused = await sent("/v1/verifications", "{}")
  return { answers, wrong: { status: wrong.status, text: await wrong.text() }, withoutKey: refused.status }
}

/** The id and the code that the page elides, taken from the previous answers. */
const completed = (body: string, [started, shown]: ReadonlyArray<Answer>): string => {
  const { verification_id: id } = Object(started?.body)
  const [message] = Object(shown?.body).messages ?? []
  return id === undefined ? body : body.replace("vrf_…", String(id)).replace("123456", String(message?.code))
}

const onNode = async (app: string, cwd: string): Promise<Answers> => {
  const port = await freePort()
  const env = { ...process.env, PORT: String(port), VERIFY_SECRET: SECRET }
  const child = spawn(process.execPath, [app], { cwd, env, stdio: ["ignore", "ignore", "pipe"] })
  endWithRunner(child)
  const exited = once(child, "exit")
  let printed = ""
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()))
  try {
    await listening(port, () => {
      if (child.exitCode !== null) throw new Error(printed)
    })
    return await ask((path, request) => fetch(`http://127.0.0.1:${port}${path}`, request))
  } finally {
    child.kill("SIGTERM")
    await exited
  }
}

const listening = (port: number, check: () => void): Promise<unknown> =>
  until(() => {
    check()
    return fetch(`http://127.0.0.1:${port}/`).catch(() => null)
  })

/** A Worker in Cloudflare's own runtime, on tables created by the package's migrations. */
const onWorkerd = async (cwd: string): Promise<Answers> => {
  const { compatibility_date, main } = JSON.parse(readFileSync(join(cwd, "wrangler.json"), "utf8"))
  const { outputFiles } = await build({
    absWorkingDir: cwd,
    entryPoints: [main],
    bundle: true,
    write: false,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    logLevel: "error"
  })
  const miniflare = new Miniflare({
    modules: true,
    script: outputFiles[0]?.text ?? "",
    compatibilityDate: compatibility_date,
    d1Databases: { DB: "watchword" },
    bindings: { VERIFY_SECRET: SECRET },
    cf: false,
    telemetry: { enabled: false }
  })
  try {
    const { origin } = await miniflare.ready
    const { migrate } = await import(pathToFileURL(join(cwd, "node_modules/@watchword/store-d1/dist/index.js")).href)
    await migrate(await miniflare.getD1Database("DB"))
    return await ask((path, request) => fetch(`${origin}${path}`, request))
  } finally {
    await miniflare.dispose()
  }
}

/** Route handlers in one bundle, as built by Next, behind a plain server; Next itself is not installed here. */
const asRoutes = async (cwd: string): Promise<Answers> => {
  await build({
    absWorkingDir: cwd,
    stdin: { contents: ROUTER, resolveDir: cwd },
    bundle: true,
    outfile: join(cwd, "routes.cjs"),
    format: "cjs",
    platform: "node",
    external: ["better-sqlite3"],
    logLevel: "error"
  })
  return onNode("routes.cjs", cwd)
}

const ROUTER = `
import { createServer } from "node:http"
import { GET as phones } from "./app/phones/route.ts"
import { POST as check } from "./app/signup/check/route.ts"
import { POST as signup } from "./app/signup/route.ts"
import { POST as rest } from "./app/v1/[...path]/route.ts"

const routes = { "/phones": phones, "/signup": signup, "/signup/check": check }

createServer(async (incoming, outgoing) => {
  const { headers, method, url } = incoming
  const body = Buffer.concat(await Array.fromAsync(incoming))
  const request = new Request("http://localhost" + url, { method, headers, body: method === "GET" ? null : body })
  const response = await (routes[url] ?? rest)(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
}).listen(Number(process.env.PORT))
process.once("SIGTERM", () => process.exit())
`
