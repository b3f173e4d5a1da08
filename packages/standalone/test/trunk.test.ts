/**
 * The whole path of a live call: HTTP, key, balance, SQLite, SIP, record; and every answer of the callee and the trunk
 * to the answer, the record and the ledger.
 */
import { until } from "../../../test/until.ts"
import { writeFile } from "node:fs/promises"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { text } from "node:stream/consumers"
import * as Sip from "@watchword/call/sip"
import { type Serving, serve } from "@watchword/node"
import { sqlite } from "@watchword/store-sqlite"
import * as Result from "effect/Result"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { type Watchword, createWatchword } from "watchword"
import { type TrunkCall, trunk as startTrunk, type Trunk } from "@watchword/sandbox/trunk"
import { command, start } from "./Standalone.ts"
import { entriesOf } from "./client.ts"

const folder = folderForEach()
let file: string
let trunk: Trunk
let service: Watchword
let serving: Serving
let account: string
let key: string

beforeEach(async () => {
  file = folder.file("test.db")
  trunk = await startTrunk()
  await begin()
  account = (await service.operator.account.create({ name: "Acme", caller: "+4930901820123" })).account_id
  await service.operator.account.credit({ account_id: account, amount: "1" })
  key = (await service.operator.key.create({ account_id: account })).key
})

afterEach(async () => {
  await end()
  await trunk.stop()
})

const begin = async (): Promise<void> => {
  const options = Result.getOrThrow(Sip.fromUrls(trunk.url()))
  service = await createWatchword({
    store: sqlite(file),
    call: Sip.layer({ ...options, silence: "500 millis", drain: "1 second", timers: { t1: 20, t2: 160, t4: 200 } }),
    prices: { call: { "*": "0.02" } }
  })
  serving = await serve(service, { operations: service.operations, basePath: "/v1", port: 0 })
}

const end = async (): Promise<void> => {
  await serving.close()
  await service.dispose()
}

const ask = async (method: string, path: string, body?: object, origin = `http://127.0.0.1:${serving.port}`) => {
  const message = request(origin + path, {
    method,
    headers: { "x-api-key": key, "x-account-id": account, "content-type": "application/json" }
  })
  message.end(body === undefined ? undefined : JSON.stringify(body))
  const [response]: Array<IncomingMessage> = await once(message, "response")
  if (response === undefined) throw new Error("there is no response")
  const content = await text(response)
  return { status: response.statusCode, body: content === "" ? null : JSON.parse(content) }
}

const flash = (fields: object = {}) => ask("POST", "/v1/call/flash", { callee: "+4915123456789", ...fields })
const hangup = (uuid: string) => ask("DELETE", `/v1/call/flash/${uuid}`)
const record = async (uuid: string, origin?: string) =>
  (await ask("GET", `/v1/call/flash/${uuid}/cdr`, undefined, origin)).body
const newest = async () => (await ask("POST", "/v1/call/flash/cdr", { rows_per_page: 1 })).body.list[0]

const ended = (uuid: string, origin?: string) =>
  until(
    () => record(uuid, origin),
    (found) => found.hangup_cause !== null
  )

const answers = (invite: (call: TrunkCall) => void): void => {
  trunk.script.invite = invite
}

const erase = () => service.operator.erase({ number: "+4915123456789" })

const ledger = () => entriesOf(file, account)

