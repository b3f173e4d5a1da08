import { ChatgwGateway, type RequestStatus } from "@watchword/chatgw/ChatgwGateway"
import { NotFound, ServiceUnavailable } from "@watchword/schemas/Errors"
import * as Outcome from "@watchword/send/Outcome"
import { bytes } from "@watchword/server/Host"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterEach, describe, expect, it } from "vitest"
import { type Options, type Watchword, createWatchword, memory } from "watchword"

const german = "+4915123456789"
const UNKNOWN = "vrf_01KAJ3T8ZZ0000000000000000"
const sms = { channel: "sms", timeout: 60 } as const
const chat = { channel: "chatgw", timeout: 60 } as const

const quiet = { events: () => Effect.void, health: Effect.succeed([]), webhook: null }

/** A carrier that keeps the texts it was given, or refuses them. */
const makeCarrier = () => {
  const texts: Array<string> = []
  let outcome: "taken" | "refused" = "taken"
  const gateway = Layer.succeed(SmsGateway, {
    ...quiet,
    send: ({ delivery, text }) =>
      Effect.sync(() => {
        if (outcome === "refused") {
          return Outcome.rejected(new ServiceUnavailable({ message: "The carrier is disconnected." }))
        }
        texts.push(Buffer.from(text.parts[0] ?? []).toString("latin1"))
        return Outcome.accepted([`ref-${delivery}`])
      })
  })
  return { gateway, texts, refuse: () => (outcome = "refused") }
}

/** A chat gateway that reaches no number. */
const emptyChatgw = Layer.succeed(ChatgwGateway, {
  ...quiet,
  send: () => Effect.succeed(Outcome.rejected(new NotFound({ message: "no account" }))),
  checkSendAbility: () => Effect.succeed({ _tag: "Unreachable" }),
  checkVerificationStatus: () => Effect.die("not asked"),
  revoke: () => Effect.die("not asked")
})

/** A chat gateway that reaches every number and takes every message back. */
const makeChatgw = () => {
  const revoked: Array<string> = []
  const gateway = Layer.succeed(ChatgwGateway, {
    ...quiet,
    send: ({ delivery }) => Effect.succeed(Outcome.accepted([`r-${delivery}`], { request_id: `r-${delivery}` })),
    checkSendAbility: (to) => Effect.succeed({ _tag: "Reachable", requestId: `probe-${to}` }),
    checkVerificationStatus: () => Effect.die("not asked"),
    revoke: (requestId) =>
      Effect.sync((): RequestStatus => {
        revoked.push(requestId)
        const delivery = { status: "revoked", updatedAt: 1_700_000_001 } as const
        return { requestId, of: null, delivery, verification: null, isRefunded: true }
      })
  })
  return { gateway, revoked }
}

const closing: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const start = async (options: Partial<Options> = {}, euros = 1) => {
  const service = await createWatchword({
    store: memory(),
    prices: { sms: { "*": 0.05 }, chatgw: { "*": 0.02 }, chatgw_probe: { "*": 0.01 }, call: { "*": 0.03 } },
    ...options
  })
  closing.push(service.dispose)
  const { account_id: account } = await service.operator.account.create({ sms_sender: "Acme" })
  if (euros > 0) await service.operator.account.credit({ account_id: account, amount: euros })
  return {
    service,
    account,
    available: async () => (await service.operator.account.show({ account_id: account })).available
  }
}

const codeIn = (text: string | undefined): string => text?.match(/\b\d{6}\b/)?.[0] ?? ""

