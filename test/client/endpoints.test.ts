/**
 * Every method of the client against the server, over sockets.
 */
import {
  BadRequest,
  type Cdr,
  type Client,
  Conflict,
  Decline,
  NotFound,
  type Sdr,
  type Tdr,
  TemporaryUnavailable,
  TooManyRequests,
  Unauthorized,
  type Wdr
} from "@watchword/client"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Running, startService } from "./service.ts"

let running: Running
let client: Client
beforeAll(async () => {
  running = await startService()
  client = running.sandbox()
})
afterAll(() => running.close())

let numbers = 0
const number = (digits = "") => `+49151${String(20_005_000 + numbers++).slice(0, 8 - digits.length)}${digits}`

const all = async <A>(items: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const found: Array<A> = []
  for await (const item of items) found.push(item)
  return found
}

describe("the client", () => {
  it("makes a phone ring, ends the call, finds, lists and reports it", async () => {
    const { call } = client
    const callee = number()
    const { caller, uuid } = await call.flash({ callee, max_ring_time: 60 })
    expect(caller).toBe("+4930901820123")
    expect(await call.get(uuid)).toMatchObject({ uuid, callee, hangup_cause: null })
    expect(await call.hangup(uuid)).toBeUndefined()
    await expect(call.hangup(uuid)).rejects.toBeInstanceOf(NotFound)
    expect(await call.list({ filter: { callee } })).toMatchObject({ total: 1, list: [{ uuid }] })
    expect(await call.report({ uuid, status: "Success" })).toEqual({ message: "OK", uuid, status: "Success" })
    const declined = call.flash({ callee: number("0603") })
    await expect(declined).rejects.toBeInstanceOf(Decline)
    await expect(declined).rejects.toMatchObject({ code: "DECLINE", status: 603 })
  })

  it("sends a text, finds, lists and reports it", async () => {
    const { sms } = client
    const to = number()
    const { messageId, ...echo } = await sms.send({ to, text: "Your code is 123456" })
    expect(echo).toEqual({ from: "Acme", to })
    expect(await sms.get(messageId)).toMatchObject({ messageId, to, parts: 1 })
    expect(await sms.list({ filter: { to, status: ["sent", "delivered"] } })).toMatchObject({ list: [{ messageId }] })
    const reported = await sms.report({ id: messageId, status: "delivered" })
    expect(reported).toEqual({ message: "OK", id: messageId, status: "delivered" })
    await expect(sms.report({ id: messageId, status: "failed" })).rejects.toMatchObject({ reason: "final_status" })
  })

  it("asks, sends a code, checks it, takes one back, finds, lists and reports", async () => {
    const { chatgw } = client
    const to = number()
    const { request_id: asked } = await chatgw.checkSendAbility({ to })
    const { request_id, uuid } = await chatgw.send({ to, code: "0042" })
    expect(request_id).toBe(asked)
    expect(await chatgw.checkVerificationStatus({ request_id, code: "0042" })).toMatchObject({
      verification_status: { status: "code_valid" }
    })
    expect(await chatgw.get(uuid)).toMatchObject({ uuid, verification_status: "code_valid" })
    expect(await chatgw.list({ filter: { to } })).toMatchObject({ total: 1 })
    expect(await chatgw.report({ id: uuid, status: "Success" })).toMatchObject({ message: "OK", id: uuid })
    const other = await chatgw.send({ to, code: "0042" })
    expect(await chatgw.revoke({ request_id: other.request_id })).toMatchObject({ is_refunded: true })
    await expect(chatgw.revoke({ request_id: other.request_id })).rejects.toMatchObject({ reason: "revoked" })
  })

  it("sends by business chat, finds, lists and reports", async () => {
    const { bizchat } = client
    const to = number()
    const { uuid } = await bizchat.send({ to, text: "Your code is 123456. It is valid for 10 minutes." })
    expect(await bizchat.get(uuid)).toMatchObject({ uuid, to })
    expect(await bizchat.list({ filter: { to } })).toMatchObject({ list: [{ uuid }] })
    expect(await bizchat.report({ uuid, status: "Success" })).toMatchObject({ message: "OK", uuid })
  })

  it("verifies, sends again, cancels, finds, lists and reports", async () => {
    const { verify } = client
    const to = number()
    const { id } = await verify.start({ to, code: "739204", metadata: { order: "7" } })
    const check = (code: string, idempotencyKey?: string) =>
      verify.check(id, { code }, idempotencyKey === undefined ? {} : { idempotencyKey })
    expect(await check("000000")).toMatchObject({ valid: false, checks_left: 4 })
    expect(await check("739204", "check-1")).toMatchObject({ valid: true, status: "approved" })
    expect(await check("739204", "check-1")).toMatchObject({ valid: true, status: "approved" })
    const again = check("739204")
    await expect(again).rejects.toBeInstanceOf(Conflict)
    await expect(again).rejects.toMatchObject({ reason: "approved" })
    expect(await verify.get(id)).toMatchObject({ id, to, metadata: { order: "7" } })
    expect(await verify.list({ filter: { to } })).toMatchObject({ total: 1, list: [{ id }] })

    const workflow = [{ channel: "sms", timeout: 60 } as const]
    const other = await verify.start({ to: number(), workflow })
    const soon = verify.next(other.id, { channel: "sms" })
    await expect(soon).rejects.toBeInstanceOf(TooManyRequests)
    await expect(soon).rejects.toMatchObject({ reason: "resend_too_soon", retryAfter: expect.any(Number) })
    await expect(verify.next(other.id)).rejects.toMatchObject({ reason: "no_step_left" })
    expect(await verify.cancel(other.id)).toMatchObject({ status: "canceled" })
    expect(await verify.cancel(other.id)).toMatchObject({ status: "canceled" })
    const third = await verify.start({ to: number(), code: "1234" })
    expect(await verify.report(third.id, { status: "approved" })).toMatchObject({ status: "approved" })
  })

  it("reads and clears the inbox of the sandbox", async () => {
    const { sandbox, sms } = client
    const to = number()
    const waited = sandbox.inbox({ to, wait: 30 })
    await sms.send({ to, text: "Your code is 271828" })
    expect(await waited).toMatchObject({ messages: [{ channel: "sms", to, code: "271828" }] })
    expect(await sandbox.clear()).toBeUndefined()
    expect(await sandbox.inbox({ to })).toEqual({ messages: [] })
  })

  it("walks a list of many pages, each record once", async () => {
    const to = number()
    const ids = new Set<string>()
    for (let i = 0; i < 7; i++) ids.add((await client.sms.send({ to, text: `Text ${i}` })).messageId)
    const walk = client.sms.list({ filter: { to }, rows_per_page: 3, sort_by: "created_at", sort_direction: "ASC" })
    expect((await walk).total).toBe(7)
    expect((await all(walk)).map(({ messageId }) => messageId)).toEqual([...ids])
  })

  it("has its errors, with the correlation id that it gave", async () => {
    const requestId = "0c9d7e3a-1111-4222-8333-444455556666"
    const wrong = client.sms.send({ to: "0151", text: "" }, { requestId })
    await expect(wrong).rejects.toBeInstanceOf(BadRequest)
    await expect(wrong).rejects.toMatchObject({ requestId, issues: [{ path: "to" }, { path: "text" }] })
    const stranger = running.sandbox({ apiKey: "sk_test_wrong" }).sms.list()
    await expect(stranger).rejects.toBeInstanceOf(Unauthorized)
    await expect(running.sandbox({ baseUrl: new URL(running.baseUrl).origin }).sms.list()).rejects.toBeInstanceOf(
      NotFound
    )
  })
})

