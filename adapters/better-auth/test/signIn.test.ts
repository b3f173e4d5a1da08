import { delivery, verification } from "@watchword/better-auth"
import { afterEach, describe, expect, it, vi } from "vitest"
import { type App, type Settings, openApp } from "./app.ts"

const PHONE = "+4915123456789"
const SEND = "/phone-number/send-otp"
const VERIFY = "/phone-number/verify"

let app: App
const opened = async (settings?: Settings): Promise<App> => (app = await openApp(settings))

afterEach(async () => {
  vi.useRealTimers()
  await app.close()
})

const later = (seconds: number): void => {
  const at = Date.now() + seconds * 1_000
  vi.useFakeTimers({ toFake: ["Date"], now: at })
}

const wrong = (code: string): string => code.replace(/^./, (digit) => String((Number(digit) + 1) % 10))

const verify = (code: string, phone = PHONE) => app.post(VERIFY, { phoneNumber: phone, code })

describe("a sign-in by phone", () => {
  it("sends a code of the service, and makes user and session of it", async () => {
    await opened()
    expect(await app.post(SEND, { phoneNumber: PHONE })).toMatchObject({ status: 200, body: { message: "code sent" } })
    const verified = await verify(await app.codeAt(PHONE))
    expect(verified).toMatchObject({ status: 200, body: { status: true, user: { phoneNumber: PHONE } } })
    expect(await app.get("/get-session", verified.cookie)).toMatchObject({
      status: 200,
      body: { user: { phoneNumber: PHONE, phoneNumberVerified: true } }
    })
    const { list } = await app.service.verify.list(app.caller)
    expect(list).toMatchObject([{ status: "approved", purpose: "phone_number", to: PHONE }])
  })

  it("refuses a wrong code, and takes the right one after it", async () => {
    await opened()
    await app.post(SEND, { phoneNumber: PHONE })
    const code = await app.codeAt(PHONE)
    expect(await verify(wrong(code))).toMatchObject({ status: 400, body: { code: "INVALID_OTP" } })
    expect(await verify("abc")).toMatchObject({ status: 400, body: { code: "INVALID_OTP" } })
    expect((await verify(code)).status).toBe(200)
  })

  it("takes the code as an Arabic keyboard types it, and no guess for what is no code", async () => {
    await opened({ start: { max_checks: 1 } })
    await app.post(SEND, { phoneNumber: PHONE })
    const code = await app.codeAt(PHONE)
    expect(await verify("\u2460\u2461\u2462\u2463")).toMatchObject({ status: 400, body: { code: "INVALID_OTP" } })
    const typed = code.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
    expect((await verify(`\u200f${typed}\n`)).status).toBe(200)
  })

  it("takes a code once", async () => {
    await opened()
    await app.post(SEND, { phoneNumber: PHONE })
    const code = await app.codeAt(PHONE)
    expect((await verify(code)).status).toBe(200)
    expect(await verify(code)).toMatchObject({ status: 400, body: { code: "OTP_NOT_FOUND" } })
  })

  it("has no guesses after the last one, not even for the right code", async () => {
    await opened({ start: { max_checks: 2 } })
    await app.post(SEND, { phoneNumber: PHONE })
    const code = await app.codeAt(PHONE)
    expect(await verify(wrong(code))).toMatchObject({ status: 400, body: { code: "INVALID_OTP" } })
    expect(await verify(wrong(code))).toMatchObject({ status: 400, body: { code: "INVALID_OTP" } })
    expect(await verify(code)).toMatchObject({ status: 403, body: { code: "TOO_MANY_ATTEMPTS" } })
  })

  it("refuses a code that has expired", async () => {
    await opened({ start: () => ({ ttl: 60 }) })
    await app.post(SEND, { phoneNumber: PHONE })
    const code = await app.codeAt(PHONE)
    later(61)
    expect(await verify(code)).toMatchObject({ status: 400, body: { code: "OTP_EXPIRED" } })
  })

  it("refuses a code where none was sent", async () => {
    await opened()
    expect(await verify("123456")).toMatchObject({ status: 400, body: { code: "OTP_NOT_FOUND" } })
  })

  it("sends the same code again, at the earliest half a minute later", async () => {
    await opened()
    await app.post(SEND, { phoneNumber: PHONE })
    const code = await app.codeAt(PHONE)
    const early = await app.post(SEND, { phoneNumber: PHONE })
    expect(early).toMatchObject({ status: 429, body: { code: "OTP_SENT_RECENTLY", retryAfter: expect.any(Number) } })
    expect(Number(early.retryAfter)).toBeGreaterThan(0)
    later(31)
    expect((await app.post(SEND, { phoneNumber: PHONE })).status).toBe(200)
    const { messages } = await app.service.sandbox.inbox(app.caller, { to: PHONE })
    expect(messages.map((message) => message.code)).toEqual([code, code])
  })

  it("says that no code can be sent where the balance is too small, and tells the log why", async () => {
    await opened()
    const reply = await app.post(SEND, { phoneNumber: "+491512340402" })
    expect(reply).toMatchObject({ status: 503, body: { code: "OTP_NOT_SENT" } })
    expect(reply.body).toEqual({ code: "OTP_NOT_SENT", message: "No code can be sent at the moment" })
    expect(app.log.join()).toContain("balance is too small")
    expect(app.log.join()).not.toContain("491512340402")
  })

  it("says so where no gateway is there", async () => {
    await opened({ sandbox: false })
    expect(await app.post(SEND, { phoneNumber: PHONE })).toMatchObject({ status: 503, body: { code: "OTP_NOT_SENT" } })
  })

  it("refuses a number that is not valid", async () => {
    await opened()
    const reply = await app.post(SEND, { phoneNumber: "0151 2345" })
    expect(reply).toMatchObject({ status: 400, body: { code: "INVALID_PHONE_NUMBER" } })
    expect(await verify("123456", "0151 2345")).toMatchObject({ status: 400, body: { code: "INVALID_PHONE_NUMBER" } })
  })
})

