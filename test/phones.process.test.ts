/**
 * Sandbox phones on databases, and in two processes on one database: settings made in one process apply in the other,
 * which also receives the events of the first.
 */
import type { PhoneEvent, PhoneEvents } from "@watchword/client"
import { postgres } from "@watchword/store-postgres"
import { sqlite } from "@watchword/store-sqlite"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Watchword, createWatchword } from "watchword"
import { folderForAll } from "./folder.ts"
import { type PostgresServer, start } from "./PostgresServer.ts"
import { until } from "./until.ts"

const to = "+4915123456789"
const secret = "a secret of thirty-two characters"

let server: PostgresServer

beforeAll(async () => {
  server = await start()
})

afterAll(() => server.stop())

const folder = folderForAll()

const open = (store: Parameters<typeof createWatchword>[0]["store"]) => createWatchword({ store, secret })

const callerOf = async (service: Watchword) => {
  const { account_id: account } = await service.operator.account.create({ name: "Acme", caller: "+4930901820123" })
  return { account, sandbox: true } as const
}

type Caller = Awaited<ReturnType<typeof callerOf>>

const events = async (service: Watchword, caller: Caller, query = {}): Promise<ReadonlyArray<PhoneEvent>> =>
  (await service.sandbox.phoneEvents(caller, query)).events

const states = async (service: Watchword, caller: Caller): Promise<ReadonlyArray<string>> =>
  (await events(service, caller)).flatMap((event) => (event.type === "message" ? [event.message.state] : []))

const stores = {
  SQLite: () => sqlite(folder.file("phones.db")),
  PostgreSQL: () => postgres(server.url, { schema: "alone" })
}

describe.each(["SQLite", "PostgreSQL"] as const)("phones on %s", (name) => {
  it("keep messages, have them arrive together, wait for a person, and are erased", async () => {
    const service = await open(stores[name]())
    const caller = await callerOf(service)
    await service.sandbox.setPhone(caller, to, { offline: true })
    await service.sms.send(caller, { to, text: "Your code is 123456" })
    await service.chatgw.send(caller, { to, code: "123456" })
    await service.bizchat.send(caller, { to, text: "Your code is 123456" })
    expect(await states(service, caller)).toEqual(["kept", "kept", "kept"])
    await service.sandbox.setPhone(caller, to, { bizchat: "read" })
    expect(await states(service, caller)).toEqual(["delivered", "delivered", "delivered"])

    await service.sandbox.setPhone(caller, to, { mode: "manual" })
    const { uuid } = await service.bizchat.send(caller, { to, text: "Your code is 654321" })
    expect(await service.sandbox.messageEvent(caller, uuid, { event: "read" })).toMatchObject({ state: "read" })
    await expect(service.sandbox.messageEvent(caller, uuid, { event: "failed" })).rejects.toMatchObject({
      code: "CONFLICT",
      reason: "ended"
    })
    const call = await service.call.flash(caller, { callee: to })
    expect(await service.sandbox.callEvent(caller, call.uuid, { event: "decline" })).toMatchObject({
      hangup_cause: "CALL_REJECTED"
    })
    expect(await service.operator.erase({ number: to })).toMatchObject({ settings: 1 })
    await service.dispose()
  })
})

describe("phones in two processes", () => {
  it("are obeyed and followed by the other one, which ends its calls too", async () => {
    const store = () => postgres(server.url, { schema: "two" })
    const [one, other] = [await open(store()), await open(store())]
    const caller = await callerOf(one)
    await expect(other.sms.send(caller, { to: "+4915123450503", text: "no" })).rejects.toBeDefined()
    await one.sandbox.setPhone(caller, "+4915123450503", { mode: "manual" })
    const { messageId } = await until(() =>
      other.sms.send(caller, { to: "+4915123450503", text: "Your code is 123456" }).catch(() => null)
    ).then((sent) => sent ?? { messageId: "" })
    expect(messageId).not.toBe("")

    let cursor = (await other.sandbox.phoneEvents(caller)).cursor
    const followed = async (): Promise<PhoneEvents> => {
      const found = await other.sandbox.phoneEvents(caller, { after: cursor, wait: 30 })
      cursor = found.cursor
      return found
    }
    const { uuid } = await one.call.flash(caller, { callee: to })
    const rings = await until(followed, ({ events }) => events.some(({ type }) => type === "call"))
    expect(rings).toMatchObject({ reset: false, events: [{ type: "call", call: { id: uuid, state: "ringing" } }] })

    expect(await other.sandbox.callEvent(caller, uuid, { event: "answer" })).toMatchObject({
      state: "ended",
      hangup_cause: "NORMAL_CLEARING"
    })
    await expect(one.sandbox.callEvent(caller, uuid, { event: "decline" })).rejects.toMatchObject({ reason: "ended" })
    await Promise.all([one.dispose(), other.dispose()])
    const later = await open(store())
    expect(await later.call.get(caller, uuid)).toMatchObject({ hangup_cause: "NORMAL_CLEARING" })
    await later.dispose()
  })

  it("act for verifications of the other one, and when that has stopped", async () => {
    const store = () => postgres(server.url, { schema: "acting" })
    const [one, other] = [await open(store()), await open(store())]
    const caller = await callerOf(one)
    const workflow = [{ channel: "receive", by: ["sms"], timeout: 300, reply: false }] as const
    const status = async (id: string) => (await other.verify.get(caller, id)).status
    const begin = async () => (await one.verify.start(caller, { to, workflow })).id

    await one.sandbox.setPhone(caller, to, { mode: "manual" })
    const first = await begin()
    await other.sandbox.setPhone(caller, to, { mode: "auto" })
    expect(
      await until(
        () => status(first),
        (now) => now !== "pending"
      )
    ).toBe("approved")

    await other.sandbox.setPhone(caller, to, { mode: "auto", offline: true })
    const second = await begin()
    await one.dispose()
    await other.sandbox.setPhone(caller, to, { mode: "auto" })
    expect(
      await until(
        () => status(second),
        (now) => now !== "pending"
      )
    ).toBe("approved")
    await other.dispose()
  })
})
