/**
 * The walk of docs/dev.md, "From nothing to an approved number", with what a reader types.
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
const without = /Add the phone `(\+\d+)` first/.exec(walk)?.[1] ?? ""
const folder = folderForEach()

let server: DevServer
let app: string
beforeEach(async () => {
  server = await start({ folder: folder.path(), env: { PORT: "0" }, flags: ["--", process.execPath, main] })
  const [, address = ""] = (await until(() => /sign-up is at (\S+)/.exec(server.out()))) ?? []
  app = address
})
afterEach(() => server.stop())

const submit = async (path: string, fields: Readonly<Record<string, string>>): Promise<string> => {
  const response = await fetch(`${app}${path}`, { method: "POST", body: new URLSearchParams(fields) })
  return response.text()
}

const idOf = (page: string): string => /name="id" type="hidden" value="(vrf_\w+)"/.exec(page)?.[1] ?? page

/** What the phone of a number shows. */
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
    const id = idOf(await submit("/phone", { phone: text }))
    const { code } = await shown("+4915123456789")
    expect(await submit("/code", { id, code })).toContain("+4915123456789 is yours.")
    expect((await server.ask(`/verifications/${id}`)).body["status"]).toBe("approved")
  })

  it("steps on to a text where the phone has no account on the chats", async () => {
    await server.ask(`/sandbox/phones/${encodeURIComponent(without)}`, { chatgw: false, bizchat: "none" }, "PUT")
    const id = idOf(await submit("/phone", { phone: without }))
    const { channel, code } = await shown(without)
    expect(channel).toBe("sms")
    expect(await submit("/code", { id, code })).toContain(`${without} is yours.`)
  })

  it("says what is wrong with a number that cannot be read", async () => {
    expect(await submit("/phone", { phone: "12" })).toContain("Please check the number: it must be a phone number")
    expect(await submit("/phone", { phone: "4915123456789" })).toContain("can be read as two numbers")
  })
})
