/**
 * The Telegram Gateway as a client of it meets it: calls over HTTP, and reports at a receiver that checks signatures.
 */
import { type TelegramScript, telegramApi, telegramError } from "@watchword/sandbox/http"
import { verifyCallback } from "@watchword/callback-signature"
import { afterEach, describe, expect, it } from "vitest"
import { receiver } from "./receiver.ts"

const TOKEN = "AAEAtoken"
const NUMBER = "+4915123456789"

const started: Array<{ readonly stop: () => Promise<void> }> = []
afterEach(() => Promise.all(started.splice(0).map((each) => each.stop())))

const start = async (script: Partial<TelegramScript> = {}, options: Parameters<typeof telegramApi>[0] = {}) => {
  const platform = await telegramApi({ token: TOKEN, retry: 5, ...options, script })
  started.push(platform)
  const call = async (method: string, fields: Record<string, string>, token = TOKEN) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const body = JSON.stringify(fields)
    const response = await fetch(`${platform.url()}/${method}`, { method: "POST", headers, body })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  const send = (fields: Record<string, string> = {}) =>
    call("sendVerificationMessage", { phone_number: NUMBER, code: "123456", ttl: "60", ...fields })
  return { call, platform, send }
}

const receive = async (answers: ReadonlyArray<number> = []) => {
  const receiving = await receiver(answers)
  started.push(receiving)
  return receiving
}

