/**
 * The call endpoints over node:http, in the sandbox.
 */
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Watchword, createWatchword, memory } from "watchword"
import { type Serving, serve } from "@watchword/node"

let service: Watchword
let serving: Serving
let account: string
let keys: { readonly all: string; readonly read: string; readonly send: string }

beforeAll(async () => {
  service = await createWatchword({ store: memory() })
  account = (await service.operator.account.create({ name: "Acme", caller: "+4930901820123" })).account_id
  const make = async (scopes?: ReadonlyArray<string>) =>
    (
      await service.operator.key.create({
        account_id: account,
        sandbox: true,
        ...(scopes === undefined ? {} : { scopes })
      })
    ).key
  keys = { all: await make(), read: await make(["call:read"]), send: await make(["call:send"]) }
  serving = await serve(service, { operations: service.operations, basePath: "/v1", port: 0 })
})

afterAll(() => serving.close().then(service.dispose))

// Not fetch: it has no word for the status 603.
const ask = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
  const message = request({
    port: serving.port,
    method,
    path: `/v1${path}`,
    headers: { "x-api-key": keys.all, "x-account-id": account, "content-type": "application/json", ...headers }
  })
  message.end(body === undefined ? undefined : JSON.stringify(body))
  const [response]: Array<IncomingMessage> = await once(message, "response")
  if (response === undefined) throw new Error("there is no response")
  const content = await text(response)
  return { status: response.statusCode, body: content === "" ? null : JSON.parse(content) }
}

const flash = (body: object) => ask("POST", "/call/flash", body)
const ending = (digits: string): string => `+491512345${digits}`

