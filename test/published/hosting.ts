/**
 * Runs the programs of docs/embedding.md on their hosts, and sends them the request that the page tells to send.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"
import { Miniflare } from "miniflare"
import type { Embedding } from "./embeddings.ts"
import { freePort } from "../freePort.ts"

/** The status and the body of the answer, and the status of the interface without a key. */
export interface Answers {
  readonly status: number
  readonly body: unknown
  readonly withoutKey: number
}

type Send = (path: string, request: RequestInit) => Promise<Response>

const SECRET = "0123456789abcdef0123456789abcdef"

/** @param cwd where the program's files and what it installs are */
export const answersOf = (embedding: Embedding, cwd: string): Promise<Answers> => {
  const ask = (send: Send) => asked(embedding, send)
  const app = Object.keys(embedding.project.files).find((file) => /^app\.\w+$/.test(file))
  if (app !== undefined) return onNode(app, cwd, ask)
  return "wrangler.json" in embedding.project.files ? onWorkerd(cwd, ask) : asRoutes(cwd, ask)
}

const asked = async ({ request }: Embedding, send: Send): Promise<Answers> => {
  const [, path = "", body = ""] = /^curl http:\/\/127\.0\.0\.1:3000(\S+) .*-d '(.+)'$/.exec(request) ?? []
  const headers = { "content-type": "application/json" }
  const response = await send(path, { method: "POST", headers, body })
  const refused = await send("/v1/verifications", { method: "POST", headers, body })
  return { status: response.status, body: await response.json(), withoutKey: refused.status }
}

const onNode = async (app: string, cwd: string, ask: (send: Send) => Promise<Answers>): Promise<Answers> => {
  const port = await freePort()
  const env = { ...process.env, PORT: String(port), VERIFY_SECRET: SECRET }
  const child = spawn(process.execPath, [app], { cwd, env, stdio: ["ignore", "ignore", "pipe"] })
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

const listening = async (port: number, check: () => void): Promise<void> => {
  for (;;) {
    check()
    const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => null)
    if (response !== null) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** A Worker in the runtime that Cloudflare runs it in, on the tables of the package's migrations. */
const onWorkerd = async (cwd: string, ask: (send: Send) => Promise<Answers>): Promise<Answers> => {
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

/** Route handlers in one bundle, as Next makes it, behind a plain server; Next itself is not installed here. */
const asRoutes = async (cwd: string, ask: (send: Send) => Promise<Answers>): Promise<Answers> => {
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
  return onNode("routes.cjs", cwd, ask)
}

const ROUTER = `
import { createServer } from "node:http"
import { POST as signup } from "./app/signup/route.ts"
import { POST as rest } from "./app/v1/[...path]/route.ts"

createServer(async (incoming, outgoing) => {
  const { headers, url } = incoming
  const body = Buffer.concat(await Array.fromAsync(incoming))
  const request = new Request("http://localhost" + url, { method: "POST", headers, body })
  const response = await (url === "/signup" ? signup : rest)(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
}).listen(Number(process.env.PORT))
process.once("SIGTERM", () => process.exit())
`
