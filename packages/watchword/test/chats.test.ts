import { BizchatGateway } from "@watchword/bizchat/BizchatGateway"
import { ChatgwGateway, type RequestStatus } from "@watchword/chatgw/ChatgwGateway"
import * as Outcome from "@watchword/send/Outcome"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Watchword, createWatchword, memory } from "watchword"

const german = "+4915123456789"
const NOBODYS = "01KAJ3T8ZZ0000000000000000"

/** A platform that takes everything and never tells what became of it. */
const platform = Layer.succeed(BizchatGateway, {
  check: () => Effect.void,
  send: ({ delivery }) => Effect.succeed(Outcome.accepted([`wamid.${delivery}`])),
  events: () => Effect.void,
  health: Effect.succeed([{ name: "platform", up: true }]),
  webhook: null
})

const said = (requestId: string, more: Partial<RequestStatus> = {}): RequestStatus => ({
  requestId,
  of: null,
  delivery: { status: "sent", updatedAt: 1_700_000_000 },
  verification: null,
  isRefunded: false,
  ...more
})

/** A gateway that knows one code, reaches everybody and takes everything back. */
const gateway = Layer.succeed(ChatgwGateway, {
  send: ({ delivery }) => Effect.succeed(Outcome.accepted([`r-${delivery}`], { request_id: `r-${delivery}` })),
  checkSendAbility: (to) => Effect.succeed({ _tag: "Reachable", requestId: `probe-${to}` }),
  checkVerificationStatus: (requestId, code) => {
    if (code === null) return Effect.succeed(said(requestId))
    const status = Redacted.value(code) === "1234" ? "code_valid" : "code_invalid"
    return Effect.succeed(said(requestId, { verification: { status, updatedAt: 1_700_000_001 } }))
  },
  revoke: (requestId) =>
    Effect.succeed(said(requestId, { delivery: { status: "revoked", updatedAt: 1_700_000_001 }, isRefunded: true })),
  events: () => Effect.void,
  health: Effect.succeed([{ name: "gateway", up: true }]),
  webhook: null
})

let service: Watchword
let account: string

beforeEach(async () => {
  service = await createWatchword({
    store: memory(),
    chatgw: gateway,
    bizchat: platform,
    prices: { chatgw: { "*": 0.02 }, chatgw_probe: { "*": 0.01 }, bizchat: { "*": 0.04 } }
  })
  account = (await service.operator.account.create()).account_id
  await service.operator.account.credit({ account_id: account, amount: "0.1" })
})

afterEach(() => service.dispose())

const available = async () => (await service.operator.account.show({ account_id: account })).available

describe("business chats in-process", () => {
  it("are sent and charged, found, listed and reported", async () => {
    const sent = await service.bizchat.send(account, { to: german, text: "Your code is 123456" })
    expect(sent).toEqual({ uuid: sent.uuid, to: german })
    expect(await service.bizchat.get(account, sent.uuid)).toMatchObject({ status: "SENT", price: 0.04 })
    expect(await service.operator.account.show({ account_id: account })).toMatchObject({
      balance: 0.06,
      held: 0,
      available: 0.06
    })
    expect(await service.bizchat.report(account, { uuid: sent.uuid, status: "Success" })).toEqual({
      message: "OK",
      uuid: sent.uuid,
      status: "DELIVERED"
    })
    await expect(service.bizchat.report(account, { uuid: sent.uuid, status: "Failed" })).rejects.toMatchObject({
      code: "CONFLICT"
    })
    expect(await service.bizchat.list(account, { filter: { status: "DELIVERED" } })).toMatchObject({ total: 1 })
    expect(await service.bizchat.list(account)).toMatchObject({ total: 1 })
  })

  it("of the sandbox are kept apart", async () => {
    const sent = await service.bizchat.send({ account, sandbox: true }, { to: german, text: "hi" })
    await expect(service.bizchat.get(account, sent.uuid)).rejects.toMatchObject({ code: "NOT_FOUND" })
    expect(await service.bizchat.get({ account, sandbox: true }, sent.uuid)).toMatchObject({ price: 0 })
    expect(await available()).toBe(0.1)
  })

  it("are checked as the interface does, and everything that is wrong is named", async () => {
    await expect(service.bizchat.send(account, { to: "123", text: "", code: "1 2" })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      issues: [{ path: "to" }, { path: "text" }, { path: "code" }]
    })
    const keys = { requestId: "1", idempotencyKey: "a b" }
    await expect(service.bizchat.send(account, { to: german, text: "hi" }, keys)).rejects.toMatchObject({
      issues: [{ path: "requestId" }, { path: "idempotencyKey" }]
    })
    await expect(service.bizchat.send("unknown", { to: german, text: "hi" })).rejects.toMatchObject({
      issues: [{ path: "account" }]
    })
    await expect(service.bizchat.list(account, JSON.parse('{"filter":{"nope":1}}'))).rejects.toMatchObject({
      issues: [{ path: "filter.nope" }]
    })
    await expect(service.bizchat.list(account, { page: 0 })).rejects.toMatchObject({ issues: [{ path: "page" }] })
    await expect(service.bizchat.report(account, JSON.parse('{"status":"Lost"}'))).rejects.toMatchObject({
      issues: [{ path: "uuid" }, { path: "status" }]
    })
    for (const uuid of [NOBODYS, "nothing"]) {
      await expect(service.bizchat.get(account, uuid)).rejects.toMatchObject({ code: "NOT_FOUND" })
      await expect(service.bizchat.report(account, { uuid, status: "Failed" })).rejects.toMatchObject({
        code: "NOT_FOUND"
      })
    }
  })

  it("are answered again under an idempotency key, and are no more than can be paid", async () => {
    const send = (idempotencyKey: string) =>
      service.bizchat.send(account, { to: german, text: "hi" }, { idempotencyKey })
    expect(await send("one")).toEqual(await send("one"))
    await send("two")
    await expect(send("three")).rejects.toMatchObject({ code: "PAYMENT_REQUIRED" })
    expect(await available()).toBe(0.02)
  })
})