describe("the call endpoints", () => {
  it("place, show, list, report and end a call", async () => {
    const called = await flash({ callee: "+4915123456789", max_ring_time: 60 })
    expect(called).toEqual({
      status: 200,
      body: {
        uuid: expect.stringMatching(/^[0-9A-Z]{26}$/),
        caller: "+4930901820123",
        callee: "+4915123456789"
      }
    })
    const { uuid } = called.body
    const ringing = await ask("GET", `/call/flash/${uuid}/cdr`)
    expect(ringing.status).toBe(200)
    expect(ringing.body).toEqual({
      ...called.body,
      hangup_cause: null,
      duration: 0,
      billsec: 0,
      pdd: 0.3,
      start_stamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      destination_country: "Germany",
      destination_country_code: "DE",
      reported_status: null,
      sip_status: null,
      q850: null,
      price: 0
    })
    const listed = await ask("POST", "/call/flash/cdr", { filter: { uuid } })
    expect(listed).toEqual({
      status: 200,
      body: { total: 1, total_pages: 1, has_next_page: false, has_previous_page: false, list: [ringing.body] }
    })
    const reported = await ask("POST", "/call/flash/webhook", { uuid, status: "Success" })
    expect(reported).toEqual({ status: 200, body: { message: "OK", uuid, status: "Success" } })
    expect((await ask("POST", "/call/flash/webhook", { uuid, status: "Failed" })).status).toBe(409)
    expect(await ask("DELETE", `/call/flash/${uuid}`)).toEqual({ status: 204, body: null })
    const again = await ask("DELETE", `/call/flash/${uuid}`)
    expect([again.status, again.body.error]).toEqual([404, "NOT_FOUND"])
    const ended = await ask("GET", `/call/flash/${uuid}/cdr`)
    expect(ended.body).toMatchObject({ hangup_cause: "ORIGINATOR_CANCEL", reported_status: "Success" })
  })

  it.each([
    ["0402", 402, "PAYMENT_REQUIRED"],
    ["0480", 480, "TEMPORARY_UNAVAILABLE"],
    ["0486", 486, "BUSY_HERE"],
    ["0503", 503, "SERVICE_UNAVAILABLE"],
    ["0603", 603, "DECLINE"]
  ])("answer a call to …%s with %d %s", async (digits, status, error) => {
    const answer = await flash({ callee: ending(digits) })
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({ error, message: expect.stringMatching(/\w/), request_id: expect.any(String) })
  })

  it.each([
    [{}, "callee"],
    [{ callee: "015123456789" }, "callee"],
    [{ callee: "+4915123456789", caller: "Acme" }, "caller"],
    [{ callee: "+4915123456789", max_ring_time: 61 }, "max_ring_time"],
    [{ callee: "+4915123456789", max_ring_time: "10" }, "max_ring_time"]
  ])("answer %j with 400 that names %s", async (body, path) => {
    const answer = await flash(body)
    expect([answer.status, answer.body.issues[0].path]).toEqual([400, path])
  })

  it("check scopes", async () => {
    const nothing = "/call/flash/01KAJ3T8ZZ0000000000000000"
    const statuses = async (key: string) => {
      const headers = { "x-api-key": key }
      const answers = [
        await ask("POST", "/call/flash", {}, headers),
        await ask("GET", `${nothing}/cdr`, undefined, headers),
        await ask("POST", "/call/flash/cdr", {}, headers),
        await ask("DELETE", nothing, undefined, headers),
        await ask("POST", "/call/flash/webhook", {}, headers)
      ]
      return answers.map(({ status }) => status)
    }
    expect(await statuses(keys.read)).toEqual([403, 404, 200, 403, 403])
    expect(await statuses(keys.send)).toEqual([400, 403, 403, 404, 403])
    expect(await statuses("sk_test_none")).toEqual([401, 401, 401, 401, 401])
  })

  it("need no account for a reported outcome, and know no other methods", async () => {
    const { body } = await flash({ callee: "+4915123456780" })
    const report = { uuid: body.uuid, status: "WrongNumber" }
    const message = request({
      port: serving.port,
      method: "POST",
      path: "/v1/call/flash/webhook",
      headers: { "x-api-key": keys.all, "content-type": "application/json" }
    })
    message.end(JSON.stringify(report))
    const [response]: Array<IncomingMessage> = await once(message, "response")
    expect(response?.statusCode).toBe(200)
    response?.resume()
    for (const [method, path] of [
      ["GET", "/call/flash"],
      ["DELETE", "/call/flash"],
      ["PUT", `/call/flash/${body.uuid}`],
      ["GET", `/call/flash/${body.uuid}`],
      ["DELETE", `/call/flash/${body.uuid}/cdr`]
    ] as const) {
      expect((await ask(method, path)).status).toBe(405)
    }
  })

  it("answer the first response again under an Idempotency-Key, and 409 to a repeated correlation id", async () => {
    const body = { callee: "+4915123456781" }
    const first = await ask("POST", "/call/flash", body, { "idempotency-key": "signup-1" })
    expect(await ask("POST", "/call/flash", body, { "idempotency-key": "signup-1" })).toEqual(first)
    const correlated = { "x-request-id": "0c9d7e3a-1111-4222-8333-444455556666" }
    expect((await ask("POST", "/call/flash", body, correlated)).status).toBe(200)
    expect((await ask("POST", "/call/flash", body, correlated)).status).toBe(409)
    const busy = { callee: ending("0486") }
    expect((await ask("POST", "/call/flash", busy, correlated)).status).toBe(486)
    expect((await ask("POST", "/call/flash", busy, correlated)).status).toBe(486)
  })
})

describe("calls without HTTP", () => {
  it("go through the same checks", async () => {
    const who = { account, sandbox: true }
    const { uuid } = await service.call.flash(who, { callee: "+4915123456789" })
    await service.call.hangup(who, uuid)
    await service.call.report(who, { uuid, status: "Incomplete" })
    expect(await service.call.get(who, uuid)).toMatchObject({ uuid, reported_status: "Incomplete" })
    expect((await service.call.list(who, { filter: { uuid } })).total).toBe(1)
    await expect(service.call.flash(who, { callee: "no number" })).rejects.toMatchObject({ code: "BAD_REQUEST" })
    await expect(service.call.flash(who, { callee: ending("0603") })).rejects.toMatchObject({ code: "DECLINE" })
    await expect(service.call.hangup(who, uuid)).rejects.toMatchObject({ code: "NOT_FOUND" })
  })
})
