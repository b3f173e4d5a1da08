import { writeFile } from "node:fs/promises"
import { afterEach, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { until } from "../../../test/until.ts"
import { callerOf, request } from "./client.ts"
import { type Running, command, start } from "./Standalone.ts"
import { telegramApi } from "@watchword/sandbox/http"

const { file } = folderForEach()
let server: Running | null = null

afterEach(async () => {
  await server?.kill()
  server = null
})

/** The messages that the log has of hang-ups, with their levels. */
const said = (running: Running): ReadonlyArray<string> =>
  [...running.printed().matchAll(/"level":"(\w+)","message":"SIGHUP: ([^"]*)"/g)].map(
    ([, level, text]) => `${level}: ${text}`
  )

/** Signals the server, and waits until its log has as many messages as files have changed. */
const hangUp = async (running: Running, messages = 1): Promise<ReadonlyArray<string>> => {
  const before = said(running).length
  running.process.kill("SIGHUP")
  await until(() => said(running).length >= before + messages)
  return said(running).slice(before)
}

/** A server, and an account with a live key and money. */
const serving = async (settings: Readonly<Record<string, string>>) => {
  const database = { DATABASE_URL: `sqlite:${file("test.db")}` }
  const flags = ["--sms-sender", "Acme", "--balance", "1"]
  const account = String((await command(database, "account", "create", ...flags))["account_id"])
  const key = String((await command(database, "key", "create", "--account", account))["key"])
  const running = await start({ ...database, DEMO: "no", ...settings })
  server = running
  const caller = callerOf(running, account, key)
  const post = async (path: string, body: object) => (await request(caller, path, body)).status
  return { running, post }
}

it("SIGHUP reads prices and rules of guards again, and keeps those of before where a file is wrong", async () => {
  await writeFile(file("prices.json"), JSON.stringify({ sms: { "*": 0.05 } }))
  await writeFile(file("guards.json"), "{}")
  const { post, running } = await serving({
    PRICES: file("prices.json"),
    GUARDS: file("guards.json"),
    SMPP_URL: "smpp://id:sesame@127.0.0.1:1"
  })
  // A number with a price is refused with 503, because there is no carrier, and a number without one with 400.
  const send = (to: string) => post("/sms", { to, text: "Your code is 123456" })
  expect(await send("+4915123456789")).toBe(503)

  await writeFile(file("prices.json"), JSON.stringify({ sms: { "44": 0.05, "33": 0.05 } }))
  await writeFile(file("guards.json"), JSON.stringify({ action: "deny", countries: { allow: ["GB"] } }))
  expect(await hangUp(running, 2)).toEqual([
    "info: PRICES was read again, and is in force.",
    "info: GUARDS was read again, and is in force."
  ])
  expect(await send("+4915123456789")).toBe(400)
  expect(await send("+447700900123")).toBe(503)
  expect(await send("+33612345678")).toBe(403)

  await writeFile(file("prices.json"), JSON.stringify({ sms: { "49": -1 } }))
  await writeFile(file("guards.json"), JSON.stringify({ countries: { allow: [] }, typo: 1 }))
  const [prices, guards] = await hangUp(running, 2)
  expect(prices).toMatch(/^error: PRICES names a file in which sms\.49 .* The previous values stay in force\.$/)
  expect(guards).toMatch(/^error: GUARDS names a file in which .* The previous values stay in force\.$/)
  expect(await send("+4915123456789")).toBe(400)
  expect(await send("+33612345678")).toBe(403)

  await writeFile(file("prices.json"), "{}")
  await hangUp(running)
  await until(() => running.printed().includes("live without a price: sms."))
  expect(await running.stop()).toBe(0)
})

it("SIGHUP gives requests from then on the token that its file has", async () => {
  const telegram = await telegramApi({ token: "token-of-yesterday" })
  try {
    await writeFile(file("token"), "token-of-yesterday\n")
    await writeFile(file("smpp"), "smpp://id:sesame@127.0.0.1:1")
    const { post, running } = await serving({
      CHATGW_URL: telegram.url(),
      CHATGW_TOKEN_FILE: file("token"),
      SMPP_URL_FILE: file("smpp")
    })
    const send = () => post("/chatgw", { to: "+4915123456789", code: "123456" })
    const event = async (token: string): Promise<number> => {
      const request = [...telegram.requests.keys()].at(-1) ?? ""
      return telegram.report(request, {}, { to: `${running.baseUrl}/chatgw/events`, token })
    }
    expect(await send()).toBe(200)

    // A request in flight keeps the token with which it began.
    telegram.script.answer = () => ({ after: 500 })
    const underWay = send()
    await until(() => telegram.calls.length === 2)
    await writeFile(file("token"), "token-of-today")
    await writeFile(file("smpp"), "smpp://id:open-sesame@127.0.0.1:1")
    expect(await hangUp(running, 2)).toEqual([
      "info: CHATGW_TOKEN_FILE was read again, and is in force.",
      "warn: the file of SMPP_URL_FILE has changed; this needs a restart."
    ])
    expect(await underWay).toBe(200)
    telegram.script.answer = () => ({})

    expect(await send()).not.toBe(200)
    telegram.token = "token-of-today"
    expect(await send()).toBe(200)
    expect([await event("token-of-yesterday"), await event("token-of-today")]).toEqual([401, 200])

    for (const wrong of ["token of tomorrow", ""]) {
      await writeFile(file("token"), wrong)
      const [refused] = await hangUp(running, 2)
      expect(refused).toMatch(/^error: CHATGW_TOKEN_FILE.* The previous values stay in force\.$/)
      expect(await send()).toBe(200)
    }
    expect(running.printed()).not.toMatch(/of-yesterday|of-today|of tomorrow|sesame/)
  } finally {
    await telegram.stop()
  }
})

it("SIGHUP reads rates of currencies again, and keeps those of before where none is of today", async () => {
  const acme = { sms: "smpp://id:sesame@127.0.0.1:1", currency: "USD", cost: { "*": 0.06 } }
  const rate = (euros: number, day = "2026-01-01") =>
    writeFile(file("rates.json"), JSON.stringify({ USD: { [day]: euros } }))
  await writeFile(file("carriers.json"), JSON.stringify({ carriers: { acme } }))
  await writeFile(file("prices.json"), JSON.stringify({ sms: { "*": 0.05 } }))
  await rate(0.5)
  const settings = { CARRIERS: file("carriers.json"), PRICES: file("prices.json"), RATES: file("rates.json") }
  const { running } = await serving(settings)
  expect(running.printed()).not.toContain("sells for")
  expect(running.printed()).toMatch(/RATES has no rate of USD for \S+: costs are by the rate of 2026-01-01, 0\.5 EUR\./)

  await rate(0.9)
  expect(await hangUp(running)).toEqual(["info: RATES was read again, and is in force."])
  await until(() => running.printed().includes("sms to * sells for 0.05 EUR and costs 0.054 EUR by acme."))
  await rate(0.5, "2999-01-01")
  expect(await hangUp(running)).toEqual([
    expect.stringMatching(/^error: .*carriers\.acme\.currency is USD, and RATES has no rate .* stay in force\.$/)
  ])
})

it("SIGHUP leaves a server without files running", async () => {
  const running = await start({ DATABASE_URL: "sqlite::memory:", DEMO: "no" })
  server = running
  expect(await hangUp(running)).toEqual(["info: no file that a setting names has changed."])
  expect((await fetch(`${running.origin}/healthz`)).status).toBe(200)
})
