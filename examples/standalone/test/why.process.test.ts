import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { request } from "./client.ts"
import { type Running, command, failingCommand, start } from "./Standalone.ts"

const NUMBER = "+4915123456789"

let folder: string
let database: { readonly DATABASE_URL: string }
let server: Running

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "watchword-"))
  database = { DATABASE_URL: `sqlite:${join(folder, "test.db")}` }
  server = await start(database)
})

afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

describe("why", () => {
  it("tells the story of a number, from the request to the likely reason", async () => {
    const account = String((await command(database, "account", "create", "--sms-sender", "Acme"))["account_id"])
    const { key } = await command(database, "key", "create", "--account", account, "--sandbox")
    const caller = { port: Number(new URL(server.baseUrl).port), account, key: String(key) }
    const started = await request(caller, "/verifications", { to: NUMBER, workflow: [{ channel: "sms", timeout: 30 }] })
    expect(started.status).toBe(200)

    const story = await command(database, "why", NUMBER)
    expect(story).toMatchObject({
      number: NUMBER,
      truncated: false,
      items: [
        { account, mode: "sandbox", channel: "verify", status: "pending", verification: null },
        { account, mode: "sandbox", channel: "sms", verification: expect.any(String) }
      ],
      reason: expect.stringMatching(/sms/)
    })
    expect(await command(database, "why", "+4915123456780")).toMatchObject({ items: [] })
  })

  it("refuses what is no number, and no time", async () => {
    expect(await failingCommand(database, "why", "0151")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("number must be a phone number in E.164 form")
    })
    expect(await failingCommand(database, "why", NUMBER, "--since", "now")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--since must be a time in ISO 8601")
    })
  })
})
