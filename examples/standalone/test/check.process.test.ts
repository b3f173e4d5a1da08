import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterEach, beforeEach, expect, it } from "vitest"
import { TestCarrier } from "../../../packages/sms/test/smpp/TestCarrier.ts"
import { command, start } from "./Standalone.ts"

let folder: string
let database: { readonly DATABASE_URL: string }

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "watchword-"))
  database = { DATABASE_URL: `sqlite:${join(folder, "test.db")}` }
})
afterEach(() => rm(folder, { recursive: true }))

const program = join(import.meta.dirname, "../src/cli.ts")

const check = async (environment: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) => {
  const env = { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...environment }
  const { code, stdout } = await promisify(execFile)(process.execPath, [program, "check", "--json", ...args], {
    env
  }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { readonly code: number; readonly stdout: string }) => error
  )
  const answer: { readonly checks: ReadonlyArray<{ part: string; result: string; message: string }> } =
    JSON.parse(stdout)
  const results = answer.checks.map(({ part, result }) => `${part} ${result}`)
  return { code, results, messages: answer.checks.map(({ message }) => message).join("\n") }
}

it("check finds a carrier that answers right, beside a server that runs", async () => {
  const carrier = await TestCarrier.start()
  const environment = { ...database, SMPP_URL: carrier.url() }
  const server = await start({ ...environment, DEMO: "no" })
  expect(await check(environment)).toMatchObject({ code: 0, results: ["settings ok", "database ok", "sms ok"] })
  expect((await fetch(`${server.origin}/healthz`)).status).toBe(200)
  await server.stop()
  await carrier.stop()
})

it("check names what is wrong, without secrets", async () => {
  await command(database, "account", "list")
  const wrong = await check({
    ...database,
    SMPP_URL: "smpp://id:sesame@127.0.0.1:1",
    CHATGW_TOKEN: "sesame",
    SMPP_URLS: "x"
  })
  expect(wrong.code).toBe(1)
  expect(wrong.results).toEqual([
    "settings ok",
    "settings wrong",
    "settings warning",
    "database ok",
    "sms wrong",
    "chatgw not asked"
  ])
  expect(wrong.messages).not.toContain("sesame")
  const unread = await check({ ...database, PORT: "x", SMPP_URL: "smpp://id:sesame@127.0.0.1:1" })
  expect(unread).toMatchObject({ code: 1, results: ["settings wrong", "database ok"] })
})

it("check asks no carrier where it must not, and makes no database", async () => {
  const environment = { ...database, SMPP_URL: "smpp://id:sesame@127.0.0.1:1" }
  for (const _ of [1, 2]) {
    const { code, messages, results } = await check(environment, "--no-carriers")
    expect([code, results]).toEqual([0, ["settings ok", "database ok", "sms not asked"]])
    expect(messages).toContain("the first start makes it")
  }
})

it("check refuses a file that is no database", async () => {
  await writeFile(join(folder, "test.db"), "this is a text file, which is no database of SQLite at all")
  expect(await check(database)).toMatchObject({ code: 1, results: ["settings ok", "database wrong"] })
})
