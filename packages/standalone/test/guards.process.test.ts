import { writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { verifyWebhook } from "@watchword/callback-signature/webhook"
import { beforeAll, describe, expect, it } from "vitest"
import { until } from "../../../test/until.ts"
import { callerOf as callerAt, request } from "./client.ts"
import { installationForAll, serverForAll } from "./Installation.ts"
import { answerOf, command as operator, start } from "./Standalone.ts"

const sms = { to: "+4915123456789", text: "Your code is 123456" }

const installation = installationForAll(({ file }) => ({ GUARDS: file("guards.json") }))
const { command, failingCommand, file, newAccount } = installation

beforeAll(() => writeFile(file("guards.json"), JSON.stringify({ action: "deny", countries: { allow: ["DE", "AT"] } })))

const { callerOf } = serverForAll(installation)

/** An account, and its sandbox sends to a number. */
const customer = async () => {
  const account = await newAccount()
  const caller = await callerOf(account, "--sandbox")
  return { account, send: (to = sms.to) => request(caller, "/sms", { ...sms, to }) }
}

const status = (wanted: number) => (answer: { readonly status: number }) => answer.status === wanted

describe("guard", () => {
  it("has the file of GUARDS hold for accounts without rules, and sets, shows and removes those of an account", async () => {
    const { account, send } = await customer()
    expect(await send()).toMatchObject({ status: 200 })
    expect(await send("+33612345678")).toMatchObject({ status: 403, body: { reason: "country_not_allowed" } })
    const rules = { action: "deny", limits: [{ name: "number", by: ["to"], rates: ["1/1h"] }] }
    await writeFile(file("rules.json"), JSON.stringify(rules))
    expect(await command("guard", "set", account, file("rules.json"))).toEqual({ account_id: account, rules })
    await until(() => send("+33612345678"), status(200))
    expect(await send("+33612345678")).toMatchObject({ status: 429, body: { reason: "limit_number" } })
    expect(await command("guard", "show", account)).toMatchObject({ in_force: { from: "account", rules } })
    expect(await command("guard", "remove", account)).toEqual({ removed: account, account_id: account })
    await until(() => send("+33612345678"), status(403))
    expect(await command("guard", "show", account)).toMatchObject({
      rules: null,
      in_force: { from: "installation", rules: { action: "deny", countries: { allow: ["DE", "AT"] } } }
    })
    expect(await command("guard", "set", account, "none")).toEqual({ account_id: account, rules: {} })
    await until(() => send("+33612345678"), status(200))
    expect(await command("guard", "show", account)).toMatchObject({ in_force: { from: "account", rules: {} } })
  })

  it("shows the default rules where none are set, and says so in a sentence", async () => {
    const account = await newAccount()
    const without = { DATABASE_URL: `sqlite:${file("test.db")}` }
    const { stdout } = await answerOf(without, "guard", "show", account)
    expect(stdout).toMatch(/is under the default rules, because it has no rules of its own and GUARDS is not set/)
    expect(stdout).toContain('"for": "verifications"')
  })

  it("blocks a prefix of a running server within seconds, lets exceptions through, and lists both", async () => {
    const { account, send } = await customer()
    const blocked = await command("guard", "block", "+4366", "--for", "12h", "--account", account)
    expect(blocked).toMatchObject({ place: "+4366", account_id: account })
    const hours = (Date.parse(String(blocked["until"])) - Date.now()) / 3_600_000
    expect(Math.round(hours)).toBe(12)
    const refused = await until(() => send("+436641234567"), status(403))
    expect(refused).toMatchObject({ body: { error: "FORBIDDEN", reason: "prefix_blocked" } })
    await command("guard", "allow", "+436641234567", "--account", account)
    await until(() => send("+436641234567"), status(200))
    expect((await send("+436641234568")).status).toBe(403)
    expect(await command("guard", "list", "--account", account)).toMatchObject({
      guards: [
        {
          account_id: account,
          blocks: [{ place: "+4366", by: "operator" }],
          allowed: [{ number: "+436641234567", until: null }]
        }
      ]
    })
    await command("guard", "remove", "+4366", "--account", account)
    await until(() => send("+436641234568"), status(200))
  })

  it("names the field of a mistake, and changes nothing", async () => {
    const { account } = await customer()
    const complaint = async (...args: ReadonlyArray<string>) => (await failingCommand("guard", ...args)).stderr
    const limits = [{ name: "number", by: ["to"], rates: ["1/30s", "5 an hour"] }]
    await writeFile(file("wrong.json"), JSON.stringify({ limits }))
    await writeFile(file("no.json"), "{")
    expect(await complaint("set", account, file("wrong.json"))).toContain("limits[0].rates[1] must be")
    expect(await complaint("set", account, file("no.json"))).toContain("is not JSON")
    expect(await complaint("set", account, file("missing.json"))).toContain("cannot be read")
    expect(await complaint("block", "2348", "--for", "12h")).toContain("place must be the first digits of numbers")
    expect(await complaint("block", "+2348", "--for", "soon")).toContain("--for must be a time")
    expect(await complaint("allow", "0151")).toContain("number must begin with a plus sign")
    expect(await complaint("remove", "+2348")).toContain("There is no such")
    expect(await command("guard", "show", account)).toMatchObject({ rules: null })
  })

  it("stops a start with rules that are wrong, by the name of the field", async () => {
    const settings = { DATABASE_URL: `sqlite:${file("other.db")}`, GUARDS: file("wrong.json") }
    await writeFile(file("wrong.json"), JSON.stringify({ countries: { allow: ["XX"] } }))
    await expect(start(settings)).rejects.toThrow("GUARDS names a file in which countries.allow[0] must be")
  })
})

describe("BEFORE_SEND_URL", () => {
  const SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"

  it("has a check asked before each send, whose signature holds", async () => {
    const asked: Array<unknown> = []
    const server = createServer((request, response) => {
      void (async () => {
        const pieces: Array<Buffer> = []
        for await (const piece of request) pieces.push(piece)
        const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
        asked.push(await verifyWebhook(Buffer.concat(pieces), headers, { secret: SECRET }))
        response.end('{"decision":"deny","reason":"sim_swap"}')
      })()
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const port = typeof address === "object" ? address?.port : null
    const database = { DATABASE_URL: `sqlite:${file("checked.db")}`, BEFORE_SEND_SECRET: SECRET }
    const checked = await start({ ...database, BEFORE_SEND_URL: `http://127.0.0.1:${port}/check`, DEMO: "no" })
    try {
      expect(checked.printed()).toContain(`before send 127.0.0.1:${port}, fails open`)
      const account = String((await operator(database, "account", "create", "--sms-sender", "Acme"))["account_id"])
      const { key } = await operator(database, "key", "create", "--account", account, "--sandbox")
      const caller = callerAt(checked, account, String(key))
      expect(await request(caller, "/sms", sms)).toMatchObject({ status: 403, body: { reason: "denied" } })
      expect(asked).toMatchObject([{ type: "send.check", data: { account_id: account, channel: "sms", to: sms.to } }])
      const list = await request(caller, "/sms/sdr", {})
      expect(list.body).toMatchObject({ list: [{ status: "blocked", guard_reasons: "denied sim_swap" }] })
    } finally {
      await checked.kill()
      server.close()
    }
  })

  it.each([
    [{ BEFORE_SEND_URL: "https://checks.example.com/send" }, "BEFORE_SEND_SECRET must be set"],
    [{ BEFORE_SEND_URL: "checks.example.com" }, "BEFORE_SEND_URL must be an http or https address"],
    [{ BEFORE_SEND_URL: "https://checks.example.com", BEFORE_SEND_SECRET: "x" }, "BEFORE_SEND_SECRET must be whsec_"],
    [
      { BEFORE_SEND_URL: "https://checks.example.com", BEFORE_SEND_SECRET: SECRET, BEFORE_SEND_FAIL: "no" },
      "BEFORE_SEND_FAIL must be open or closed"
    ]
  ])("%o stops the start with one sentence", async (settings, sentence) => {
    const started = start({ DATABASE_URL: `sqlite:${file("never.db")}`, ...settings })
    await expect(started).rejects.toThrow(sentence)
  })
})
