import { writeFile } from "node:fs/promises"
import { expect, it } from "vitest"
import { smsc } from "@watchword/sandbox/smsc"
import { folderForEach } from "../../../test/folder.ts"
import { start as startPostgres } from "../../../test/PostgresServer.ts"
import { type Environment, answerOf, command, start } from "./Standalone.ts"

const { file } = folderForEach()
const database = () => ({ DATABASE_URL: `sqlite:${file("test.db")}` })

const check = async (environment: Environment, ...args: ReadonlyArray<string>) => {
  const { code, stdout } = await answerOf(environment, "check", "--json", ...args)
  const answer: { readonly checks: ReadonlyArray<{ part: string; result: string; message: string }> } =
    JSON.parse(stdout)
  const results = answer.checks.map(({ part, result }) => `${part} ${result}`)
  return { code, results, messages: answer.checks.map(({ message }) => message).join("\n") }
}

it("check finds a carrier that answers right, beside a server that runs", async () => {
  const carrier = await smsc()
  const environment = { ...database(), SMPP_URL: carrier.url() }
  const server = await start({ ...environment, DEMO: "no" })
  expect(await check(environment)).toMatchObject({
    code: 0,
    results: ["settings ok", "database ok", "guards warning", "sms ok"]
  })
  expect((await fetch(`${server.origin}/healthz`)).status).toBe(200)
  await server.stop()
  await carrier.stop()
})

it("check names what is wrong, without secrets", async () => {
  await command(database(), "migrate")
  const wrong = await check({
    ...database(),
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
    "guards warning",
    "sms wrong",
    "chatgw not asked"
  ])
  expect(wrong.messages).not.toContain("sesame")
  const unread = await check({ ...database(), PORT: "x", SMPP_URL: "smpp://id:sesame@127.0.0.1:1" })
  expect(unread).toMatchObject({ code: 1, results: ["settings wrong", "database ok"] })
})

