import { CallGateway } from "@watchword/call/CallGateway"
import { ChatgwGateway } from "@watchword/chatgw/ChatgwGateway"
import { BusyHere } from "@watchword/schemas/Errors"
import * as Outcome from "@watchword/send/Outcome"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Watchword, createWatchword, memory } from "watchword"

const german = "+4915123456789"
const text = "Your code is 123456"

/** The senders, callers and usernames of the messages that reached a gateway. */
let reached: Array<string | null> = []

const gateway = { events: () => Effect.void, health: Effect.succeed([]), webhook: null }
const takes = (from: string | null, id: string) =>
  Effect.sync(() => {
    reached.push(from)
    return Outcome.accepted([`ref-${id}`])
  })

const sms = Layer.succeed(SmsGateway, { ...gateway, send: ({ delivery, from }) => takes(from, delivery) })

const chatgw = Layer.succeed(ChatgwGateway, {
  ...gateway,
  send: ({ delivery, senderUsername }) => takes(senderUsername, delivery),
  checkSendAbility: () => Effect.die("not asked"),
  checkVerificationStatus: () => Effect.die("not asked"),
  revoke: () => Effect.die("not asked")
})

const call = Layer.succeed(CallGateway, {
  ...gateway,
  dial: ({ caller, delivery }) =>
    Effect.as(takes(caller, delivery), {
      _tag: "Failed",
      failure: new BusyHere({ message: "The callee is busy." }),
      cause: { hangupCause: "USER_BUSY", sipStatus: 486, q850: 17 }
    } as const),
  hangup: () => Effect.succeed(true),
  recover: () => Effect.void,
  drain: Effect.void
})

let service: Watchword

beforeEach(async () => {
  reached = []
  service = await createWatchword({
    store: memory(),
    call,
    chatgw,
    sms,
    prices: { sms: { "*": 0.05 }, call: { "*": 0 }, chatgw: { "*": 0 } }
  })
})

afterEach(() => service.dispose())

const post = async (path: string, account: string, key: string, body: object, method = "POST") => {
  const response = await service.handle({
    method,
    path,
    headers: { "x-api-key": key, "x-account-id": account, "content-type": "application/json" },
    body: { _tag: "Parsed", value: body },
    remoteAddress: null
  })
  return { status: response.status, body: response.body === null ? null : JSON.parse(String(response.body)) }
}

const suspended = { status: 403, body: { error: "FORBIDDEN", reason: "account_suspended" } }
const refused = (reason: string) => ({ status: 403, body: { error: "FORBIDDEN", reason } })

describe("a suspended account", () => {
  it("sends and reads nothing with live and sandbox keys, until it is resumed", async () => {
    const { account_id: account } = await service.operator.account.create()
    await service.operator.account.credit({ account_id: account, amount: 1 })
    for (const sandbox of [false, true]) {
      const { key } = await service.operator.key.create({ account_id: account, sandbox })
      const send = () => post("/sms", account, key, { to: german, text })
      const list = () => post("/sms/sdr", account, key, {})
      expect([(await send()).status, (await list()).status]).toEqual([200, 200])
      await service.operator.account.suspend({ account_id: account })
      expect(await send()).toMatchObject(suspended)
      expect(await list()).toMatchObject(suspended)
      expect(await post("/sms", account, key, {})).toMatchObject(suspended)
      await service.operator.account.resume({ account_id: account })
      expect([(await send()).status, (await list()).status]).toEqual([200, 200])
    }
    expect(reached).toHaveLength(2)
  })

  it("is told nothing with a wrong key", async () => {
    const { account_id: account } = await service.operator.account.create()
    await service.operator.account.suspend({ account_id: account })
    expect((await post("/sms", account, "sk_live_wrong", { to: german, text })).status).toBe(401)
  })

  it("is refused direct calls too", async () => {
    const { account_id: account } = await service.operator.account.create()
    await service.operator.account.suspend({ account_id: account })
    const refusal = { code: "FORBIDDEN", reason: "account_suspended" }
    await expect(service.sms.send(account, { to: german, text })).rejects.toMatchObject(refusal)
    await expect(service.sms.list({ account, sandbox: true })).rejects.toMatchObject(refusal)
  })

  it("may end its calls", async () => {
    const { account_id: account } = await service.operator.account.create({ caller: "+4930901820123" })
    const { key } = await service.operator.key.create({ account_id: account, sandbox: true })
    const { uuid } = await service.call.flash({ account, sandbox: true }, { callee: german })
    await service.operator.account.suspend({ account_id: account })
    expect((await post(`/call/flash/${uuid}`, account, key, {}, "DELETE")).status).toBe(204)
  })

  it("has its money given back and taken away", async () => {
    const { account_id: account } = await service.operator.account.create()
    await service.operator.account.suspend({ account_id: account })
    expect(await service.operator.account.credit({ account_id: account, amount: 3, id: "INV-7" })).toMatchObject({
      available: 3,
      repeated: false
    })
    expect(await service.operator.account.credit({ account_id: account, amount: 3, id: "INV-7" })).toMatchObject({
      available: 3,
      repeated: true
    })
    await expect(
      service.operator.account.credit({ account_id: account, amount: 4, id: "INV-7" })
    ).rejects.toMatchObject({
      code: "CONFLICT"
    })
    expect(await service.operator.account.debit({ account_id: account, amount: 3, reason: "closed" })).toMatchObject({
      available: 0
    })
    await expect(
      service.operator.account.debit({ account_id: account, amount: 1, reason: "closed" })
    ).rejects.toMatchObject({
      code: "PAYMENT_REQUIRED"
    })
    expect((await service.operator.account.entries({ account_id: account })).entries).toMatchObject([
      { id: "INV-7", kind: "credit", amount: 3, reason: null },
      { kind: "debit", amount: 3, reason: "closed", from: "available", to: "funding" }
    ])
    expect(await service.operator.account.show({ account_id: account })).toMatchObject({
      account_id: account,
      available: 0
    })
    expect((await service.operator.account.list()).accounts).toMatchObject([
      { account_id: account, suspended_at: expect.stringMatching(/Z$/) }
    ])
  })
})

