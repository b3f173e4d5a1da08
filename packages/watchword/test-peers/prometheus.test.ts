/**
 * Prometheus, which scrapes a server, reads the alert rules and answers the queries of the dashboard.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { type Server, createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { memory } from "@watchword/store/MemoryStore"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, expect, it } from "vitest"
import { freePort } from "../../../test/freePort.ts"
import { type Watchword, createWatchword } from "../src/index.ts"

const file = (path: string): string => fileURLToPath(new URL(`../../../deploy/${path}`, import.meta.url))
const rules = file("prometheus/alerts.yml")

let service: Watchword
let server: Server
let folder: string
let prometheus: ChildProcess
let origin: string

const scrape = async (): Promise<string> => {
  const request = {
    method: "GET",
    path: "/metrics",
    headers: {},
    body: { _tag: "Absent" },
    remoteAddress: null
  } as const
  const { body } = await service.operations(request)
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body ?? "")
}

const listen = async (made: Server): Promise<number> => {
  await once(made.listen(0, "127.0.0.1"), "listening")
  const address = made.address()
  if (address === null || typeof address === "string") throw new Error("the server has no port")
  return address.port
}

const Answer = Schema.Struct({ status: Schema.String, data: Schema.Struct({ result: Schema.Array(Schema.Unknown) }) })

const query = async (expression: string) => {
  const response = await fetch(`${origin}/api/v1/query?query=${encodeURIComponent(expression)}`)
  return Schema.decodeUnknownSync(Answer)(await response.json())
}

beforeAll(async () => {
  service = await createWatchword({ store: memory() })
  const { account_id: account } = await service.operator.account.create({ name: "Acme" })
  await service.sms.send({ account, sandbox: true }, { to: "+4915123411111", text: "Your code is 123456" })
  server = createServer((_, response) => {
    scrape().then(
      (text) => response.end(text),
      () => response.destroy()
    )
  })
  const target = await listen(server)
  folder = await mkdtemp(join(tmpdir(), "watchword-prometheus-"))
  const config = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [rules],
    scrape_configs: [{ job_name: "watchword", static_configs: [{ targets: [`127.0.0.1:${target}`] }] }]
  }
  await writeFile(join(folder, "prometheus.yml"), JSON.stringify(config))
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  prometheus = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`
    ],
    { stdio: "ignore" }
  )
})

afterAll(async () => {
  const ended = once(prometheus, "exit")
  prometheus.kill()
  await ended
  server.closeAllConnections()
  server.close()
  await service.dispose()
  await rm(folder, { recursive: true })
})

it("finds nothing wrong with the metrics and the rules", async () => {
  expect(String(execFileSync("promtool", ["check", "metrics"], { input: await scrape() }))).toBe("")
  expect(String(execFileSync("promtool", ["check", "rules", rules]))).toContain("SUCCESS")
})

const Dashboard = Schema.fromJsonString(
  Schema.Struct({
    panels: Schema.Array(
      Schema.Struct({ targets: Schema.optionalKey(Schema.Array(Schema.Struct({ expr: Schema.String }))) })
    )
  })
)

it("answers each query of the dashboard", async () => {
  await expect.poll(async () => (await query("watchword_sends_total")).data.result.length, { timeout: 30_000 }).toBe(1)
  const { panels } = Schema.decodeUnknownSync(Dashboard)(await readFile(file("grafana/watchword.json"), "utf8"))
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  expect(expressions.length).toBeGreaterThan(0)
  for (const expression of expressions)
    expect([expression, (await query(expression)).status]).toEqual([expression, "success"])
})
