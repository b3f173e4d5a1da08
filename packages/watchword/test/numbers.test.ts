/**
 * Numbers as people type them, on every endpoint that has `default_country`.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Watchword, createWatchword, memory, parse } from "watchword"

const number = "+4915123456789"
const typed = "\u200e01512 / 3456789"

let service: Watchword
let caller: { readonly account: string; readonly sandbox: true }
interface Answer {
  readonly status: number
  readonly body: unknown
}

let post: (path: string, body: object, method?: string) => Promise<Answer>
let ask: (method: string, path: string) => Promise<Answer>

beforeEach(async () => {
  service = await createWatchword({ store: memory(), secret: "0123456789abcdef0123456789abcdef" })
  const { account_id: account } = await service.operator.account.create()
  caller = { account, sandbox: true }
  const { key } = await service.operator.key.create({ account_id: account, sandbox: true })
  post = async (path, body, method = "POST") => {
    const headers = { "x-account-id": account, "x-api-key": key, "content-type": "application/json" }
    const answer = await service.handle({
      method,
      path,
      headers,
      body: { _tag: "Parsed", value: body },
      remoteAddress: "127.0.0.1"
    })
    return { status: answer.status, body: JSON.parse(String(answer.body)) }
  }
  ask = async (method, path) => {
    const { body, status } = await service.handle({
      method,
      path,
      headers: { "x-account-id": account, "x-api-key": key },
      body: { _tag: "Parsed", value: undefined },
      remoteAddress: "127.0.0.1"
    })
    return { status, body: body === null ? null : JSON.parse(String(body)) }
  }
})

afterEach(() => service.dispose())

const refusal = (path: string, message: string) => ({
  code: "BAD_REQUEST",
  issues: [{ path, message: expect.stringContaining(message) }]
})

describe("a verification with default_country", () => {
  it("is of the number that was typed, and is checked by it", async () => {
    const started = await service.verify.start(caller, { to: typed, default_country: "DE" })
    expect(started.to).toBe(number)
    const { messages } = await service.sandbox.inbox(caller, { to: typed, default_country: "DE" })
    const code = messages[0]?.code ?? ""
    const checked = await service.verify.check(caller, { to: "0151-23456789", default_country: "DE" }, { code })
    expect(checked).toMatchObject({ valid: true, verification_id: started.id })
  })

  it("is the one of the number in E.164 form", async () => {
    await service.verify.start(caller, { to: number })
    await expect(service.verify.start(caller, { to: typed, default_country: "DE" })).rejects.toMatchObject({
      code: "TOO_MANY_REQUESTS",
      reason: "resend_too_soon"
    })
  })

  it("is refused where the text can be read as two numbers, in E.164 form too", async () => {
    const start = (to: string, country: string) => service.verify.start(caller, { to, default_country: country })
    await expect(start("4915123456789", "DE")).rejects.toMatchObject(refusal("to", "can be read as two numbers"))
    await expect(start("12", "DE")).rejects.toMatchObject(refusal("to", "possible for its country"))
    await expect(start(typed, "XX")).rejects.toMatchObject(refusal("default_country", "ISO 3166-1 alpha-2"))
    expect((await start(number, "US")).to).toBe(number)
  })

  it("says the same over HTTP", async () => {
    expect(await post("/verifications", { to: typed, default_country: "DE" })).toMatchObject({
      status: 200,
      body: { to: number }
    })
    const issue = {
      path: "default_country",
      message: "must be the ISO 3166-1 alpha-2 code of a country with phone numbers, such as DE"
    }
    for (const country of ["XX", "de", "", 49]) {
      expect(await post("/verifications", { to: typed, default_country: country })).toMatchObject({
        status: 400,
        body: {
          error: "BAD_REQUEST",
          issues: [
            typeof country === "string" ? issue : { path: "to" },
            ...(typeof country === "string" ? [] : [{ path: "default_country" }])
          ]
        }
      })
    }
    expect(await post("/verifications", { to: typed })).toMatchObject({
      status: 400,
      body: { issues: [{ path: "to", message: expect.stringContaining("U+200E") }] }
    })
    const beside = { verification_id: "vrf_01KAJ3T8ZZ0000000000000000", default_country: "DE", code: "123456" }
    expect(await post("/verifications/check", beside)).toMatchObject({
      status: 400,
      body: { issues: [{ path: "default_country", message: "must not be there without to" }] }
    })
  })
})

describe("sends of the interface", () => {
  it.each([
    ["/sms", { text: "Hello" }],
    ["/chatgw/send", { ttl: 60 }],
    ["/bizchat/send", { code: "123456" }]
  ])("do not read numbers, whatever is beside them: %s", async (path, body) => {
    const answer = await post(path, { ...body, to: typed, default_country: "DE" })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(answer.body)).not.toContain(number)
  })
})

describe("a phone of the sandbox", () => {
  it("is set by the number that was typed", async () => {
    const path = `/sandbox/phones/${encodeURIComponent("01512 3456789")}`
    expect(await post(path, { call: "busy", default_country: "DE" }, "PUT")).toMatchObject({
      status: 200,
      body: { number, call: "busy" }
    })
    expect(await post(path, { call: "busy" }, "PUT")).toMatchObject({
      status: 400,
      body: { issues: [{ path: "number" }] }
    })
    expect(await post(path, { default_country: "XX" }, "PUT")).toMatchObject({
      status: 400,
      body: { issues: [{ path: "default_country" }] }
    })
  })

  it("is looked up and removed by the number that was typed", async () => {
    const path = `/sandbox/phones/${encodeURIComponent("01512 3456789")}`
    await service.sandbox.setPhone(caller, number, { call: "busy" })
    expect(await ask("GET", `${path}?default_country=DE`)).toMatchObject({
      status: 200,
      body: { number, call: "busy" }
    })
    for (const method of ["GET", "DELETE"]) {
      expect(await ask(method, path)).toMatchObject({ status: 400, body: { issues: [{ path: "number" }] } })
      expect(await ask(method, `${path}?default_country=XX`)).toMatchObject({
        status: 400,
        body: { issues: [{ path: "default_country" }] }
      })
    }
    expect(await ask("DELETE", `${path}?default_country=DE`)).toMatchObject({ status: 204 })
    expect((await service.sandbox.phones(caller)).phones).toEqual([])
  })

  it("is looked up and removed in-process by the number that was typed", async () => {
    await service.sandbox.setPhone(caller, number, { call: "busy" })
    await expect(service.sandbox.phone(caller, typed, { default_country: "DE" })).resolves.toMatchObject({ number })
    await service.sandbox.removePhone(caller, typed, { default_country: "DE" })
    await expect(service.sandbox.phone(caller, number)).rejects.toMatchObject({ code: "NOT_FOUND" })
  })
})

describe("an operator", () => {
  it("types numbers too", async () => {
    await service.verify.start(caller, { to: number })
    const story = await service.operator.why({ number: "01512 3456789", default_country: "DE" })
    expect(story.number).toBe(number)
    expect(story.items.map(({ channel }) => channel)).toContain("verify")
    await expect(service.operator.why({ number: "4915123456789", default_country: "DE" })).rejects.toMatchObject(
      refusal("number", "can be read as two numbers")
    )
    await expect(service.operator.why({ number, default_country: "DE" })).resolves.toMatchObject({ number })
    await expect(service.operator.why({ number: "0151", default_country: "XX" })).rejects.toMatchObject(
      refusal("default_country", "ISO 3166-1")
    )
  })

  it("finds what was sent to a number of a plan that was replaced since", async () => {
    const old = "+20101234567"
    expect(parse(old).number).toBe("+201001234567")
    await service.verify.start(caller, { to: old })
    expect((await service.operator.why({ number: old })).items.length).toBeGreaterThan(0)
  })

  it("takes an exception away by the number that was typed", async () => {
    const { guard } = service.operator
    await guard.allow({ number: "01512 3456789", default_country: "DE" })
    await expect(guard.remove({ entry: "01512 3456789" })).rejects.toMatchObject({ code: "BAD_REQUEST" })
    await expect(guard.remove({ entry: "01512 3456789", default_country: "XX" })).rejects.toMatchObject(
      refusal("default_country", "ISO 3166-1")
    )
    await expect(guard.remove({ entry: "4915123456789", default_country: "DE" })).rejects.toMatchObject(
      refusal("entry", "can be read as two numbers")
    )
    expect(await guard.remove({ entry: "01512 3456789", default_country: "DE" })).toEqual({
      removed: number,
      account_id: null
    })
    await guard.pass({ number })
    expect((await guard.remove({ entry: "+49 1512 3456789" })).removed).toBe(number)
  })

  it("takes blocks away by their places as before, whatever country is beside them", async () => {
    const { guard } = service.operator
    for (const place of ["+2348", "NG", "001"]) {
      await guard.block({ place, for: 3600 })
      expect((await guard.remove({ entry: place, default_country: "DE" })).removed).toBe(place)
    }
  })
})