describe("an account with lists of originators", () => {
  it("sends live from senders on its list only, and in the sandbox from any", async () => {
    const { account_id: account } = await service.operator.account.create({ sms_sender: "Acme" })
    await service.operator.account.credit({ account_id: account, amount: 1 })
    const live = (await service.operator.key.create({ account_id: account })).key
    const sandbox = (await service.operator.key.create({ account_id: account, sandbox: true })).key
    const send = (key: string, from?: string) =>
      post("/sms", account, key, { to: german, text, ...(from === undefined ? {} : { from }) })
    expect((await send(live, "Bank")).status).toBe(200)
    await service.operator.account.allow({ account_id: account, senders: ["Acme", "4930901820"] })
    expect(await send(live, "Bank")).toMatchObject(refused("sender_not_allowed"))
    expect(await send(live, "acme")).toMatchObject(refused("sender_not_allowed"))
    expect((await send(live, "no sender at all")).status).toBe(400)
    expect((await send(live, "4930901820")).status).toBe(200)
    expect((await send(live)).body).toMatchObject({ from: "Acme" })
    expect((await send(sandbox, "Bank")).status).toBe(200)
    await expect(service.sms.send(account, { to: german, text, from: "Bank" })).rejects.toMatchObject({
      code: "FORBIDDEN",
      reason: "sender_not_allowed"
    })
    await service.operator.account.allow({ account_id: account, senders: null })
    expect((await send(live, "Bank")).status).toBe(200)
    expect(reached).toEqual(["Bank", "4930901820", "Acme", "Bank"])
  })

  it("refuses a sender before the balance is looked at", async () => {
    const { account_id: account } = await service.operator.account.create({ sms_sender: "Acme" })
    await service.operator.account.allow({ account_id: account, senders: ["Acme"] })
    const send = (from: string) => service.sms.send(account, { to: german, text, from })
    await expect(send("Bank")).rejects.toMatchObject({ code: "FORBIDDEN" })
    await expect(send("Acme")).rejects.toMatchObject({ code: "PAYMENT_REQUIRED" })
  })

  it("calls from numbers and ranges on its list only", async () => {
    const { account_id: account } = await service.operator.account.create()
    const allow = ["+4930901820000-+4930901820099", "+442079460018"]
    await service.operator.account.allow({ account_id: account, callers: allow })
    const flash = (caller: string) => service.call.flash(account, { callee: german, caller })
    const permitted = ["+4930901820000", "+4930901820099", "+442079460018"]
    for (const caller of permitted) await expect(flash(caller)).rejects.toMatchObject({ code: "BUSY_HERE" })
    for (const caller of ["+4930901820100", "+493090182005", "+442079460019"]) {
      await expect(flash(caller)).rejects.toMatchObject({ code: "FORBIDDEN", reason: "caller_not_allowed" })
    }
    expect(reached).toEqual(permitted)
  })

  it("sends codes from usernames on its list, however they are written, or from none", async () => {
    const { account_id: account } = await service.operator.account.create()
    await service.operator.account.allow({ account_id: account, usernames: ["@Acme_Codes"] })
    const send = (username: string) =>
      service.chatgw.send(account, { to: german, code: "1234", sender_username: username })
    await send("acme_codes")
    await expect(send("acme_code")).rejects.toMatchObject({ code: "FORBIDDEN", reason: "sender_not_allowed" })
    await service.chatgw.send(account, { to: german, code: "1234" })
    expect(reached).toEqual(["acme_codes", null])
  })

  it.each([
    [{ senders: [] }, "senders"],
    [{ senders: ["Acme", "much too long for it"] }, "senders[1]"],
    [{ callers: ["030901820"] }, "callers[0]"],
    [{ callers: ["+4930901820000", "+4930901820099-+4930901820000"] }, "callers[1]"],
    [{ callers: ["+493090182000-+4930901820099"] }, "callers[0]"],
    [{ usernames: ["x"] }, "usernames[0]"],
    [{ senders: ["Bank"] }, "senders"],
    [{ callers: ["+442079460018"] }, "callers"],
    [{ usernames: ["bank_codes"] }, "usernames"]
  ])("is not bound by lists such as %o", async (lists, path) => {
    const own = { sms_sender: "Acme", caller: "+4930901820001", sender_username: "acme_codes" }
    const { account_id: account } = await service.operator.account.create(own)
    await expect(service.operator.account.allow({ account_id: account, ...lists })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      issues: [{ path }]
    })
    expect(await service.operator.account.show({ account_id: account })).toMatchObject({
      senders: null,
      callers: null,
      usernames: null
    })
  })

  it("may lack the sender of accounts that were given none", async () => {
    const { account_id: account } = await service.operator.account.create()
    await service.operator.account.credit({ account_id: account, amount: 1 })
    await service.operator.account.allow({ account_id: account, senders: ["Acme"] })
    expect(await service.sms.send(account, { to: german, text, from: "Acme" })).toMatchObject({ from: "Acme" })
    await expect(service.sms.send(account, { to: german, text })).rejects.toMatchObject({
      code: "FORBIDDEN",
      reason: "sender_not_allowed"
    })
  })
})

