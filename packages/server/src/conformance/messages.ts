/**
 * The life of a text message, and lists of them.
 */
import { describe, expect, it } from "vitest"
import { type Caller, UUID, expectEnvelope } from "./caller.ts"

export const messages = ({ ask, credentials, post, message }: Caller): void => {
  describe("a text message", () => {
    it("is sent, found, listed and reported", async () => {
      const body = message()
      const answer = await post("/sms", JSON.stringify(body))
      expect(answer.headers["content-type"]).toMatch(/^application\/json/)
      const { messageId, ...echo } = JSON.parse(answer.text)
      expect([answer.status, echo]).toEqual([200, { from: body.from, to: body.to }])
      expect(messageId).toMatch(UUID)

      const path = `/sms/${messageId}/sdr`
      const record = await ask({ method: "GET", path, headers: credentials() })
      expect(JSON.parse(record.text)).toMatchObject({ messageId, from: body.from, to: body.to })

      const list = await post("/sms/sdr", JSON.stringify({ filter: { to: body.to } }))
      expect(JSON.parse(list.text)).toMatchObject({
        total: 1,
        total_pages: 1,
        has_next_page: false,
        has_previous_page: false,
        list: [{ messageId }]
      })

      const report = JSON.stringify({ id: messageId, status: "delivered" })
      const reported = { message: "OK", id: messageId, status: "delivered" }
      for (const _ of ["first", "again"]) {
        const { status, text } = await post("/sms/webhook", report)
        expect([status, JSON.parse(text)]).toEqual([200, reported])
      }
      expectEnvelope(await post("/sms/webhook", JSON.stringify({ id: messageId, status: "failed" })), 409, "CONFLICT")
    })

    it("is not sent twice under one correlation id", async () => {
      const headers = { "x-request-id": globalThis.crypto.randomUUID() }
      const body = JSON.stringify(message())
      expect((await post("/sms", body, headers)).status).toBe(200)
      expectEnvelope(await post("/sms", body, headers), 409, "CONFLICT")
      expect((await post("/sms", JSON.stringify(message()), headers)).status).toBe(200)
    })

    it("is answered again under its idempotency key", async () => {
      const headers = { "Idempotency-Key": globalThis.crypto.randomUUID() }
      const body = JSON.stringify(message())
      const first = await post("/sms", body, headers)
      const second = await post("/sms", body, headers)
      expect([second.status, second.text]).toEqual([200, first.text])
      expectEnvelope(await post("/sms", JSON.stringify(message()), headers), 409, "CONFLICT")
    })

    it.each(["", " ", "a b", "é", "k".repeat(256)])("has no idempotency key %j", async (key) => {
      const headers = { "Idempotency-Key": key }
      expectEnvelope(await post("/sms", JSON.stringify(message()), headers), 400, "BAD_REQUEST")
    })
  })

  describe("lists", () => {
    it.each([
      { page: 0 },
      { page: 1.5 },
      { page: "1" },
      { rows_per_page: 101 },
      { sort_by: "nope" },
      { sort_by: "constructor" },
      { sort_direction: "UP" },
      { filter: [] },
      { filter: { nope: 1 } },
      { filter: { __proto__x: 1 } },
      { filter: { status: { $ne: null } } },
      { filter: { to: { gte: {} } } }
    ])("do not take %j", async (body) => {
      expectEnvelope(await post("/sms/sdr", JSON.stringify(body)), 400, "BAD_REQUEST")
    })

    it("have an empty page behind the last", async () => {
      const { text } = await post("/sms/sdr", JSON.stringify({ page: 4_000_000_000 }))
      expect(JSON.parse(text)).toMatchObject({ list: [], has_next_page: false })
    })
  })
}
