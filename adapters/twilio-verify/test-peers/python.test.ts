/** Debian's package of Twilio's SDK for Python, unmodified, against the door on a socket. */
import { spawn } from "node:child_process"
import { on } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { twilioSids } from "@watchword/twilio-verify"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { PHONE, type World, openWorld } from "../test/fixture.ts"

const script = fileURLToPath(new URL("app.py", import.meta.url))

/** An app under Debian's Python, which has the package. It makes one call after the other. */
const appOf = ({ account, key, url, va }: World) => {
  const child = spawn("/usr/bin/python3", [script, twilioSids(account).account, key, url, va], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  const answers = on(createInterface(child.stdout), "line", { close: ["close"] })
  const call = async (name: "check" | "create" | "fetch" | "update", given: object): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify([name, given])}\n`)
    const { value } = await answers.next()
    return JSON.parse(String(value))
  }
  return { call, end: () => void child.stdin.end() }
}

let world: World
let app: ReturnType<typeof appOf>

beforeEach(async () => {
  world = await openWorld()
  app = appOf(world)
})

afterEach(async () => {
  app.end()
  await world.close()
})

const started = { to: PHONE, channel: "sms", status: "pending", valid: false, dated: true }
const idOf = (answer: unknown): string => String(Object(answer).sid)
const wrongFor = (code: string) => (code === "000000" ? "000001" : "000000")
const gone = { http: 404, code: 20404, says: expect.stringMatching(/was not found$/) }

describe("Twilio's SDK for Python", () => {
  it("starts a verification, checks a wrong code and the right one, and then finds nothing", async () => {
    const first = await app.call("create", { to: PHONE, channel: "sms" })
    expect(first).toMatchObject(started)
    const code = await world.code()
    const sid = idOf(first)
    expect(await app.call("check", { to: PHONE, code: wrongFor(code) })).toMatchObject({ ...started, sid })
    expect(await app.call("check", { to: PHONE, code })).toMatchObject({ sid, status: "approved", valid: true })
    expect(await app.call("check", { to: PHONE, code })).toMatchObject(gone)
    expect(await app.call("fetch", { sid })).toMatchObject(gone)
  })

  it("sends the same code again after 30 seconds, and no earlier", async () => {
    const sid = idOf(await app.call("create", { to: PHONE, channel: "sms" }))
    expect(await app.call("create", { to: PHONE, channel: "sms" })).toMatchObject({ http: 429, code: 60212 })
    const code = await world.code()
    world.pass(31_000)
    expect(await app.call("create", { to: PHONE, channel: "sms" })).toMatchObject({ ...started, sid })
    expect([await world.count(), await world.code()]).toEqual([2, code])
  })

  it("cancels, and has errors with the codes of Twilio", async () => {
    const sid = idOf(await app.call("create", { to: PHONE, channel: "sms" }))
    expect(await app.call("fetch", { sid })).toMatchObject({ ...started, sid })
    expect(await app.call("update", { sid, status: "canceled" })).toMatchObject({ sid, status: "canceled" })
    expect(await app.call("update", { sid, status: "canceled" })).toMatchObject(gone)
    expect(await app.call("fetch", { sid: `VE${"0".repeat(32)}` })).toMatchObject(gone)
    expect(await app.call("create", { to: "not a number", channel: "sms" })).toMatchObject({ http: 400, code: 60200 })
    expect(await app.call("create", { to: PHONE, channel: "email" })).toMatchObject({ http: 403 })
  })

  it("is refused at the sixth check and after the expiry", async () => {
    const sid = idOf(await app.call("create", { to: PHONE, channel: "sms" }))
    const code = wrongFor(await world.code())
    for (let n = 0; n < 5; n++) await app.call("check", { to: PHONE, code })
    expect(await app.call("check", { to: PHONE, code })).toMatchObject({ http: 429, code: 60202 })
    world.pass(601_000)
    expect(await app.call("fetch", { sid })).toMatchObject(gone)
  })
})
