/** Twilio's own SDK for Node, unmodified, against the door on a socket. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { PHONE, type World, openWorld, refusalOf } from "./fixture.ts"

let world: World

beforeEach(async () => {
  world = await openWorld()
})

afterEach(() => world.close())

const start = (channel = "sms", more: object = {}) =>
  world.client.verify.v2.services(world.va).verifications.create({ to: PHONE, channel, ...more })

const check = (code: string, more: object = { to: PHONE }) =>
  world.client.verify.v2.services(world.va).verificationChecks.create({ code, ...more })

const fetched = (sid: string) => world.client.verify.v2.services(world.va).verifications(sid).fetch()

const wrongFor = (code: string) => (code === "000000" ? "000001" : "000000")

const LATER = 31_000
const MISSING = /^The requested resource \/v2\/Services\/VA[0-9a-f]{32}\/.+ was not found$/

describe("Twilio's SDK", () => {
  it("starts a verification, whose code a phone shows", async () => {
    const verification = await start()
    expect(verification).toMatchObject({
      accountSid: expect.stringMatching(/^AC[0-9a-f]{32}$/),
      serviceSid: world.va,
      sid: expect.stringMatching(/^VE[0-9a-f]{32}$/),
      to: PHONE,
      channel: "sms",
      status: "pending",
      valid: false,
      amount: null,
      payee: null,
      sna: null,
      lookup: {},
      url: `${world.url}/v2/Services/${world.va}/Verifications/${verification.sid}`
    })
    expect(verification.dateCreated).toBeInstanceOf(Date)
    expect(Math.abs(verification.dateCreated.getTime() - Date.now())).toBeLessThan(60_000)
    expect(verification.sendCodeAttempts).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        channel: "SMS",
        attempt_sid: expect.stringMatching(/^VL[0-9a-f]{32}$/)
      }
    ])
    expect(await world.code()).toMatch(/^\d{6}$/)
  })

  it("checks a wrong code, the right one, and then finds nothing", async () => {
    const { sid } = await start()
    const code = await world.code()
    expect(await check(wrongFor(code))).toMatchObject({ sid, status: "pending", valid: false, to: PHONE })
    const approved = await check(code)
    expect(approved).toMatchObject({ sid, status: "approved", valid: true, snaAttemptsErrorCodes: [] })
    expect(await refusalOf(check(code))).toEqual({ status: 404, code: 20404, message: expect.stringMatching(MISSING) })
    expect(await refusalOf(fetched(sid))).toEqual({ status: 404, code: 20404, message: expect.stringMatching(MISSING) })
  })

  it("checks by the SID", async () => {
    const { sid } = await start()
    const code = await world.code()
    expect(await check(code, { verificationSid: sid })).toMatchObject({ to: PHONE, status: "approved" })
  })

  it("sends again, under the same SID and with the same code", async () => {
    const first = await start()
    const code = await world.code()
    const { code: number, message, status } = await refusalOf(start())
    expect([status, number]).toEqual([429, 60212])
    expect(message).toMatch(/Try again in \d+ seconds\.$/)
    world.pass(LATER)
    const second = await start()
    expect(second.sid).toBe(first.sid)
    expect(second.sendCodeAttempts).toHaveLength(2)
    expect([await world.count(), await world.code()]).toEqual([2, code])
  })

  it("is refused the sixth send", async () => {
    for (let send = 0; send < 5; send++) {
      await start()
      world.pass(LATER)
    }
    expect(await refusalOf(start())).toEqual({ status: 429, code: 60203, message: "Max send attempts reached" })
    expect(await world.count()).toBe(5)
  })

  it("is refused the sixth check, until the verification has expired", async () => {
    const { sid } = await start()
    const code = await world.code()
    for (let guess = 0; guess < 5; guess++) {
      expect(await check(wrongFor(code))).toMatchObject({ status: "pending", valid: false })
    }
    expect(await refusalOf(check(code))).toEqual({ status: 429, code: 60202, message: "Max check attempts reached" })
    expect(await fetched(sid)).toMatchObject({ status: "max_attempts_reached", valid: false })
    world.pass(600_000)
    expect(await refusalOf(check(code))).toEqual({ status: 404, code: 20404, message: expect.stringMatching(MISSING) })
    expect(await refusalOf(check(code, { verificationSid: sid }))).toMatchObject({ status: 404, code: 20404 })
  })

  it("finds no verification that has expired", async () => {
    const { sid } = await start()
    const code = await world.code()
    world.pass(600_000)
    expect(await refusalOf(fetched(sid))).toMatchObject({ status: 404, code: 20404 })
    expect(await refusalOf(check(code))).toMatchObject({ status: 404, code: 20404 })
  })

  it("cancels, and approves by itself", async () => {
    const service = world.client.verify.v2.services(world.va)
    const first = await start()
    expect(await service.verifications(first.sid).update({ status: "canceled" })).toMatchObject({
      sid: first.sid,
      status: "canceled",
      valid: false
    })
    expect(await refusalOf(fetched(first.sid))).toMatchObject({ status: 404, code: 20404 })
    expect(await refusalOf(check(await world.code()))).toMatchObject({ status: 404, code: 20404 })
    expect(await refusalOf(service.verifications(first.sid).update({ status: "canceled" }))).toMatchObject({
      status: 404,
      code: 20404
    })
    world.pass(LATER)
    const second = await start()
    expect(second.sid).not.toBe(first.sid)
    expect(await service.verifications(PHONE).update({ status: "approved" })).toMatchObject({
      sid: second.sid,
      status: "approved",
      valid: true
    })
    expect(await refusalOf(fetched(second.sid))).toMatchObject({ status: 404, code: 20404 })
  })

  it("finds a pending verification by its number", async () => {
    const { sid } = await start()
    expect(await fetched(PHONE)).toMatchObject({ sid, status: "pending" })
  })

  it("goes to another channel with its code and the sends that are left", async () => {
    const first = await start()
    const code = await world.code()
    world.pass(LATER)
    const second = await start("whatsapp")
    expect(second).toMatchObject({ sid: first.sid, channel: "whatsapp", status: "pending" })
    expect(second.sendCodeAttempts).toMatchObject([{ channel: "SMS" }, { channel: "whatsapp" }])
    expect(await world.code()).toBe(code)
    for (let send = 0; send < 3; send++) {
      world.pass(LATER)
      await start("whatsapp")
    }
    world.pass(LATER)
    expect(await refusalOf(start("whatsapp"))).toMatchObject({ status: 429, code: 60203 })
  })

  it.each([
    ["email", 403, 60223],
    ["sna", 403, 60223],
    ["call", 403, 60223],
    ["carrier-pigeon", 400, 60200]
  ])("is refused the channel %s", async (channel, status, code) => {
    expect(await refusalOf(start(channel))).toMatchObject({ status, code })
    expect(await world.count()).toBe(0)
  })

  it("sends a code of the app's own", async () => {
    await start("sms", { customCode: "4711" })
    expect(await world.code()).toBe("4711")
    expect(await check("4711")).toMatchObject({ status: "approved" })
  })

  it("has a payment approved, and no other one", async () => {
    const payment = { amount: "39.99 EUR", payee: "Acme" }
    const first = await start("sms", payment)
    expect(first).toMatchObject(payment)
    const code = await world.code()
    expect(await check(code)).toMatchObject({ valid: false, status: "pending", amount: null })
    expect(await check(code, { to: PHONE, ...payment, amount: "3999 EUR" })).toMatchObject({ valid: false })
    world.pass(LATER)
    const second = await start("sms", { ...payment, payee: "Other" })
    expect(second.sid).not.toBe(first.sid)
    const other = { ...payment, payee: "Other" }
    expect(await check(await world.code(), { to: PHONE, ...other })).toMatchObject({ ...other, status: "approved" })
    expect(await refusalOf(start("sms", { amount: "1 EUR" }))).toMatchObject({ status: 400, code: 60200 })
  })

  it("is limited by values of its own, which the operator's rules name", async () => {
    await world.service.operator.guard.set({
      account_id: world.account,
      rules: { action: "deny", limits: [{ name: "session", by: ["limit_key:session"], rates: ["1/1h"] }] }
    })
    const service = world.client.verify.v2.services(world.va)
    const create = (last: number, rateLimits: object) =>
      service.verifications.create({ to: `+4915123456${700 + last}`, channel: "sms", rateLimits })
    await create(1, { session: "abc", unknown: "1" })
    const refusal = await refusalOf(create(2, { session: "abc" }))
    expect(refusal).toMatchObject({ status: 429, code: 20429, message: expect.stringMatching(/in \d+ seconds\.$/) })
    await create(3, { session: "another" })
    expect(await refusalOf(create(4, { "a b": "1" }))).toMatchObject({
      code: 60200,
      message: expect.stringMatching(/^Invalid parameter: RateLimits must/)
    })
  })

  it("reads services", async () => {
    await world.service.operator.account.workflow.set({
      account_id: world.account,
      name: "login",
      steps: [{ channel: "sms", timeout: 60 }]
    })
    const services = await world.client.verify.v2.services.list()
    expect(services.map(({ friendlyName, codeLength }) => [friendlyName, codeLength])).toEqual([
      ["Acme", 6],
      ["Acme login", 6]
    ])
    const login = services[1]?.sid ?? ""
    expect(await world.client.verify.v2.services(login).fetch()).toMatchObject({
      sid: login,
      friendlyName: "Acme login"
    })
    const { sid } = await world.client.verify.v2.services(login).verifications.create({ to: PHONE, channel: "auto" })
    expect(await refusalOf(fetched(sid))).toMatchObject({ status: 404, code: 20404 })
    expect(await world.service.verify.list({ account: world.account, sandbox: true })).toMatchObject({
      list: [{ purpose: "twilio-login" }]
    })
  })
})
