/**
 * The server as its operator meets it: ports, health, and the faults that it tells of.
 */
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { type Socket, connect } from "node:net"
import * as Result from "effect/Result"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { realTime, until } from "../../../test/until.ts"
import * as Settings from "../src/settings/Settings.ts"
import { warnings } from "../src/Warnings.ts"
import { type Running, command, start, startFailing } from "./Standalone.ts"

const folder = folderForEach()
let environment: Readonly<Record<string, string>>
let running: Array<Running> = []

beforeEach(async () => {
  environment = { DATABASE_URL: `sqlite:${folder.file("test.db")}` }
})

afterEach(async () => {
  await Promise.all(running.map((server) => server.kill()))
  running = []
})

const begin = async (more: Readonly<Record<string, string>>, program?: Parameters<typeof start>[1]) => {
  const server = await start({ ...environment, ...more }, program)
  running.push(server)
  return server
}

const statuses = (origin: string, paths: ReadonlyArray<string>): Promise<ReadonlyArray<number>> =>
  Promise.all(
    paths.map(async (path) => {
      const response = await fetch(origin + path)
      await response.arrayBuffer()
      return response.status
    })
  )

/** A server that has no descriptor left ends connections; it takes them again soon after others were closed. */
const serves = (origin: string): Promise<boolean> =>
  statuses(origin, ["/healthz"]).then(
    ([status]) => status === 200,
    () => false
  )

describe("ports", () => {
  it("of operators, once there is one, have all that is not for customers", async () => {
    const server = await begin({ OPERATIONS_PORT: "0" })
    const operations = /metrics are at (\S+)/.exec(server.printed())?.[1] ?? ""
    const paths = ["/healthz", "/healthz?x", "/readyz", "/metrics", "/docs", "/openapi.json", "/healthz/x"]
    expect(await statuses(operations, paths)).toEqual([200, 200, 200, 200, 200, 200, 404])
    expect(await statuses(server.origin, paths)).toEqual([200, 200, 404, 404, 404, 404, 404])
    const send = await fetch(`${operations}/v1/sms`, { method: "POST" })
    expect(send.status).toBe(404)
  })

  it("show no pages where the operator has none", async () => {
    const server = await begin({ DOCS: "no" })
    expect(await statuses(server.origin, ["/docs", "/openapi.json", "/readyz", "/metrics"])).toEqual([
      404, 404, 200, 200
    ])
  })

  it("that are taken stop the start with a sentence that says so", async () => {
    const server = await begin({})
    const { port } = new URL(server.baseUrl)
    const other = { DATABASE_URL: `sqlite:${folder.file("other.db")}` }
    const customers = await startFailing({ ...other, PORT: port })
    expect([customers.code, customers.printed.trim()]).toEqual([
      1,
      `HOST and PORT must name an address to listen on; 127.0.0.1:${port} is in use by another process.`
    ])
    const operators = await startFailing({ ...other, OPERATIONS_PORT: port })
    expect([operators.code, operators.printed.trim()]).toEqual([
      1,
      `OPERATIONS_HOST and OPERATIONS_PORT must name an address to listen on; 127.0.0.1:${port} is in use by another process.`
    ])
    const elsewhere = await startFailing({ ...other, HOST: "192.0.2.1" })
    expect(elsewhere.printed).toContain("192.0.2.1:0 is not an address of this machine.")
  })
})

describe("readiness", () => {
  it("is degraded without a carrier, and names no account at one", async () => {
    const server = await begin({
      SMPP_URL: "smpp://acme_sys:sesame@127.0.0.1:1,smpp://other_sys:sesame@127.0.0.1:1",
      SIP_URL: "sip:acme:sesame@127.0.0.1:1"
    })
    const deadline = async () => {
      const response = await fetch(`${server.origin}/readyz`)
      return { status: response.status, text: await response.text() }
    }
    let answer = await deadline()
    while (!answer.text.includes('"call:127.0.0.1:1":"down"')) answer = await deadline()
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text)).toEqual({
      status: "degraded",
      checks: { store: "up", "call:127.0.0.1:1": "down", "sms:127.0.0.1:1": "down", "sms:127.0.0.1:1#2": "down" }
    })
  })
})

