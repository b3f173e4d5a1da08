import * as Outcome from "@watchword/send/Outcome"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Watchword, createWatchword, memory } from "watchword"

const german = "+4915123456789"

/** A gateway that takes everything and never hears of it again. */
const taking = Layer.succeed(SmsGateway, {
  send: ({ delivery }) => Effect.succeed(Outcome.accepted([`ref-${delivery}`])),
  events: () => Effect.void,
  health: Effect.succeed([{ name: "taking", up: true }])
})

let service: Watchword

beforeEach(async () => {
  service = await createWatchword({
    store: memory(),
    sms: taking,
    prices: { sms: { "*": 0.05 } }
  })
})

afterEach(() => service.dispose())

const request = { headers: {}, body: { _tag: "Absent" }, remoteAddress: null } as const

describe("the front door", () => {
  it("gives a page of a list that is awaited, and walks all pages, once it is asked to", async () => {
    const { account_id: account } = await service.operator.account.create({ balance: 1 })
    const unread = service.sms.list(account, { rows_per_page: 2, sort_by: "created_at", sort_direction: "ASC" })
    const ids: Array<string> = []
    for (let n = 0; n < 5; n++) ids.push((await service.sms.send(account, { to: german, text: `${n}` })).messageId)
    const walked: Array<string> = []
    for await (const { messageId } of unread) walked.push(messageId)
    expect(walked).toEqual(ids)
    expect(await unread).toMatchObject({ total: 5, total_pages: 3, has_next_page: true })
    const second = service.sms.list(account, {
      rows_per_page: 2,
      page: 2,
      sort_by: "created_at",
      sort_direction: "ASC"
    })
    expect((await second).list.map(({ messageId }) => messageId)).toEqual(ids.slice(2, 4))
    await expect(service.sms.list("acc_unknown")).rejects.toMatchObject({ code: "BAD_REQUEST" })
  })

  it("sends in-process, and charges", async () => {
    const { account_id: account } = await service.operator.account.create({ sms_sender: "Acme" })
    await service.operator.account.credit({ account_id: account, amount: "0.1" })
    const sent = await service.sms.send(account, { to: german, text: "Your code is 123456" })
    expect(sent).toMatchObject({ from: "Acme", to: german })
    expect(await service.sms.get(account, sent.messageId)).toMatchObject({ status: "sent", price: 0.05 })
    expect(await service.operator.account.show({ account_id: account })).toMatchObject({
      balance: 0.05,
      held: 0,
      available: 0.05
    })
    expect(await service.sms.report(account, { id: sent.messageId, status: "delivered" })).toMatchObject({
      message: "OK",
      status: "delivered"
    })
    expect(await service.sms.list(account, { filter: { status: "delivered" } })).toMatchObject({ total: 1 })
  })

  it("keeps the sandbox apart", async () => {
    const { account_id: account } = await service.operator.account.create()
    const sent = await service.sms.send({ account, sandbox: true }, { to: german, text: "hi" })
    await expect(service.sms.get(account, sent.messageId)).rejects.toMatchObject({ code: "NOT_FOUND" })
    await expect(service.sms.send(account, { to: german, text: "hi" })).rejects.toMatchObject({
      code: "PAYMENT_REQUIRED"
    })
  })

  it("lists keys without their secrets", async () => {
    const { account_id: account } = await service.operator.account.create()
    const expires = new Date(Date.now() + 3_600_000).toISOString()
    const { key, key_id: keyId } = await service.operator.key.create({
      account_id: account,
      scopes: ["sms:send"],
      expires
    })
    const other = await service.operator.key.create({ account_id: account, sandbox: true, allow: ["192.0.2.0/24"] })
    await service.operator.key.revoke({ key_id: other.key_id })
    const { keys } = await service.operator.key.list({ account_id: account })
    expect(keys).toEqual([
      {
        key_id: keyId,
        key: `sk_live_…${key.slice(-4)}`,
        sandbox: false,
        scopes: ["sms:send"],
        allow: [],
        created_at: expect.stringMatching(/Z$/),
        expires_at: expires,
        revoked_at: null,
        last_used_at: null
      },
      expect.objectContaining({
        key_id: other.key_id,
        sandbox: true,
        scopes: null,
        revoked_at: expect.stringMatching(/Z$/)
      })
    ])
    expect(JSON.stringify(keys)).not.toContain(key)
    await expect(service.operator.key.list({ account_id: "acme" }).then(({ keys }) => keys)).rejects.toMatchObject({
      code: "BAD_REQUEST"
    })
  })

  it("ends with the block that it is used in", async () => {
    const own = await createWatchword({ store: memory() })
    await own[Symbol.asyncDispose]()
    await expect(own.sms.send("acc_1", { to: german, text: "hi" })).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE"
    })
  })

  it("checks arguments as the interface does, and names each that is wrong", async () => {
    const { account_id: account } = await service.operator.account.create()
    await expect(service.sms.send(account, { to: "123", text: "" })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      issues: [{ path: "to" }, { path: "text" }]
    })
    await expect(service.sms.send(account, { to: german, text: "hi" }, { requestId: "1" })).rejects.toMatchObject({
      issues: [{ path: "requestId" }]
    })
    await expect(service.sms.send("unknown", { to: german, text: "hi" })).rejects.toMatchObject({
      issues: [{ path: "account" }]
    })
    await expect(service.operator.account.credit({ account_id: account, amount: "0.0000001" })).rejects.toMatchObject({
      issues: [{ path: "amount" }]
    })
    await expect(service.operator.key.revoke({ key_id: "nothing" })).rejects.toMatchObject({ code: "BAD_REQUEST" })
  })

  it("answers a repeat under an idempotency key with the first response", async () => {
    const { account_id: account } = await service.operator.account.create()
    await service.operator.account.credit({ account_id: account, amount: 1 })
    const send = () => service.sms.send(account, { to: german, text: "hi" }, { idempotencyKey: "signup-1" })
    expect(await send()).toEqual(await send())
    expect((await service.operator.account.show({ account_id: account })).available).toBe(0.95)
  })

  it("makes and revokes keys that its handler knows at once", async () => {
    const { account_id: account } = await service.operator.account.create()
    const { key, key_id: keyId } = await service.operator.key.create({
      account_id: account,
      sandbox: true,
      scopes: ["sms:read"]
    })
    const list = async () =>
      (
        await service.handle({
          ...request,
          method: "POST",
          path: "/sms/sdr",
          headers: { "x-api-key": key, "x-account-id": account }
        })
      ).status
    expect(await list()).toBe(200)
    await service.operator.key.revoke({ key_id: keyId })
    expect(await list()).toBe(401)
  })

  it("says what is up", async () => {
    const { body, status } = await service.operations({ ...request, method: "GET", path: "/readyz" })
    expect([status, JSON.parse(String(body))]).toEqual([
      200,
      { status: "ready", checks: { store: "up", "sms:taking": "up" } }
    ])
  })
})

it("does not start with a proxy that is no network", async () => {
  await expect(createWatchword({ store: memory(), trustedProxies: ["example.com"] })).rejects.toMatchObject({
    _tag: "NetworkError"
  })
})
