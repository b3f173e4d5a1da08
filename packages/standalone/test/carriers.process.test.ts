/**
 * The server with a file of carriers: routes, reloads, drains, and a kill in the middle of a hand-over.
 */
import { writeFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { smsc, type Smsc, receipt } from "@watchword/sandbox/smsc"
import { trunk } from "@watchword/sandbox/trunk"
import { STATUS } from "@watchword/sandbox/smsc"
import { folderForEach } from "../../../test/folder.ts"
import { realTime, until } from "../../../test/until.ts"
import { callerOf, newestOf, request } from "./client.ts"
import { type Running, answerOf, command, start } from "./Standalone.ts"

const { file } = folderForEach()
const TO = "+4915123456789"
let acme: Smsc
let bell: Smsc
let server: Running | null = null

beforeEach(async () => {
  await writeFile(file("prices.json"), '{"sms": {"*": 0.1}}')
  acme = await smsc()
  bell = await smsc()
})

afterEach(async () => {
  await server?.kill()
  server = null
  await Promise.all([acme.stop(), bell.stop()])
})

const both = () => ({
  acme: { sms: acme.url("timeout=5"), cost: { "*": 0.061 } },
  bell: { sms: bell.url("timeout=5"), cost: { "*": 0.07 } }
})

const write = (carriers: object, routes?: ReadonlyArray<object>) =>
  writeFile(file("carriers.json"), JSON.stringify({ carriers, ...(routes === undefined ? {} : { routes }) }))

const environment = () => ({
  DATABASE_URL: `sqlite:${file("test.db")}`,
  CARRIERS: file("carriers.json"),
  PRICES: file("prices.json"),
  DEMO: "no"
})

/** A server whose carriers are bound, and an account with a live key and money. */
const serving = async () => {
  const flags = ["--sms-sender", "Acme", "--balance", "1"]
  const account = String((await command(environment(), "account", "create", ...flags))["account_id"])
  const key = String((await command(environment(), "key", "create", "--account", account))["key"])
  return { account, key, ...(await serveAs(account, key)) }
}

const serveAs = async (account: string, key: string) => {
  const running = await start(environment())
  server = running
  const caller = callerOf(running, account, key)
  const send = async (text = "Your code is 123456") => (await request(caller, "/sms", { to: TO, text })).status
  const newest = async () => newestOf(await request(caller, "/sms/sdr", { sort_by: "created_at", rows_per_page: 1 }))
  return { running, send, newest }
}

const bound = (...carriers: ReadonlyArray<Smsc>) => until(() => carriers.every((carrier) => carrier.bound.length > 0))

const said = (running: Running): ReadonlyArray<string> =>
  [...running.printed().matchAll(/"message":"SIGHUP: ([^"]*)"/g)].map(([, text = ""]) => text)

const hangUp = async (running: Running): Promise<string | undefined> => {
  const before = said(running).length
  running.process.kill("SIGHUP")
  await until(() => said(running).length > before)
  return said(running).at(-1)
}

const counts = () => [acme.submits.length, bell.submits.length]

describe("a server with carriers", () => {
  it("says which they are, sends by their routes, and tells operators alone of carrier and cost", async () => {
    await write(both(), [{ channel: "sms", to: "*", via: ["bell", "acme"] }])
    const { newest, running, send } = await serving()
    await bound(acme, bell)
    expect(running.printed()).toContain(`sms acme (127.0.0.1:${acme.port}), bell (127.0.0.1:${bell.port})`)
    expect(await send()).toBe(200)
    expect(counts()).toEqual([0, 1])
    expect(JSON.stringify(await newest())).not.toContain("bell")
    const { stdout } = await answerOf(environment(), "why", TO)
    expect(stdout).toContain("by carrier bell, route * (order)")
    expect(stdout).toContain("the carrier asks 0.07 EUR")
  })

  it("takes up routes, costs and connections at SIGHUP, and keeps those of before where the file is wrong", async () => {
    await write({ acme: both().acme })
    const { running, send } = await serving()
    await bound(acme)
    expect(await send()).toBe(200)

    await write(both(), [{ channel: "sms", to: "*", via: ["bell"] }])
    expect(await hangUp(running)).toBe("CARRIERS was read again, and is in force.")
    await bound(bell)
    expect(await send()).toBe(200)
    expect(counts()).toEqual([1, 1])
    // The connection that stays was not opened again.
    expect(acme.binds).toHaveLength(1)

    await write(both(), [{ channel: "sms", to: "*", via: ["bull"] }])
    expect(await hangUp(running)).toMatch(/^CARRIERS names the file .*, in which routes\[0\]\.via\[0\] names /)
    expect(await send()).toBe(200)
    expect(counts()).toEqual([1, 2])

    await write({ bell: both().bell })
    expect(await hangUp(running)).toBe("CARRIERS was read again, and is in force.")
    await until(() => acme.bound.length === 0)
    expect(await send()).toBe(200)
    expect(counts()).toEqual([1, 3])
  })

  it("answers what a carrier has under way before the carrier that left the file is closed", async () => {
    await write(both())
    acme.script.submit = () => ({ after: 500 })
    const { running, send } = await serving()
    await bound(acme, bell)
    const sending = send()
    await acme.until(() => acme.submits.length === 1)
    await write({ bell: both().bell })
    expect(await hangUp(running)).toBe("CARRIERS was read again, and is in force.")
    expect(await sending).toBe(200)
    await until(() => acme.bound.length === 0)
    expect(counts()).toEqual([1, 0])
  })

  it("is refused by check, and does not start, with a file that is wrong", async () => {
    await write({ acme: { sms: "smpp://id:sesame@127.0.0.1?windw=1" } })
    const { code, stdout } = await answerOf(environment(), "check")
    expect(code).toBe(1)
    expect(stdout).toContain(
      `CARRIERS names the file ${file("carriers.json")}, in which carriers.acme.sms cannot be used`
    )
    expect(stdout).not.toContain("sesame")
  })
})

describe("a verification", () => {
  it("goes on by the other carrier once the first one has not delivered its text", async () => {
    await write(both())
    acme.script.receipt = (submit) => receipt(submit, "UNDELIV")
    const { account, key, running } = await serving()
    await bound(acme, bell)
    const workflow = [
      { channel: "sms", timeout: 60 },
      { channel: "sms", timeout: 60 }
    ]
    const { status } = await request(callerOf(running, account, key), "/verifications", { to: TO, workflow })
    expect(status).toBe(200)
    await bell.until(() => bell.submits.length === 1)
    expect(counts()).toEqual([1, 1])
    const codes = [acme, bell].map(({ submits: [submit] }) => /[0-9]{6}/.exec(submit?.text ?? "")?.[0])
    expect(codes[0]).toBe(codes[1])
    const { stdout } = await answerOf(environment(), "why", TO)
    expect(stdout).toContain("by carrier bell, route * (order; acme was used before)")
  })

  it("passes over a step by another carrier where its route has none", async () => {
    await write(both(), [{ channel: "sms", to: "*", via: ["acme"] }])
    acme.script.receipt = (submit) => receipt(submit, "UNDELIV")
    const { account, key, running } = await serving()
    await bound(acme)
    const workflow = [
      { channel: "sms", timeout: 60 },
      { channel: "sms", timeout: 60, carrier: "other" }
    ]
    const caller = callerOf(running, account, key)
    const { body } = await request(caller, "/verifications", { to: TO, workflow })
    await until(async () => (await request(caller, `/verifications/${String(body["id"])}`)).body["status"] === "failed")
    expect(counts()).toEqual([1, 0])
    const { stdout } = await answerOf(environment(), "why", TO)
    expect(stdout).toContain("(order; acme was used by an earlier step)")
  })
})

describe("a server with carriers of calls", () => {
  it("has the other one place a call that the first has no trunk for, and takes up another file", async () => {
    const [one, two] = [await trunk({ script: { invite: (call) => call.respond(503) } }), await trunk()]
    try {
      const carriers = {
        one: { call: one.url(), cost: { "*": 0.01 } },
        two: { call: two.url("keepalive=0", "client@"), password: "secret", cost: { "*": 0.02 } }
      }
      await writeFile(file("prices.json"), '{"call": {"*": 0.1}}')
      await write(carriers, [{ channel: "call", to: "*", via: ["one", "two"], choose: "cheapest" }])
      const { account, key, running } = await serving()
      expect(running.printed()).toContain(`live: call one (127.0.0.1:${one.port}), two (127.0.0.1:${two.port})`)
      const caller = callerOf(running, account, key)
      const ring = () => request(caller, "/call/flash", { callee: TO, caller: "+4930901820123", max_ring_time: 1 })
      expect((await ring()).status).toBe(200)
      expect([one.calls.length, two.calls.length]).toEqual([1, 1])
      const { stdout } = await answerOf(environment(), "why", TO)
      expect(stdout).toContain("by carrier two, route * (cheapest)")
      expect(stdout).toContain("refused before by one")
      expect(stdout).toContain("the account paid 0.10 EUR, the carrier asks 0.02 EUR: a margin of 0.08 EUR")

      await write({ two: carriers.two })
      expect(await hangUp(running)).toBe("CARRIERS was read again, and is in force.")
      expect((await ring()).status).toBe(200)
      expect([one.calls.length, two.calls.length]).toEqual([1, 2])

      await write({ ...both(), two: carriers.two })
      expect(await hangUp(running)).toMatch(
        /in which carriers have a carrier of sms, but there was no such carrier when the server started/
      )
    } finally {
      await server?.kill()
      await Promise.all([one.stop(), two.stop()])
    }
  })
})

/** Servers read what operators set once a second. */
const isRead = () => realTime(1_100, "the server reads the settings")

describe("an operator", () => {
  const carriers = async () => {
    const { carriers: all } = await command(environment(), "carrier", "list")
    return Array.isArray(all) ? all : []
  }

  it("sees carriers from the start on, and what was sent before it", async () => {
    await write({ acme: both().acme })
    const { account, key, running, send } = await serving()
    expect(await carriers()).toMatchObject([{ carrier: "acme", channel: "sms", servers: 1 }])
    await bound(acme)
    await until(async () => (await carriers()).every(({ up }) => up === 1))
    expect((await answerOf(environment(), "traffic")).stdout).toContain(
      "Sends of the last ten seconds are not counted yet."
    )
    expect(await send()).toBe(200)
    await running.stop()
    await serveAs(account, key)
    expect(await carriers()).toMatchObject([{ carrier: "acme", servers: 1, sent: 1 }])
  })

  it("drains a carrier, resumes it, and sees what running servers see", async () => {
    await write(both())
    const { send } = await serving()
    await bound(acme, bell)
    await until(async () => (await carriers()).filter(({ up }) => up === 1).length === 2)

    const { stdout } = await answerOf(environment(), "carrier", "drain", "acme", "--for", "2h")
    expect(stdout).toMatch(/^acme gets no new messages until 20/)
    await isRead()
    expect(await send()).toBe(200)
    expect(counts()).toEqual([0, 1])
    expect(await carriers()).toMatchObject([{ carrier: "acme", drained: true, cost: 0.061 }, { carrier: "bell" }])

    await answerOf(environment(), "carrier", "resume", "acme")
    await isRead()
    expect(await send()).toBe(200)
    expect(counts()).toEqual([1, 1])
    expect(await answerOf(environment(), "carrier", "resume", "acme")).toMatchObject({ code: 1 })
    const list = await answerOf(environment(), "carrier", "list")
    expect(list.stdout).toMatch(/^acme +sms +up +window \d+ of 100 +0.061 EUR +\d sent in an hour/m)

    const unknown = await answerOf(environment(), "carrier", "drain", "acne")
    expect(unknown).toMatchObject({ code: 1 })
    expect(unknown.stderr).toContain("carrier is no carrier of a running server; use acme, bell")
  })

  it("sees why a carrier refuses, and how many codes of the last hour were entered", async () => {
    await write(both())
    acme.script.submit = () => ({ status: STATUS.RSYSERR })
    const { running, account, key } = await serving()
    await bound(acme, bell)
    const caller = callerOf(running, account, key)
    const { body } = await request(caller, "/verifications", { to: TO })
    await bell.until(() => bell.submits.length === 1)
    const code = /[0-9]{6}/.exec(bell.submits[0]?.text ?? "")?.[0]
    const checked = await request(caller, "/verifications/check", {
      verification_id: body["id"],
      code
    })
    expect(checked.body).toMatchObject({ status: "approved" })
    await until(async () => (await carriers()).some(({ approved }) => approved === 1))
    expect(await carriers()).toMatchObject([
      { carrier: "acme", sent: 0, refusal: { message: expect.any(String) } },
      { carrier: "bell", sent: 1, approved: 1, refusal: null }
    ])
  })

  it("sets the routes of an account, which precede those of the file", async () => {
    await write(both())
    const { account, send } = await serving()
    await bound(acme, bell)
    const set = (routes: unknown) => {
      writeFileSync(file("routes.json"), JSON.stringify(routes))
      return answerOf(environment(), "route", "set", account, file("routes.json"))
    }
    expect(await set([{ channel: "sms", to: "49", via: ["bell"] }])).toMatchObject({ code: 0 })
    await isRead()
    expect(await send()).toBe(200)
    expect(counts()).toEqual([0, 1])

    const wrong = await set([{ channel: "sms", to: "49", via: [] }])
    expect(wrong).toMatchObject({ code: 1 })
    expect(wrong.stderr).toContain("routes[0].via must name a carrier")
    expect(await command(environment(), "route", "show", account)).toMatchObject({ routes: [{ via: ["bell"] }] })

    await answerOf(environment(), "route", "remove", account)
    await isRead()
    expect(await send()).toBe(200)
    expect(counts()).toEqual([1, 1])
  })
})

describe("a server that is killed in the middle of a hand-over", () => {
  it("has a record that names both carriers, and is settled by the receipt of the one that has the message", async () => {
    await write(both())
    acme.script.submit = () => ({ status: STATUS.RSYSERR })
    bell.script.submit = () => "silence"
    const { account, key, running, send } = await serving()
    await bound(acme, bell)
    const sending = send().catch(() => null)
    await bell.until(() => bell.submits.length === 1)
    await running.kill()
    expect(await sending).toBeNull()
    expect(counts()).toEqual([1, 1])

    const { newest } = await serveAs(account, key)
    await bound(acme, bell)
    const open = await answerOf(environment(), "why", TO)
    expect(open.stdout).toContain("may have been sent through acme or bell")

    const [submit] = bell.submits
    if (submit === undefined) throw new Error("no submit")
    submit.id = "77"
    bell.deliver(receipt(submit).fields)
    await until(async () => (await newest())?.status === "delivered")
    // Nothing was sent again by either, and it is charged once.
    const { stdout } = await answerOf(environment(), "why", TO)
    expect(counts()).toEqual([1, 1])
    expect(stdout).toContain("by carrier bell, route *")
    expect(await command(environment(), "account", "show", account)).toMatchObject({ balance: 0.9, held: 0 })
  })

  it("has the carrier and the cost from the receipt of one part of two, and both invoices agree", async () => {
    await write(both())
    acme.script.submit = () => ({ status: STATUS.RTHROTTLED })
    bell.script.submit = () => "silence"
    const { account, key, running, send } = await serving()
    await bound(acme, bell)
    const sending = send("a".repeat(200)).catch(() => null)
    await bell.until(() => bell.submits.length === 2)
    await running.kill()
    expect(await sending).toBeNull()

    const { newest } = await serveAs(account, key)
    await bound(acme, bell)
    const submit = bell.submits[1]
    if (submit === undefined) throw new Error("no submit of the second part")
    submit.id = "78"
    bell.deliver(receipt(submit).fields)
    await until(async () => (await newest())?.status === "sent")
    const { stdout } = await answerOf(environment(), "why", TO)
    expect(bell.submits).toHaveLength(2)
    expect(stdout).toContain("by carrier bell, route *")
    expect(stdout).toContain("the account paid 0.20 EUR, the carrier asks 0.14 EUR: a margin of 0.06 EUR")
    const month = new Date().toISOString().slice(0, 7)
    const invoice = (carrier: string) => command(environment(), "invoice", carrier, "--month", month)
    expect(await invoice("bell")).toMatchObject({ messages: 1, parts: 2, cost: 0.14, unknown: 0 })
    expect(await invoice("acme")).toMatchObject({ messages: 0, parts: 0, cost: 0, unknown: 0 })
    expect(await command(environment(), "account", "show", account)).toMatchObject({ balance: 0.8, held: 0 })
  })
})
