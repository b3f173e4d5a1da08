import { beforeAll, describe, expect, it } from "vitest"
import { installationForAll } from "./Installation.ts"

const number = "+4915123456789"
const text = "{{code}} ist Ihr Code bei {{brand}}."

const { command: run, failingCommand, newAccount } = installationForAll()
let account: string

beforeAll(async () => {
  account = await newAccount("--name", "Acme")
})

const inDays = (days: number): string => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString()

describe("settings of verifications", () => {
  it("are set and shown by commands", async () => {
    const defaults = { brand: "Acme", locale: "de-AT", workflow: "cheap" }
    const given = ["--brand", "Acme", "--locale", "de-at", "--workflow", "cheap"]
    await run("account", "workflow", "set", account, "cheap", "sms:30,sms/other:30,call:60")
    expect(await run("account", "verify", account, ...given)).toEqual({ account_id: account, ...defaults })
    const until = inDays(30)
    await Promise.all([
      run("account", "test-number", "add", account, "--number", number, "--code", "424242", "--until", until),
      run("template", "set", "login", "--locale", "de", text, "--account", account)
    ])
    const [shown, testNumbers, templates] = await Promise.all([
      run("account", "show", account),
      run("account", "test-number", "list", account),
      run("template", "list", "--account", account)
    ])
    expect(shown).toMatchObject({
      ...defaults,
      workflows: ["cheap sms:30,sms/other:30,call:60"],
      templates: ["login de"],
      test_numbers: [number]
    })
    expect(testNumbers).toMatchObject({ test_numbers: [{ number, code: "424242", until, ended: false }] })
    expect(templates).toMatchObject({ templates: [{ name: "login", locale: "de", text }] })
  })

  it("of all accounts are set and taken away without one", async () => {
    const set = await run("template", "set", "login", "--locale", "en", "{{code}}")
    expect(set).toEqual({ account_id: null, name: "login", locale: "en", text: "{{code}}" })
    expect(await run("template", "show", "login", "--locale", "en-GB", "--account", account)).toMatchObject({
      source: "installation",
      example: "123456",
      encoding: "gsm7"
    })
    await run("template", "remove", "login", "--locale", "en")
    expect(await run("template", "list")).toEqual({ account_id: null, templates: [] })
    expect(await run("account", "verify", "all", "--brand", "Acme")).toMatchObject({ account_id: null, brand: "Acme" })
  })

  it.each([
    [["account", "verify", "ACCOUNT", "--brand", "x".repeat(21)], "--brand must have at most 20 characters"],
    [
      ["account", "workflow", "set", "ACCOUNT", "cheap", "sms:9"],
      "steps must be chatgw, sms, call, bizchat, or receive with its forms"
    ],
    [["template", "set", "login", "--locale", "de", "Code: {{code}} „"], 'text has "„" (U+201E)']
  ])("%o is refused", async (args, complaint) => {
    const { code, stderr } = await failingCommand(...args.map((arg) => arg.replace("ACCOUNT", account)))
    expect([code, stderr]).toEqual([1, expect.stringContaining(complaint)])
  })
})
