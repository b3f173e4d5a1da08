import { start } from "@watchword/worker/local"
import { ACCOUNT, AUTH_TOKEN, twilio } from "../../../packages/sms/test/http/dialects.ts"
import { holdReceipts, startProvider } from "../../../packages/sms/test/http/simulator.ts"
import { until } from "../../../test/until.ts"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

describe("the Worker", () => {
  const OPERATOR_TOKEN = "only the operator knows"
  let running: Awaited<ReturnType<typeof start>>
  let provider: Awaited<ReturnType<typeof startProvider>>
  beforeAll(async () => {
    provider = await startProvider(twilio)
    holdReceipts(provider)
    running = await start({
      port: 0,
      secrets: {
        OPERATOR_TOKEN,
        VERIFY_SECRET: "0123456789abcdef".repeat(4),
        TWILIO_ACCOUNT_SID: ACCOUNT,
        TWILIO_AUTH_TOKEN: AUTH_TOKEN,
        TWILIO_URL: provider.url(),
        PUBLIC_URL: "https://otp.example.com"
      }
    })
  })
  afterAll(async () => {
    await running.close()
    await provider.stop()
  })

  const ask = async (path: string, body: object | null, headers: Record<string, string>) => {
    const response = await fetch(`${running.origin}${path}`, {
      method: body === null ? "GET" : "POST",
      headers: { "content-type": "application/json", ...headers },
      ...(body === null ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }

  const operate = (path: string, body: object, token = OPERATOR_TOKEN) =>
    ask(`/operator/${path}`, body, { authorization: `Bearer ${token}` })

  const newKey = async (sandbox: boolean) => {
    const { account_id } = (await operate("accounts", { name: "Acme", sms_sender: "Acme" })).body
    const { key, key_id } = (await operate("keys", { account_id, sandbox })).body
    return { account_id, key_id, headers: { "x-account-id": account_id, "x-api-key": key } }
  }

  it("sends a text in the sandbox, which arrives", async () => {
    const { headers } = await newKey(true)
    const sent = await ask("/v1/sms", { to: "+4915123456789", text: "Your code is 123456" }, headers)
    expect(sent).toMatchObject({ status: 200, body: { from: "Acme" } })
    const record = () => ask(`/v1/sms/${sent.body.messageId}/sdr`, null, headers)
    await until(record, ({ body }) => body.status === "delivered")
  })

  it("sends a live text by Twilio, and takes its receipt when Twilio has signed it", async () => {
    const { headers } = await newKey(false)
    const sent = await ask("/v1/sms", { to: "+4915123450000", text: "Your code is 123456" }, headers)
    expect(sent).toMatchObject({ status: 200, body: { from: "Acme" } })
    const status = async () => (await ask(`/v1/sms/${sent.body.messageId}/sdr`, null, headers)).body.status
    const [text] = provider.texts
    if (text === undefined) throw new Error("Twilio was not asked")
    expect(text.callbackUrl).toMatch(
      /^https:\/\/otp\.example\.com\/v1\/sms\/events\?reference=\d+&delivery=[0-9A-Z]{26}$/
    )
    const receipt = provider.dialect.receipt(text, "delivered")
    const url = `${running.origin}/v1/sms/events${new URL(receipt.url).search}`
    expect(await provider.post({ ...receipt, url, body: receipt.body.replace("delivered", "failed") })).toBe(401)
    expect(await status()).toBe("sent")
    expect(await provider.post({ ...receipt, url })).toBe(200)
    expect(await status()).toBe("delivered")
  })

  it("holds the price of a live text whose answer is lost, and asks Twilio once", async () => {
    const { headers } = await newKey(false)
    const asked = provider.calls.length
    provider.once("drop")
    const sent = await ask("/v1/sms", { to: "+4915123450000", text: "Your code is 123456" }, headers)
    expect([sent.status, sent.body.error]).toEqual([480, "TEMPORARY_UNAVAILABLE"])
    expect(provider.calls).toHaveLength(asked + 1)
  })

  it("sends a code by chat in the sandbox, and tells the right one from others", async () => {
    const { headers } = await newKey(true)
    const { body } = await ask("/v1/chatgw", { to: "+4915123456789", code: "482913" }, headers)
    const check = async (code: string) => {
      const checked = await ask("/v1/chatgw/check-verification-status", { request_id: body.request_id, code }, headers)
      return checked.body.verification_status.status
    }
    expect([await check("111111"), await check("482913")]).toEqual(["code_invalid", "code_valid"])
  })

  it("verifies a number in the sandbox", async () => {
    const { headers } = await newKey(true)
    const to = "+4915123456789"
    const started = await ask("/v1/verifications", { to }, headers)
    expect(started).toMatchObject({ status: 200, body: { to, status: "pending" } })
    const { body } = await ask("/v1/sandbox/inbox", null, headers)
    const checked = await ask("/v1/verifications/check", { to, code: body.messages[0].code }, headers)
    expect(checked).toMatchObject({ status: 200, body: { valid: true, verification_id: started.body.id } })
  })

  it("verifies with the operator's brand and text", async () => {
    const { account_id, headers } = await newKey(true)
    await operate("defaults", { account_id, brand: "Acme", locale: "de" })
    const template = { account_id, name: "default", locale: "de", text: "{{brand}}: {{code}}" }
    expect(await operate("templates", template)).toMatchObject({ status: 200 })
    expect(await operate("templates", { ...template, text: "Acme" })).toMatchObject({ status: 400 })
    await ask("/v1/verifications", { to: "+4915123456789", workflow: [{ channel: "sms", timeout: 60 }] }, headers)
    const { body } = await ask("/v1/sandbox/inbox", null, headers)
    expect(body.messages[0].text).toMatch(/^Acme: [0-9]{6}$/)
  })

  it("keeps money, and answers live keys 503 where it has no gateway", async () => {
    const { account_id, headers } = await newKey(false)
    expect((await operate("credits", { account_id, amount: "12.50" })).body.available).toBe(12.5)
    const sent = await ask("/v1/chatgw", { to: "+4915123456789", code: "482913" }, headers)
    expect([sent.status, sent.body.error]).toEqual([503, "SERVICE_UNAVAILABLE"])
  })

  it("lets only the operator make accounts", async () => {
    expect((await operate("accounts", { name: "Eve" }, "a guess")).status).toBe(401)
    expect((await ask("/operator/accounts", {}, {})).status).toBe(401)
    expect((await operate("nothing", {})).status).toBe(404)
    expect(await operate("credits", { account_id: "unknown", amount: 1 })).toMatchObject({ status: 400 })
  })

  it("knows no key that was revoked", async () => {
    const { headers, key_id } = await newKey(true)
    expect((await ask("/v1/sms/sdr", {}, headers)).status).toBe(200)
    await operate("revocations", { key_id })
    expect((await ask("/v1/sms/sdr", {}, headers)).status).toBe(401)
  })

  it("is looked after by its cron trigger", async () => {
    const response = await fetch(`${running.origin}/cdn-cgi/handler/scheduled`)
    expect(await response.text()).toBe("ok")
  })
})