describe("the fields that lists are typed with", () => {
  const call: Record<keyof Cdr, true> = {
    uuid: true,
    caller: true,
    callee: true,
    hangup_cause: true,
    duration: true,
    billsec: true,
    pdd: true,
    start_stamp: true,
    destination_country: true,
    destination_country_code: true,
    reported_status: true,
    sip_status: true,
    q850: true,
    price: true,
    guard_reasons: true
  }
  const sms: Record<keyof Sdr, true> = {
    uuid: true,
    messageId: true,
    from: true,
    to: true,
    status: true,
    timestamp: true,
    created_at: true,
    parts: true,
    price: true,
    text: true,
    guard_reasons: true
  }
  const chatgw: Record<keyof Tdr, true> = {
    uuid: true,
    request_id: true,
    to: true,
    status: true,
    delivery_status: true,
    verification_status: true,
    price: true,
    is_refunded: true,
    country: true,
    created_at: true,
    guard_reasons: true
  }
  const bizchat: Record<keyof Wdr, true> = {
    uuid: true,
    to: true,
    status: true,
    created_at: true,
    error_code: true,
    price: true,
    is_refunded: true,
    text: true,
    guard_reasons: true
  }

  // For verifications, the compiler checks the fields against the schema, in packages/verify.
  it.each(Object.entries({ call, sms, chatgw, bizchat }))("are those of the server: %s", async (group, fields) => {
    const list = Reflect.get(Reflect.get(client, group), "list")
    // The error for a name that is not a field lists all fields.
    const error: unknown = await list({ sort_by: "nothing" }).catch((error: unknown) => error)
    if (!(error instanceof BadRequest)) throw error
    const named = error.issues?.[0]?.message.replace("must be one of ", "").split(", ") ?? []
    expect(named.sort()).toEqual(Object.keys(fields).sort())
  })
})

describe("under one Idempotency-Key", () => {
  it("a send that the gateway refused is answered the same, and under another it is sent again", async () => {
    const to = number("0480")
    const send = (idempotencyKey: string) => client.sms.send({ to, text: "Your code is 123456" }, { idempotencyKey })
    for (const key of ["first", "first", "second"]) await expect(send(key)).rejects.toBeInstanceOf(TemporaryUnavailable)
    expect(await client.sms.list({ filter: { to } })).toMatchObject({ total: 2 })
  })

  it("another body is a conflict, which is not tried again", async () => {
    const idempotencyKey = "a key for two"
    await expect(client.sms.send({ to: number(), text: "One" }, { idempotencyKey })).rejects.toThrow(TypeError)
    const key = { idempotencyKey: "a-key-for-two" }
    await client.sms.send({ to: number(), text: "One" }, key)
    await expect(client.sms.send({ to: number(), text: "Two" }, key)).rejects.toMatchObject({ reason: "key_reused" })
  })
})
