/**
 * The business-chat channel in the sandbox: every endpoint, every error; and the endpoints that gateways call
 * back to, which are none where there is no gateway.
 */
import type { ErrorCode } from "@watchword/schemas/Errors"
import { describe, expect, it } from "vitest"
import { MAX_BODY_BYTES } from "../Host.ts"
import { type Caller, JSON_TYPE, expectEnvelope, expectForeign } from "./caller.ts"

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const NOBODYS = "01KAJ3T8ZZ0000000000000000"

const ENDPOINTS = [
  ["POST", "/bizchat/otp"],
  ["GET", `/bizchat/${NOBODYS}/wdr`],
  ["POST", "/bizchat/wdr"],
  ["POST", "/bizchat/webhook"]
] as const

export const bizchat = (caller: Caller): void => {
  const { target, host, ask, credentials, post, expectNoEndpoint, expectUnreadable } = caller

  // Numbers differ, so that no send is taken for a repeat of another test's; none of them asks for an outcome.
  let sent = 0
  const otp = (more: object = {}) => ({
    to: `+49152${String(10_001_000 + sent++)}`,
    text: "Your code is 123456. It is valid for 10 minutes.",
    ...more
  })
  const send = (body: object = otp(), headers: Record<string, string> = {}) =>
    post("/bizchat/otp", JSON.stringify(body), headers)
  const get = (uuid: string) => ask({ method: "GET", path: `/bizchat/${uuid}/wdr`, headers: credentials() })
  const report = (uuid: unknown, status: unknown) => post("/bizchat/webhook", JSON.stringify({ uuid, status }))

  describe("a business chat", () => {
    it("is sent, found, listed and reported", async () => {
      const body = otp()
      const answer = await send(body)
      expect(answer.headers["content-type"]).toMatch(/^application\/json/)
      const { uuid, ...echo } = JSON.parse(answer.text)
      expect([answer.status, echo]).toEqual([200, { to: body.to }])
      expect(uuid).toMatch(ULID)

      const record = await get(uuid)
      const { created_at: createdAt, ...fields } = JSON.parse(record.text)
      expect([record.status, new Date(createdAt).toISOString()]).toEqual([200, createdAt])
      expect(fields).toEqual({ uuid, to: body.to, status: "SENT", error_code: null, price: 0, is_refunded: false })

      const list = await post("/bizchat/wdr", JSON.stringify({ filter: { to: body.to, uuid } }))
      expect([list.status, JSON.parse(list.text)]).toMatchObject([
        200,
        { total: 1, total_pages: 1, has_next_page: false, has_previous_page: false, list: [{ uuid, to: body.to }] }
      ])

      for (const _ of ["first", "again"]) {
        const { status, text } = await report(uuid, "Success")
        expect([status, JSON.parse(text)]).toEqual([200, { message: "OK", uuid, status: "DELIVERED" }])
      }
      expectEnvelope(await report(uuid, "Failed"), 409, "CONFLICT")
    })

    it("may have failed, as its account reports", async () => {
      const { uuid } = JSON.parse((await send(otp({ to: "+4915210000001" }))).text)
      expect(JSON.parse((await report(uuid, "Failed")).text)).toEqual({ message: "OK", uuid, status: "FAILED" })
      expectEnvelope(await report(uuid, "Success"), 409, "CONFLICT")
    })

    it.each<[digits: string, status: number, code: ErrorCode]>([
      ["0003", 404, "NOT_FOUND"],
      ["0402", 402, "PAYMENT_REQUIRED"],
      ["0480", 480, "TEMPORARY_UNAVAILABLE"],
      ["0503", 503, "SERVICE_UNAVAILABLE"]
    ])("to a number that ends in %s is %i", async (digits, status, code) => {
      expectEnvelope(await send(otp({ to: `+491521000${digits}` })), status, code)
    })

    it("is not sent twice under one correlation id", async () => {
      const headers = { "x-request-id": globalThis.crypto.randomUUID() }
      const body = otp()
      expect((await send(body, headers)).status).toBe(200)
      expectEnvelope(await send(body, headers), 409, "CONFLICT")
      expect((await send(otp(), headers)).status).toBe(200)
    })

    it("is answered again under its idempotency key", async () => {
      const headers = { "Idempotency-Key": globalThis.crypto.randomUUID() }
      const body = otp()
      const first = await send(body, headers)
      const second = await send(body, headers)
      expect([second.status, second.text]).toEqual([200, first.text])
      expectEnvelope(await send({ ...body, code: "123456" }, headers), 409, "CONFLICT")
    })

    it.each([
      [{ to: undefined }, "to"],
      [{ to: "4915123456789" }, "to"],
      [{ to: "+0151" }, "to"],
      [{ to: 4915123456789 }, "to"],
      [{ text: undefined }, "text"],
      [{ text: "" }, "text"],
      [{ text: "x".repeat(4097) }, "text"],
      [{ text: null }, "text"],
      [{ code: "" }, "code"],
      [{ code: "1234567890123456" }, "code"],
      [{ code: "12 34" }, "code"],
      [{ code: 123456 }, "code"]
    ])("is 400 with %j, and its field is named", async (wrong, field) => {
      const answer = await send(otp(wrong))
      expectEnvelope(answer, 400, "BAD_REQUEST")
      expect(JSON.parse(answer.text).issues).toMatchObject([{ path: field }])
    })

    it("may have 4096 characters, a code of its own and fields that nobody knows", async () => {
      const body = otp({ text: "\u{1f510}".repeat(4096), code: "AB-1234567890-Z", sandbox: false, price: -1 })
      expect((await send(body)).status).toBe(200)
    })

    it.each([
      ["nothing", undefined],
      ["half an object", '{"to":'],
      ["null", "null"],
      ["an array", "[]"],
      ["a form", "to=%2B4915123456789&text=hi"],
      ["deep arrays", "[".repeat(30_000)],
      ["bytes that are not UTF-8", Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d)],
      ["too much", `{"text":"${"x".repeat(MAX_BODY_BYTES)}"}`]
    ])("is not %s, nor is a report", async (_, body) => {
      for (const path of ["/bizchat/otp", "/bizchat/webhook"]) {
        expectUnreadable(await post(path, body))
      }
    })

    it.each([{ uuid: NOBODYS }, { status: "Success" }, { uuid: 1, status: "Success" }])(
      "is not reported by %j",
      async (body) => {
        expectEnvelope(await post("/bizchat/webhook", JSON.stringify(body)), 400, "BAD_REQUEST")
      }
    )

    it.each(["success", "DELIVERED", "Incomplete", "", null])("does not become %j", async (status) => {
      expectEnvelope(await report(NOBODYS, status), 400, "BAD_REQUEST")
    })

    it.each(["%00", "..%2f..", "%F0%9F%92%A9", NOBODYS, `${NOBODYS}0`, "'--"])(
      "there is none under %j",
      async (uuid) => {
        expectEnvelope(await get(uuid), 404, "NOT_FOUND")
      }
    )

    it("none can be under what cannot be decoded, or has no end", async () => {
      for (const uuid of ["%ZZ", "a".repeat(3000)]) {
        const answer = await get(uuid)
        if (!host().everyPath && uuid.length > 99) expectForeign(answer, [404, 414])
        else expectNoEndpoint(answer, { method: "GET", path: `/bizchat/${uuid}/wdr` })
      }
    })

    it.each(["", "nothing", NOBODYS, "\0"])("none under %j is reported", async (uuid) => {
      expectEnvelope(await report(uuid, "Success"), 404, "NOT_FOUND")
    })

    it("is no text message, nor is a text message one", async () => {
      const { uuid } = JSON.parse((await send()).text)
      expectEnvelope(await ask({ method: "GET", path: `/sms/${uuid}/sdr`, headers: credentials() }), 404, "NOT_FOUND")
      expectEnvelope(await post("/sms/webhook", JSON.stringify({ id: uuid, status: "sent" })), 404, "NOT_FOUND")
    })
  })

  describe("lists of business chats", () => {
    it.each(["uuid", "to", "status", "created_at", "error_code", "price", "is_refunded", "text"])(
      "can be sorted by %s",
      async (field) => {
        for (const direction of ["ASC", "DESC"]) {
          const body = JSON.stringify({ sort_by: field, sort_direction: direction })
          expect((await post("/bizchat/wdr", body)).status).toBe(200)
        }
      }
    )

    it("may be asked for without a body", async () => {
      const { status, text } = await post("/bizchat/wdr", undefined)
      expect([status, Array.isArray(JSON.parse(text).list)]).toEqual([200, true])
    })

    it.each([
      { page: 0 },
      { rows_per_page: 101 },
      { sort_by: "messageId" },
      { sort_by: "details.failure" },
      { sort_direction: "asc" },
      { filter: { messageId: "1" } },
      { filter: { status: "delivered" } },
      { filter: { error_code: "131026" } },
      { filter: { created_at: { gte: "yesterday" } } },
      { filter: { is_refunded: null } }
    ])("do not take %j", async (body) => {
      expectEnvelope(await post("/bizchat/wdr", JSON.stringify(body)), 400, "BAD_REQUEST")
    })
  })

  describe("the endpoints of business chats", () => {
    it.each(ENDPOINTS)("%s %s needs a key, and one that may", async (method, path) => {
      const question = { method, path, ...(method === "POST" ? { body: "{}" } : {}) }
      expectEnvelope(await ask({ ...question, headers: JSON_TYPE }), 401, "UNAUTHORIZED")
      const headers = { ...credentials(target().readKey), ...JSON_TYPE }
      expectEnvelope(await ask({ ...question, headers }), 403, "FORBIDDEN")
    })

    it.each(["PUT", "DELETE", "PATCH"])("are none for %s", async (method) => {
      for (const [, path] of ENDPOINTS) {
        expectNoEndpoint(await ask({ method, path, headers: credentials() }), { method, path })
      }
    })

    it("take a report with a key alone, and check an account that is sent", async () => {
      const { uuid } = JSON.parse((await send()).text)
      const body = JSON.stringify({ uuid, status: "Success" })
      const headers = { ...JSON_TYPE, "x-api-key": target().key }
      const question = { method: "POST", path: "/bizchat/webhook", body }
      expect((await ask({ ...question, headers })).status).toBe(200)
      expectEnvelope(await ask({ ...question, headers: { ...headers, "x-account-id": "acc_x" } }), 401, "UNAUTHORIZED")
    })
  })

  describe("where there is no gateway, its callbacks", () => {
    it.each(["/bizchat/events", "/chatgw/events"])("to %s have no endpoint", async (path) => {
      const query = "?hub.mode=subscribe&hub.verify_token=&hub.challenge=1"
      expectNoEndpoint(await ask({ method: "GET", path: path + query }), { method: "GET", path })
      for (const method of ["POST", "PUT", "DELETE"]) {
        expectNoEndpoint(await ask({ method, path, headers: JSON_TYPE, body: "{}" }), { method, path })
      }
    })
  })
}