describe("a Telegram Gateway", () => {
  it("sends a code, and holds what is entered against it three times", async () => {
    const { call, platform, send } = await start()
    const { result } = (await send({ payload: "mine" })).body
    expect(result).toMatchObject({
      phone_number: "4915123456789",
      delivery_status: { status: "sent" },
      payload: "mine"
    })
    const check = async (code: string) =>
      (await call("checkVerificationStatus", { request_id: result.request_id, code })).body.result.verification_status
        .status
    expect([await check("1"), await check("2"), await check("3"), await check("123456")]).toEqual([
      "code_invalid",
      "code_invalid",
      "code_max_attempts_exceeded",
      "code_max_attempts_exceeded"
    ])
    expect(platform.requests.get(result.request_id)).toMatchObject({ to: NUMBER, code: "123456", delivery: "read" })
  })

  it("takes a form, sends a code under the request of a probe, once, and takes it back", async () => {
    const { call, platform, send } = await start()
    const probe = await fetch(`${platform.url()}/checkSendAbility`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}` },
      body: new URLSearchParams({ phone_number: NUMBER })
    })
    const { request_id } = JSON.parse(await probe.text()).result
    expect((await send({ request_id })).body.result.request_id).toBe(request_id)
    expect((await send({ request_id })).body).toEqual({ ok: false, error: "MESSAGE_ALREADY_SENT" })
    expect((await call("revokeVerificationMessage", { request_id })).body).toEqual({ ok: true, result: true })
    expect(platform.requests.get(request_id)).toMatchObject({ delivery: "revoked", isRefunded: true })
  })

  it.each([
    ["another token", {}, "another", "ACCESS_TOKEN_INVALID"],
    ["no number", { phone_number: "4915" }, TOKEN, "PHONE_NUMBER_INVALID"],
    ["a number without an account", { phone_number: "+4915123450003" }, TOKEN, "PHONE_NUMBER_NOT_AVAILABLE"],
    ["another number than the request's", { request_id: "1000000001" }, TOKEN, "PHONE_NUMBER_MISMATCH"],
    ["a request that it does not know", { request_id: "7" }, TOKEN, "REQUEST_ID_INVALID"],
    ["no code", { code: "12ab" }, TOKEN, "CODE_INVALID"],
    ["too short a life", { ttl: "29" }, TOKEN, "TTL_INVALID"],
    ["too long a payload", { payload: "x".repeat(129) }, TOKEN, "PAYLOAD_INVALID"]
  ])("refuses %s", async (_name, fields, token, error) => {
    const { call } = await start({ hasAccount: (to) => !to.endsWith("0003") })
    await call("checkSendAbility", { phone_number: "+4915123456780" })
    const message = { phone_number: NUMBER, code: "123456", ttl: "60", ...fields }
    expect(await call("sendVerificationMessage", message, token)).toEqual({ status: 200, body: { ok: false, error } })
  })

  it("lets codes expire by its clock", async () => {
    let now = 1_700_000_000
    const { call, send } = await start({}, { now: () => now })
    const { request_id } = (await send()).body.result
    const status = async () => (await call("checkVerificationStatus", { request_id })).body.result.verification_status
    now += 59
    expect(await status()).toBeUndefined()
    now += 1
    expect(await status()).toEqual({ status: "expired", updated_at: now })
  })

  it("throttles, keeps silent, drops and breaks off, as it is asked to for the next calls", async () => {
    const { platform, send } = await start()
    platform.once(telegramError("FLOOD_WAIT_5", 420), "drop", "break off", { status: 502, body: "<html>" })
    expect(await send()).toEqual({ status: 420, body: { ok: false, error: "FLOOD_WAIT_5" } })
    await expect(send()).rejects.toThrow()
    await expect(send()).rejects.toThrow()
    await expect(send()).rejects.toThrow(SyntaxError)
    expect(platform.requests.size).toBe(0)
    platform.once("silence")
    const silent = send()
    await platform.until(() => platform.calls.length === 5)
    await platform.stop()
    await expect(silent).rejects.toThrow()
  })

  it("may take a message and answer otherwise, or late", async () => {
    const { platform, send } = await start({
      answer: (_call, take) => {
        take()
        return "drop"
      }
    })
    await expect(send()).rejects.toThrow()
    expect(platform.requests.size).toBe(1)
    const order: Array<string> = []
    platform.script.answer = () => ({ after: 30 })
    const late = send().then(({ body }) => order.push(`answered ${body.ok}`))
    await platform.until(() => platform.requests.size === 2)
    order.push("taken")
    await late
    expect(order).toEqual(["taken", "answered true"])
  })

  it("signs its reports, sends them one after the other, and each until it is taken", async () => {
    const { got, url } = await receive([500, 204, 200])
    const heard: Array<number | null> = []
    const { platform, send } = await start({
      reports: () => [{ delivery: "delivered" }, { after: 1, delivery: "read", verification: "code_valid" }],
      acknowledged: (_request, status) => heard.push(status)
    })
    await send({ callback_url: url, payload: "mine" })
    await platform.until(() => heard.length === 3)
    expect(heard).toEqual([500, 204, 200])
    expect(platform.acknowledgements).toEqual(heard)
    const events = await Promise.all(
      got.map(({ body, headers }) => verifyCallback(body, headers, { accessToken: TOKEN }))
    )
    expect(events.map(({ delivery_status }) => delivery_status?.status)).toEqual(["delivered", "delivered", "read"])
    expect(events[2]).toMatchObject({ payload: "mine", verification_status: { status: "code_valid" } })
  })

  it("reports by hand, and forges where a test wants it to", async () => {
    const { got, url } = await receive()
    const { platform, send } = await start({}, { callbackUrl: url })
    const { request_id } = (await send()).body.result
    expect(await platform.report(request_id, { isRefunded: true }, { token: "another" })).toBe(200)
    const [event] = got
    await expect(verifyCallback(event?.body ?? "", event?.headers ?? {}, { accessToken: TOKEN })).rejects.toThrow()
    platform.forget(request_id)
    await expect(platform.report(request_id, {})).rejects.toThrow(`Request ${request_id}`)
  })

  it("keeps no more than it is asked to", async () => {
    const { platform, send } = await start({}, { keep: 2 })
    for (const code of ["1111", "2222", "3333"]) await send({ code })
    expect(platform.calls.map(({ body }) => body["code"])).toEqual(["2222", "3333"])
    expect([...platform.requests.values()].map(({ code }) => code)).toEqual(["2222", "3333"])
  })
})
