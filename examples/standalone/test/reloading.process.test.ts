import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { afterEach, beforeEach, expect, it } from "vitest"
import { type Running, command, start } from "./Standalone.ts"

let folder: string
let prices: string
let server: Running | null = null

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "watchword-"))
  prices = join(folder, "prices.json")
})
afterEach(async () => {
  await server?.kill()
  server = null
  await rm(folder, { recursive: true })
})

const lines = (running: Running): number => running.printed().split("SIGHUP: ").length - 1

/** Signals the server, and waits until its log says what came of it. */
const hangUp = async (running: Running): Promise<void> => {
  const before = lines(running)
  running.process.kill("SIGHUP")
  while (lines(running) === before) await delay(20)
}

it("SIGHUP reads prices again, and keeps those of before where the file is wrong", async () => {
  const database = { DATABASE_URL: `sqlite:${join(folder, "test.db")}` }
  await writeFile(prices, JSON.stringify({ sms: { "*": 0.05 } }))
  const account = String((await command(database, "account", "create", "--sms-sender", "Acme"))["account_id"])
  const key = String((await command(database, "key", "create", "--account", account))["key"])
  const running = await start({ ...database, DEMO: "no", PRICES: prices, SMPP_URL: "smpp://id:sesame@127.0.0.1:1" })
  server = running
  // An account without money is refused with 402 what has a price, and with 400 what has none.
  const send = async (to: string): Promise<number> => {
    const response = await fetch(`${running.baseUrl}/sms`, {
      method: "POST",
      headers: { "x-api-key": key, "x-account-id": account, "content-type": "application/json" },
      body: JSON.stringify({ to, text: "Your code is 123456" })
    })
    await response.text()
    return response.status
  }
  expect(await send("+4915123456789")).toBe(402)

  await writeFile(prices, JSON.stringify({ sms: { "44": 0.05 } }))
  await hangUp(running)
  expect(await send("+4915123456789")).toBe(400)
  expect(await send("+447700900123")).toBe(402)

  await writeFile(prices, JSON.stringify({ sms: { "49": -1 } }))
  await hangUp(running)
  expect(running.printed()).toMatch(
    /"error".*SIGHUP: PRICES names a file in which sms\.49 .* The prices of before stay in force\./
  )
  expect(await send("+4915123456789")).toBe(400)
  expect(await running.stop()).toBe(0)
})

it("SIGHUP leaves a server without prices running", async () => {
  const running = await start({ DATABASE_URL: "sqlite::memory:", DEMO: "no" })
  server = running
  await hangUp(running)
  expect(running.printed()).toContain("PRICES is not set")
  expect((await fetch(`${running.origin}/healthz`)).status).toBe(200)
})
