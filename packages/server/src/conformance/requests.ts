/**
 * Correlation ids, the order of checks, paths and methods.
 */
import { describe, expect, it } from "vitest"
import { MAX_BODY_BYTES } from "../Host.ts"
import { type Caller, JSON_TYPE, expectEnvelope, expectForeign } from "./caller.ts"

export const requests = (caller: Caller): void => {
  const { target, host, ask, askRaw, credentials, post, message, send, expectNoEndpoint, expectUnreadable } = caller

  describe("correlation ids", () => {
    const given = "0C9D7E3A-1111-4222-8333-444455556666"

    it("come back as they were given, with successes and with errors", async () => {
      const success = await post("/sms", JSON.stringify(message()), { "x-request-id": given })
      expect(success.status).toBe(200)
      expect(success.headers["x-request-id"]).toBe(given)
      const failure = await post("/sms", "{}", { "x-request-id": given })
      expect(failure.headers["x-request-id"]).toBe(given)
      expect(JSON.parse(failure.text)).toMatchObject({ error: "BAD_REQUEST", request_id: given })
    })

    it.each(["", "no-uuid", `${given}0`, `${given}, ${given}`, "<script>", "0".repeat(2000)])(
      "are made where %j is sent",
      async (wrong) => {
        const answer = await post("/sms", "{}", { "x-request-id": wrong })
        expectEnvelope(answer, 400, "BAD_REQUEST")
        expect(answer.text).not.toContain(wrong === "" ? '"""' : wrong)
      }
    )

    it("differ from request to request", async () => {
      const answers = await Promise.all([post("/sms", "{}"), post("/sms", "{}"), post("/sms/sdr", "{}")])
      expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(3)
    })

    it("are made where two are sent", async () => {
      const answer = await post("/sms", "{}", { "x-request-id": [given, given] })
      expect(answer.headers["x-request-id"]).not.toBe(given)
      expectEnvelope(answer, 400, "BAD_REQUEST")
    })
  })

  describe("the order of checks", () => {
    it.each([
      ["no headers at all", () => ({})],
      ["no account", () => ({ "x-api-key": target().key })],
      ["no key", () => ({ "x-account-id": target().account })],
      ["an unknown key", () => credentials(`${target().key.slice(0, -1)}${target().key.endsWith("A") ? "B" : "A"}`)],
      ["another account", () => ({ ...credentials(), "x-account-id": "acc_01KAJ3T8ZZ0000000000000000" })],
      ["the key twice", () => ({ ...credentials(), "x-api-key": [target().key, target().key] })]
    ])("401 before anything else: %s", async (_, headers) => {
      const asked = (body: string) =>
        ask({ method: "POST", path: "/sms", headers: { ...JSON_TYPE, ...headers() }, body })
      for (const body of ["", "{}"]) expectEnvelope(await asked(body), 401, "UNAUTHORIZED")
      for (const body of ["{", "x".repeat(MAX_BODY_BYTES + 1)]) {
        if (host().rawBodies) expectEnvelope(await asked(body), 401, "UNAUTHORIZED")
        else expectUnreadable(await asked(body))
      }
    })

    it("403 before 400", async () => {
      const asked = (body: string) => post("/sms", body, credentials(target().readKey))
      for (const body of ["", "{}"]) expectEnvelope(await asked(body), 403, "FORBIDDEN")
      for (const body of ["{", "x".repeat(MAX_BODY_BYTES + 1)]) {
        if (host().rawBodies) expectEnvelope(await asked(body), 403, "FORBIDDEN")
        else expectUnreadable(await asked(body))
      }
      expect((await post("/sms/sdr", "{}", credentials(target().readKey))).status).toBe(200)
    })

    it("400 before 404", async () => {
      expectEnvelope(await post("/sms/webhook", '{"id":"unknown"}'), 400, "BAD_REQUEST")
      expectEnvelope(await post("/sms/webhook", '{"id":"unknown","status":"sent"}'), 404, "NOT_FOUND")
    })

    it("the outcome endpoint takes a key alone, and checks an account that is sent", async () => {
      const body = JSON.stringify({ id: await send(), status: "sent" })
      const headers = { ...JSON_TYPE, "x-api-key": target().key }
      expect((await ask({ method: "POST", path: "/sms/webhook", headers, body })).status).toBe(200)
      expectEnvelope(
        await ask({ method: "POST", path: "/sms/webhook", headers: { ...headers, "x-account-id": "acc_x" }, body }),
        401,
        "UNAUTHORIZED"
      )
    })
  })

  describe("paths and methods", () => {
    it.each([
      "/",
      "",
      "/nope",
      "/sms/",
      "/SMS",
      "//sms",
      "/sms//sdr",
      "/sms/../sms",
      "/./sms",
      "/sms/sdr/more",
      "/%2fsms",
      "/sms%2fsdr",
      "/%ZZ",
      "/%",
      "/%00",
      "/sms/%C3%28/sdr/x",
      "/a".repeat(2000),
      `/${"a".repeat(6000)}`
    ])("POST %j is no endpoint", async (path) => {
      expectNoEndpoint(await ask({ method: "POST", path, body: "{}" }), { method: "POST", path })
    })

    it.each(["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "SEARCH"])("%s /sms is none", async (method) => {
      expectNoEndpoint(await ask({ method, path: "/sms", headers: credentials() }), { method, path: "/sms" })
    })

    it("HEAD is none, also where GET is", async () => {
      const answer = await ask({ method: "HEAD", path: `/sms/${await send()}/sdr`, headers: credentials() })
      expect([answer.status, answer.text]).toEqual([404, ""])
    })

    it("ignores a query", async () => {
      expect((await post("/sms?to=%2B49&x[]=1&%ZZ", JSON.stringify(message()))).status).toBe(200)
    })

    it.each(["%00", "..%2f..", "a".repeat(99), "%F0%9F%92%A9", "0199a1c6", "'--"])(
      "there is no message %j",
      async (id) => {
        expectEnvelope(await ask({ method: "GET", path: `/sms/${id}/sdr`, headers: credentials() }), 404, "NOT_FOUND")
      }
    )

    it.each(["%ZZ", "a".repeat(3000)])("no message can be named %j", async (id) => {
      const path = `/sms/${id}/sdr`
      const answer = await ask({ method: "GET", path, headers: credentials() })
      if (!host().everyPath && id.length > 99) expectForeign(answer, [404, 414])
      else expectNoEndpoint(answer, { method: "GET", path })
    })
  })

  it("answers requests on one connection in their order", async () => {
    const one = (id: string, last: boolean) =>
      `GET ${new URL(target().baseUrl).pathname.replace(/\/$/, "")}/sms/none/sdr HTTP/1.1\r\nhost: x\r\nx-request-id: ${id}\r\n` +
      `${last ? "connection: close\r\n" : ""}\r\n`
    const ids = [1, 2, 3, 4].map((digit) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`)
    const answers = await askRaw(ids.map((id, index) => one(id, index === 3)).join(""))
    expect([...answers.matchAll(/^x-request-id: (\S+)/gim)].map(([, id]) => id)).toEqual(ids)
  })
}