it("check says what the texts of accounts read, and which of them name no brand", async () => {
  const { stdout } = await answerOf(database(), "account", "create", "--name", "Acme")
  expect(stdout).toContain('read "Your Acme code is 123456. Valid for 10 minutes."')
  await command(database(), "account", "create", "--name", "Donaudampfschifffahrtsgesellschaft")
  const first = await check(database())
  expect(first.results).toEqual(["settings ok", "database ok", "texts warning", "texts ok", "guards ok"])
  expect(first.messages).toMatch(/Donau.* \((acc_\w+)\) read "Your Watchword code .*account verify \1 --brand NAME/)
  await command(database(), "account", "verify", "all", "--brand", "Donau", "--locale", "de")
  const second = await check(database())
  expect(second.results).toEqual(["settings ok", "database ok", "texts ok", "texts ok", "guards ok"])
  expect(second.messages).toContain("Acme (acc_")
  expect(second.messages).toContain('"Ihr Code für Donau ist 123456.')
})

it("check asks no carrier where it must not, and makes no database", async () => {
  const environment = { ...database(), SMPP_URL: "smpp://id:sesame@127.0.0.1:1" }
  for (const _ of [1, 2]) {
    const { code, messages, results } = await check(environment, "--no-carriers")
    expect([code, results]).toEqual([0, ["settings ok", "database ok", "guards warning", "sms not asked"]])
    expect(messages).toContain("the first start creates it")
  }
})

it("check names the numbers that users may write to, of whichever setting", async () => {
  const says = async (environment: Environment) => {
    const { messages } = await check({ ...database(), ...environment }, "--no-carriers")
    return messages.split("\n").find((message) => message.startsWith("Users may"))
  }
  const acme = { sms: "smpp://id:sesame@127.0.0.1:1", receives: ["+491713920000"] }
  const accountSid = "AC0123456789abcdef0123456789abcdef"
  const tw = { sms: { twilio: { accountSid, authToken: "sesame" } }, receives: ["+441632960001"] }
  await writeFile(file("carriers.json"), JSON.stringify({ carriers: { acme, tw } }))
  expect(await says({ CARRIERS: file("carriers.json") })).toContain("+491713920000, +441632960001")
  expect(await says({ SMPP_URL: `${acme.sms}?receives=+491713920000` })).toContain("+491713920000")
  expect(await says({ SMPP_URL: acme.sms })).toBeUndefined()
})

it("check names the rules of guards in force, and warns of live sends without any", async () => {
  const guards = async (environment: Environment) => {
    const { messages, results } = await check({ ...database(), ...environment }, "--no-carriers")
    const line = messages.split("\n").find((message) => message.startsWith("Rules in force"))
    return [results.find((result) => result.startsWith("guards")), line]
  }
  const live = { SMPP_URL: "smpp://id:sesame@127.0.0.1:1" }
  expect(await guards({})).toEqual(["guards ok", "Rules in force: default."])
  expect(await guards(live)).toEqual(["guards warning", expect.stringMatching(/default\. Live sends other than/)])
  await writeFile(file("guards.json"), JSON.stringify({ action: "deny", countries: { allow: ["DE"] } }))
  expect(await guards({ ...live, GUARDS: file("guards.json") })).toEqual(["guards ok", "Rules in force: by GUARDS."])
  expect(await guards({ ...live, GUARDS: "none" })).toEqual(["guards ok", "Rules in force: none."])
  const { account_id: account } = await command(database(), "account", "create")
  await command(database(), "guard", "set", String(account), "none")
  expect(await guards(live)).toEqual([
    "guards ok",
    "Rules in force: default (accounts with rules of their own: 1, of which guard nothing: 1)."
  ])
})

it("check, overview and a start name prices below the costs of carriers", async () => {
  const acme = { sms: "smpp://id:sesame@127.0.0.1:1", cost: { "49": 0.061, "*": 0.04 } }
  await writeFile(file("carriers.json"), JSON.stringify({ carriers: { acme } }))
  await writeFile(file("prices.json"), JSON.stringify({ sms: { "*": 0.05 } }))
  const environment = { ...database(), CARRIERS: file("carriers.json"), PRICES: file("prices.json"), DEMO: "no" }
  const says = "sms to 49 sells for 0.05 EUR and costs 0.061 EUR by acme."
  const server = await start(environment)
  expect(server.printed()).toContain(says)
  await server.stop()
  expect((await check(environment, "--no-carriers")).messages).toContain(`PRICES: ${says}`)
  expect((await answerOf(environment, "overview")).stdout).toContain(`warn  ${says}`)
  await writeFile(file("prices.json"), JSON.stringify({ sms: { "*": 0.07 } }))
  expect((await check(environment, "--no-carriers")).messages).not.toContain("sells for")
  expect((await answerOf(environment, "overview")).stdout).not.toContain("sells for")
})

it("check refuses a file that is no database", async () => {
  await writeFile(file("test.db"), "this is a text file, which is no database of SQLite at all")
  expect(await check(database())).toMatchObject({ code: 1, results: ["settings ok", "database wrong"] })
})

it("check says which of several hosts is the primary", async () => {
  const postgres = await startPostgres()
  const { host } = new URL(postgres.url)
  const environment = { DATABASE_URL: `postgres://postgres:sesame@127.0.0.1:1,${host}/postgres` }
  await command(environment, "migrate")
  const hosts = `Its hosts: 127.0.0.1:1 is unreachable (no connection (ECONNREFUSED)), ${host} is the primary.`
  expect(await check(environment)).toMatchObject({
    code: 0,
    messages: expect.stringContaining(`The database answers and has its tables. ${hosts}`)
  })
  await postgres.stop()
  const { code, messages } = await check(environment)
  expect(code).toBe(1)
  expect(messages).toContain(`${host} is unreachable`)
  expect(messages).not.toContain("sesame")
})
