/**
 * The operators' API over a socket: tokens, roles, bodies and answers.
 */
import { afterEach, describe, expect, it } from "vitest"
import { commands } from "@watchword/operator/commands"
import { type Role, endAll, start } from "./console.ts"

afterEach(endAll)

const roles: ReadonlyArray<Role> = ["support", "operator", "admin"]
const served = commands.filter(({ absent }) => absent.http === undefined)

describe("a role", () => {
  it.each(roles)("%s is refused every command of a larger one, and no other", async (role) => {
    const { ask, grant } = await start()
    const { token } = await grant(role)
    for (const command of served) {
      const { json, status } = await ask(command.name.join("/"), { token, body: { no_such_field: 1 } })
      const isRefused = roles.indexOf(command.role) > roles.indexOf(role)
      // An allowed command is refused only because its input is wrong.
      expect([command.name.join(" "), status]).toEqual([command.name.join(" "), isRefused ? 403 : 400])
      if (isRefused) expect(json).toMatchObject({ error: "FORBIDDEN", reason: `role_${command.role}` })
    }
    const listed = await ask("commands", { method: "GET", token })
    const own = served.filter((command) => roles.indexOf(command.role) <= roles.indexOf(role))
    expect(listed.json).toMatchObject({ commands: own.map(({ name }) => ({ name: name.join(" ") })) })
  })

  it("moves no money, which is done beside the database", async () => {
    const { ask, grant } = await start()
    const { token } = await grant("admin")
    expect((await ask("account/credit", { token, body: {} })).status).toBe(404)
    expect((await ask("console/open", { token, body: {} })).status).toBe(404)
    const made = await ask("account/create", { token, body: { name: "Acme", balance: "77" } })
    const issues = [{ path: "balance", message: expect.stringContaining("runs only on the command line") }]
    expect([made.status, made.json["issues"]]).toEqual([400, issues])
    expect((await ask("account/list", { token, body: {} })).json).toEqual({ accounts: [] })
    const named = async (path: string) => JSON.stringify((await ask(path, { method: "GET", token })).json)
    expect(await named("commands")).toContain('"name":"sms_sender"')
    expect(await named("commands")).not.toContain('"name":"balance"')
    expect(await named("openapi.json")).not.toContain("A first credit, in EUR")
    expect((await ask("account/create", { token, body: { name: "Acme" } })).status).toBe(200)
  })
})

describe("a token", () => {
  it("says who asks", async () => {
    const { ask, grant } = await start()
    const { token } = await grant("operator", { name: "anna" })
    const { headers, json, status } = await ask("me", { method: "GET", token })
    expect([status, json]).toEqual([200, { name: "anna", role: "operator", signed_in_by: "token" }])
    expect(headers.get("cache-control")).toBe("no-store")
    expect(headers.get("referrer-policy")).toBe("no-referrer")
  })

  it.each([
    ["absent", undefined],
    ["no token", "wwo_nonsense"],
    ["of nothing", `wwo_01KAJ3T8ZZ0000000000000000_${"a".repeat(43)}`]
  ])("that is %s is refused on every path", async (_, token) => {
    const { ask } = await start()
    const more = token === undefined ? {} : { token }
    for (const { name } of served) {
      const { json, status } = await ask(name.join("/"), { body: {}, ...more })
      expect([status, json["error"]]).toEqual([401, "UNAUTHORIZED"])
    }
    for (const path of ["me", "commands", "watch/account/list"]) {
      expect((await ask(path, { method: "GET", ...more })).status).toBe(401)
    }
  })

  it("whose secret differs in one character is refused", async () => {
    const { ask, grant } = await start()
    const { token } = await grant("admin")
    const last = token.endsWith("a") ? "b" : "a"
    expect((await ask("me", { method: "GET", token: token.slice(0, -1) + last })).status).toBe(401)
  })

  it("that has expired or is revoked is refused", async () => {
    let now = Date.now()
    const { ask, asHost, grant } = await start({}, { clock: { now: () => now } })
    const short = await grant("support", { for: "12h" })
    const revoked = await grant("support")
    expect((await ask("me", { method: "GET", token: revoked.token })).status).toBe(200)
    await asHost("operator/revoke", { id: revoked.id })
    expect((await ask("me", { method: "GET", token: revoked.token })).status).toBe(401)
    expect((await ask("me", { method: "GET", token: short.token })).status).toBe(200)
    now += 12 * 60 * 60_000
    expect((await ask("me", { method: "GET", token: short.token })).status).toBe(401)
    expect(await asHost("operator/list", {})).toEqual({ operators: [] })
  })

  it("is kept as a hash", async () => {
    const { asHost, grant } = await start()
    const { token } = await grant("admin")
    expect(JSON.stringify(await asHost("operator/list", {}))).not.toContain(token.slice(-43))
  })
})

describe("a command", () => {
  it("answers in JSON, and in lines to those who ask for text", async () => {
    const { ask, grant } = await start()
    const { token } = await grant("admin")
    const created = await ask("account/create", { token, body: { name: "Acme" } })
    expect([created.status, created.json]).toMatchObject([200, { account_id: expect.stringMatching(/^acc_/) }])
    const lines = await ask("account/list", { token, headers: { accept: "text/plain" } })
    expect(lines.headers.get("content-type")).toBe("text/plain; charset=utf-8")
    expect(lines.text).toContain("Acme")
  })

  it("refuses bodies that are wrong, and goes on", async () => {
    const { ask, grant } = await start()
    const { token } = await grant("admin")
    const asked = (body: string, headers: Record<string, string> = {}) =>
      ask("account/create", { token, body, headers })
    expect(await asked('{"name":')).toMatchObject({ status: 400 })
    expect(await asked('"Acme"')).toMatchObject({ status: 400 })
    expect((await asked('{"name": 5}')).json).toMatchObject({ issues: [{ path: "name", message: "must be a string" }] })
    expect(await asked("{}", { "content-type": "text/plain" })).toMatchObject({ status: 400 })
    const large = await asked(JSON.stringify({ name: "x".repeat(70_000) }))
    expect([large.status, large.json["error"]]).toEqual([413, "PAYLOAD_TOO_LARGE"])
    expect((await asked('{"name": "Acme"}')).status).toBe(200)
  })

  it("is asked by POST, and reads by GET", async () => {
    const { ask, grant } = await start()
    const { token } = await grant("admin")
    const wrong = await ask("account/list", { method: "GET", token })
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"])
    expect((await ask("me", { token })).status).toBe(405)
    for (const path of [
      "constructor",
      "__proto__",
      "account",
      "account/list/",
      "ACCOUNT/LIST",
      "account/l%69st",
      "watch/"
    ]) {
      const method = path.startsWith("watch/") ? "GET" : "POST"
      expect([path, (await ask(path, { method, token })).status]).toEqual([path, 404])
    }
  })
})
