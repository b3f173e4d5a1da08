/**
 * The whole path of a live code: HTTP, key, balance, SQLite, the chat gateway, its events, record; and what
 * each fault of the gateway does to the answer, the record and the ledger.
 */
import { until } from "../../../test/until.ts"
import { type Serving, serve } from "@watchword/node"
import * as Telegram from "@watchword/chatgw/telegram"
import { sqlite } from "@watchword/store-sqlite"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { type Watchword, createWatchword } from "watchword"
import { type Fault, answer, late } from "../../../test/provider.ts"
import { refusals, uncertain } from "../../chatgw/test/telegram/faults.ts"
import { type Answer, entriesOf, newestOf, request } from "./client.ts"
import { type TelegramApi, telegramApi, telegramError } from "@watchword/sandbox/http"

const TOKEN = "AAEAAAtokenOfTheGateway"

const folder = folderForEach()
let file: string
let telegram: TelegramApi
let service: Watchword
let serving: Serving
let account: string
let key: string

beforeEach(async () => {
  file = folder.file("test.db")
  telegram = await telegramApi({
    token: TOKEN,
    now: () => 1_700_000_000,
    script: { hasAccount: (number) => !number.endsWith("0003") }
  })
  // First, because the gateway has to know where it calls back to.
  serving = await serve({ handle: (request) => service.handle(request) }, { basePath: "/v1", port: 0 })
  await begin()
  account = (await service.operator.account.create({ name: "Acme", sender_username: "acme_codes" })).account_id
  await service.operator.account.credit({ account_id: account, amount: "1" })
  key = (await service.operator.key.create({ account_id: account })).key
})

afterEach(async () => {
  await serving.close()
  await service.dispose()
  await telegram.stop()
})

const eventsUrl = () => `http://127.0.0.1:${serving.port}/v1/chatgw/events`

const begin = async (token = TOKEN, timeout = 0.5): Promise<void> => {
  service = await createWatchword({
    store: sqlite(file),
    chatgw: Telegram.telegram({
      token: Redacted.make(token),
      baseUrl: telegram.url(),
      timeout,
      callbackUrl: eventsUrl()
    }),
    prices: { chatgw: { "*": "0.05", "44": "0.03" }, chatgw_probe: { "*": "0.01" } },
    observability: Layer.succeed(References.MinimumLogLevel, "Fatal")
  })
}

const call = (path: string, body?: object): Promise<Answer> => request({ port: serving.port, account, key }, path, body)

const to = "+4915123456789"
const send = (more: object = {}) => call("/chatgw", { to, code: "123456", ...more })
const probe = (number = to) => call("/chatgw/check-send-ability", { to: number })
const check = (request_id: unknown, code?: string) => call("/chatgw/check-verification-status", { request_id, code })
const revoke = (request_id: unknown) => call("/chatgw/revoke-verification", { request_id })

/** The newest record as the interface shows it. */
const newest = async () => newestOf(await call("/chatgw/tdr", { rows_per_page: 1 }))

const ledger = () => entriesOf(file, account)

/** The traces of a fault. */
const outcome = async (given: Answer) => ({
  answer: [given.status, given.body["error"]],
  record: (await newest())?.status,
  entries: await ledger()
})

const methods = () => telegram.calls.map(({ path }) => path.slice(1))

const statusOf: Readonly<Record<string, number>> = {
  BAD_REQUEST: 400,
  NOT_FOUND: 404,
  TEMPORARY_UNAVAILABLE: 480,
  SERVICE_UNAVAILABLE: 503
}

