/**
 * The operators' API of the server: where it is, and who may.
 */
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { userInfo } from "node:os"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { freePort } from "../../../test/freePort.ts"
import { type Running, command, failingCommand, start, startFailing } from "./Standalone.ts"

const folder = folderForEach()
let environment: Readonly<Record<string, string>>
let running: Array<Running> = []

beforeEach(() => {
  environment = { DATABASE_URL: `sqlite:${folder.file("test.db")}` }
})

afterEach(async () => {
  await Promise.all(running.map((server) => server.kill()))
  running = []
})

const begin = async (more: Readonly<Record<string, string>>) => {
  const server = await start({ ...environment, ...more })
  running.push(server)
  return server
}

const me = async (origin: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> => {
  const response = await fetch(`${origin}/operator/v1/me`, {
    headers: { "sec-fetch-site": "same-origin", ...headers }
  })
  const body: unknown = await response.json()
  return response.status === 200 ? body : response.status
}

const consoleOf = (server: Running): string =>
  /console is at (http:\/\/[^/]+)\/console\//.exec(server.printed())?.[1] ?? ""

const bearer = (token: unknown) => ({ authorization: `Bearer ${String(token)}` })

describe("the operators' API", () => {
  it("is on the operators' port alone, for tokens of the command", async () => {
    const server = await begin({ OPERATIONS_PORT: "0" })
    const origin = consoleOf(server)
    const { token } = await command(environment, "operator", "grant", "--name", "anna", "--role", "support")
    const anna = { name: "anna", role: "support", signed_in_by: "token" }
    expect(await me(origin, bearer(token))).toEqual(anna)
    expect(await me(`${origin}/console`, bearer(token))).toEqual(anna)
    expect(await me(origin)).toBe(401)
    expect(await me(server.origin, bearer(token))).toBe(404)
    expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  })

  it("is on the customers' port where the operator says so, and otherwise not", async () => {
    const quiet = await begin({})
    expect(await me(quiet.origin)).toBe(404)
    await quiet.stop()
    const server = await begin({ CONSOLE: "yes" })
    expect(await me(server.origin)).toBe(401)
    await server.stop()
    const off = await begin({ CONSOLE: "no", OPERATIONS_PORT: "0" })
    const operations = /metrics are at (\S+)/.exec(off.printed())?.[1] ?? ""
    expect(await me(operations)).toBe(404)
  })

  it("ends with the token, and with the session of a link", async () => {
    const server = await begin({ CONSOLE: "yes" })
    const { id, token } = await command(environment, "operator", "grant", "--name", "anna", "--role", "admin")
    expect(await me(server.origin, bearer(token))).toMatchObject({ name: "anna" })
    await command(environment, "operator", "revoke", String(id))
    // A running server reads settings once a second.
    await expect.poll(() => me(server.origin, bearer(token))).toBe(401)
    const again = await failingCommand(environment, "operator", "revoke", String(id))
    expect(again.stderr).toContain("There is no such token.")
  })

  it("is opened by a link, whose address is that of the settings", async () => {
    const server = await begin({ CONSOLE: "yes" })
    const { link } = await command({ ...environment, OPERATIONS_PORT: "9464" }, "console", "open")
    const [address, fragment = ""] = String(link).split("#link=")
    expect(address).toBe("http://127.0.0.1:9464/console/")
    const signIn = () =>
      fetch(`${server.origin}/console/operator/v1/session`, {
        method: "POST",
        headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
        body: JSON.stringify({ link: fragment })
      })
    expect((await signIn()).status).toBe(204)
    expect((await signIn()).status).toBe(401)
  })

  it("is opened by a link with the whole address in a shell without the server's settings", async () => {
    const quiet = await begin({})
    expect((await command(environment, "console", "open", "--print"))["link"]).toMatch(/^#link=wwl_/)
    await quiet.stop()
    const port = await freePort()
    await begin({ OPERATIONS_PORT: String(port) })
    const { link } = await command(environment, "console", "open", "--print")
    expect((await command(environment, "operator", "log"))["entries"]).toContainEqual(
      expect.objectContaining({ command: "console open", input: { name: userInfo().username } })
    )
    expect(link).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/console/#link=wwl_`))
  })

  it("shows the settings of the start without secrets, from the server and on the command line", async () => {
    const secret = "5f".repeat(24)
    const own = { CONSOLE: "yes", VERIFY_SECRET: secret, SMPP_URL: "smpp://id:pw-5fd1@127.0.0.1:1", CONSOLE_ROLES: "" }
    const server = await begin(own)
    const grant = (role: string) => command(environment, "operator", "grant", "--name", "anna", "--role", role)
    const ask = async (token: unknown) => {
      const headers = { ...bearer(token), "content-type": "application/json" }
      return fetch(`${server.origin}/operator/v1/settings`, { method: "POST", headers, body: "{}" })
    }
    expect((await ask((await grant("support"))["token"])).status).toBe(403)
    const answer = await (await ask((await grant("operator"))["token"])).text()
    expect(answer).not.toContain(secret)
    expect(answer).not.toContain("pw-5fd1")
    const shown = (text: string): unknown => JSON.parse(text).settings
    expect(shown(answer)).toEqual(
      expect.arrayContaining([
        { name: "CONSOLE", value: "yes", usual: expect.any(String), set: true },
        { name: "VERIFY_SECRET", value: null, usual: "", set: true },
        { name: "SMPP_URL", value: null, usual: "", set: true },
        { name: "CONSOLE_ROLES", value: null, usual: "", set: false }
      ])
    )
    const printed = await command({ ...environment, LOG_LEVEL: "debug" }, "settings")
    expect(printed["settings"]).toContainEqual(
      expect.objectContaining({ name: "LOG_LEVEL", value: "debug", set: true })
    )
  })

  it("has a log of what the command does beside the server", async () => {
    await begin({ CONSOLE: "yes" })
    const { id } = await command(environment, "operator", "grant", "--name", "anna", "--role", "admin")
    await failingCommand(environment, "operator", "revoke", "opr_01KAJ3T8ZZ0000000000000000")
    await command(environment, "operator", "list")
    const { entries } = await command(environment, "operator", "log")
    expect(entries).toMatchObject([
      { by: "command", command: "operator revoke", outcome: "NOT_FOUND" },
      { by: "command", command: "operator grant", outcome: "done", output: { id }, who: userInfo().username },
      { by: "program", command: "key create", outcome: "done", who: "demo" },
      { by: "program", command: "account create", outcome: "done", who: "demo" }
    ])
    expect(JSON.stringify(entries)).not.toContain("wwo_")
  })

  it("keeps no server from its end by a page that is open", async () => {
    const server = await begin({ OPERATIONS_PORT: "0" })
    const origin = consoleOf(server)
    const { token } = await command(environment, "operator", "grant", "--name", "anna", "--role", "support")
    const { body, status } = await fetch(`${origin}/operator/v1/watch/overview`, { headers: bearer(token) })
    expect(status).toBe(200)
    const pieces = body?.getReader()
    expect(new TextDecoder().decode((await pieces?.read())?.value)).toMatch(/^event: answer\ndata: \{/)
    const exited = server.stop()
    expect((await pieces?.read())?.done).toBe(true)
    expect(await exited).toBe(0)
  })

  it("believes a proxy of the settings, which name each other", async () => {
    const roles = { CONSOLE_USER_HEADER: "X-Forwarded-User", CONSOLE_ROLES: "anna=admin, *=support" }
    const proxied = { ...roles, OPERATIONS_PORT: "0", CONSOLE_PROXIES: "127.0.0.1" }
    const server = await begin(proxied)
    const origin = consoleOf(server)
    const anna = { name: "anna", role: "admin", signed_in_by: "proxy" }
    expect(await me(origin, { "x-forwarded-user": "anna" })).toEqual(anna)
    expect(await me(origin, { "x-forwarded-user": "bob" })).toMatchObject({ role: "support" })
    expect(await me(server.origin, { "x-forwarded-user": "anna" })).toBe(404)
    const wrongs = [
      [{ CONSOLE_PROXIES: "" }, "CONSOLE_PROXIES must be set, because CONSOLE_USER_HEADER is"],
      [{ OPERATIONS_PORT: "", CONSOLE: "yes" }, "OPERATIONS_PORT must be set, because CONSOLE_USER_HEADER is"],
      [{ CONSOLE_USER_HEADER: "", CONSOLE_ROLES: "" }, "CONSOLE_USER_HEADER must be set, because CONSOLE_PROXIES is"],
      [
        { CONSOLE_ROLES: "anna=root" },
        "CONSOLE_ROLES must be users and roles such as anna=admin,bob=operator,*=support"
      ],
      [{ CONSOLE_HOSTS: "https://ops.example.com" }, "CONSOLE_HOSTS must be host names without ports"]
    ] as const
    for (const [wrong, sentence] of wrongs) {
      expect((await startFailing({ ...environment, ...proxied, ...wrong })).printed).toContain(sentence)
    }
  })

  it("believes no proxy of customers", async () => {
    const roles = { CONSOLE_USER_HEADER: "X-Forwarded-User", CONSOLE_ROLES: "*=admin" }
    const more = { OPERATIONS_PORT: "0", CONSOLE_PROXIES: "192.0.2.1", TRUSTED_PROXIES: "127.0.0.1" }
    expect(await me(consoleOf(await begin({ ...roles, ...more })), { "x-forwarded-user": "eve" })).toBe(401)
  })

  it("is not there under the name of a stranger's page, nor are metrics", async () => {
    const server = await begin({ OPERATIONS_PORT: "0", CONSOLE_HOSTS: "ops.example.com" })
    const { port } = new URL(consoleOf(server))
    const asked = async (host: string | null, path: string) => {
      const lines = [`GET ${path} HTTP/1.${host === null ? 0 : 1}`, ...(host === null ? [] : [`Host: ${host}`])]
      const socket = connect(Number(port), "127.0.0.1")
      socket.write(`${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`)
      return Number((await text(socket)).slice(9, 12))
    }
    const paths = ["/metrics", "/readyz", "/healthz", "/console/"]
    for (const path of paths) {
      for (const host of [
        `127.0.0.1:${port}`,
        "localhost",
        "[::1]:1",
        "10.0.0.7",
        "watchword:9464",
        "ops.example.com"
      ]) {
        expect([host, path, await asked(host, path)]).toEqual([host, path, 200])
      }
      for (const host of [
        "evil.example",
        `evil.example:${port}`,
        "127.0.0.1.evil.example",
        "ops.example.com.evil.example"
      ]) {
        expect([host, path, await asked(host, path)]).toEqual([host, path, 403])
      }
      // A health check of a proxy names none, as no browser does.
      expect([path, await asked(null, path)]).toEqual([path, 200])
    }
  })
})
