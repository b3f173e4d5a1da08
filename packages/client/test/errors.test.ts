import * as client from "@watchword/client"
import { type AnyWatchwordError, type Fetch, WatchwordError, createClient, isWatchwordError } from "@watchword/client"
import * as Errors from "@watchword/schemas/Errors"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { startService } from "../../../test/client/service.ts"
import { freePort } from "../../../test/freePort.ts"

const given = { baseUrl: "https://otp.example.com/v1", apiKey: "sk_test_secret", accountId: "acc_1", retries: 0 }
const message = { to: "+4915123456789", text: "Your code is 123456" }

/** The error of a send that is answered so. */
const errorOf = async (fetch: Fetch, options: client.KeyedOptions = {}): Promise<AnyWatchwordError> => {
  const error: unknown = await createClient({ ...given, fetch })
    .sms.send(message, options)
    .catch((error: unknown) => error)
  if (!isWatchwordError(error)) throw error
  return error
}

const answering =
  (body: BodyInit, status: number, headers: Record<string, string> = {}): Fetch =>
  () =>
    Promise.resolve(new Response(body, { status, headers }))

const codes: ReadonlyArray<readonly [Errors.ErrorCode, number, string]> = [
  ["BAD_REQUEST", 400, "BadRequest"],
  ["UNAUTHORIZED", 401, "Unauthorized"],
  ["PAYMENT_REQUIRED", 402, "PaymentRequired"],
  ["FORBIDDEN", 403, "Forbidden"],
  ["NOT_FOUND", 404, "NotFound"],
  ["CONFLICT", 409, "Conflict"],
  ["TOO_MANY_REQUESTS", 429, "TooManyRequests"],
  ["TEMPORARY_UNAVAILABLE", 480, "TemporaryUnavailable"],
  ["BUSY_HERE", 486, "BusyHere"],
  ["INTERNAL_SERVER_ERROR", 500, "InternalServerError"],
  ["SERVICE_UNAVAILABLE", 503, "ServiceUnavailable"]
]

describe("an answer is an error", () => {
  it.each(codes)("%s, with the status %i, by the name that the service has for it", async (code, status, name) => {
    const error = await errorOf(
      answering(JSON.stringify({ error: code, message: "A sentence.", request_id: "of the body" }), status, {
        "x-request-id": "of the header"
      }),
      { idempotencyKey: "signup-1" }
    )
    expect(error).toBeInstanceOf(WatchwordError)
    expect(error).toBeInstanceOf(Reflect.get(client, name))
    expect(error).toMatchObject({
      name: code,
      code,
      status,
      message: "A sentence.",
      requestId: "of the header",
      idempotencyKey: "signup-1"
    })
    expect(typeof Reflect.get(Errors, name)).toBe("function")
  })

  it("by its code, where a host has no room for the status", async () => {
    const body = JSON.stringify({ error: "DECLINE", message: "The recipient declined the call." })
    const error = await errorOf(answering(body, 486, { "x-status": "603" }))
    expect(error).toBeInstanceOf(client.Decline)
    expect(error).toMatchObject({ code: "DECLINE", status: 603 })
  })

  it("with its issues, its reason and its seconds", async () => {
    const issues = [{ path: "to", message: "must be E.164" }]
    expect(
      await errorOf(answering(JSON.stringify({ error: "BAD_REQUEST", message: "No.", issues }), 400))
    ).toMatchObject({
      issues
    })
    const limit = {
      error: "TOO_MANY_REQUESTS",
      message: "No.",
      reason: "limit_ip",
      retry_after: 70,
      remaining: { limit_ip: 0 }
    }
    expect(await errorOf(answering(JSON.stringify(limit), 429))).toMatchObject({
      reason: "limit_ip",
      retryAfter: 70,
      remaining: { limit_ip: 0 }
    })
    const {
      issues: none,
      reason,
      remaining,
      retryAfter
    } = await errorOf(
      answering(JSON.stringify({ error: "TOO_MANY_REQUESTS", message: "No." }), 429, { "retry-after": "9" })
    )
    expect([none, reason, remaining, retryAfter]).toEqual([undefined, undefined, undefined, 9])
  })

  it.each([
    ["a proxy's page", "<html>Bad gateway</html>", 502],
    ["a code that is not known", JSON.stringify({ error: "TEAPOT", message: "Short and stout." }), 418],
    ["an error that is named like what objects inherit", JSON.stringify({ error: "constructor" }), 400],
    ["no body", "", 504],
    ["null", "null", 500],
    ["an array", "[]", 500],
    [
      "fields of other kinds",
      JSON.stringify({ error: 7, message: {}, issues: 1, remaining: "1", retry_after: "1" }),
      500
    ]
  ])("UNEXPECTED_ANSWER for %s", async (_, body, status) => {
    const error = await errorOf(answering(body, status))
    expect(error).toBeInstanceOf(client.UnexpectedAnswer)
    expect(error).toMatchObject({ code: "UNEXPECTED_ANSWER", status })
  })

  it("UNEXPECTED_ANSWER for a page that is no answer at all", async () => {
    expect(await errorOf(answering("<html>Welcome</html>", 200))).toMatchObject({
      code: "UNEXPECTED_ANSWER",
      status: 200
    })
  })

  it("UNEXPECTED_ANSWER for a redirect", async () => {
    const error = await errorOf(answering("", 307, { location: "https://elsewhere.example" }))
    expect(error).toMatchObject({
      code: "UNEXPECTED_ANSWER",
      status: 307,
      message: expect.stringContaining("redirect")
    })
  })
})