describe("a live call", () => {
  it("rings, is charged, and ends with NO_ANSWER after max_ring_time", async () => {
    const { body, status } = await flash({ max_ring_time: 1 })
    expect([status, body.caller, body.callee]).toEqual([200, "+4930901820123", "+4915123456789"])
    expect(await ledger()).toEqual(["hold", "settle"])
    expect(await service.operator.account.show({ account_id: account })).toMatchObject({
      balance: 0.98,
      held: 0,
      available: 0.98
    })
    const cdr = await ended(body.uuid)
    expect(cdr).toMatchObject({ hangup_cause: "NO_ANSWER", sip_status: 487, duration: 1, billsec: 0, price: 0.02 })
    expect(cdr.pdd).toBeGreaterThanOrEqual(0)
    expect(trunk.requests("CANCEL").length).toBeGreaterThan(0)
    expect(trunk.calls[0]?.callee).toBe("+4915123456789")
    expect((await hangup(body.uuid)).status).toBe(404)
  })

  it.each([
    [486, 486, "BUSY_HERE", "USER_BUSY"],
    [603, 603, "DECLINE", "CALL_REJECTED"],
    [480, 480, "TEMPORARY_UNAVAILABLE", "NO_USER_RESPONSE"],
    [503, 503, "SERVICE_UNAVAILABLE", "NORMAL_TEMPORARY_FAILURE"]
  ])("that the network answers %d is answered %d, and costs nothing", async (sip, status, error, cause) => {
    answers((call) => call.respond(sip))
    const answer = await flash()
    expect([answer.status, answer.body.error]).toEqual([status, error])
    expect(await newest()).toMatchObject({ hangup_cause: cause, sip_status: sip, duration: 0 })
    expect(await ledger()).toEqual(["hold", "release"])
    expect(await service.operator.account.show({ account_id: account })).toMatchObject({
      balance: 1,
      held: 0,
      available: 1
    })
  })

  it.each<readonly [how: string, invite: (call: TrunkCall) => void]>([
    ...[404, 480, 486, 503, 603].map((sip) => [`is answered ${sip}`, (call: TrunkCall) => call.respond(sip)] as const),
    ["gets no answer", () => {}],
    [
      "is declined while it rings",
      (call) => {
        call.respond(180)
        call.respond(603)
      }
    ]
  ])("that %s is erased at once", async (_, invite) => {
    answers(invite)
    const { body, status } = await flash()
    if (status === 200) await ended(body.uuid)
    expect(await newest()).toMatchObject({ callee: "+4915123456789" })
    expect(await erase()).toMatchObject({ records: 1, under_way: 0 })
  })

  it("that a guard refuses is erased at once", async () => {
    await service.operator.guard.block({ place: "+4915123456789", for: 60, account_id: account })
    expect((await flash()).status).toBe(403)
    expect(await erase()).toMatchObject({ records: 1, under_way: 0 })
  })

  it("that is ended before it rings is erased at once", async () => {
    answers((call) => call.respond(100))
    const asked = flash()
    await trunk.until(() => trunk.calls.length > 0)
    expect((await hangup((await newest()).uuid)).status).toBe(204)
    await asked
    expect(trunk.requests("CANCEL").length).toBeGreaterThan(0)
    expect(await erase()).toMatchObject({ records: 1, under_way: 0 })
  })

  it("is ended by DELETE", async () => {
    const { body } = await flash({ max_ring_time: 60 })
    expect((await hangup(body.uuid)).status).toBe(204)
    expect(await ended(body.uuid)).toMatchObject({ hangup_cause: "ORIGINATOR_CANCEL", sip_status: 487 })
    expect((await hangup(body.uuid)).status).toBe(404)
    expect(await ledger()).toEqual(["hold", "settle"])
  })

  it("that is answered is hung up on, and charged once", async () => {
    answers((call) => call.accept())
    const { body, status } = await flash({ max_ring_time: 60 })
    expect(status).toBe(200)
    await hangup(body.uuid)
    expect(await ended(body.uuid)).toMatchObject({ hangup_cause: "NORMAL_CLEARING", sip_status: 200 })
    expect(trunk.requests("BYE").length).toBeGreaterThan(0)
    expect(await ledger()).toEqual(["hold", "settle"])
  })

  it("that is declined while it rings was delivered", async () => {
    const { body } = await flash({ max_ring_time: 60 })
    trunk.calls[0]?.respond(603)
    expect(await ended(body.uuid)).toMatchObject({ hangup_cause: "CALL_REJECTED", sip_status: 603 })
    expect(await ledger()).toEqual(["hold", "settle"])
  })

  it("that is over the moment it rings is recorded and charged once", async () => {
    answers((call) => {
      call.respond(180)
      call.respond(486)
    })
    const called = await Promise.all(
      Array.from({ length: 10 }, (_, index) => flash({ callee: `+491512345678${index}` }))
    )
    expect(called.map(({ status }) => status)).toEqual(called.map(() => 200))
    for (const { body } of called) {
      expect(await ended(body.uuid)).toMatchObject({ hangup_cause: "USER_BUSY", sip_status: 486, duration: 0 })
    }
    expect(await service.operator.account.show({ account_id: account })).toMatchObject({
      balance: 0.8,
      held: 0,
      available: 0.8
    })
  })

  it("is not placed for an account without money", async () => {
    account = (await service.operator.account.create({ name: "Poor", caller: "+4930901820123" })).account_id
    key = (await service.operator.key.create({ account_id: account })).key
    expect((await flash()).status).toBe(402)
    expect(trunk.calls).toHaveLength(0)
  })

  it("never shows what it is ended by", async () => {
    const { body } = await flash()
    expect(JSON.stringify([body, await record(body.uuid)])).not.toMatch(/dialog|branch|z9hG4bK/)
  })

  it("goes by a trunk that the readiness check names", async () => {
    await flash()
    const { body } = await ask("GET", "/readyz")
    expect(body.checks).toMatchObject({ [`call:127.0.0.1:${trunk.port}`]: "up" })
  })
})

