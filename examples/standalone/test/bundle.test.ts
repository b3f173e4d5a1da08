/**
 * The server as `npm start` runs it: from its bundle while that is current, else from its sources.
 */
import { execFile } from "node:child_process"
import { once } from "node:events"
import { globSync } from "node:fs"
import { readFile, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { Worker } from "node:worker_threads"
import { beforeAll, expect, it } from "vitest"
import { folderForAll } from "../../../test/folder.ts"
import { start as startPostgres } from "../../../test/PostgresServer.ts"
import { start } from "./Standalone.ts"

const run = promisify(execFile)
const root = join(import.meta.dirname, "../../..")
const bundle = join(import.meta.dirname, "../dist/current/server")

// Loaded before the server: says where it is when it comes to listen.
const PROBE = `
const http = process.getBuiltinModule("node:http")
const { createServer } = http
http.createServer = (...options) => {
  console.log(new Error("listening").stack)
  return createServer(...options)
}
`

const folder = folderForAll()
let environment: Readonly<Record<string, string>>

beforeAll(async () => {
  const probe = folder.file("probe.mjs")
  await writeFile(probe, PROBE)
  environment = { DATABASE_URL: `sqlite:${folder.file("test.db")}`, NODE_OPTIONS: `--import=${probe}` }
  await makeBundle()
})

const makeBundle = () => run(process.execPath, [join(root, "scripts/bundle.mjs"), "server"])

it("answers, shows its pages and drains", async () => {
  const server = await start(environment, "main.mjs")
  const printed = server.printed()
  const response = await fetch(`${server.baseUrl}/sms`, {
    method: "POST",
    headers: {
      "x-account-id": /account id +(\S+)/.exec(printed)?.[1] ?? "",
      "x-api-key": /key +(sk_test_\S+)/.exec(printed)?.[1] ?? "",
      "content-type": "application/json"
    },
    body: JSON.stringify({ to: "+4915123456789", text: "Your code is 123456" })
  })
  expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ to: "+4915123456789" })])
  expect(await (await fetch(`${server.origin}/docs`)).text()).toContain("SwaggerUIBundle")
  expect(await server.stop()).toBe(0)
})

it("has the driver of PostgreSQL beside it", async () => {
  const postgres = await startPostgres()
  try {
    const server = await start({ DATABASE_URL: postgres.url }, "main.mjs")
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  } finally {
    await postgres.stop()
  }
})

it("names sources in stack traces", async () => {
  const server = await start(environment, "main.mjs")
  await server.stop()
  expect(server.printed()).toMatch(/Error: listening\n[^]* at serve \(\/[^)]*adapters\/node\/src\/serve\.ts:\d+:\d+\)/)
})

it("has every thread beside it", async () => {
  const sources = globSync("{packages,adapters}/*/src/**/*.ts", { cwd: root })
  const texts = await Promise.all(sources.map((source) => readFile(join(root, source), "utf8")))
  const threads = texts.flatMap((text) =>
    [...text.matchAll(/new URL\("\.\/(\w+)\.js"/g)].map(([, name]) => `${name}.js`)
  )
  expect(threads).toContain("searchThread.js")
  expect(await readdir(bundle)).toEqual(expect.arrayContaining(threads))

  const workerData = { filename: folder.file("test.db"), channels: [] }
  const thread = new Worker(join(bundle, "searchThread.js"), { workerData })
  expect(await once(thread, "message")).toEqual([{ _tag: "Ready" }])
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  thread.postMessage({ id: 7, listing: {} })
  const [answer] = await once(thread, "message")
  expect(answer).toMatchObject({ id: 7 })
  await thread.terminate()
})

it("runs from the sources once one of them has changed, until it is made again", async () => {
  const list = join(bundle, "inputs.json")
  const inputs: ReadonlyArray<readonly [string, string]> = JSON.parse(await readFile(list, "utf8"))
  const changed = inputs.map(([path, seen]) => [path, path.endsWith("/serve.ts") ? "0 0" : seen])
  expect(changed).not.toEqual(inputs)
  await writeFile(list, JSON.stringify(changed))
  const fromSources = await start(environment, "main.mjs")
  await fromSources.stop()
  expect(fromSources.printed()).toMatch(/ at serve \(file:\/\/[^)]*serve\.ts:\d+:\d+\)/)
  await makeBundle()
  expect(JSON.parse(await readFile(list, "utf8"))).toEqual(inputs)
})
