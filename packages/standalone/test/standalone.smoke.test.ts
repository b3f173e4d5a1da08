import { execFile } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { promisify } from "node:util"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { until } from "../../../test/until.ts"
import * as Settings from "../src/settings/Settings.ts"
import { installationForAll } from "./Installation.ts"
import { type Running, answerOf, start, startFailing } from "./Standalone.ts"

const shell = promisify(execFile)

const installation = installationForAll()
const { command, environment, file, newAccount, failingCommand } = installation
const another = () => ({ DATABASE_URL: `sqlite:${file("another.db")}` })
let server: Running

beforeAll(async () => {
  server = await start(environment())
})

afterAll(() => server.stop())

const call = async (path: string, key: string, account: string, body?: object) => {
  const response = await fetch(server.baseUrl + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "x-api-key": key, "x-account-id": account, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const newKey = async (account: string, ...flags: ReadonlyArray<string>) => {
  const made = await command("key", "create", "--account", account, ...flags)
  return { id: String(made["key_id"]), key: String(made["key"]) }
}

describe("a newcomer", () => {
  it("runs the curl that was printed and sees the message arrive", async () => {
    const printed = server.printed()
    const curl = /curl [\s\S]+?'(?=\n\n)/.exec(printed)?.[0] ?? ""
    const account = /account id +(\S+)/.exec(printed)?.[1] ?? ""
    const key = /key +(sk_test_\S+)/.exec(printed)?.[1] ?? ""
    const { stdout } = await shell("sh", ["-c", `${curl.trim()} -s -w '\n%{http_code}'`])
    const [body = "", status] = stdout.split("\n")
    expect(status).toBe("200")
    const { messageId } = JSON.parse(body)
    const record = await until(
      () => call(`/sms/${messageId}/sdr`, key, account),
      (answer) => answer.body.status !== "sent"
    )
    expect(record.body).toMatchObject({ messageId, status: "delivered", to: "+4915123456789" })
  })

  it("reads the account's name in texts of verifications", async () => {
    const account = await newAccount("--name", "Acme")
    const { key } = await newKey(account, "--sandbox")
    const number = "+4915123456787"
    const started = await call("/verifications", key, account, {
      to: number,
      workflow: [{ channel: "sms", timeout: 30 }]
    })
    expect(started.status).toBe(200)
    const inbox = await call(`/sandbox/inbox?to=${encodeURIComponent(number)}&wait=10`, key, account)
    expect(inbox.body.messages[0].text).toMatch(/^Your Acme code is \d{6}\./)
  })

  it("is not shown another key when the server starts again", async () => {
    expect(await server.stop()).toBe(0)
    server = await start(environment())
    expect(server.printed()).not.toMatch(/sk_(test|live)_/)
  })
})

describe("a second server on the same file", () => {
  it("ends with a sentence that names DATABASE_URL, and starts as soon as the first one is killed", async () => {
    const first = await start(another())
    const { code, printed } = await startFailing(another())
    expect([code, printed.trim()]).toEqual([
      1,
      `DATABASE_URL cannot be used: Another server works on the database ${file("another.db")}; several servers need PostgreSQL.`
    ])
    await first.kill()
    const second = await start(another())
    expect(await second.stop()).toBe(0)
  })
})

describe("the operator's command, while the server runs", () => {
  it("opens accounts, credits and shows them", async () => {
    const id = await newAccount(
      "--name",
      "Acme",
      "--balance",
      "12.5",
      "--caller",
      "+4930123456",
      "--sms-sender",
      "Acme"
    )
    expect(await command("account", "credit", id, "0.000001")).toMatchObject({ available: 12.500001 })
    expect(await command("account", "show", id)).toMatchObject({
      account_id: id,
      name: "Acme",
      balance: 12.500001,
      held: 0,
      available: 12.500001,
      caller: "+4930123456",
      sms_sender: "Acme",
      min_ring: 5,
      max_ring: 15
    })
    expect(JSON.stringify(await command("account", "list"))).toContain(id)
    const { entries } = await command("account", "entries", id)
    expect(entries).toMatchObject([
      { kind: "credit", amount: 12.5, from: "funding", to: "available" },
      { kind: "credit", amount: 0.000001 }
    ])
  })

  it("makes keys that work at once and stop within seconds of being revoked", async () => {
    const account = await newAccount()
    const { id, key } = await newKey(account, "--sandbox", "--scopes", "sms:read", "--allow", "127.0.0.0/8,::1")
    expect((await call("/sms/sdr", key, account, {})).status).toBe(200)
    expect((await call("/sms", key, account, { to: "+4915123456789", text: "hi" })).status).toBe(403)
    const { keys } = await command("key", "list", "--account", account)
    expect(keys).toMatchObject([{ key_id: id, sandbox: true, scopes: ["sms:read"], revoked_at: null }])
    expect(JSON.stringify(keys)).not.toContain(key)
    const list = await command("key", "list", "--account", account)
    expect(list["keys"]).toMatchObject([{ key_id: id, last_used_at: expect.stringMatching(/^2.*Z$/) }])
    await command("key", "revoke", id)
    await until(
      () => call("/sms/sdr", key, account, {}),
      (answer) => answer.status === 401
    )
  })

  it("rotates a key: the new one may do the same, the old one ends after the overlap", async () => {
    const account = await newAccount()
    const old = await newKey(account, "--sandbox", "--scopes", "sms:read", "--allow", "127.0.0.0/8,::1")
    const made = await command("key", "rotate", old.id, "--overlap", "2h")
    const status = async (key: unknown) => (await call("/sms/sdr", String(key), account, {})).status
    expect(await status(made["key"])).toBe(200)
    expect(await status(old.key)).toBe(200)
    expect((await call("/sms", String(made["key"]), account, { to: "+4915123456789", text: "hi" })).status).toBe(403)
    const { keys } = await command("key", "list", "--account", account)
    expect(keys).toMatchObject([
      { key_id: old.id, expires_at: expect.any(String), revoked_at: null },
      { key_id: made["key_id"], expires_at: null, sandbox: true, scopes: ["sms:read"], allow: ["127.0.0.0/8", "::1"] }
    ])
    await command("key", "rotate", String(made["key_id"]), "--overlap", "0")
    await until(
      () => status(made["key"]),
      (answer) => answer === 401
    )
    for (const overlap of ["5m", "soon", "-1h", ""]) {
      const { code, stderr } = await failingCommand("key", "rotate", old.id, `--overlap=${overlap}`)
      expect([code, stderr.includes("--overlap")]).toEqual([1, true])
    }
  })

  it("respects an allow-list and an expiry", async () => {
    const account = await newAccount()
    const elsewhere = await newKey(account, "--sandbox", "--allow", "203.0.113.0/24")
    expect((await call("/sms/sdr", elsewhere.key, account, {})).status).toBe(401)
    const soon = new Date(Date.now() + 8_000).toISOString()
    const brief = await newKey(account, "--sandbox", "--expires", soon)
    await until(
      () => call("/sms/sdr", brief.key, account, {}),
      (answer) => answer.status === 401
    )
  })

  it.each([
    [["account", "create", "--caller", "123"], "--caller must be a phone number"],
    [["account", "create", "--balance", "-1"], "--balance must be in EUR"],
    [
      ["account", "create", "--min-ring", "20", "--max-ring", "10"],
      "--min-ring must not be more than the longest ring time."
    ],
    [["account", "create", "--name", "a\nb"], "--name must have 1 to 100 characters"],
    [["account", "credit", "acc_01KAJ3T8ZZ0000000000000000", "5"], "There is no such account."],
    [["account", "credit", "acc_01KAJ3T8ZZ0000000000000000", "0"], "amount must be in EUR"],
    [["account", "show", "nothing"], "Expected: the id of an account"],
    [["key", "create", "--account", "acc_01KAJ3T8ZZ0000000000000000"], "There is no such account."],
    [["key", "create", "--account", "acc_01KAJ3T8ZZ0000000000000000", "--scopes", "fax:send"], "--scopes"],
    [["key", "create", "--account", "acc_01KAJ3T8ZZ0000000000000000", "--allow", "10.0.0.0/99"], "--allow"],
    // As a script does it whose variable is not set.
    [["key", "create", "--account", "acc_01KAJ3T8ZZ0000000000000000", "--allow", ""], "--allow"],
    [["key", "create", "--account", "acc_01KAJ3T8ZZ0000000000000000", "--allow", " , "], "--allow"],
    [
      ["key", "create", "--account", "acc_01KAJ3T8ZZ0000000000000000", "--expires", "tomorrow"],
      "--expires must be a time"
    ],
    [["key", "revoke", "key_01KAJ3T8ZZ0000000000000000"], "There is no such key."]
  ])("refuses %j in a sentence", async (args, sentence) => {
    const { code, stderr, stdout } = await answerOf(environment(), ...args)
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toContain(sentence)
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  it.each([
    [["account", "show", "acc_01KAJ3T8ZZ0000000000000000"], {}, "NOT_FOUND", /^There is no such account\.$/],
    [["account", "show", "nothing"], {}, "BAD_REQUEST", /"nothing".* the id of an account/],
    [["account", "create", "--balance", "-1"], {}, "BAD_REQUEST", /^--balance must be in EUR/],
    [["acount"], {}, "BAD_REQUEST", /^Unknown subcommand "acount" [^\n]+ account$/],
    [["account"], {}, "BAD_REQUEST", /^watchword account needs a command\.$/],
    [["account", "list"], { DATABASE_URL: "mysql:x" }, "SETTING", /^DATABASE_URL must be sqlite:/],
    [["account", "list"], { DATABASE_URL: "postgres://127.0.0.1:1/x" }, "SERVICE_UNAVAILABLE", /./]
  ])("answers %j %j with --json by one object", async (args, settings, error, message) => {
    const { code, stderr, stdout } = await answerOf({ ...environment(), ...settings }, ...args, "--json")
    expect([code, JSON.parse(stdout)]).toEqual([1, { error, message: expect.stringMatching(message) }])
    expect(stderr).not.toContain("USAGE")
  })
})

describe("a live key", () => {
  it("is answered 503 while no gateway is set, and costs nothing", async () => {
    const account = await newAccount("--balance", "1")
    const { key } = await newKey(account)
    const answer = await call("/sms", key, account, { to: "+4915123456789", text: "hi" })
    expect([answer.status, answer.body.error]).toEqual([503, "SERVICE_UNAVAILABLE"])
    expect(await command("account", "show", account)).toMatchObject({ available: 1, held: 0 })
  })
})

describe("beside the interface", () => {
  it("tells that it lives, that it is ready, what it counted and how it is used", async () => {
    const get = (path: string) => fetch(server.origin + path)
    expect((await get("/healthz")).status).toBe(200)
    expect(await (await get("/readyz")).json()).toMatchObject({ checks: { store: "up" } })
    expect(await (await get("/metrics")).text()).toContain("watchword_http_requests_total")
    expect(await (await get("/openapi.json")).json()).toMatchObject({ openapi: expect.stringMatching(/^3\./) })
    expect((await get("/docs")).headers.get("content-type")).toContain("text/html")
    expect(await (await get("/")).json()).toMatchObject({ service: "watchword", places: { Reference: "/docs" } })
    const page = await fetch(`${server.origin}/`, { headers: { accept: "text/html" } })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('href="./docs"')])
    expect((await get("/nothing")).status).toBe(404)
  })
})

describe("settings", () => {
  it.each([
    ["PORT", "http"],
    ["DATABASE_URL", "sqlite:/nowhere/at/all.db"],
    ["SMPP_URL", "http://id:sesame@host"]
  ])("%s=%s stops the start with one sentence that names it", async (name, value) => {
    const { code, printed } = await startFailing({ ...environment(), [name]: value })
    expect(code).toBe(1)
    expect(printed.trim().split("\n")).toHaveLength(1)
    expect(printed).toContain(name)
    expect(printed).not.toContain("sesame")
  })

  it.each([
    ["PORT", "65536"],
    ["BASE_PATH", "v1"],
    ["PUBLIC_URL", "ftp://example.com"],
    ["DATABASE_URL", "mysql://root@localhost/x"],
    ["TRUSTED_PROXIES", "10.0.0.0/8,example.com"],
    ["PRICES", "/nowhere/prices.json"],
    ["SIP_URL", "http://id:sesame@host"],
    ["SIP_URL", "sip:id:sesame@host;cps=many"],
    ["SIP_LISTEN", "trunk.example"],
    ["CHATGW_URL", "https://id:sesame@host"],
    ["CHATGW_TOKEN", "sésame sesame"],
    ["BIZCHAT_URL", "ftp://sesame.example"],
    ["BIZCHAT_TOKEN", "…sesame…"],
    ["BIZCHAT_RECEIVES", "0151 sesame"],
    ["LOG_LEVEL", "loud"],
    ["OPERATIONS_PORT", "sesame"],
    ["MAX_CONNECTIONS", "0"],
    ["DRAIN_SECONDS", "-1"],
    ["DOCS", "sesame"],
    ["TRUST_TRACEPARENT", "true"],
    ["WEBHOOK_ALLOW_PRIVATE", "yes"]
  ])("%s=%s is refused in one sentence that names it", (name, value) => {
    const { message, setting } = Result.getOrThrow(Result.flip(Settings.read({ ...environment(), [name]: value })))
    expect(setting).toBe(name)
    expect(message).toContain(name)
    expect(message.split("\n")).toHaveLength(1)
    expect(message).not.toContain("sesame")
  })

  it.each([
    ["OPERATIONS_PORT", { OPERATIONS_HOST: "sesame" }],
    ["CHATGW_TOKEN", { CHATGW_URL: "https://sesame.example" }],
    ["BIZCHAT_TOKEN", { BIZCHAT_PHONE_NUMBER_ID: "sesame" }],
    ["BIZCHAT_PHONE_NUMBER_ID", { BIZCHAT_TOKEN: "sesame" }],
    ["BIZCHAT_TOKEN", { BIZCHAT_URL: "https://sesame.example" }],
    ["BIZCHAT_TOKEN", { BIZCHAT_TEMPLATE: "sesame" }],
    ["BIZCHAT_TOKEN", { BIZCHAT_APP_SECRET: "sesame" }],
    ["BIZCHAT_TEMPLATE", { BIZCHAT_TOKEN: "sesame", BIZCHAT_PHONE_NUMBER_ID: "1", BIZCHAT_LANGUAGE: "de" }],
    ["BIZCHAT_APP_SECRET", { BIZCHAT_TOKEN: "sesame", BIZCHAT_PHONE_NUMBER_ID: "1", BIZCHAT_VERIFY_TOKEN: "sesame" }],
    ["BIZCHAT_APP_SECRET", { BIZCHAT_TOKEN: "x", BIZCHAT_PHONE_NUMBER_ID: "1", BIZCHAT_RECEIVES: "+4915123456789" }]
  ])("%s is named when %j needs it", (name, settings) => {
    const { message, setting } = Result.getOrThrow(Result.flip(Settings.read({ ...environment(), ...settings })))
    expect(setting).toBe(name)
    expect(message).toMatch(new RegExp(`^${name} must be set, because [A-Z_]+ is\\.$`))
  })

  it("of the chat gateways are read", () => {
    const { bizchat, chatgw } = Result.getOrThrow(
      Settings.read({
        PUBLIC_URL: "https://otp.example/",
        CHATGW_TOKEN: "chat-token",
        CHATGW_URL: "",
        BIZCHAT_TOKEN: "token",
        BIZCHAT_PHONE_NUMBER_ID: " 106540352242922 ",
        BIZCHAT_URL: "http://127.0.0.1:9/graph/",
        BIZCHAT_TEMPLATE: "otp",
        BIZCHAT_APP_SECRET: "the app's secret",
        BIZCHAT_VERIFY_TOKEN: "the verify token",
        BIZCHAT_RECEIVES: "+4915123456789"
      })
    )
    expect(Option.getOrNull(chatgw)).toEqual({
      token: Redacted.make("chat-token"),
      baseUrl: undefined,
      callbackUrl: "https://otp.example/v1/chatgw/events"
    })
    expect(Option.getOrNull(bizchat)).toEqual({
      token: Redacted.make("token"),
      phoneNumberId: "106540352242922",
      baseUrl: "http://127.0.0.1:9/graph",
      template: { name: "otp", language: "en_US" },
      appSecret: Redacted.make("the app's secret"),
      verifyToken: Redacted.make("the verify token"),
      receives: "+4915123456789"
    })
    expect(Option.isNone(Result.getOrThrow(Settings.read({})).bizchat)).toBe(true)
  })

  it("name SIP_LISTEN when that address cannot be had", async () => {
    const settings = { ...another(), SIP_URL: "sip:id:sesame@127.0.0.1:5099;keepalive=0", SIP_LISTEN: "192.0.2.1:5060" }
    const { code, printed } = await startFailing(settings)
    expect([code, printed.trim().split("\n").length]).toEqual([1, 1])
    expect(printed).toContain("SIP_LISTEN")
    expect(printed).not.toContain("sesame")
  })

  it("name the place in a price table that is wrong", async () => {
    const prices = file("prices.json")
    await writeFile(prices, '{"sms": {"*": "0.05", "44": "free"}}')
    const { printed } = await startFailing({ ...another(), PRICES: prices })
    expect(printed).toContain("sms.44")
  })

  it("put the interface under another prefix", async () => {
    const other = await start({ ...another(), BASE_PATH: "/otp/v2" })
    expect(other.baseUrl).toMatch(/\/otp\/v2$/)
    expect((await fetch(`${other.baseUrl}/sms`, { method: "POST" })).status).toBe(401)
    expect((await fetch(`${other.origin}/v1/sms`, { method: "POST" })).status).toBe(404)
    expect(await other.stop()).toBe(0)
  })
})

it("prints neither secrets nor numbers in its logs", async () => {
  const account = await newAccount()
  const { key } = await newKey(account, "--sandbox")
  await call("/sms", key, account, { to: "+4915123450480", text: "Your code is 918273" })
  const printed = server.printed().replace(/A demo account[\s\S]*?'\n\n/, "")
  for (const secret of [key, "918273", "4915123450480"]) expect(printed).not.toContain(secret)
  const stored = await readFile(file("test.db"))
  for (const secret of [key, "918273"]) expect(stored.includes(secret)).toBe(false)
})
