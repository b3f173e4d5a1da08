import { writeFile } from "node:fs/promises"
import { afterEach, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { until } from "../../../test/until.ts"
import { callerOf, request } from "./client.ts"
import { type Running, command, start } from "./Standalone.ts"

const { file } = folderForEach()
let server: Running | null = null

afterEach(async () => {
  await server?.kill()
  server = null
})

const lines = (running: Running): number => running.printed().split("SIGHUP: ").length - 1

/** Signals the server, and waits until its log says what came of it. */
const hangUp = async (running: Running): Promise<void> => {
  const before = lines(running)
  running.process.kill("SIGHUP")
  await until(() => lines(running) !== before)
}

it("SIGHUP reads prices again, and keeps those of before where the file is wrong", async () => {
  const database = { DATABASE_URL: `sqlite:${file("test.db")}` }
  await writeFile(file("prices.json"), JSON.stringify({ sms: { "*": 0.05 } }))
  const account = String((await command(database, "account", "create", "--sms-sender", "Acme"))["account_id"])
  const key = String((await command(database, "key", "create", "--account", account))["key"])
  const running = await start({
    ...database,
    DEMO: "no",
    PRICES: file("prices.json"),
    SMPP_URL: "smpp://id:sesame@127.0.0.1:1"
  })
  server = running
  // An account without money is refused with 402 what has a price, and with 400 what has none.
  const caller = callerOf(running, account, key)
  const send = async (to: string) => (await request(caller, "/sms", { to, text: "Your code is 123456" })).status
  expect(await send("+4915123456789")).toBe(402)

  await writeFile(file("prices.json"), JSON.stringify({ sms: { "44": 0.05 } }))
  await hangUp(running)
  expect(await send("+4915123456789")).toBe(400)
  expect(await send("+447700900123")).toBe(402)

  await writeFile(file("prices.json"), JSON.stringify({ sms: { "49": -1 } }))
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