describe("a verification in-process", () => {
  it("is approved by the code of its text, which costs what the text costs", async () => {
    const { gateway, texts } = makeCarrier()
    const { account, available, service } = await start({ sms: gateway })
    const started = await service.verify.start(account, { to: german, client_ref: "user 7" })
    expect(started).toMatchObject({ status: "pending", channel: "sms", step: 1, client_ref: "user 7" })
    expect(started.attempts).toMatchObject([{ channel: "sms", status: "accepted", price: 0.05 }])
    expect(await available()).toBe(0.95)
    const code = codeIn(texts[0])
    expect(JSON.stringify(started)).not.toContain(code)
    expect(await service.verify.check(account, { to: german }, { code })).toMatchObject({
      valid: true,
      status: "approved"
    })
    expect(await service.verify.get(account, started.id)).toMatchObject({ status: "approved", checks_left: 4 })
    expect(await service.verify.list(account, { filter: { status: "approved" } })).toMatchObject({ total: 1 })
    const record = await service.sms.list(account, { filter: { to: german } })
    const { delivery_id: id = null } = started.attempts[0] ?? {}
    expect(record.list).toMatchObject([{ uuid: id, price: 0.05 }])
    expect(await service.sms.get(account, String(id))).toMatchObject({ uuid: id })
  })

  it("goes by the cheapest channel that is configured, and on to the next where the number is not there", async () => {
    const { gateway, texts } = makeCarrier()
    const { account, available, service } = await start({ sms: gateway, chatgw: emptyChatgw })
    const started = await service.verify.start(account, { to: german })
    expect(started.attempts).toMatchObject([
      { channel: "chatgw", status: "undelivered", price: 0 },
      { channel: "sms", status: "accepted", price: 0.05 }
    ])
    expect(started).toMatchObject({ step: 2, sends_left: 4, next: null })
    expect(texts).toHaveLength(1)
    expect(await available()).toBe(0.95)
  })

  it("passes over a step that the balance cannot pay", async () => {
    const chats = makeChatgw()
    const { account, service } = await start({ sms: makeCarrier().gateway, chatgw: chats.gateway }, 0.04)
    const started = await service.verify.start(account, { to: german, workflow: [sms, chat] })
    expect(started.attempts).toMatchObject([
      { channel: "sms", status: "unpaid", price: 0 },
      { channel: "chatgw", status: "accepted" }
    ])
  })

  it("costs nothing where its chat message is taken back unread", async () => {
    const chats = makeChatgw()
    const { account, available, service } = await start({ chatgw: chats.gateway })
    const { id } = await service.verify.start(account, { to: german })
    expect(await available()).toBeLessThan(1)
    expect(await service.verify.cancel(account, id)).toMatchObject({ id, status: "canceled" })
    expect(await service.verify.cancel(account, id)).toMatchObject({ id, status: "canceled" })
    expect(chats.revoked).toHaveLength(1)
    expect(await available()).toBe(0.99)
  })

  it("takes a next step without a body, and a report", async () => {
    const { gateway, texts } = makeCarrier()
    const { account, service } = await start({ sms: gateway })
    const { id } = await service.verify.start(account, { to: german })
    await expect(service.verify.next(account, id)).rejects.toMatchObject({ code: "CONFLICT" })
    expect(await service.verify.report(account, id, { status: "failed" })).toMatchObject({ status: "failed" })
    await expect(service.verify.report(account, id, { status: "approved" })).rejects.toMatchObject({ code: "CONFLICT" })
    expect(texts).toHaveLength(1)
  })

  it("is seen by its own account in its own mode alone", async () => {
    const { account, service } = await start({ sms: makeCarrier().gateway })
    const { id } = await service.verify.start(account, { to: german })
    const { account_id: other } = await service.operator.account.create()
    for (const caller of [other, { account, sandbox: true }]) {
      const lost = { code: "NOT_FOUND" }
      await expect(service.verify.get(caller, id)).rejects.toMatchObject(lost)
      await expect(service.verify.next(caller, id)).rejects.toMatchObject(lost)
      await expect(service.verify.cancel(caller, id)).rejects.toMatchObject(lost)
      await expect(service.verify.report(caller, id, { status: "failed" })).rejects.toMatchObject(lost)
      for (const subject of [id, { to: german }]) {
        await expect(service.verify.check(caller, subject, { code: "123456" })).rejects.toMatchObject(lost)
      }
      expect(await service.verify.list(caller)).toMatchObject({ total: 0 })
    }
  })
})

describe("a start that fails", () => {
  it("is 503 where no gateway is configured, or the only one is away", async () => {
    const { gateway, refuse } = makeCarrier()
    refuse()
    for (const options of [{}, { sms: gateway }]) {
      const { account, available, service } = await start(options)
      const failing = service.verify.start(account, { to: german })
      await expect(failing).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" })
      expect(await available()).toBe(1)
    }
  })

  it("is 402 where no step can be paid", async () => {
    const { gateway, texts } = makeCarrier()
    const { account, service } = await start({ sms: gateway }, 0)
    const failing = service.verify.start(account, { to: german })
    await expect(failing).rejects.toMatchObject({ code: "PAYMENT_REQUIRED" })
    expect(texts).toEqual([])
  })

  it("may be tried again at once, as another verification", async () => {
    const { gateway, texts } = makeCarrier()
    const { account, service } = await start({ sms: gateway }, 0)
    await expect(service.verify.start(account, { to: german })).rejects.toMatchObject({ code: "PAYMENT_REQUIRED" })
    await service.operator.account.credit({ account_id: account, amount: 1 })
    await service.verify.start(account, { to: german })
    expect(texts).toHaveLength(1)
  })
})