describe("codes by the chat gateway in-process", () => {
  it("are sent and charged, checked, found, listed and reported", async () => {
    const sent = await service.chatgw.send(account, { to: german, code: "1234" })
    expect(sent).toMatchObject({ to: german, status: "sent", price: 0.02, remaining_balance: 0.08 })
    const check = (code?: string) =>
      service.chatgw.checkVerificationStatus(account, {
        request_id: sent.request_id,
        ...(code === undefined ? {} : { code })
      })
    expect(await check("0000")).toMatchObject({ verification_status: { status: "code_invalid" } })
    expect(await check("1234")).toMatchObject({ verification_status: { status: "code_valid" } })
    expect(await service.chatgw.get(account, sent.uuid)).toMatchObject({ verification_status: "code_valid" })
    expect(await service.chatgw.report(account, { id: sent.uuid, status: "Success" })).toMatchObject({
      message: "OK",
      status: "DELIVERED"
    })
    const verified = { filter: { verification_status: "code_valid" } } as const
    expect(await service.chatgw.list(account, verified)).toMatchObject({ total: 1 })
  })

  it("are taken back, and cost nothing then", async () => {
    const sent = await service.chatgw.send(account, { to: german, code: "1234" })
    const revoked = await service.chatgw.revoke(account, { request_id: sent.request_id })
    expect(revoked).toEqual({ request_id: sent.request_id, is_refunded: true, remaining_balance: 0.1 })
    await expect(service.chatgw.revoke(account, { request_id: sent.request_id })).rejects.toMatchObject({
      code: "CONFLICT"
    })
  })

  it("cost less after a probe of the number", async () => {
    const probe = await service.chatgw.checkSendAbility(account, { to: german })
    expect(probe).toMatchObject({ price: 0.01, is_refunded: false, remaining_balance: 0.09 })
    expect(await service.chatgw.send(account, { to: german, code: "1234" })).toMatchObject({ remaining_balance: 0.08 })
  })

  it("of the sandbox are kept apart", async () => {
    const sandbox = { account, sandbox: true }
    const sent = await service.chatgw.send(sandbox, { to: german, code: "1234" })
    await expect(service.chatgw.get(account, sent.uuid)).rejects.toMatchObject({ code: "NOT_FOUND" })
    const question = { request_id: sent.request_id }
    await expect(service.chatgw.revoke(account, question)).rejects.toMatchObject({ code: "NOT_FOUND" })
    expect(await service.chatgw.revoke(sandbox, question)).toMatchObject({ is_refunded: true })
    expect(await available()).toBe(0.1)
  })

  it("are checked as the interface does, and everything that is wrong is named", async () => {
    const wrong = { to: "123", code: "12", ttl: 5, callback_url: "http://x" }
    await expect(service.chatgw.send(account, wrong)).rejects.toMatchObject({
      code: "BAD_REQUEST",
      issues: [{ path: "to" }, { path: "code" }, { path: "ttl" }, { path: "callback_url" }]
    })
    const keys = { requestId: "1" }
    for (const refused of [
      service.chatgw.send(account, { to: german, code: "1234" }, keys),
      service.chatgw.checkSendAbility(account, { to: german }, keys)
    ]) {
      await expect(refused).rejects.toMatchObject({ issues: [{ path: "requestId" }] })
    }
    await expect(service.chatgw.checkSendAbility(account, { to: "" })).rejects.toMatchObject({
      issues: [{ path: "to" }]
    })
    for (const refused of [
      service.chatgw.checkVerificationStatus(account, JSON.parse("{}")),
      service.chatgw.revoke(account, JSON.parse("{}"))
    ]) {
      await expect(refused).rejects.toMatchObject({ issues: [{ path: "request_id" }] })
    }
    await expect(service.chatgw.list(account, JSON.parse('{"sort_by":"nope"}'))).rejects.toMatchObject({
      issues: [{ path: "sort_by" }]
    })
    await expect(service.chatgw.report(account, JSON.parse('{"id":"1","status":"Lost"}'))).rejects.toMatchObject({
      issues: [{ path: "status" }]
    })
    await expect(service.chatgw.report(account, { id: NOBODYS, status: "Failed" })).rejects.toMatchObject({
      code: "NOT_FOUND"
    })
    await expect(service.chatgw.get(account, NOBODYS)).rejects.toMatchObject({ code: "NOT_FOUND" })
  })

  it("are answered again under an idempotency key", async () => {
    const send = () => service.chatgw.send(account, { to: german, code: "1234" }, { idempotencyKey: "signup-1" })
    expect(await send()).toMatchObject({ uuid: (await send()).uuid })
    expect(await available()).toBe(0.08)
  })
})

it("say which gateways are up", async () => {
  const request = {
    method: "GET",
    path: "/readyz",
    headers: {},
    body: { _tag: "Absent" },
    remoteAddress: null
  } as const
  expect(JSON.parse(String((await service.operations(request)).body))).toEqual({
    status: "ready",
    checks: { store: "up", "chatgw:gateway": "up", "bizchat:platform": "up" }
  })
})
