/**
 * The server with a file of carriers: routes, reloads, drains, and a kill in the middle of a hand-over.
 */
import { writeFile } from "node:fs/promises"
import { setTimeout as delay } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { TestCarrier, receipt } from "../../../packages/sms/test/smpp/TestCarrier.ts"
import { STATUS } from "../../../packages/sms/test/smpp/wire.ts"
import { folderForEach } from "../../../test/folder.ts"
import { until } from "../../../test/until.ts"
import { callerOf, newestOf, request } from "./client.ts"
import { type Running, answerOf, command, start } from "./Standalone.ts"

const { file } = folderForEach()
const TO = "+4915123456789"
let acme: TestCarrier
let bell: TestCarrier
let server: Running | null = null

beforeEach(async () => {
  await writeFile(file("prices.json"), '{"sms": {"*": 0.1}}')
  acme = await TestCarrier.start()
  bell = await TestCarrier.start()
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
  const send = async () => (await request(caller, "/sms", { to: TO, text: "Your code is 123456" })).status
  const newest = async () => newestOf(await request(caller, "/sms/sdr", { sort_by: "created_at", rows_per_page: 1 }))
  return { running, send, newest }
}

const bound = (...carriers: ReadonlyArray<TestCarrier>) =>
  until(() => carriers.every((carrier) => carrier.bound.length > 0))

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
    expect(stdout).toContain("costs 0.07 EUR")
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
    acme.behaviour.submit = () => ({ after: 500 })
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

describe("a server that is killed in the middle of a hand-over", () => {
  it("has a record that names both carriers, and is settled by the receipt of the one that has the message", async () => {
    await write(both())
    acme.behaviour.submit = () => ({ status: STATUS.RSYSERR })
    bell.behaviour.submit = () => "silence"
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
    expect(open.stdout).toContain("may have left by acme or bell")

    const [submit] = bell.submits
    if (submit === undefined) throw new Error("no submit")
    submit.id = "77"
    bell.deliver(receipt(submit).fields)
    await until(async () => (await newest())?.status === "delivered")
    // Nothing was sent again by either, and it is charged once.
    await delay(100)
    expect(counts()).toEqual([1, 1])
    const { stdout } = await answerOf(environment(), "why", TO)
    expect(stdout).toContain("by carrier bell, route *")
    expect(await command(environment(), "account", "show", account)).toMatchObject({ balance: 0.9, held: 0 })
  })
})