it("any answer is a value or an error", async () => {
  const field = fc.oneof(fc.constantFrom(...codes.map(([code]) => code)), fc.jsonValue())
  const envelope = fc.record(
    { error: field, message: field, issues: field, reason: field, retry_after: field, remaining: field },
    { requiredKeys: [] }
  )
  const body = fc.oneof(envelope, fc.jsonValue()).map((value) => JSON.stringify(value))
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(body, fc.string()),
      fc.integer({ min: 200, max: 599 }).filter((status) => ![204, 205, 304].includes(status)),
      async (text, status) => {
        const fetch = answering(text, status)
        const outcome: unknown = await createClient({ ...given, fetch })
          .sms.send(message)
          .then(
            () => "a value",
            (error: unknown) => error
          )
        expect(outcome === "a value" ? status < 300 : isWatchwordError(outcome)).toBe(true)
      }
    )
  )
})

describe("without an answer", () => {
  it("a connection that fails is CONNECTION_FAILED, with its cause", async () => {
    const cause = new TypeError("fetch failed")
    const error = await errorOf(() => Promise.reject(cause), { requestId: "0c9d7e3a-1111-4222-8333-444455556666" })
    expect(error).toBeInstanceOf(client.ConnectionFailed)
    expect(error).toMatchObject({
      code: "CONNECTION_FAILED",
      status: undefined,
      cause,
      requestId: "0c9d7e3a-1111-4222-8333-444455556666",
      idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/)
    })
  })

  it("time that is up is TIMED_OUT", async () => {
    const error = await errorOf(untilAborted, { timeout: 0.005 })
    expect(error).toBeInstanceOf(client.TimedOut)
    expect(error).toMatchObject({ code: "TIMED_OUT", idempotencyKey: expect.any(String) })
  })

  it("an abort is its own reason", async () => {
    const reason = new Error("the user has left")
    const controller = new AbortController()
    const sent = createClient({ ...given, fetch: untilAborted }).sms.send(message, { signal: controller.signal })
    controller.abort(reason)
    await expect(sent).rejects.toBe(reason)
    await expect(
      createClient({ ...given, fetch: untilAborted }).sms.send(message, { signal: AbortSignal.abort(reason) })
    ).rejects.toBe(reason)
  })
})