// Loaded before the server: the disk takes the log no more once the file is there.
const FAILING_DISK = `
const fs = process.getBuiltinModule("node:fs")
const { fdatasync } = fs
fs.fdatasync = (descriptor, done) =>
  fs.existsSync(process.env["FAULT"])
    ? setImmediate(done, Object.assign(new Error("i/o error"), { code: "EIO" }))
    : fdatasync(descriptor, done)
process.getBuiltinModule("node:module").syncBuiltinESMExports()
`

describe("a database that takes no more writes", () => {
  it("ends the process with 1, so that a supervisor starts it again", async () => {
    const fault = folder.file("fault")
    await writeFile(folder.file("disk.mjs"), FAILING_DISK)
    const server = await begin({ FAULT: fault, NODE_OPTIONS: `--import=${folder.file("disk.mjs")}` })
    const account = String((await command(environment, "account", "create"))["account_id"])
    const key = String((await command(environment, "key", "create", "--account", account, "--sandbox"))["key"])
    const send = async () => {
      const response = await fetch(`${server.baseUrl}/sms`, {
        method: "POST",
        headers: { "x-api-key": key, "x-account-id": account, "content-type": "application/json" },
        body: JSON.stringify({ to: "+4915123456789", text: "Your code is 123456" })
      })
      await response.text()
      return response.status
    }
    expect(await send()).toBe(200)
    await writeFile(fault, "")
    expect(await send()).toBe(503)
    expect(await server.exited).toBe(1)
    expect(server.printed()).toContain("its database takes no more writes")
  })
})

describe("the log", () => {
  const open = async (server: Running, count: number): Promise<ReadonlyArray<Socket>> => {
    const { hostname, port } = new URL(server.baseUrl)
    return Promise.all(
      Array.from({ length: count }, async () => {
        const socket = connect(Number(port), hostname).on("error", () => {})
        await once(socket, "connect")
        return socket
      })
    )
  }

  it("says that no file descriptor is left, once a minute at most", async () => {
    const server = await begin({}, "server with 80 descriptors")
    const sockets = await open(server, 120)
    await until(() => server.printed().includes("no file descriptor is left"))
    await realTime(2_500, "the server tries to accept more connections")
    for (const socket of sockets) socket.destroy()
    expect(server.printed().match(/no file descriptor is left/g)).toHaveLength(1)
    await until(() => serves(server.origin))
  })

  it("says that there are more connections than MAX_CONNECTIONS", async () => {
    const server = await begin({ MAX_CONNECTIONS: "3" })
    const sockets = await open(server, 5)
    expect(await until(() => /there are \d+ already/.exec(server.printed())?.[0])).toBe("there are 3 already")
    for (const socket of sockets) socket.destroy()
  })
})

it("warnings name each gateway that is reached in clear over other networks", () => {
  const of = (more: Readonly<Record<string, string>>) =>
    warnings(Result.getOrThrow(Settings.read({ PUBLIC_URL: "https://otp.example.com", ...more })))
  const chats = { CHATGW_TOKEN: "t", BIZCHAT_TOKEN: "t", BIZCHAT_PHONE_NUMBER_ID: "1" }
  expect(of(chats)).toEqual([])
  for (const host of ["localhost", "127.0.0.1", "[::1]", "10.1.2.3", "192.168.1.1", "[fd00::1]"]) {
    const url = `http://${host}:8080`
    expect(of({ ...chats, CHATGW_URL: url, BIZCHAT_URL: url })).toEqual([])
    expect(of({ SMPP_URL: `smpp://id:secret@${host}`, SIP_URL: `sip:id:secret@${host}` })).toEqual([])
  }
  expect(of({ ...chats, CHATGW_URL: "https://example.com", BIZCHAT_URL: "https://example.com" })).toEqual([])
  expect(of({ SMPP_URL: "ssmpp://id:secret@example.com", SIP_URL: "sips:id:secret@example.com" })).toEqual([])
  const clear = of({
    ...chats,
    CHATGW_URL: "http://chat.example.com",
    BIZCHAT_URL: "http://203.0.113.7",
    SMPP_URL: "smpp://id:secret@smsc.example.com",
    SIP_URL: "sip:id:secret@trunk.example.com"
  })
  expect(clear.map((warning) => warning.split(":")[0])).toEqual(["CHATGW_URL", "BIZCHAT_URL", "SMPP_URL", "SIP_URL"])
  expect(clear.join()).not.toMatch(/secret\b@|id:/)
})
