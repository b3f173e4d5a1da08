/**
 * The operator's command against a server elsewhere.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { type Environment, type Running, answerOf, command, start } from "./Standalone.ts"

const folder = folderForEach()
let server: Running
let own: Environment
/** The environment of another machine, whose database is another one. */
let elsewhere: Environment

beforeEach(async () => {
  own = { DATABASE_URL: `sqlite:${folder.file("server.db")}` }
  elsewhere = { DATABASE_URL: `sqlite:${folder.file("elsewhere.db")}` }
  server = await start({ ...own, CONSOLE: "yes", DEMO: "no" })
})

afterEach(() => server.kill())

const tokenOf = async (role: string) => {
  const { token } = await command(own, "operator", "grant", "--name", "anna", "--role", role)
  return String(token)
}

const at = (token: string): ReadonlyArray<string> => ["--url", server.origin, "--token", token]

describe("a command with --url", () => {
  it("is run by the server, with all of its own flags", async () => {
    const flags = at(await tokenOf("admin"))
    const { account_id } = await command(elsewhere, ...flags, "account", "create", "--name", "Acme")
    const add = ["webhook", "add", "--account", String(account_id), "--url", "https://example.com/hook"]
    expect(await command(elsewhere, ...flags, ...add, "--events", "*")).toMatchObject({
      url: "https://example.com/hook"
    })
    const lines = await answerOf(elsewhere, ...flags, "account", "list")
    expect([lines.code, lines.stdout]).toEqual([0, expect.stringContaining("Acme")])
    expect(await command(own, "account", "list")).toMatchObject({ accounts: [{ account_id }] })
    const { entries } = await command(own, "operator", "log")
    expect(entries).toMatchObject([
      { who: "anna", by: "api", command: "webhook add" },
      { who: "anna", by: "api", command: "account create" },
      { command: "operator grant" }
    ])
  })

  it("reads the server from the environment", async () => {
    const environment = {
      ...elsewhere,
      WATCHWORD_URL: `${server.origin}/console/`,
      WATCHWORD_TOKEN: await tokenOf("support")
    }
    expect(await command(environment, "account", "list")).toEqual({ accounts: [] })
  })

  it("fails in the server's words, and names the flags of a wrong input", async () => {
    const support = at(await tokenOf("support"))
    const admin = at(await tokenOf("admin"))
    const failing = async (...args: ReadonlyArray<string>) => {
      const { code, stderr } = await answerOf(elsewhere, ...args)
      return [code, stderr.trim()]
    }
    expect(await failing(...support, "guard", "block", "+49151", "--for", "1h")).toEqual([
      1,
      expect.stringContaining("This needs the role operator; anna has support.")
    ])
    expect(await failing(...admin, "operator", "grant", "--name", "bob", "--role", "root")).toEqual([
      1,
      expect.stringContaining("--role must be one of")
    ])
    expect(await failing(...at(`wwo_01KAJ3T8ZZ0000000000000000_${"a".repeat(43)}`), "account", "list")).toEqual([
      1,
      expect.stringContaining("The operator's token is wrong or has expired.")
    ])
    const json = await answerOf(elsewhere, ...support, "erase", "+4915123456789", "--json")
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([1, { error: "FORBIDDEN" }])
  })

  it("is refused where it needs the database, or the token would be read on the way", async () => {
    const flags = at(await tokenOf("admin"))
    const refusals: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [[...flags, "account", "credit", "acc_01KAJ3T8ZZ0000000000000000", "5"], "account credit works on the database"],
      [[...flags, "audit"], "audit works on the database itself"],
      [["--url", "http://192.0.2.1", "--token", "wwo_x", "account", "list"], "--url must be the address of a server"],
      [["--url", server.origin, "account", "list"], "--token, or WATCHWORD_TOKEN, must be"],
      [["--token", "wwo_x", "account", "list"], "--token means nothing without --url"],
      [["--url", "http://127.0.0.1:1", "--token", "wwo_x", "account", "list"], "http://127.0.0.1:1 cannot be reached"],
      [
        [...at("wwo_x").slice(0, 1), `${server.origin}/v1/sms`, "--token", "wwo_x", "account", "list"],
        "There is no such"
      ]
    ]
    for (const [args, words] of refusals) {
      const { code, stderr } = await answerOf(elsewhere, ...args)
      expect([code, stderr]).toEqual([1, expect.stringContaining(words)])
    }
  })
})