const untilAborted: Fetch = (_, { signal }) =>
  new Promise((_, reject) => {
    if (signal?.aborted === true) reject(signal.reason)
    signal?.addEventListener("abort", () => reject(signal.reason))
  })

describe("options that cannot be used are a TypeError that names them", () => {
  it.each([
    [{ baseUrl: "otp.example.com/v1" }, "baseUrl"],
    [{ baseUrl: "ftp://otp.example.com" }, "baseUrl"],
    [{ baseUrl: "https://me:hidden@otp.example.com" }, "baseUrl"],
    [{ apiKey: "" }, "apiKey"],
    [{ apiKey: "sk_live_hidden\n" }, "apiKey"],
    [{ accountId: "a b" }, "accountId"]
  ])("%o", (wrong, named) => {
    const make = () => createClient({ ...given, ...wrong })
    expect(make).toThrow(TypeError)
    expect(make).toThrow(named)
    expect(make).not.toThrow("hidden")
  })

  it("of a call, before anything is sent", async () => {
    const { sms } = createClient({ ...given, fetch: () => Promise.reject(new Error("sent")) })
    await expect(sms.send(message, { idempotencyKey: "a b" })).rejects.toThrow(/^idempotencyKey must/)
    await expect(sms.get("x", { requestId: "7" })).rejects.toThrow("requestId must be a UUID")
  })
})

describe("options that are not there", () => {
  it.each([
    [undefined, "createClient needs baseUrl, which is undefined; is its environment variable set?"],
    [{}, "createClient needs baseUrl, which is undefined; is its environment variable set?"],
    [
      { url: "https://hidden.example" },
      "createClient has no option url; did you mean baseUrl? Its options are baseUrl, "
    ],
    [{ ...given, api_key: "hidden" }, "createClient has no option api_key; did you mean apiKey? "],
    [{ ...given, proxy: "hidden" }, "createClient has no option proxy. Its options are baseUrl, apiKey, accountId, "],
    [
      { ...given, apiKey: undefined },
      "createClient needs apiKey, which is undefined; is its environment variable set?"
    ],
    [{ ...given, accountId: undefined }, "createClient needs accountId, which is undefined; is its"],
    [{ ...given, accountId: "" }, "createClient needs accountId, which is empty; is its environment variable set?"],
    [{ ...given, apiKey: 7 }, "apiKey must be a text, and is a number"]
  ])("are named: %#", (options, message) => {
    expect(() => Reflect.apply(createClient, undefined, [options])).toThrow(TypeError)
    expect(() => Reflect.apply(createClient, undefined, [options])).toThrow(message)
  })
})

describe("an address that is not the service's", () => {
  const outcome = async (baseUrl: string): Promise<unknown> =>
    createClient({ ...given, baseUrl })
      .sms.send(message)
      .catch((error: unknown) => error)

  it("is named in words", async () => {
    const running = await startService()
    const wrong = running.baseUrl.slice(0, -"/v1".length)
    expect(await outcome(wrong)).toMatchObject({
      status: 404,
      message: expect.stringContaining(`Does ${wrong} lack the version, such as /v1?`)
    })
    const missing: unknown = await running
      .sandbox({ retries: 0 })
      .sms.get("unknown")
      .catch((error: unknown) => error)
    expect(missing).toMatchObject({ code: "NOT_FOUND", message: expect.not.stringContaining("/v1") })
    const https = await outcome(running.baseUrl.replace("http:", "https:"))
    expect(https).toMatchObject({
      code: "CONNECTION_FAILED",
      message: expect.stringMatching(/ failed: ERR_SSL_\w+, no TLS is spoken there; is it http:\/\/\?$/)
    })
    await running.close()
    expect(await outcome(`http://127.0.0.1:${await freePort()}/v1`)).toMatchObject({
      message: expect.stringMatching(/ failed: ECONNREFUSED\.$/)
    })
  })
})
