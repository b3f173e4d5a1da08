/**
 * Callbacks verified in a page of Chromium, by its own WebCrypto.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { type Server, createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { beforeAll, describe, expect, it } from "vitest"
import { cases } from "../test/cases.ts"

interface Told {
  readonly browser: string
  readonly outcomes: ReadonlyArray<{ readonly name: string; readonly outcomes: ReadonlyArray<unknown> }>
  readonly own: ReadonlyArray<unknown>
}

/** Serves the page, and hands on what it tells. */
const createPage = (script: string, told: (told: Told) => void): Server =>
  createServer((request, response) => {
    if (request.url === "/told") {
      void text(request).then((json) => told(JSON.parse(json)))
      response.writeHead(204).end()
    } else if (request.url === "/page.js") {
      response.writeHead(200, { "content-type": "text/javascript" }).end(script)
    } else {
      response.writeHead(200, { "content-type": "text/html" }).end('<script type="module" src="/page.js"></script>')
    }
  })

const bundle = async (): Promise<string> => {
  const input = fileURLToPath(new URL("page.ts", import.meta.url))
  const build = await rolldown({ input, platform: "browser", logLevel: "silent" })
  const { output } = await build.generate({ format: "esm" })
  await build.close()
  return output[0].code
}

/** Opens the page in a browser of its own and waits for what it tells; rejects with what the browser prints. */
const visit = async (): Promise<Told> => {
  const told = Promise.withResolvers<Told>()
  const server = createPage(await bundle(), told.resolve).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the page has no address")

  const profile = await mkdtemp(join(tmpdir(), "watchword-chromium-"))
  // Root may not use Chromium's own sandbox, and the page is ours. With a debugging port it stays until it is ended.
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-port=0"]
  const url = `http://127.0.0.1:${address.port}/`
  const child = spawn("chromium", [...flags, `--user-data-dir=${profile}`, url], {
    stdio: ["ignore", "ignore", "pipe"]
  })
  let printed = ""
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()))
  const fail = (what: string) => told.reject(new Error(`${what}: ${printed}`))
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve())
    child.once("error", () => resolve())
  })
  void ended.then(() => fail("the browser ended before the page did"))
  const patience = setTimeout(() => fail("the page said nothing"), 45_000)
  try {
    return await told.promise
  } finally {
    clearTimeout(patience)
    child.kill()
    await ended
    server.close()
    server.closeAllConnections()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

describe("in Chromium", () => {
  let told: Told
  beforeAll(async () => {
    told = await visit()
  })

  it("is where this ran", () => {
    expect(told.browser).toMatch(/Chrome\/\d+/)
    expect(told.outcomes.map(({ name }) => name)).toEqual(cases.map(({ name }) => name))
  })

  it.each(cases)("gives the right answer to $name", ({ expected, name }) => {
    const outcomes = told.outcomes.find((one) => one.name === name)?.outcomes
    expect(outcomes).toEqual([expected, expected, expected, expected])
  })

  it("verifies what it has signed, with Headers and from a Request", () => {
    const event = { request_id: "of the browser" }
    expect(told.own).toEqual([event, event])
  })
})