it("a process that is killed while a phone rings has the next one hang up and close the record", async () => {
  const environment = {
    DATABASE_URL: `sqlite:${folder.file("killed.db")}`,
    SIP_URL: trunk.url(),
    SIP_LISTEN: "127.0.0.1:0"
  }
  const killed = await start(environment)
  const made = await command(environment, "account", "create", "--caller", "+4930901820123", "--balance", "1")
  account = String(made["account_id"])
  key = String((await command(environment, "key", "create", "--account", account))["key"])
  const { body } = await ask("POST", "/v1/call/flash", { callee: "+4915123456789", max_ring_time: 60 }, killed.origin)
  await killed.kill()
  expect(trunk.requests("CANCEL")).toHaveLength(0)
  const next = await start(environment)
  try {
    await trunk.until(() => trunk.requests("CANCEL").length > 0)
    const cdr = await ended(body.uuid, next.origin)
    expect(cdr).toMatchObject({ hangup_cause: "ORIGINATOR_CANCEL", sip_status: 487 })
    const again = await ask("DELETE", `/v1/call/flash/${body.uuid}`, undefined, next.origin)
    expect(again.status).toBe(404)
    expect(await command(environment, "account", "show", account)).toMatchObject({ balance: 1, held: 0 })
    expect(await command(environment, "erase", "+4915123456789")).toMatchObject({ records: 1, under_way: 0 })
  } finally {
    expect(await next.stop()).toBe(0)
  }
})

it("a process that is killed before it has heard the phone ring has the next one hang up and give the money back", async () => {
  const environment = {
    DATABASE_URL: `sqlite:${folder.file("early.db")}`,
    SIP_URL: trunk.url(),
    SIP_LISTEN: "127.0.0.1:0",
    PRICES: folder.file("prices.json")
  }
  await writeFile(environment.PRICES, '{ "call": { "*": 0.02 } }')
  const killed = await start(environment)
  const made = await command(environment, "account", "create", "--caller", "+4930901820123", "--balance", "1")
  account = String(made["account_id"])
  key = String((await command(environment, "key", "create", "--account", account))["key"])
  const { invite } = trunk.script
  trunk.script.invite = (call) => call.respond(100)
  const asked = ask("POST", "/v1/call/flash", { callee: "+4915123456789", max_ring_time: 60 }, killed.origin)
  const isAnswered = asked.then(
    () => true,
    () => false
  )
  await trunk.until(() => trunk.requests("INVITE").length > 0)
  await killed.kill()
  expect(await isAnswered).toBe(false)
  trunk.script.invite = invite
  const next = await start(environment)
  try {
    await trunk.until(() => trunk.requests("CANCEL").length > 0)
    const { body } = await ask("POST", "/v1/call/flash/cdr", {}, next.origin)
    const cdr = await ended(body.list[0].uuid, next.origin)
    expect(cdr).toMatchObject({ hangup_cause: "ORIGINATOR_CANCEL", sip_status: 487 })
    expect(await command(environment, "account", "show", account)).toMatchObject({ balance: 1, held: 0 })
    expect(await command(environment, "erase", "+4915123456789")).toMatchObject({ records: 1, under_way: 0 })
  } finally {
    expect(await next.stop()).toBe(0)
  }
})

it("a service that stops hangs up, and the record says so", async () => {
  const { body } = await flash({ max_ring_time: 60 })
  await end()
  expect(trunk.requests("CANCEL").length).toBeGreaterThan(0)
  await begin()
  expect(await record(body.uuid)).toMatchObject({ hangup_cause: "ORIGINATOR_CANCEL", sip_status: 487 })
})