describe("a code", () => {
  it("goes out, is delivered, entered and found again", async () => {
    const sent = await send({ ttl: 60 })
    const { request_id, uuid } = sent.body
    expect(sent).toEqual({
      status: 200,
      body: { uuid, request_id, to, status: "sent", request_cost: 0.05, remaining_balance: 0.95 }
    })
    expect(telegram.calls).toEqual([
      {
        path: "/sendVerificationMessage",
        headers: expect.objectContaining({ authorization: `Bearer ${TOKEN}` }),
        body: {
          phone_number: to,
          code: "123456",
          ttl: 60,
          payload: uuid,
          sender_username: "acme_codes",
          callback_url: eventsUrl()
        }
      }
    ])
    expect(await telegram.report(String(request_id), { delivery: "delivered" })).toBe(200)
    expect(await newest()).toMatchObject({ uuid, status: "DELIVERED", verification_status: null })
    expect((await check(request_id)).body).toEqual({ request_id, verification_status: null })
    const wrong = await check(request_id, "000000")
    expect(wrong.body).toMatchObject({ verification_status: { status: "code_invalid" } })
    const right = await check(request_id, "123456")
    expect(right).toEqual({
      status: 200,
      body: { request_id, verification_status: { status: "code_valid", updated_at: 1_700_000_000 } }
    })
    expect((await call(`/chatgw/${String(uuid)}/tdr`)).body).toMatchObject({
      status: "READ",
      delivery_status: "read",
      verification_status: "code_valid",
      request_cost: 0.05,
      country: "Germany"
    })
    expect((await call("/chatgw/webhook", { id: uuid, status: "Success" })).body).toEqual({
      message: "OK",
      id: uuid,
      status: "READ"
    })
    expect(await ledger()).toEqual(["hold", "settle"])
  })

  it("costs what its prefix costs, and a probe of the number is part of that", async () => {
    expect((await send({ to: "+447700900123" })).body).toMatchObject({ request_cost: 0.03, remaining_balance: 0.97 })
    expect((await probe()).body).toMatchObject({
      phone_number: to,
      request_cost: 0.01,
      is_refunded: false,
      remaining_balance: 0.96,
      delivery_status: { status: "sent" }
    })
    const { request_id } = (await send()).body
    expect(telegram.calls[2]?.body["request_id"]).toBe(request_id)
    expect((await newest())?.request_cost).toBe(0.04)
    expect((await revoke(request_id)).body).toEqual({ request_id, is_refunded: true, remaining_balance: 0.97 })
    expect((await revoke(request_id)).status).toBe(409)
    expect(await newest()).toMatchObject({ status: "REVOKED", is_refunded: true })
    expect((await service.operator.account.show({ account_id: account })).available).toBe(0.97)
  })

  it("is not found for a number without an account, and a probe says so", async () => {
    const unreachable = "+4915123450003"
    expect((await probe(unreachable)).body).toMatchObject({ is_refunded: true, remaining_balance: 1 })
    expect(await outcome(await send({ to: unreachable }))).toEqual({
      answer: [404, "NOT_FOUND"],
      record: "FAILED",
      entries: ["hold", "release", "hold", "release"]
    })
  })

  it("is refused without the balance for it: a hundred at once on a balance for twenty", async () => {
    // A hundred at once may take longer than a deliberately slow one.
    await service.dispose()
    await begin(TOKEN, 10)
    const answers = await Promise.all(Array.from({ length: 100 }, () => send()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(80)
    expect(await service.operator.account.show({ account_id: account })).toMatchObject({
      balance: 0,
      held: 0,
      available: 0
    })
    expect(telegram.calls).toHaveLength(20)
  })

  it("is probed once and sent twice at the same time: one of them spends the probe", async () => {
    await probe()
    const answers = await Promise.all([send(), send()])
    expect(answers.map(({ body }) => body["request_cost"]).toSorted()).toEqual([0.04, 0.05])
    expect((await service.operator.account.show({ account_id: account })).available).toBe(0.9)
    expect(methods().filter((method) => method === "sendVerificationMessage")).toHaveLength(2)
  })
})

describe("events", () => {
  const sent = async (more: object = {}) => String((await send(more)).body["request_id"])

  it("are taken from the gateway alone", async () => {
    const request = await sent()
    expect(await telegram.report(request, { delivery: "read" }, { token: "another" })).toBe(401)
    expect((await newest())?.status).toBe("SENT")
    const forged = await fetch(eventsUrl(), { method: "POST", body: JSON.stringify({ request_id: request }) })
    expect(forged.status).toBe(401)
    expect((await fetch(eventsUrl())).status).toBe(405)
    expect((await fetch(eventsUrl(), { method: "PUT", body: "{}" })).status).toBe(405)
    expect(await telegram.report(request, { delivery: "read" })).toBe(200)
    expect((await newest())?.status).toBe("READ")
  })

  it("may be repeated and out of order", async () => {
    const request = await sent()
    const news = ["delivered", "read", "delivered", "read", "sent"]
    for (const delivery of news) expect(await telegram.report(request, { delivery })).toBe(200)
    expect(await telegram.report(request, { verification: "code_invalid" })).toBe(200)
    expect(await telegram.report(request, { verification: "code_valid" })).toBe(200)
    expect(await telegram.report(request, { verification: "expired" })).toBe(200)
    expect(await newest()).toMatchObject({ status: "READ", verification_status: "code_valid" })
    expect(await ledger()).toEqual(["hold", "settle"])
  })

  it("tell of a refund that was not asked for", async () => {
    const request = await sent()
    const news = { delivery: "expired", verification: "expired", isRefunded: true }
    expect(await Promise.all([1, 2, 3].map(() => telegram.report(request, news)))).toEqual([200, 200, 200])
    expect(await newest()).toMatchObject({ status: "EXPIRED", verification_status: "expired", is_refunded: true })
    expect(await ledger()).toEqual(["hold", "settle", "refund"])
  })

  it("may come before the answer to the send", async () => {
    const told: Array<Promise<number>> = []
    telegram.once(async (_call, take) => {
      take()
      const [id = ""] = telegram.requests.keys()
      told.push(telegram.report(id, { delivery: "delivered" }))
      await told[0]
      return { body: { ok: true, result: { request_id: id } } }
    })
    expect((await send()).body).toMatchObject({ status: "delivered", remaining_balance: 0.95 })
    expect(await Promise.all(told)).toEqual([200])
    expect(await ledger()).toEqual(["hold", "settle"])
  })

  it("go where the customer asks for them", async () => {
    const callback_url = "https://customer.example.com/events?channel=1"
    await send({ callback_url })
    expect(telegram.calls[0]?.body["callback_url"]).toBe(callback_url)
    expect((await send({ callback_url: "http://customer.example.com/" })).status).toBe(400)
    expect(telegram.calls).toHaveLength(1)
  })

  it("are kept over a restart until the send they belong to is known", async () => {
    telegram.once(late("drop"))
    expect((await send()).status).toBe(480)
    const [request] = [...telegram.requests.keys()]
    if (request === undefined) throw new Error("there is no request")
    // It does not say whose it is: nothing can be done about it yet.
    const payload = telegram.requests.get(request)?.payload
    expect(
      await telegram.report(request, { delivery: "read", verification: "code_valid" }, { payload: undefined })
    ).toBe(200)
    expect(await newest()).toMatchObject({ status: "SENT", request_id: null })
    await service.dispose()
    await begin()
    expect(await newest()).toMatchObject({ status: "SENT", request_id: null })
    expect(await telegram.report(request, { delivery: "delivered" }, { payload })).toBe(200)
    expect(await newest()).toMatchObject({ status: "READ", request_id: request, verification_status: "code_valid" })
    expect(await ledger()).toEqual(["hold", "settle"])
  })
})

describe("when the gateway's answer to a send is", () => {
  it.each(uncertain)("%s, its outcome is unknown until an event settles it", async (_, fault) => {
    telegram.once(late(fault))
    expect(await outcome(await send())).toEqual({
      answer: [480, "TEMPORARY_UNAVAILABLE"],
      record: "SENT",
      entries: ["hold"]
    })
    expect(methods()).toEqual(["sendVerificationMessage"])
    const [request] = [...telegram.requests.keys()]
    expect(await telegram.report(request ?? "", { delivery: "delivered" })).toBe(200)
    expect(await newest()).toMatchObject({ status: "DELIVERED", request_id: request })
    expect(await ledger()).toEqual(["hold", "settle"])
  })

  it.each(refusals)("%s, the code failed with %s and is paid back", async (code, failure) => {
    telegram.once(telegramError(code))
    expect(await outcome(await send())).toEqual({
      answer: [statusOf[failure], failure],
      record: "FAILED",
      entries: ["hold", "release"]
    })
    expect((await service.operator.account.show({ account_id: account })).available).toBe(1)
  })

  it.each([
    ["429 with Retry-After", answer(429, "{}", { "content-type": "application/json", "retry-after": "60" })],
    ["FLOOD_WAIT_60", telegramError("FLOOD_WAIT_60", 429)]
  ])("%s, the code is paid back and the gateway left alone", async (_, fault) => {
    telegram.once(fault)
    expect(await outcome(await send())).toEqual({
      answer: [480, "TEMPORARY_UNAVAILABLE"],
      record: "FAILED",
      entries: ["hold", "release"]
    })
    expect((await send()).status).toBe(480)
    expect((await probe()).status).toBe(480)
    expect(telegram.calls).toHaveLength(1)
    expect((await service.operator.account.show({ account_id: account })).available).toBe(1)
  })
})

describe("when the gateway", () => {
  it("is down, nothing is charged", async () => {
    await telegram.stop()
    expect(await outcome(await send())).toEqual({
      answer: [480, "TEMPORARY_UNAVAILABLE"],
      record: "FAILED",
      entries: ["hold", "release"]
    })
    telegram = await telegramApi({
      token: TOKEN,
      now: () => 1_700_000_000,
      script: { hasAccount: (number) => !number.endsWith("0003") }
    })
  })

  it("does not take the token, it is 503 and nothing is charged", async () => {
    await service.dispose()
    await begin("another")
    expect(await outcome(await send())).toEqual({
      answer: [503, "SERVICE_UNAVAILABLE"],
      record: "FAILED",
      entries: ["hold", "release"]
    })
  })

  it("loses the answer to a probe, its price stays held, and the next send pays in full", async () => {
    telegram.once(late("drop"))
    expect((await probe()).status).toBe(480)
    expect(await ledger()).toEqual(["hold"])
    expect(methods()).toEqual(["checkSendAbility"])
    expect((await send()).body["request_cost"]).toBe(0.05)
  })

  it("refuses a probe, it costs nothing", async () => {
    telegram.once(telegramError("BALANCE_NOT_ENOUGH"))
    expect((await probe()).status).toBe(503)
    expect(await ledger()).toEqual(["hold", "release"])
  })

  it("has forgotten a probe, a second one is paid before the code goes out", async () => {
    const { request_id } = (await probe()).body
    telegram.forget(String(request_id))
    const sent = await send()
    expect(sent).toMatchObject({ status: 200, body: { request_cost: 0.04, remaining_balance: 0.94 } })
    expect(sent.body["request_id"]).not.toBe(request_id)
    const asked = ["checkSendAbility", "sendVerificationMessage", "checkSendAbility", "sendVerificationMessage"]
    expect(methods()).toEqual(asked)
    expect(await ledger()).toEqual(["hold", "settle", "hold", "hold", "settle", "settle"])
  })

  it.each([
    ["before it acted", "drop"],
    ["after it acted", late("drop")]
  ] as const)("drops a send under a probe's request %s, it is sent once and 200", async (_, answered) => {
    await probe()
    telegram.once(answered)
    expect((await send()).body).toMatchObject({ request_cost: 0.04, remaining_balance: 0.95 })
    expect(telegram.requests.size).toBe(1)
  })

  it.each<[string, Fault, number]>([
    ["does not answer", "silence", 480],
    ["fails", answer(500, "{}"), 480],
    ["has no balance", telegramError("BALANCE_NOT_ENOUGH"), 503],
    ["knows no such request", telegramError("REQUEST_ID_INVALID"), 404]
  ])("%s when a code is checked, the record stays as it is", async (_, fault, status) => {
    const { request_id } = (await send()).body
    telegram.once(fault)
    expect((await check(request_id, "123456")).status).toBe(status)
    expect(methods()).toEqual(["sendVerificationMessage", "checkVerificationStatus"])
    expect(await newest()).toMatchObject({ status: "SENT", verification_status: null })
    expect((await check(request_id, "123456")).body).toMatchObject({ verification_status: { status: "code_valid" } })
  })

  it("drops the connection while it takes a code back, it is asked again and refunds once", async () => {
    const { request_id } = (await send()).body
    telegram.once(late("drop"))
    expect((await revoke(request_id)).body).toMatchObject({ is_refunded: true, remaining_balance: 1 })
    expect(await telegram.report(String(request_id), {})).toBe(200)
    expect(await ledger()).toEqual(["hold", "settle", "refund"])
  })

  it("takes a code back by and by, the refund comes with its event", async () => {
    const { request_id } = (await send()).body
    telegram.once(answer(200, '{"ok":true,"result":true}'))
    expect((await revoke(request_id)).body).toEqual({ request_id, is_refunded: false, remaining_balance: 0.95 })
    expect((await newest())?.status).toBe("SENT")
    expect(await telegram.report(String(request_id), { delivery: "revoked", isRefunded: true })).toBe(200)
    expect(await newest()).toMatchObject({ status: "REVOKED", is_refunded: true })
    expect((await service.operator.account.show({ account_id: account })).available).toBe(1)
  })

  it("has shown the message already, nothing comes back", async () => {
    const { request_id } = (await send()).body
    await check(request_id, "123456")
    expect((await revoke(request_id)).body).toEqual({ request_id, is_refunded: false, remaining_balance: 0.95 })
  })
})

it("finishes what is in flight when it is stopped", async () => {
  telegram.once({ after: 200, body: { ok: true, result: { request_id: "slow-1" } } })
  const sending = send()
  await until(() => telegram.calls.length > 0)
  await service.dispose()
  await begin()
  expect((await sending).status).toBe(200)
  expect(await newest()).toMatchObject({ request_id: "slow-1", status: "SENT" })
  expect(await ledger()).toEqual(["hold", "settle"])
})