describe("a verification over HTTP and in-process", () => {
  const ask = async (service: Watchword, account: string, path: string, body: object) => {
    const { key } = await service.operator.key.create({ account_id: account })
    const answer = await service.handle({
      method: "POST",
      path,
      headers: { "x-api-key": key, "x-account-id": account },
      body: bytes(new TextEncoder().encode(JSON.stringify(body))),
      remoteAddress: null
    })
    if (typeof answer.body !== "string") throw new Error("no text")
    return { status: answer.status, body: JSON.parse(answer.body) }
  }

  it("takes a code as it was pasted, with spaces and hyphens, and no other characters", async () => {
    const { gateway, texts } = makeCarrier()
    const { account, service } = await start({ sms: gateway, guards: "none" })
    await service.verify.start(account, { to: german })
    await service.verify.start(account, { to: german, purpose: "login" })
    const [code = "", other = ""] = texts.map(codeIn)
    const wrong = await ask(service, account, "/verifications/check", { to: german, code: `${code}.` })
    expect(wrong).toMatchObject({ status: 400, body: { issues: [{ path: "code" }] } })
    const pasted = ` ${code.slice(0, 3)}\u00a0${code.slice(3)} `
    const checked = await ask(service, account, "/verifications/check", { to: german, code: pasted })
    expect(checked).toMatchObject({ status: 200, body: { valid: true } })
    const hyphens = { code: `${other.slice(0, 3)}-${other.slice(3)}` }
    expect(await service.verify.check(account, { to: german, purpose: "login" }, hyphens)).toMatchObject({
      valid: true
    })
  })

  it("takes no variable for a place of the template that the service fills", async () => {
    const { account, service } = await start({ sms: makeCarrier().gateway })
    const body = { to: german, variables: { brand: "PayPal" } }
    const issues = [{ path: "variables.brand" }]
    expect(await ask(service, account, "/verifications", body)).toMatchObject({
      status: 400,
      body: { issues }
    })
    await expect(service.verify.start(account, body)).rejects.toMatchObject({ code: "BAD_REQUEST", issues })
  })
})

describe("the scopes of verifications", () => {
  const requests = {
    "verify:send": [
      ["/verifications", { to: german }],
      [`/verifications/${UNKNOWN}/next`, {}],
      [`/verifications/${UNKNOWN}/cancel`, null]
    ],
    "verify:check": [["/verifications/check", { verification_id: UNKNOWN, code: "123456" }]],
    "verify:read": [["/verifications/list", {}]],
    "verify:report": [[`/verifications/${UNKNOWN}/report`, { status: "failed" }]]
  } as const

  const askAs = async (service: Watchword, account: string, scopes: ReadonlyArray<string>) => {
    const { key } = await service.operator.key.create({ account_id: account, sandbox: true, scopes })
    return async (path: string, body: unknown): Promise<number> => {
      const { status } = await service.handle({
        method: "POST",
        path,
        headers: { "x-api-key": key, "x-account-id": account },
        body: body === null ? { _tag: "Absent" } : bytes(new TextEncoder().encode(JSON.stringify(body))),
        remoteAddress: null
      })
      return status
    }
  }

  it("each allow their own requests, and no other's", async () => {
    const { account, service } = await start()
    for (const scope of Object.keys(requests)) {
      const ask = await askAs(service, account, [scope])
      for (const [needed, all] of Object.entries(requests)) {
        for (const [path, body] of all) {
          const status = await ask(path, body)
          expect([scope, path, status === 403]).toEqual([scope, path, needed !== scope])
        }
      }
    }
  })

  it("are of no use to an account that is suspended, which may still cancel", async () => {
    const { account, service } = await start({ sms: makeCarrier().gateway })
    const { id } = await service.verify.start(account, { to: german })
    await service.operator.account.suspend({ account_id: account })
    const refused = { code: "FORBIDDEN", reason: "account_suspended" }
    await expect(service.verify.start(account, { to: german })).rejects.toMatchObject(refused)
    await expect(service.verify.check(account, { to: german }, { code: "123456" })).rejects.toMatchObject(refused)
    expect(await service.verify.cancel(account, id)).toMatchObject({ status: "canceled" })
  })
})

it("has no price of its own", async () => {
  await expect(start({ prices: { verify: { "*": 1 } } })).rejects.toMatchObject({
    code: "BAD_REQUEST",
    message: expect.stringMatching(/^prices\.verify is not a product/)
  })
})
