/**
 * The whole path of a live business chat: HTTP, key, balance, SQLite, the platform, its events, record; and
 * what each fault of the platform does to the answer, the record and the ledger.
 */
import { until } from "../../../test/until.ts"
import { type Serving, serve } from "@watchword/node"
import { whatsapp } from "@watchword/bizchat/whatsapp"
import type { Options } from "@watchword/bizchat/whatsapp"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import { sqlite } from "@watchword/store-sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { type Watchword, createWatchword } from "watchword"
import { type Fault, answer } from "../../../test/provider.ts"
import { type Notification, notification } from "../../bizchat/test/whatsapp/notifications.ts"
import { type Answer, entriesOf, newestOf, request } from "./client.ts"
import { type WhatsAppApi, whatsAppApi, whatsAppError as error, whatsAppTaken as taken } from "@watchword/sandbox/http"

const folder = folderForEach()
let file: string
let platform: WhatsAppApi
let service: Watchword
let serving: Serving
let account: string
let key: string
/** Whether the store fails to record the platform's events. */
let storeIsAway: boolean

beforeEach(async () => {
  file = folder.file("test.db")
  storeIsAway = false
  platform = await whatsAppApi()
  await begin()
  account = (await service.operator.account.create({ name: "Acme" })).account_id
  await service.operator.account.credit({ account_id: account, amount: "1" })
  key = (await service.operator.key.create({ account_id: account })).key
})

afterEach(async () => {
  await end()
  await platform.stop()
})

const begin = async (options: Partial<Options> = {}): Promise<void> => {
  service = await createWatchword({
    store: Layer.effect(Store, Effect.map(Store, faltering)).pipe(Layer.provide(sqlite(file))),
    bizchat: whatsapp({
      token: Redacted.make("token"),
      phoneNumberId: "1",
      baseUrl: platform.url(),
      appSecret: Redacted.make("secret"),
      verifyToken: Redacted.make("verify"),
      timeout: 0.3,
      ...options
    }),
    prices: { bizchat: { "*": "0.04", "44": "0.03" } },
    observability: Layer.succeed(References.MinimumLogLevel, "None")
  })
  serving = await serve(service, { basePath: "/v1", port: 0 })
}

const end = async (): Promise<void> => {
  await serving.close()
  await service.dispose()
}

const faltering = (store: Store["Service"]): Store["Service"] => ({
  ...store,
  report: (report) =>
    Effect.suspend(() =>
      storeIsAway
        ? Effect.fail(new StoreError({ reason: "Unavailable", message: "disk full at /var/lib" }))
        : store.report(report)
    )
})

const call = (path: string, body?: object, headers?: Record<string, string>): Promise<Answer> =>
  request({ port: serving.port, account, key }, path, body, headers)

const german = "+4915123456789"
const send = (body: object = {}, headers: Record<string, string> = {}) =>
  call("/bizchat/otp", { to: german, text: "Your code is 123456", ...body }, headers)

/** The newest record as the interface shows it. */
const newest = async () => newestOf(await call("/bizchat/wdr", { rows_per_page: 1 }))

const ledger = () => entriesOf(file, account)

/** The traces of a send. */
const outcome = async ({ body, status }: Answer) => {
  const record = await newest()
  return {
    answer: [status, body["error"] ?? "OK"],
    record: [record?.status, record?.error_code],
    entries: await ledger()
  }
}

const events = () => `http://127.0.0.1:${serving.port}/v1/bizchat/events`

/** Posts a notification as the platform does, and resolves to the answer's status. */
const tell = async ({ body, signature }: Notification): Promise<number> => {
  const headers = { "content-type": "application/json", ...(signature ? { "x-hub-signature-256": signature } : {}) }
  const response = await fetch(events(), { method: "POST", headers, body: new Uint8Array(body) })
  await response.arrayBuffer()
  return response.status
}

/** One status of a message. */
const status = (id: string, status: string, more: object = {}) =>
  notification([{ id, status, timestamp: "1700000000", recipient_id: "4915123456789", ...more }])

