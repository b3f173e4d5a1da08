/**
 * What the interface does over any host, as a suite for vitest. An adapter starts the whole service behind
 * its host and runs it:
 *
 * ```ts
 * import { behaviour } from "@watchword/server/conformance/behaviour"
 *
 * behaviour("my host", async () => ({ baseUrl, account, key, readKey, close }))
 * ```
 */
import type { ErrorCode } from "@watchword/schemas/Errors"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, type Question, exchange, exchangeRaw } from "./exchange.ts"

/** A running service with one account. */
export interface Target {
  /** Where the interface is, for example `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string
  readonly account: string
  /** A sandbox key of the account with every scope. */
  readonly key: string
  /** A sandbox key of the account with the scope `sms:read` alone. */
  readonly readKey: string
  readonly close: () => Promise<void>
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const JSON_TYPE = { "content-type": "application/json" }
const MAX_BODY_BYTES = 65_536
const REFUSALS: ReadonlyArray<readonly [status: number, code: ErrorCode]> = [
  [400, "BAD_REQUEST"],
  [401, "UNAUTHORIZED"],
  [403, "FORBIDDEN"],
  [404, "NOT_FOUND"]
]

export const behaviour = (name: string, start: () => Promise<Target>): void => {
  describe(`the interface over ${name}`, () => {
    let target: Target
    beforeAll(async () => {
      target = await start()
    })
    afterAll(() => target.close())

    const ask = (question: Question) => exchange(target.baseUrl, question)

    const credentials = (key = target.key) => ({ "x-api-key": key, "x-account-id": target.account })

    const post = (path: string, body: Question["body"], headers: Question["headers"] = {}) =>
      ask({
        method: "POST",
        path,
        headers: { ...credentials(), ...JSON_TYPE, ...headers },
        ...(body === undefined ? {} : { body })
      })

    // Numbers differ, so that no send is taken for a repeat of another test's.
    let sent = 0
    const message = (more: object = {}) => ({
      to: `+49151${String(10_000_000 + sent++)}`,
      text: "Your code is 123456",
      from: "Watchword",
      ...more
    })

    const send = async () => {
      const { text } = await post("/sms", JSON.stringify(message()))
      return String(JSON.parse(text).messageId)
    }

    describe("correlation ids", () => {
      const given = "0C9D7E3A-1111-4222-8333-444455556666"

      it("come back as they were given, with successes and with errors", async () => {
        const success = await post("/sms", JSON.stringify(message()), { "x-request-id": given })
        expect(success.status).toBe(200)
        expect(success.headers["x-request-id"]).toBe(given)
        const failure = await post("/sms", "{", { "x-request-id": given })
        expect(failure.headers["x-request-id"]).toBe(given)
        expect(JSON.parse(failure.text)).toMatchObject({ error: "BAD_REQUEST", request_id: given })
      })

      it.each(["", "abc", `${given}0`, `${given}, ${given}`, "<script>", "0".repeat(2000)])(
        "are made where %j is sent",
        async (wrong) => {
          const answer = await post("/sms", "{", { "x-request-id": wrong })
          expectEnvelope(answer, 400, "BAD_REQUEST")
          expect(answer.text).not.toContain(wrong === "" ? '"""' : wrong)
        }
      )

      it("differ from request to request", async () => {
        const answers = await Promise.all([post("/sms", "{"), post("/sms", "{"), post("/nope", "{")])
        expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(3)
      })

      it("are made where two are sent", async () => {
        const answer = await post("/sms", "{", { "x-request-id": [given, given] })
        expect(answer.headers["x-request-id"]).not.toBe(given)
        expectEnvelope(answer, 400, "BAD_REQUEST")
      })
    })

    describe("the order of checks", () => {
      it.each([
        ["no headers at all", () => ({})],
        ["no account", () => ({ "x-api-key": target.key })],
        ["no key", () => ({ "x-account-id": target.account })],
        ["an unknown key", () => credentials(`${target.key.slice(0, -1)}${target.key.endsWith("A") ? "B" : "A"}`)],
        ["another account", () => ({ ...credentials(), "x-account-id": "acc_01KAJ3T8ZZ0000000000000000" })],
        ["the key twice", () => ({ ...credentials(), "x-api-key": [target.key, target.key] })]
      ])("401 before anything else: %s", async (_, headers) => {
        for (const body of ["{", "", "x".repeat(MAX_BODY_BYTES + 1)]) {
          expectEnvelope(
            await ask({ method: "POST", path: "/sms", headers: { ...JSON_TYPE, ...headers() }, body }),
            401,
            "UNAUTHORIZED"
          )
        }
      })

      it("403 before 400", async () => {
        for (const body of ["{", "{}", "x".repeat(MAX_BODY_BYTES + 1)]) {
          expectEnvelope(await post("/sms", body, credentials(target.readKey)), 403, "FORBIDDEN")
        }
        expect((await post("/sms/sdr", "{}", credentials(target.readKey))).status).toBe(200)
      })

      it("400 before 404", async () => {
        expectEnvelope(await post("/sms/webhook", '{"id":"unknown"}'), 400, "BAD_REQUEST")
        expectEnvelope(await post("/sms/webhook", '{"id":"unknown","status":"sent"}'), 404, "NOT_FOUND")
      })

      it("the outcome endpoint takes a key alone, and checks an account that is sent", async () => {
        const body = JSON.stringify({ id: await send(), status: "sent" })
        const headers = { ...JSON_TYPE, "x-api-key": target.key }
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
        expectEnvelope(await ask({ method: "POST", path, body: "{}" }), 404, "NOT_FOUND")
      })

      it.each(["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "SEARCH"])("%s /sms is none", async (method) => {
        expectEnvelope(await ask({ method, path: "/sms", headers: credentials() }), 404, "NOT_FOUND")
      })

      it("HEAD is none, also where GET is", async () => {
        const answer = await ask({ method: "HEAD", path: `/sms/${await send()}/sdr`, headers: credentials() })
        expect([answer.status, answer.text]).toEqual([404, ""])
      })

      it("ignores a query", async () => {
        expect((await post("/sms?to=%2B49&x[]=1&%ZZ", JSON.stringify(message()))).status).toBe(200)
      })

      it.each(["%00", "%ZZ", "..%2f..", "a".repeat(99), "a".repeat(3000), "%F0%9F%92%A9", "0199a1c6", "'--"])(
        "there is no message %j",
        async (id) => {
          expectEnvelope(await ask({ method: "GET", path: `/sms/${id}/sdr`, headers: credentials() }), 404, "NOT_FOUND")
        }
      )
    })

    describe("bodies", () => {
      it.each([
        ["nothing", undefined],
        ["an empty text", ""],
        ["spaces", "   "],
        ["half an object", '{"to":'],
        ["two objects", "{}{}"],
        ["null", "null"],
        ["an array", "[]"],
        ["a text", '"to"'],
        ["a number", "1"],
        ["NaN", "NaN"],
        ["a form", "to=%2B4915123456789&text=hi"],
        ["XML", "<to/>"],
        ["deep arrays", "[".repeat(30_000)],
        ["deep arrays, closed", "[".repeat(30_000) + "]".repeat(30_000)],
        ["deep objects", `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`],
        ["bytes that are not UTF-8", Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d)],
        ["UTF-16", Buffer.from("\ufeff{}", "utf16le")],
        ["zeros", new Uint8Array(64)],
        ["a prototype", '{"__proto__":{"to":"+4915123456789","text":"hi"}}']
      ])("%s is no message", async (_, body) => {
        const answer = await post("/sms", body)
        expectEnvelope(answer, 400, "BAD_REQUEST")
        expect(JSON.parse(answer.text).issues.length).toBeGreaterThan(0)
      })

      it.each([
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/xml",
        "multipart/form-data",
        "json",
        ";"
      ])("%j is no type for them", async (type) => {
        expectEnvelope(await post("/sms", JSON.stringify(message()), { "content-type": type }), 400, "BAD_REQUEST")
      })

      it.each([
        "application/json;charset=utf-8",
        "application/json; charset=UTF-8",
        "Application/JSON",
        'application/json; charset="utf-8"'
      ])("%j is one", async (type) => {
        expect((await post("/sms", JSON.stringify(message()), { "content-type": type })).status).toBe(200)
      })

      it("are not taken compressed or in another charset", async () => {
        expectEnvelope(
          await post("/sms", JSON.stringify(message()), { "content-encoding": "x-made-up" }),
          400,
          "BAD_REQUEST"
        )
        expectEnvelope(
          await post("/sms", JSON.stringify(message()), { "content-type": "application/json; charset=utf-16" }),
          400,
          "BAD_REQUEST"
        )
      })

      it("may begin with a byte order mark", async () => {
        expect((await post("/sms", `\ufeff${JSON.stringify(message())}`)).status).toBe(200)
      })

      it("may come in chunks that split a character", async () => {
        const bytes = Buffer.from(JSON.stringify(message({ text: "Dein Code für heute: 1€" })))
        const cut = bytes.indexOf(0xc3) + 1
        expect((await post("/sms", [bytes.subarray(0, cut), bytes.subarray(cut)])).status).toBe(200)
      })

      it("may have fields that nobody knows", async () => {
        const answer = await post("/sms", JSON.stringify(message({ sandbox: false, price: -1, __proto__x: {} })))
        expect(answer.status).toBe(200)
      })

      it(`may have ${MAX_BODY_BYTES} bytes and no more`, async () => {
        const padded = (size: number) => {
          const body = JSON.stringify(message({ padding: "" }))
          return body.replace('"padding":""', `"padding":"${"x".repeat(size - Buffer.byteLength(body))}"`)
        }
        expect((await post("/sms", padded(MAX_BODY_BYTES))).status).toBe(200)
        expectEnvelope(await post("/sms", padded(MAX_BODY_BYTES + 1)), 400, "BAD_REQUEST")
        expectEnvelope(await post("/sms", [Buffer.from(padded(MAX_BODY_BYTES + 1))]), 400, "BAD_REQUEST")
      })

      it("that are wrong are told which field is, and how to mend it", async () => {
        const { text } = await post("/sms", JSON.stringify({ to: "0151", from: "" }))
        const issues: ReadonlyArray<{ path: string; message: string }> = JSON.parse(text).issues
        expect(issues.map(({ path }) => path)).toEqual(["to", "text", "from"])
        for (const issue of issues) expect(issue.message).toMatch(/^(?:is required|must be )/)
      })

      it("are not repeated in errors", async () => {
        const { text } = await post("/sms", JSON.stringify(message({ to: "+4999SECRET", text: 778_899 })))
        expect(text).not.toMatch(/SECRET|778899/)
      })
    })

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

    it("answers requests on one connection in their order", async () => {
      const one = (id: string, last: boolean) =>
        `GET ${new URL(target.baseUrl).pathname}/sms/none/sdr HTTP/1.1\r\nhost: x\r\nx-request-id: ${id}\r\n` +
        `${last ? "connection: close\r\n" : ""}\r\n`
      const ids = [1, 2, 3, 4].map((digit) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`)
      const answers = await exchangeRaw(target.baseUrl, ids.map((id, index) => one(id, index === 3)).join(""))
      expect([...answers.matchAll(/^x-request-id: (\S+)/gim)].map(([, id]) => id)).toEqual(ids)
    })

    it("answers whatever comes with an envelope and never fails", async () => {
      const header = fc.stringMatching(/^[\x20-\x7e]{0,40}$/)
      const anything = fc.record({
        method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"),
        path: fc.oneof(
          fc.constantFrom("/sms", "/sms/sdr", "/sms/webhook", "/sms/x/sdr"),
          fc.stringMatching(/^\/[!-~]{0,60}$/).filter((path) => !path.includes("#"))
        ),
        headers: fc.record(
          {
            "x-api-key": fc.oneof(fc.constant("KEY"), header),
            "x-account-id": fc.oneof(fc.constant("ACCOUNT"), header),
            "x-request-id": fc.oneof(fc.uuid(), header),
            "idempotency-key": header,
            "x-forwarded-for": header,
            "content-type": fc.oneof(fc.constant("application/json"), header),
            "content-encoding": header,
            cookie: header
          },
          { requiredKeys: [] }
        ),
        body: fc.option(
          fc.oneof(
            fc.json(),
            fc.string(),
            fc.uint8Array({ maxLength: 200 }),
            fc
              .record({ to: fc.jsonValue(), text: fc.jsonValue(), id: fc.jsonValue() })
              .map((value) => JSON.stringify(value))
          ),
          { nil: undefined }
        )
      })
      await fc.assert(
        fc.asyncProperty(anything, async ({ method, path, headers, body }) => {
          const known = Object.fromEntries(
            Object.entries(headers).map(([header, value]) => [
              header,
              value === "KEY" ? target.key : value === "ACCOUNT" ? target.account : String(value)
            ])
          )
          const answer = await ask({ method, path, headers: known, ...(body === undefined ? {} : { body }) })
          if (answer.status === 200) return
          const refusal = REFUSALS.find(([status]) => status === answer.status)
          expect(refusal, `${answer.status} ${answer.text}`).toBeDefined()
          if (refusal !== undefined) expectEnvelope(answer, ...refusal)
        }),
        { numRuns: 150 }
      )
    })
  })
}

/** An error as the interface writes it: these fields and no others, and the id in the header too. */
const expectEnvelope = (answer: Answer, status: number, code: ErrorCode): void => {
  expect(answer.headers["content-type"]).toMatch(/^application\/json/)
  const { error, message, request_id: requestId, issues, ...others } = JSON.parse(answer.text)
  expect([answer.status, error, others]).toEqual([status, code, {}])
  expect(message).toMatch(/\w\.$/)
  expect(String(requestId).toLowerCase()).toMatch(UUID)
  expect(answer.headers["x-request-id"]).toBe(requestId)
  expect(Array.isArray(issues)).toBe(status === 400)
}