describe("settings of an account's verifications", () => {
  it("are made in the program, and decide what is sent", async () => {
    const { account: accounts, template } = service.operator
    const { account_id: account } = await accounts.create()
    const caller = { account, sandbox: true }
    await accounts.workflow.set({ account_id: account, name: "text", steps: [{ channel: "sms", timeout: 30 }] })
    await template.set({ account_id: account, name: "default", locale: "de", text: "{{brand}} {{code}}" })
    await accounts.verify({ account_id: account, brand: "Acme", locale: "de-AT", workflow: "text" })
    expect(await accounts.verify({ account_id: account })).toEqual({
      account_id: account,
      brand: "Acme",
      locale: "de-AT",
      workflow: "text"
    })
    expect(await service.verify.start(caller, { to: german })).toMatchObject({ channel: "sms", status: "pending" })
    expect(await service.sandbox.inbox(caller, { to: german })).toMatchObject({
      messages: [{ channel: "sms", text: expect.stringMatching(/^Acme [0-9]{6}$/) }]
    })
    await accounts.testNumber.add({ account_id: account, number: "+4915123456788", code: "424242", until: tomorrow() })
    const { id } = await service.verify.start(account, { to: "+4915123456788" })
    const checked = await service.verify.check(account, id, { code: "424242" })
    expect([checked.valid, reached]).toEqual([true, []])
  })
})

const tomorrow = () => new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString()

describe("an account with a pool of callers", () => {
  it("calls from it, live within its list of callers, until the pool is taken away", async () => {
    const { account_id: account } = await service.operator.account.create()
    const flash = () => service.call.flash(account, { callee: german })
    await expect(flash()).rejects.toMatchObject({ code: "BAD_REQUEST", issues: [{ path: "caller" }] })
    const callers = ["+4930901820000-+4930901820001"]
    await service.operator.account.callers({ account_id: account, numbers: callers })
    expect(await service.operator.account.callers({ account_id: account })).toMatchObject({
      caller_pool: callers,
      allow_small_pool: false
    })
    await service.operator.account.allow({ account_id: account, callers: ["+4930901820001-+4930901820009"] })
    for (let count = 0; count < 10; count++) await expect(flash()).rejects.toMatchObject({ code: "BUSY_HERE" })
    expect(new Set(reached)).toEqual(new Set(["+4930901820001"]))
    const refused = service.operator.account.callers({ account_id: account, numbers: callers })
    await expect(refused).rejects.toThrow("The pool of callers is not valid.")
    await expect(refused).rejects.toMatchObject({
      code: "BAD_REQUEST",
      issues: [{ path: "callers[0]", message: "must be within the account's list of callers" }]
    })
    await service.operator.account.callers({ account_id: account, clear: true })
    expect(await service.operator.account.callers({ account_id: account })).toMatchObject({ caller_pool: null })
    await expect(flash()).rejects.toMatchObject({ code: "BAD_REQUEST" })
  })
})