const failure = (code: number) => ({ errors: [{ code, title: "…" }] })

/** The reference that the last message carries. */
const carried = () => ({ biz_opaque_callback_data: platform.calls.at(-1)?.body["biz_opaque_callback_data"] })

describe("a business chat", () => {
  it("goes out as plain text without a template, and the platform's events move its record", async () => {
    const sent = await send({ text: "Hello, without a code" })
    expect(sent).toEqual({ status: 200, body: { uuid: expect.stringMatching(/^[0-9A-Z]{26}$/), to: german } })
    expect(platform.calls[0]).toMatchObject({
      path: "/v23.0/1/messages",
      headers: { authorization: "Bearer token" },
      body: { to: german, type: "text", text: { body: "Hello, without a code" } }
    })
    for (const [word, shown] of [
      ["sent", "SENT"],
      ["delivered", "DELIVERED"],
      ["read", "READ"],
      ["delivered", "READ"]
    ] as const) {
      expect(await tell(status("wamid.1", word))).toBe(200)
      const { body } = await call(`/bizchat/${sent.body["uuid"]}/wdr`)
      expect(body).toMatchObject({
        uuid: sent.body["uuid"],
        to: german,
        status: shown,
        price: 0.04,
        is_refunded: false
      })
    }
    expect(await ledger()).toEqual(["hold", "settle"])
    expect(await service.operator.account.show({ account_id: account })).toMatchObject({
      balance: 0.96,
      held: 0,
      available: 0.96
    })
  })

  it("costs what its prefix says", async () => {
    expect((await send({ to: "+447700900123" })).status).toBe(200)
    expect(await newest()).toMatchObject({ to: "+447700900123", price: 0.03 })
  })

  it("is refused without the balance for it: a hundred at once on a balance for twenty-five", async () => {
    // A hundred at once may take longer than a deliberately slow one.
    await end()
    await begin({ timeout: 10 })
    const answers = await Promise.all(Array.from({ length: 100 }, () => send()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(25)
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(75)
    expect(platform.calls).toHaveLength(25)
    expect(await service.operator.account.show({ account_id: account })).toMatchObject({
      balance: 0,
      held: 0,
      available: 0
    })
  })

  it("is sent once under one correlation id and one idempotency key", async () => {
    const correlated = { "x-request-id": "0c9d7e3a-1111-4222-8333-444455556666" }
    expect((await send({}, correlated)).status).toBe(200)
    expect(await send({}, correlated)).toMatchObject({ status: 409, body: { error: "CONFLICT" } })
    const idempotent = { "idempotency-key": "signup-1" }
    const first = await send({}, idempotent)
    expect(await send({}, idempotent)).toEqual(first)
    expect((await send({ text: "Your code is 654321" }, idempotent)).status).toBe(409)
    expect(platform.calls).toHaveLength(2)
  })

  it("is reported by the account, once and for all", async () => {
    const { uuid } = (await send()).body
    for (const _ of ["first", "again"]) {
      expect(await call("/bizchat/webhook", { uuid, status: "Success" })).toEqual({
        status: 200,
        body: { message: "OK", uuid, status: "DELIVERED" }
      })
    }
    expect((await call("/bizchat/webhook", { uuid, status: "Failed" })).status).toBe(409)
    expect(await tell(status("wamid.1", "read"))).toBe(200)
    expect((await call("/bizchat/webhook", { uuid, status: "Success" })).body).toMatchObject({ status: "READ" })
    expect((await call("/bizchat/webhook", { uuid, status: "Failed" })).status).toBe(409)
  })
})

describe("a business chat by template", () => {
  beforeEach(async () => {
    await end()
    await begin({ template: { name: "otp", language: "de" } })
  })

  const codesOf = (body: unknown) => JSON.stringify(body).match(/"text","text":"[^"]*"/g)

  it("has the code that is found in its text, in the body and behind the button", async () => {
    expect((await send({ text: "Order 2024: your code is 482-913, valid until 10:30" })).status).toBe(200)
    const [given] = platform.calls
    expect(given?.body).toMatchObject({ type: "template", template: { name: "otp", language: { code: "de" } } })
    expect(codesOf(given?.body)).toEqual(['"text","text":"482913"', '"text","text":"482913"'])
  })

  it("has the code that is given", async () => {
    expect((await send({ text: "1234 or 5678", code: "AB-12" })).status).toBe(200)
    expect(codesOf(platform.calls[0]?.body)).toEqual(['"text","text":"AB-12"', '"text","text":"AB-12"'])
  })

  it.each([
    [{ text: "Hello" }, "text"],
    [{ text: "1234 or 5678" }, "text"],
    [{ code: "" }, "code"],
    [{ code: "1234567890123456" }, "code"],
    [{ code: "12 34" }, "code"],
    [{ code: 1234 }, "code"]
  ])("is 400 with %j and names the field; nothing is sent, recorded or charged", async (body, field) => {
    const { body: refused, status } = await send(body)
    expect([status, refused]).toMatchObject([400, { error: "BAD_REQUEST", issues: [{ path: field }] }])
    expect(platform.calls).toHaveLength(0)
    expect([await newest(), await ledger()]).toEqual([undefined, []])
  })

  it("is 400 before it is 402, and as particular in the sandbox", async () => {
    const { account_id: poor } = await service.operator.account.create()
    for (const sandbox of [false, true]) {
      const { key: other } = await service.operator.key.create({ account_id: poor, sandbox })
      const headers = { "x-api-key": other, "x-account-id": poor }
      expect((await send({ text: "Hello" }, headers)).status).toBe(400)
      expect((await send({}, headers)).status).toBe(sandbox ? 200 : 402)
    }
  })
})

const page = { "content-type": "text/html" }

const unknown = { answer: [480, "TEMPORARY_UNAVAILABLE"], record: ["SENT", null], entries: ["hold"] }
const released = (answer: readonly [number, string], code: number | null) => ({
  answer,
  record: ["FAILED", code],
  entries: ["hold", "release"]
})

describe("when the platform", () => {
  it.each<[string, Fault]>([
    ["does not answer in time", "silence"],
    ["drops the connection after the request", "drop"],
    ["answers 500", answer(500, "{}")],
    ["answers 502 with a page", answer(502, "<html></html>", page)],
    ["answers 500 with an error that says nothing", error(131000, 500)],
    ["answers 504 without a body", answer(504, "")],
    ["answers broken JSON", answer(200, '{"messages":[{"id":')],
    ["answers another type", answer(200, '{"messages":[{"id":"wamid.1"}]}', page)],
    ["answers no message", answer(200, '{"messages":[]}')],
    ["redirects", answer(308, "", { location: "/elsewhere" })]
  ])("%s, the outcome is unknown, and an event settles it", async (_, fault) => {
    platform.once(fault)
    expect(await outcome(await send())).toEqual(unknown)
    expect(platform.calls).toHaveLength(1)
    expect(await tell(status("wamid.late", "delivered", carried()))).toBe(200)
    expect((await newest())?.status).toBe("DELIVERED")
    expect(await ledger()).toEqual(["hold", "settle"])
    expect(await tell(status("wamid.late", "read"))).toBe(200)
    expect((await newest())?.status).toBe("READ")
  })

  it("did not answer and then says that the number is not on it, the price comes back once", async () => {
    platform.once("drop")
    await send()
    for (const _ of ["first", "again"]) {
      expect(await tell(status("wamid.late", "failed", { ...failure(131026), ...carried() }))).toBe(200)
    }
    expect(await newest()).toMatchObject({ status: "FAILED", error_code: 131026, is_refunded: true })
    expect(await ledger()).toEqual(["hold", "settle", "refund"])
    expect((await service.operator.account.show({ account_id: account })).available).toBe(1)
  })

  it("is never heard of again, a send is given back in the end", async () => {
    platform.once("drop")
    await send()
    await end()
    const again = await createWatchword({ store: sqlite(file), reconcile: { releaseAfter: 0 } })
    expect((await again.operator.account.show({ account_id: account })).available).toBe(1)
    await again.dispose()
    await begin()
    expect(await newest()).toMatchObject({ status: "FAILED" })
    expect(await ledger()).toEqual(["hold", "release"])
  })

  it("asks to be left alone, it is, and sends are 480 meanwhile", async () => {
    platform.once(answer(429, "slow down", { "content-type": "text/plain", "retry-after": "60" }))
    expect(await outcome(await send())).toEqual(released([480, "TEMPORARY_UNAVAILABLE"], null))
    expect((await send()).status).toBe(480)
    expect(platform.calls).toHaveLength(1)
    expect((await service.operator.account.show({ account_id: account })).available).toBe(1)
  })

  it("is not there, sends are 480 and paid back", async () => {
    await platform.stop()
    expect(await outcome(await send())).toEqual(released([480, "TEMPORARY_UNAVAILABLE"], null))
  })

  const codes: ReadonlyArray<readonly [code: number, httpStatus: number, status: number, error: string]> = [
    [190, 401, 503, "SERVICE_UNAVAILABLE"],
    [130429, 429, 480, "TEMPORARY_UNAVAILABLE"],
    [80007, 400, 480, "TEMPORARY_UNAVAILABLE"],
    [131026, 400, 404, "NOT_FOUND"],
    [131047, 400, 503, "SERVICE_UNAVAILABLE"],
    [131048, 400, 480, "TEMPORARY_UNAVAILABLE"],
    [131056, 400, 480, "TEMPORARY_UNAVAILABLE"],
    [131049, 400, 404, "NOT_FOUND"],
    [131057, 500, 503, "SERVICE_UNAVAILABLE"],
    [368, 403, 503, "SERVICE_UNAVAILABLE"],
    [132001, 404, 503, "SERVICE_UNAVAILABLE"]
  ]

  it.each(codes)("refuses with %s, nothing is charged", async (code, httpStatus, expected, name) => {
    platform.once(error(code, httpStatus))
    expect(await outcome(await send())).toEqual(released([expected, name], code))
    expect(await service.operator.account.show({ account_id: account })).toMatchObject({
      balance: 1,
      held: 0,
      available: 1
    })
    expect(platform.calls).toHaveLength(1)
  })

  it.each(codes)("tells of %s afterwards, the record has failed", async (code) => {
    expect((await send()).status).toBe(200)
    for (const _ of ["first", "again"]) expect(await tell(status("wamid.1", "failed", failure(code)))).toBe(200)
    const isRefunded = code === 131026
    expect(await newest()).toMatchObject({ status: "FAILED", error_code: code, is_refunded: isRefunded })
    expect(await ledger()).toEqual(["hold", "settle", ...(isRefunded ? ["refund"] : [])])
    expect((await service.operator.account.show({ account_id: account })).available).toBe(isRefunded ? 1 : 0.96)
  })
})

describe("the platform's events", () => {
  const ask = async (query: Record<string, string>) => {
    const response = await fetch(`${events()}?${new URLSearchParams(query)}`)
    return [response.status, await response.text()]
  }
  const right = { "hub.mode": "subscribe", "hub.verify_token": "verify", "hub.challenge": "115&8201444" }

  it("are subscribed to with the right token alone", async () => {
    expect(await ask(right)).toEqual([200, "115&8201444"])
    expect(await ask({ ...right, "hub.verify_token": "wrong" })).toEqual([403, ""])
    expect(await ask({})).toEqual([403, ""])
  })

  it("answer the challenge as plain text", async () => {
    const response = await fetch(`${events()}?${new URLSearchParams({ ...right, "hub.challenge": "<script>" })}`)
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/)
    await response.arrayBuffer()
  })

  it("are taken with the right signature alone", async () => {
    await send()
    const genuine = status("wamid.1", "delivered")
    const oneBit = Buffer.from(genuine.body)
    oneBit[oneBit.length - 1] = (oneBit.at(-1) ?? 0) ^ 1
    const forged = notification([{ id: "wamid.1", status: "delivered" }], "another secret")
    expect(await tell({ ...genuine, signature: undefined })).toBe(401)
    expect(await tell({ ...genuine, signature: forged.signature })).toBe(401)
    expect(
      await tell({ ...genuine, signature: genuine.signature.replace(/.$/, (last) => (last === "0" ? "1" : "0")) })
    ).toBe(401)
    expect(await tell({ ...genuine, body: oneBit })).toBe(401)
    expect(await tell(forged)).toBe(401)
    expect((await newest())?.status).toBe("SENT")
    expect(await tell(genuine)).toBe(200)
    expect((await newest())?.status).toBe("DELIVERED")
  })

  it("may come before the answer to the send", async () => {
    platform.once(async () => {
      await tell(status("wamid.early", "read"))
      return taken("wamid.early")
    })
    expect((await send()).status).toBe(200)
    expect((await newest())?.status).toBe("READ")
    platform.once(async () => {
      await tell(status("wamid.soon", "failed", { ...failure(131026), ...carried() }))
      return taken("wamid.soon")
    })
    expect((await send()).status).toBe(200)
    expect(await newest()).toMatchObject({ status: "FAILED", is_refunded: true })
    expect(await ledger()).toEqual(["hold", "settle", "hold", "settle", "refund"])
  })

  it("may come many at once, some of unknown messages", async () => {
    for (let count = 0; count < 3; count++) await send()
    const statuses = ["wamid.3", "wamid.0", "wamid.1", "wamid.2"].map((id) => ({ id, status: "delivered" }))
    expect(await tell(notification([...statuses, { id: "wamid.1", status: "read" }, "odd"]))).toBe(200)
    const { body } = await call("/bizchat/wdr", { sort_by: "uuid", sort_direction: "ASC" })
    expect(body["list"]).toMatchObject([{ status: "READ" }, { status: "DELIVERED" }, { status: "DELIVERED" }])
  })

  it("are answered 503 while the store is away, and taken when they are told again", async () => {
    await send()
    storeIsAway = true
    expect(await tell(status("wamid.1", "delivered"))).toBe(503)
    storeIsAway = false
    expect((await newest())?.status).toBe("SENT")
    expect(await tell(status("wamid.1", "delivered"))).toBe(200)
    expect((await newest())?.status).toBe("DELIVERED")
  })
})

it("finishes what is in flight when it is stopped", async () => {
  platform.once({ ...taken("wamid.1"), after: 150 })
  const sending = send()
  await until(() => platform.calls.length > 0)
  await end()
  expect((await sending).status).toBe(200)
  await begin()
  expect(await ledger()).toEqual(["hold", "settle"])
})

describe("keys", () => {
  const endpoints = {
    send: (headers: Record<string, string>) => send({}, headers),
    get: (headers: Record<string, string>) => call("/bizchat/01KAJ3T8ZZ0000000000000000/wdr", undefined, headers),
    list: (headers: Record<string, string>) => call("/bizchat/wdr", {}, headers),
    report: (headers: Record<string, string>) =>
      call("/bizchat/webhook", { uuid: "01KAJ3T8ZZ0000000000000000", status: "Success" }, headers)
  }

  it.each([
    ["bizchat:send", { send: 200, get: 403, list: 403, report: 403 }],
    ["bizchat:read", { send: 403, get: 404, list: 200, report: 403 }],
    ["bizchat:report", { send: 403, get: 403, list: 403, report: 404 }],
    ["sms:send", { send: 403, get: 403, list: 403, report: 403 }]
  ] as const)("with the scope %s may do what it says", async (scope, allowed) => {
    const scoped = await service.operator.key.create({ account_id: account, scopes: [scope] })
    for (const name of ["send", "get", "list", "report"] as const) {
      const { status } = await endpoints[name]({ "x-api-key": scoped.key })
      expect([name, status]).toEqual([name, allowed[name]])
    }
  })
})
