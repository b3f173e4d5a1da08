/**
 * The walk of docs/dev.md, "From nothing to an approved number", with the numbers that a reader types.
 */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { until } from "../../../test/until.ts"
import { type DevServer, start } from "../../../packages/dev/test/DevServer.ts"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))
const walk = readFileSync(new URL("../../../docs/dev.md", import.meta.url), "utf8")
const typed = [...(/^2\. Type .*$/m.exec(walk)?.[0] ?? "").matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text)
const without = /add the phone `(\+\d+)`/.exec(walk)?.[1] ?? ""
const folder = folderForEach()

let server: DevServer
let app: string
beforeEach(async () => {
  server = await start({ folder: folder.path(), env: { PORT: "0" }, flags: ["--", process.execPath, main] })
  const [, address = ""] = (await until(() => /sign-up is at (\S+)/.exec(server.out()))) ?? []
  app = address
})
afterEach(() => server.stop())

/** A browser with its session, which sends the form's requests. */
const visit = async () => {
  const { headers } = await fetch(app)
  const cookie = headers
    .getSetCookie()
    .map((set) => set.split(";")[0])
    .join("; ")
  const init = { method: "POST", headers: { cookie, "content-type": "application/json" } }
  const ask = async (body: object) => {
    const response = await fetch(`${app}/phone`, { ...init, body: JSON.stringify(body) })
    const { location, problem, sent, stage } = await response.json()
    return { location, reason: problem?.reason, id: sent?.id, stage }
  }
  const start = (to: string) => ask({ action: "start", to, country: "DE", language: "en" })
  const check = (id: string, code: string) => ask({ action: "check", id, code })
  const welcome = async () => (await fetch(`${app}/welcome`, { headers: { cookie } })).text()
  return { start, check, welcome }
}

/** The newest message on the phone of a number. */
const shown = async (number: string) => {
  const { body } = await server.ask(`/sandbox/inbox?to=${encodeURIComponent(number)}&wait=30`)
  const { messages } = body
  const [message] = Array.isArray(messages) ? messages : []
  return { channel: String(message?.channel), code: String(message?.code) }
}

describe("the walk of docs/dev.md", () => {
  it("names what to type", () => {
    expect(typed).toEqual(["+49 1512 3456789", "01512 3456789"])
    expect(without).toMatch(/^\+\d{11,}$/)
  })

  it.each(typed)("proves a number that is typed as %s", async (text) => {
    const { check, start, welcome } = await visit()
    const { id } = await start(text)
    const { code } = await shown("+4915123456789")
    expect(await check(id, code)).toMatchObject({ stage: "approved", location: "/welcome" })
    expect(await welcome()).toContain("+4915123456789 is yours.")
    expect((await server.ask(`/verifications/${id}`)).body["status"]).toBe("approved")
  })

  it("steps on to a text where the phone has no account on the chats", async () => {
    await server.ask(`/sandbox/phones/${encodeURIComponent(without)}`, { chatgw: false, bizchat: "none" }, "PUT")
    const { check, start, welcome } = await visit()
    const { id } = await start(without)
    const { channel, code } = await shown(without)
    expect(channel).toBe("sms")
    expect(await check(id, code)).toMatchObject({ stage: "approved" })
    expect(await welcome()).toContain(`${without} is yours.`)
  })

  it("says what is wrong with a number that cannot be read", async () => {
    const { start } = await visit()
    expect(await start("12")).toMatchObject({ stage: "number", reason: "number_impossible" })
    expect(await start("4915123456789")).toMatchObject({ stage: "number", reason: "number_ambiguous" })
  })

  it("lets no one in who has proved no number", async () => {
    const { welcome } = await visit()
    expect(await welcome()).toContain("<watchword-form")
  })
})
