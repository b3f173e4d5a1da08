/**
 * The chat-gateway endpoints over the sandbox: the life of a code, what they refuse, and lists.
 */
import { describe, expect, it } from "vitest"
import { type Caller, JSON_TYPE, UUID, expectEnvelope } from "./caller.ts"

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const CODE = "73920481"

export const chatgw = ({ ask, credentials, post, target }: Caller): void => {
  // Numbers differ, so that each list has the records of one test.
  let numbers = 0
  const number = (digits = "6789"): string => `+49152${String(1_000 + numbers++)}${digits}`

  const call = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
    const { status, text } = await post(path, JSON.stringify(body), headers)
    return { status, body: JSON.parse(text) }
  }

  const send = async (more: object = {}) => (await call("/chatgw", { to: number(), code: CODE, ...more })).body
  const check = (request_id: string, code?: string) =>
    call("/chatgw/check-verification-status", code === undefined ? { request_id } : { request_id, code })
  const record = async (uuid: string) =>
    JSON.parse((await ask({ method: "GET", path: `/chatgw/${uuid}/tdr`, headers: credentials() })).text)

  /** Bodies that each endpoint takes, the last for records that there are none of. */
  const endpoints: ReadonlyArray<readonly [path: string, body: object]> = [
    ["/chatgw", { to: "+4915123450000", code: CODE }],
    ["/chatgw/check-send-ability", { to: "+4915123450000" }],
    ["/chatgw/check-verification-status", { request_id: "none" }],
    ["/chatgw/revoke-verification", { request_id: "none" }],
    ["/chatgw/tdr", {}],
    ["/chatgw/webhook", { id: "none", status: "Success" }]
  ]

  describe("a code by chat", () => {
    it("is probed, sent, found, listed, entered and reported", async () => {
      const to = number()
      const probe = await call("/chatgw/check-send-ability", { to })
      const { request_id: probed, remaining_balance, delivery_status } = probe.body
      expect(probe).toEqual({
        status: 200,
        body: {
          request_id: probed,
          phone_number: to,
          request_cost: 0,
          is_refunded: false,
          remaining_balance,
          delivery_status
        }
      })
      expect(delivery_status).toEqual({ status: "sent", updated_at: expect.any(Number) })

      const sent = await call("/chatgw", { to, code: CODE, ttl: 60, sender_username: "@acme_codes" })
      const { request_id, uuid } = sent.body
      expect(sent).toEqual({
        status: 200,
        body: { uuid, request_id: probed, to, status: "sent", request_cost: 0, remaining_balance }
      })
      expect(uuid).toMatch(ULID)

      const found = await record(uuid)
      const { created_at, delivery_status: delivered } = found
      expect(found).toEqual({
        uuid,
        request_id,
        to,
        status: String(delivered).toUpperCase(),
        delivery_status: delivered,
        verification_status: null,
        request_cost: 0,
        is_refunded: false,
        country: "Germany",
        created_at
      })
      expect(created_at).toMatch(TIME)

      expect(await check(request_id)).toEqual({ status: 200, body: { request_id, verification_status: null } })
      for (const [code, status] of [
        ["0000", "code_invalid"],
        [CODE, "code_valid"],
        ["0000", "code_valid"]
      ] as const) {
        const entered = await check(request_id, code)
        expect(entered).toMatchObject({ status: 200, body: { request_id, verification_status: { status } } })
        expect(Number.isInteger(entered.body.verification_status.updated_at)).toBe(true)
        expect((await record(uuid)).verification_status).toBe(status)
      }

      const list = await call("/chatgw/tdr", { filter: { to, verification_status: "code_valid" } })
      expect(list.body).toEqual({
        total: 1,
        total_pages: 1,
        has_next_page: false,
        has_previous_page: false,
        list: [await record(uuid)]
      })

      for (const _ of ["first", "again"]) {
        const reported = await call("/chatgw/webhook", { id: uuid, status: "Success" })
        expect(reported).toEqual({ status: 200, body: { message: "OK", id: uuid, status: "READ" } })
      }
      const contrary = await post("/chatgw/webhook", JSON.stringify({ id: uuid, status: "Failed" }))
      expectEnvelope(contrary, 409, "CONFLICT")
    })

    it("is not valid any more after three wrong ones", async () => {
      const { request_id } = await send()
      const states: Array<unknown> = []
      for (const code of ["0000", "1111", "2222", CODE]) {
        states.push((await check(request_id, code)).body.verification_status.status)
      }
      const over = "code_max_attempts_exceeded"
      expect(states).toEqual(["code_invalid", "code_invalid", over, over])
    })

    it("is taken back once", async () => {
      const { remaining_balance, request_id, uuid } = await send()
      const revoked = await call("/chatgw/revoke-verification", { request_id })
      expect(revoked).toEqual({ status: 200, body: { request_id, is_refunded: true, remaining_balance } })
      expect(await record(uuid)).toMatchObject({ status: "REVOKED", delivery_status: "revoked", is_refunded: true })
      expectEnvelope(await post("/chatgw/revoke-verification", JSON.stringify({ request_id })), 409, "CONFLICT")
    })

    it("is not refunded when it was read", async () => {
      const { request_id } = await send()
      await check(request_id, CODE)
      const revoked = await call("/chatgw/revoke-verification", { request_id })
      expect(revoked).toMatchObject({ status: 200, body: { is_refunded: false } })
    })

    it.each([
      ["0003", 404, "NOT_FOUND"],
      ["0402", 402, "PAYMENT_REQUIRED"],
      ["0480", 480, "TEMPORARY_UNAVAILABLE"],
      ["0503", 503, "SERVICE_UNAVAILABLE"]
    ] as const)("to a number that ends in %s is answered %i", async (digits, status, code) => {
      const to = number(digits)
      expectEnvelope(await post("/chatgw", JSON.stringify({ to, code: CODE })), status, code)
      const probe = await post("/chatgw/check-send-ability", JSON.stringify({ to }))
      if (digits === "0003") {
        expect([probe.status, JSON.parse(probe.text)]).toMatchObject([
          200,
          { phone_number: to, is_refunded: true, delivery_status: { status: "failed" } }
        ])
      } else expectEnvelope(probe, status, code)
    })

    it("is not sent twice under one correlation id", async () => {
      const headers = { "x-request-id": globalThis.crypto.randomUUID() }
      const body = JSON.stringify({ to: number(), code: CODE })
      expect((await post("/chatgw", body, headers)).status).toBe(200)
      expectEnvelope(await post("/chatgw", body, headers), 409, "CONFLICT")
      expect((await post("/chatgw", body.replace(CODE, "4810"), headers)).status).toBe(200)
    })

    it("is answered again under its idempotency key, and so is a probe", async () => {
      for (const path of ["/chatgw", "/chatgw/check-send-ability"]) {
        const headers = { "Idempotency-Key": globalThis.crypto.randomUUID() }
        const body = { to: number(), code: CODE }
        const first = await call(path, body, headers)
        expect(await call(path, body, headers)).toEqual(first)
        expectEnvelope(await post(path, JSON.stringify({ to: number(), code: CODE }), headers), 409, "CONFLICT")
        const odd = { "Idempotency-Key": "a b" }
        expectEnvelope(await post(path, JSON.stringify(body), odd), 400, "BAD_REQUEST")
      }
    })

    it("has no field that the interface does not know", async () => {
      expect(await send({ price: -1, uuid: "mine", request_id: "mine", payload: "mine" })).toMatchObject({
        uuid: expect.stringMatching(ULID),
        request_cost: 0
      })
    })
  })

  describe("the chat endpoints", () => {
    it.each(endpoints)("POST %s needs a key and its scope, and then a body", async (path, body) => {
      const text = JSON.stringify(body)
      expectEnvelope(await ask({ method: "POST", path, headers: JSON_TYPE, body: text }), 401, "UNAUTHORIZED")
      const wrong = { ...JSON_TYPE, ...credentials(`${target().key}x`) }
      expectEnvelope(await ask({ method: "POST", path, headers: wrong, body: text }), 401, "UNAUTHORIZED")
      expectEnvelope(await post(path, text, credentials(target().readKey)), 403, "FORBIDDEN")
      expectEnvelope(await post(path, "{}", credentials(target().readKey)), 403, "FORBIDDEN")
      expect((await post(path, '{"to":')).status).toBe(400)
      if (path !== "/chatgw/tdr") expectEnvelope(await post(path, "{}"), 400, "BAD_REQUEST")
    })

    it("GET /chatgw/:uuid/tdr needs a key and its scope, and a record", async () => {
      const path = `/chatgw/${(await send()).uuid}/tdr`
      expectEnvelope(await ask({ method: "GET", path }), 401, "UNAUTHORIZED")
      const headers = credentials(target().readKey)
      expectEnvelope(await ask({ method: "GET", path, headers }), 403, "FORBIDDEN")
      for (const id of ["none", "01KAJ3T8ZZ0000000000000000", "%00", "a".repeat(99), "'--"]) {
        const unknown = await ask({ method: "GET", path: `/chatgw/${id}/tdr`, headers: credentials() })
        expectEnvelope(unknown, 404, "NOT_FOUND")
      }
    })

    it("know no request and no record that never was", async () => {
      for (const [path, body] of [
        ["/chatgw/check-verification-status", { request_id: "none" }],
        ["/chatgw/check-verification-status", { request_id: "none", code: CODE }],
        ["/chatgw/check-verification-status", { request_id: "💩\u0000'--" }],
        ["/chatgw/revoke-verification", { request_id: "none" }],
        ["/chatgw/revoke-verification", { request_id: "constructor" }],
        ["/chatgw/webhook", { id: "none", status: "Success" }],
        ["/chatgw/webhook", { id: "01KAJ3T8ZZ0000000000000000", status: "Failed" }]
      ] as const) {
        expectEnvelope(await post(path, JSON.stringify(body)), 404, "NOT_FOUND")
      }
    })

    it("the outcome endpoint takes a key alone, and checks an account that is sent", async () => {
      const body = JSON.stringify({ id: (await send({ to: number("0001") })).uuid, status: "Failed" })
      const headers = { ...JSON_TYPE, "x-api-key": target().key }
      const path = "/chatgw/webhook"
      const reported = await ask({ method: "POST", path, headers, body })
      expect([reported.status, JSON.parse(reported.text)]).toMatchObject([200, { status: "FAILED" }])
      const other = { ...headers, "x-account-id": "acc_x" }
      expectEnvelope(await ask({ method: "POST", path, headers: other, body }), 401, "UNAUTHORIZED")
    })

    it.each([
      ["/chatgw", { code: CODE }, "to"],
      ["/chatgw", { to: null, code: CODE }, "to"],
      ["/chatgw", { to: "0151", code: CODE }, "to"],
      ["/chatgw", { to: "+4912", code: CODE }, "to"],
      ["/chatgw", { to: ["+4915123456789"], code: CODE }, "to"],
      ["/chatgw", { to: "+4915123456789" }, "code"],
      ["/chatgw", { to: "+4915123456789", code: 739_204 }, "code"],
      ["/chatgw", { to: "+4915123456789", code: "" }, "code"],
      ["/chatgw", { to: "+4915123456789", code: "739" }, "code"],
      ["/chatgw", { to: "+4915123456789", code: "739204815" }, "code"],
      ["/chatgw", { to: "+4915123456789", code: "7392 " }, "code"],
      ["/chatgw", { to: "+4915123456789", code: "7392\n" }, "code"],
      ["/chatgw", { to: "+4915123456789", code: "73a2" }, "code"],
      ["/chatgw", { to: "+4915123456789", code: "١٢٣٤" }, "code"],
      ["/chatgw", { to: "+4915123456789", code: CODE, ttl: 29 }, "ttl"],
      ["/chatgw", { to: "+4915123456789", code: CODE, ttl: 3601 }, "ttl"],
      ["/chatgw", { to: "+4915123456789", code: CODE, ttl: 60.5 }, "ttl"],
      ["/chatgw", { to: "+4915123456789", code: CODE, ttl: "60" }, "ttl"],
      ["/chatgw", { to: "+4915123456789", code: CODE, ttl: null }, "ttl"],
      ["/chatgw", { to: "+4915123456789", code: CODE, sender_username: "" }, "sender_username"],
      ["/chatgw", { to: "+4915123456789", code: CODE, sender_username: "a b c d" }, "sender_username"],
      ["/chatgw", { to: "+4915123456789", code: CODE, sender_username: 7 }, "sender_username"],
      ["/chatgw", { to: "+4915123456789", code: CODE, callback_url: "http://example.com/" }, "callback_url"],
      ["/chatgw", { to: "+4915123456789", code: CODE, callback_url: "https://" }, "callback_url"],
      ["/chatgw", { to: "+4915123456789", code: CODE, callback_url: "javascript:alert(1)" }, "callback_url"],
      [
        "/chatgw",
        { to: "+4915123456789", code: CODE, callback_url: `https://example.com/${"ä".repeat(119)}` },
        "callback_url"
      ],
      ["/chatgw/check-send-ability", { to: 4_915_123_456_789 }, "to"],
      ["/chatgw/check-verification-status", { request_id: "" }, "request_id"],
      ["/chatgw/check-verification-status", { request_id: 5 }, "request_id"],
      ["/chatgw/check-verification-status", { request_id: "r".repeat(257) }, "request_id"],
      ["/chatgw/check-verification-status", { request_id: "none", code: "739" }, "code"],
      ["/chatgw/check-verification-status", { request_id: "none", code: null }, "code"],
      ["/chatgw/revoke-verification", { request_id: {} }, "request_id"],
      ["/chatgw/webhook", { id: 1, status: "Success" }, "id"],
      ["/chatgw/webhook", { id: "none", status: "success" }, "status"],
      ["/chatgw/webhook", { id: "none", status: "Incomplete" }, "status"],
      ["/chatgw/tdr", { page: 0 }, "page"],
      ["/chatgw/tdr", { rows_per_page: 101 }, "rows_per_page"],
      ["/chatgw/tdr", { sort_by: "code" }, "sort_by"],
      ["/chatgw/tdr", { sort_direction: "UP" }, "sort_direction"],
      ["/chatgw/tdr", { filter: { code: CODE } }, "filter.code"],
      ["/chatgw/tdr", { filter: { delivery_status: "lost" } }, "filter.delivery_status"]
    ])("POST %s does not take %j", async (path, body, field) => {
      const answer = await post(path, JSON.stringify(body))
      expectEnvelope(answer, 400, "BAD_REQUEST")
      const { issues, message } = JSON.parse(answer.text)
      expect(issues).toMatchObject([{ path: field, message: expect.stringMatching(/\w/) }])
      expect(JSON.stringify([issues, message])).not.toMatch(/739/)
    })

    it("take the limits of their fields", async () => {
      for (const more of [
        { code: "0000", ttl: 30 },
        { code: "00000000", ttl: 3600 },
        { sender_username: "acme" },
        { callback_url: `https://example.com/${"ä".repeat(118)}` }
      ]) {
        expect(await send(more)).toMatchObject({ status: "sent" })
      }
    })

    it("have one beside them that the gateway calls back to, where there is a gateway", async () => {
      expectEnvelope(await post("/chatgw/events", "{}"), 404, "NOT_FOUND")
    })

    it("answer with a correlation id, given or made", async () => {
      const given = "0C9D7E3A-1111-4222-8333-444455556666"
      const success = await post("/chatgw/tdr", "{}", { "x-request-id": given })
      expect(success.headers["x-request-id"]).toBe(given)
      expect((await post("/chatgw/tdr", "{}")).headers["x-request-id"]).toMatch(UUID)
    })
  })

  describe("lists of codes", () => {
    it("are sorted, filtered and cut into pages", async () => {
      const to = number("0001")
      for (const code of ["1111", "2222", "3333"]) await send({ to, code })
      const first = await call("/chatgw/tdr", {
        filter: { to },
        rows_per_page: 2,
        sort_by: "uuid",
        sort_direction: "ASC"
      })
      expect(first.body).toMatchObject({ total: 3, total_pages: 2, has_next_page: true, has_previous_page: false })
      const second = await call("/chatgw/tdr", { filter: { to }, rows_per_page: 2, page: 2 })
      expect(second.body).toMatchObject({ total: 3, has_next_page: false, has_previous_page: true })
      expect(second.body.list).toEqual([first.body.list[0]])
      const past = await call("/chatgw/tdr", { filter: { to }, page: 9 })
      expect(past.body).toMatchObject({ total: 3, list: [] })
      const none = await call("/chatgw/tdr", { filter: { to, status: ["READ", "REVOKED"] } })
      expect(none.body).toMatchObject({ total: 0, list: [] })
      const unentered = await call("/chatgw/tdr", {
        filter: { to, verification_status: null, delivery_status: "sent" }
      })
      expect(unentered.body.total).toBe(3)
    })

    it("need no body", async () => {
      expect((await post("/chatgw/tdr", undefined)).status).toBe(200)
    })
  })
}
