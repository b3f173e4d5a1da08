import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Watchword, createWatchword, memory } from "watchword"

const german = "+4915123456789"

let service: Watchword
let account: string
let caller: { readonly account: string; readonly sandbox: true }

beforeEach(async () => {
  service = await createWatchword({ store: memory() })
  account = (await service.operator.account.create({ caller: "+4930901820123" })).account_id
  caller = { account, sandbox: true }
})

afterEach(() => service.dispose())

/** A request with a key of the account. */
const ask = async (method: string, path: string, key: { readonly sandbox: boolean; readonly scopes?: string[] }) => {
  const { key: secret } = await service.operator.key.create({ account_id: account, ...key })
  const answer = await service.handle({
    method,
    path,
    headers: { "x-api-key": secret, "x-account-id": account },
    body: { _tag: "Absent" },
    remoteAddress: null
  })
  return { status: answer.status, body: answer.body === null ? null : JSON.parse(String(answer.body)) }
}

describe("the inbox of the sandbox", () => {
  it("has the message of each channel, in-process", async () => {
    await service.sms.send(caller, { to: german, text: "Your code is 123-456." })
    await service.chatgw.checkSendAbility(caller, { to: german })
    await service.chatgw.send(caller, { to: german, code: "4321" })
    await service.bizchat.send(caller, { to: german, text: "Order 2024: 55 55 00", code: "555500" })
    await service.call.flash(caller, { callee: german })
    const { messages } = await service.sandbox.inbox(caller, { to: german })
    expect(messages).toMatchObject([
      { channel: "call", from: "+4930901820123", text: null, code: "820123" },
      { channel: "bizchat", from: null, text: "Order 2024: 55 55 00", code: "555500" },
      { channel: "chatgw", from: null, text: null, code: "4321" },
      { channel: "sms", from: "Watchword", text: "Your code is 123-456.", code: "123456" }
    ])
    expect(await service.sandbox.inbox(caller, { channel: "call" })).toEqual({ messages: messages.slice(0, 1) })
    await service.sandbox.clear(caller)
    expect(await service.sandbox.inbox(caller)).toEqual({ messages: [] })
  })

  it("is never that of live sends", async () => {
    await expect(service.sandbox.inbox(account)).rejects.toMatchObject({ code: "FORBIDDEN", reason: "sandbox_only" })
    expect(await ask("GET", "/sandbox/inbox", { sandbox: false })).toMatchObject({
      status: 403,
      body: { error: "FORBIDDEN", reason: "sandbox_only" }
    })
    expect(await ask("DELETE", "/sandbox/inbox", { sandbox: false })).toMatchObject({ status: 403 })
  })

  it("is asked over HTTP, with the number as it is or encoded", async () => {
    await service.sms.send(caller, { to: german, text: "Your code is 123456" })
    for (const to of [german, encodeURIComponent(german)]) {
      expect(await ask("GET", `/sandbox/inbox?to=${to}&channel=sms`, { sandbox: true })).toMatchObject({
        status: 200,
        body: { messages: [{ to: german, code: "123456" }] }
      })
    }
    const scoped = { sandbox: true, scopes: ["sandbox:read"] }
    expect(await ask("DELETE", "/sandbox/inbox", scoped)).toEqual({ status: 204, body: null })
    expect(await ask("GET", "/sandbox/inbox", scoped)).toEqual({ status: 200, body: { messages: [] } })
    expect(await ask("GET", "/sandbox/inbox", { sandbox: true, scopes: ["sms:read"] })).toMatchObject({ status: 403 })
  })

  it.each([
    ["to=123", "to"],
    ["channel=pigeon", "channel"],
    ["after=x", "after"],
    ["wait=31", "wait"],
    ["wait=-1", "wait"],
    ["wait=soon", "wait"]
  ])("refuses %s, and names the parameter", async (query, path) => {
    expect(await ask("GET", `/sandbox/inbox?${query}`, { sandbox: true })).toMatchObject({
      status: 400,
      body: { error: "BAD_REQUEST", issues: [{ path }] }
    })
  })

  it("answers a request that waits once a message comes", async () => {
    const waiting = service.sandbox.inbox(caller, { wait: 30 })
    await service.sms.send(caller, { to: german, text: "Your code is 123456" })
    expect(await waiting).toMatchObject({ messages: [{ code: "123456" }] })
  })

  it("answers a request that waits when the service drains", async () => {
    const waiting = ask("GET", "/sandbox/inbox?wait=30", { sandbox: true })
    await service.sms.list(caller)
    service.drain()
    expect(await waiting).toEqual({ status: 200, body: { messages: [] } })
  })

  it("answers a request that waits when the service ends", async () => {
    const waiting = ask("GET", "/sandbox/inbox?wait=30", { sandbox: true })
    // The request is in flight once its key is authenticated.
    await ask("GET", "/sandbox/inbox", { sandbox: true })
    await service.dispose()
    expect(await waiting).toEqual({ status: 200, body: { messages: [] } })
  })
})