describe("a sign-in that a rule is against", () => {
  it("is refused without saying which", async () => {
    const workflow = [{ channel: "sms", timeout: 60 }] as const
    await opened({ sandbox: false, start: { workflow }, guards: { action: "deny", countries: { allow: ["AT"] } } })
    const reply = await app.post(SEND, { phoneNumber: PHONE })
    expect(reply).toMatchObject({ status: 403, body: { code: "PHONE_NUMBER_REFUSED" } })
    expect(JSON.stringify(reply)).not.toContain("country")
  })
})

describe("a client of a server elsewhere", () => {
  it("is asked in the same way, with the address of the user's device", async () => {
    const asked: Array<object> = []
    await opened({
      plugin: ({ caller, service: { verify } }) => {
        const client = {
          verify: {
            start: (body: Parameters<typeof verify.start>[1]) => (asked.push(body), verify.start(caller, body)),
            check: (subject: Parameters<typeof verify.check>[1], entered: Parameters<typeof verify.check>[2]) =>
              verify.check(caller, subject, entered)
          }
        }
        return verification({ client, start: ({ purpose }) => ({ template: "default", client_ref: purpose }) })
      }
    })
    await app.post(SEND, { phoneNumber: PHONE })
    expect(asked).toEqual([
      {
        to: PHONE,
        purpose: "phone_number",
        template: "default",
        client_ref: "phone_number",
        client_ip: expect.stringMatching(/^[0-9a-f.:]+$/)
      }
    ])
    expect((await verify(await app.codeAt(PHONE))).status).toBe(200)
  })
})

describe("a password reset by phone", () => {
  const RESET = "/phone-number/reset-password"

  it("takes the code that was sent for it alone", async () => {
    await opened()
    await app.post(SEND, { phoneNumber: PHONE })
    expect((await verify(await app.codeAt(PHONE))).status).toBe(200)
    await app.post(SEND, { phoneNumber: PHONE })
    const signIn = await app.codeAt(PHONE)
    expect((await app.post("/phone-number/request-password-reset", { phoneNumber: PHONE })).status).toBe(200)
    const reset = await app.codeAt(PHONE)
    const newPassword = "correct horse battery"
    expect(await app.post(RESET, { phoneNumber: PHONE, otp: signIn, newPassword })).toMatchObject({
      status: 400,
      body: { code: "INVALID_OTP" }
    })
    expect(await verify(reset)).toMatchObject({ status: 400, body: { code: "INVALID_OTP" } })
    expect((await app.post(RESET, { phoneNumber: PHONE, otp: reset, newPassword })).status).toBe(200)
    const signedIn = await app.post("/sign-in/phone-number", { phoneNumber: PHONE, password: newPassword })
    expect(signedIn).toMatchObject({ status: 200, body: { user: { phoneNumber: PHONE } } })
  })
})

describe("delivery of better-auth's own codes", () => {
  it("signs a user in with the code that better-auth has made, and no earlier one", async () => {
    await opened({ plugin: (options) => ({ ...delivery(options), expiresIn: 600 }) })
    await app.post(SEND, { phoneNumber: PHONE })
    const first = await app.codeAt(PHONE)
    expect(await app.post(SEND, { phoneNumber: PHONE })).toMatchObject({
      status: 429,
      body: { code: "OTP_SENT_RECENTLY" }
    })
    later(31)
    expect((await app.post(SEND, { phoneNumber: PHONE })).status).toBe(200)
    const second = await app.codeAt(PHONE)
    expect(second).not.toBe(first)
    expect(await verify(first)).toMatchObject({ status: 400, body: { code: "INVALID_OTP" } })
    expect((await verify(second)).status).toBe(200)
  })

  it("leaves limits and expiry to better-auth", async () => {
    await opened({ plugin: (options) => ({ ...delivery(options), allowedAttempts: 1 }) })
    await app.post(SEND, { phoneNumber: PHONE })
    const code = await app.codeAt(PHONE)
    expect(await verify(wrong(code))).toMatchObject({ status: 400, body: { code: "INVALID_OTP" } })
    expect(await verify(code)).toMatchObject({ status: 403, body: { code: "TOO_MANY_ATTEMPTS" } })
  })

  it("says so where nothing can be sent", async () => {
    await opened({ plugin: delivery })
    expect(await app.post(SEND, { phoneNumber: "+491512340402" })).toMatchObject({
      status: 503,
      body: { code: "OTP_NOT_SENT" }
    })
  })
})
