/** Requests that no SDK makes right, over the socket: bodies, credentials, ids and paths. */
import { watchword } from "@watchword/express"
import { watchword as plugin } from "@watchword/fastify"
import { watchword as fetching } from "@watchword/fetch"
import { twilioSids, twilioVerify } from "@watchword/twilio-verify"
import * as Schema from "effect/Schema"
import express from "express"
import fastify from "fastify"
import { createServer } from "node:http"
import twilio from "twilio"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { PHONE, type World, openWorld, pointed, refusalOf } from "./fixture.ts"

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

const Answer = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))

interface Sent {
  readonly method?: string
  readonly body?: string
  readonly type?: string | null
  readonly user?: string
  readonly password?: string
}

const FORM = "application/x-www-form-urlencoded"

const send = async (path: string, { body, method = "POST", password, type = FORM, user }: Sent = {}) => {
  const credentials = `${user ?? twilioSids(world.account).account}:${password ?? world.key}`
  const response = await fetch(`${world.url}${path}`, {
    method,
    redirect: "manual",
    headers: { authorization: `Basic ${btoa(credentials)}`, ...(type !== null && { "content-type": type }) },
    ...(body !== undefined && { body })
  })
  const answer = Schema.decodeUnknownSync(Answer)(await response.text())
  return { status: response.status, headers: response.headers, answer }
}

const verifications = () => `/v2/Services/${world.va}/Verifications`
const checks = () => `/v2/Services/${world.va}/VerificationCheck`

/** Each start has a number of its own. */
let numbers = 0
const another = (): string => `+4915123400${String(numbers++).padStart(3, "0")}`
const to = (): string => `To=${encodeURIComponent(another())}&Channel=sms`

const invalid = (message: string | RegExp) => ({
  status: 400,
  answer: {
    code: 60200,
    status: 400,
    message: expect.stringMatching(message),
    more_info: "https://www.twilio.com/docs/errors/60200"
  }
})

describe("a body", () => {
  it("has absent fields where they are empty", async () => {
    const answered = await send(verifications(), { body: `${to()}&Payee=&Amount=&CustomCode=&Tags=&RateLimits=` })
    expect(answered).toMatchObject({ status: 201, answer: { status: "pending", payee: null } })
  })

  it("may have fields that nothing reads, and spaces as plus signs", async () => {
    const answered = await send(verifications(), { body: `${to()}&Unknown=1&RiskCheck=disable&CustomFriendlyName=A+B` })
    expect(answered.status).toBe(201)
  })

  it("may be JSON, with objects where a form has a text", async () => {
    const body = JSON.stringify({ To: another(), Channel: "sms", Tags: { plan: "pro" }, Locale: null })
    expect((await send(verifications(), { type: "application/json; charset=utf-8", body })).status).toBe(201)
  })

  it.each([
    ["Tags[a]=b", /Tags must be a JSON object in a text: JSON.stringify in Node, json.dumps in Python/],
    ["Tags=a", /Tags must be a JSON object/],
    ["Tags=[1]", /Tags must be a JSON object/],
    ["Tags=%7B%22a%22%3A%7B%7D%7D", /Tags has a value that is not a text, under a\./],
    ["TemplateCustomSubstitutions=%7B", /TemplateCustomSubstitutions must be a JSON object/],
    ["ChannelConfiguration=x", /ChannelConfiguration must be a JSON object/],
    ["CustomCode=4711&CustomCode=4712", /CustomCode is there 2 times/],
    ["CustomCode=abcd", /Code must be 4 to /],
    ["CustomCode=123", /Code must be 4 to /],
    ["Locale=%21", /Locale must be/],
    ["DeviceIp=here", /DeviceIp must be/],
    ["AppHash=short", /AppHash must be/],
    ["TemplateSid=HJ00000000000000000000000000000000", /TemplateSid is not the id of a template/]
  ])("with %s is refused by a sentence about it", async (more, message) => {
    expect(await send(verifications(), { body: `${to()}&${more}` })).toMatchObject(invalid(message))
  })

  it.each([
    ["without To", "Channel=sms", /Missing required parameter To/],
    ["without Channel", "To=%2B4915123456789", /Missing required parameter Channel/],
    ["with a number without its plus", "To=4915123456789&Channel=sms", /To must be/],
    ["with a number that is not valid", "To=hello&Channel=sms", /To must be/]
  ])("%s is refused", async (_name, body, message) => {
    expect(await send(verifications(), { body })).toMatchObject(invalid(message))
  })

  it("of a check that is empty is refused, with and without a type", async () => {
    const message = /Missing required parameter To or VerificationSid/
    expect(await send(checks())).toMatchObject(invalid(message))
    expect(await send(checks(), { type: null, body: "" })).toMatchObject(invalid(message))
    expect(await send(checks(), { body: "To=%2B4915123456789" })).toMatchObject(invalid(/parameter Code/))
  })

  it.each([
    ["application/json", "{", /not valid JSON/],
    ["application/json", "[]", /an object of parameters/],
    ["text/plain", "To=1", /content type must be/],
    [FORM, "x".repeat(70_000), /too large/]
  ])("of %s that cannot be read is refused", async (type, body, message) => {
    expect(await send(verifications(), { type, body })).toMatchObject(invalid(message))
  })
})

describe("credentials", () => {
  const unauthorized = {
    status: 401,
    answer: { code: 20003, status: 401, message: "Authenticate", more_info: "https://www.twilio.com/docs/errors/20003" }
  }

  it.each([
    ["a wrong password", { password: "wrong" }],
    ["no password", { password: "" }],
    ["an account of another form", { user: "acc_01KAJ3T8ZZ0000000000000000" }],
    ["another account", { user: twilioSids("acc_01KAJ3T8ZZ0000000000000000").account }]
  ])("with %s are refused, and nothing is sent", async (_name, given) => {
    const number = another()
    const body = `To=${encodeURIComponent(number)}&Channel=sms`
    const answered = await send(verifications(), { body, ...given })
    expect(answered).toMatchObject(unauthorized)
    expect(answered.headers.get("www-authenticate")).toContain("Basic")
    expect(await world.count(number)).toBe(0)
  })

  it("are owed by every request", async () => {
    const response = await fetch(`${world.url}${verifications()}`, { method: "POST" })
    expect([response.status, await response.json()]).toMatchObject([401, { code: 20003 }])
  })

  it("may name a key, which has to be the password's", async () => {
    const { keys } = await world.service.operator.key.list({ account_id: world.account })
    const hex = await import("../src/internal/Sids.ts")
    const sid = keys.map(({ key_id }) => `SK${hex.accountSid(key_id).slice(2)}`)[0] ?? ""
    const client = twilio(sid, world.key, { accountSid: twilioSids(world.account).account })
    client.verify.baseUrl = world.url
    expect(await client.verify.v2.services(world.va).fetch()).toMatchObject({ sid: world.va })
    expect(await send("/v2/Services", { method: "GET", user: `SK${"0".repeat(32)}` })).toMatchObject(unauthorized)
  })

  it("without the scope are refused", async () => {
    const { key } = await world.service.operator.key.create({
      account_id: world.account,
      sandbox: true,
      scopes: ["verify:check"]
    })
    const narrow = pointed(twilioSids(world.account).account, key, world.url).verify.v2.services(world.va)
    expect(await refusalOf(narrow.verifications.create({ to: PHONE, channel: "auto" }))).toMatchObject({
      status: 403,
      code: 20403
    })
  })

  it("from a foreign address are refused", async () => {
    const { key } = await world.service.operator.key.create({
      account_id: world.account,
      sandbox: true,
      allow: ["192.0.2.7"]
    })
    expect(await send(verifications(), { body: to(), password: key })).toMatchObject(unauthorized)
  })

  it("of a suspended account are refused by Twilio's word for that", async () => {
    await world.service.operator.account.suspend({ account_id: world.account })
    const answered = await send(verifications(), { body: to() })
    await world.service.operator.account.resume({ account_id: world.account })
    expect(answered).toMatchObject({ status: 403, answer: { code: 20005 } })
  })
})

describe("an id", () => {
  const missing = { status: 404, answer: { code: 20404, status: 404 } }

  it("of another account's verification is unknown", async () => {
    const { account_id: other } = await world.service.operator.account.create({ name: "Other", sms_sender: "Other" })
    const { key } = await world.service.operator.key.create({ account_id: other, sandbox: true })
    const sids = twilioSids(other)
    const theirs = await pointed(sids.account, key, world.url)
      .verify.v2.services(sids.service)
      .verifications.create({ to: PHONE, channel: "sms" })
    expect(await send(`${verifications()}/${theirs.sid}`, { method: "GET" })).toMatchObject(missing)
    expect(await send(`/v2/Services/${sids.service}`, { method: "GET" })).toMatchObject(missing)
  })

  it("of a verification of another interface is unknown", async () => {
    const caller = { account: world.account, sandbox: true }
    const { id } = await world.service.verify.start(caller, { to: another() })
    const { verificationSid } = await import("../src/internal/Sids.ts")
    expect(await send(`${verifications()}/${verificationSid(id)}`, { method: "GET" })).toMatchObject(missing)
    const body = `VerificationSid=${verificationSid(id)}&Code=123456`
    expect(await send(checks(), { body })).toMatchObject(missing)
  })

  it.each(["VE00000000000000000000000000000000", "VE", "VL00000000000000000000000000000000", "%ff", "+4999"])(
    "%s that there is not is unknown",
    async (sid) => {
      expect(await send(`${verifications()}/${sid}`, { method: "GET" })).toMatchObject(missing)
      expect(await send(`${verifications()}/${sid}`, { body: "Status=canceled" })).toMatchObject(missing)
    }
  )
})

describe("a path", () => {
  it("may have a number with a raw plus sign, and capitals in its ids", async () => {
    const number = another()
    const body = `To=${encodeURIComponent(number)}&Channel=sms`
    const { answer } = await send(verifications(), { body })
    expect(await send(`${verifications()}/${number}`, { method: "GET" })).toMatchObject({ status: 200, answer })
    const loud = `/v2/Services/VA${world.va.slice(2).toUpperCase()}/Verifications/${number}`
    expect((await send(loud, { method: "GET" })).status).toBe(200)
  })

  it("is not redirected", async () => {
    expect((await send(`/v2/Services/${world.va}/`, { method: "GET" })).status).toBe(200)
    expect((await send(`//v2/Services`, { method: "GET" })).status).toBe(200)
  })

  it.each([
    ["GET", "/"],
    ["GET", "/v3/Services"],
    ["GET", "/v2/Templates"],
    ["POST", "/v2/SafeList/Numbers"],
    ["PUT", `/v2/Services/VA/Verifications`],
    ["GET", "/v2/Services/VA/Entities/1/Factors"],
    ["POST", "/v2/Attempts"]
  ])("of %s %s is refused in JSON that says what is not there", async (method, path) => {
    expect(await send(path, { method })).toMatchObject({
      status: 404,
      answer: { code: 20404, status: 404, message: expect.stringMatching(/not (?:served by this server|found)/) }
    })
  })

  it("of a service cannot be written", async () => {
    expect(await send("/v2/Services", { body: "FriendlyName=Acme" })).toMatchObject({
      status: 403,
      answer: { code: 20403 }
    })
  })
})

describe("an error", () => {
  it("has the seconds in its message and in its header, and no type and title", async () => {
    const body = to()
    await send(verifications(), { body })
    const { answer, headers, status } = await send(verifications(), { body })
    const seconds = headers.get("retry-after") ?? ""
    expect(seconds).toMatch(/^\d+$/)
    expect([status, Object.keys(answer).sort()]).toEqual([429, ["code", "message", "more_info", "status"]])
    expect(answer["message"]).toBe(`Too many concurrent requests for phone number. Try again in ${seconds} seconds.`)
  })
})

describe("the door in", () => {
  const drive = async (url: string) => {
    const client = pointed(twilioSids(world.account).account, world.key, url)
    return client.verify.v2.services(world.va).verifications.create({ to: another(), channel: "sms" })
  }

  it("Fastify is mounted under a prefix", async () => {
    const app = fastify()
    await app.register(plugin(twilioVerify(world.service)), { prefix: "/twilio" })
    const url = `${await app.listen({ port: 0, host: "127.0.0.1" })}/twilio`
    expect(await drive(url)).toMatchObject({ status: "pending", url: expect.stringMatching(`^${url}/v2/`) })
    await app.close()
  })

  it("a host that speaks fetch answers too", async () => {
    const app = fetching(twilioVerify(world.service, { url: "https://otp.example.com/twilio" }), {
      basePath: "/twilio"
    })
    const sids = twilioSids(world.account)
    const answer = await app(
      new Request(`https://otp.example.com/twilio/v2/Services/${sids.service}/Verifications`, {
        method: "POST",
        headers: { authorization: `Basic ${btoa(`${sids.account}:${world.key}`)}` },
        body: new URLSearchParams({ To: another(), Channel: "sms" })
      })
    )
    expect([answer.status, await answer.json()]).toMatchObject([
      201,
      { url: expect.stringMatching(/^https:\/\/otp\.example\.com\/twilio\/v2\/Services\//) }
    ])
  })
})

describe("the door in Express", () => {
  it.each(["before", "behind"])("is mounted %s a body parser", async (place) => {
    const app = express()
    if (place === "behind") app.use(express.json(), express.urlencoded({ extended: false }))
    app.use("/verify", watchword(twilioVerify(world.service, { path: "/verify" })))
    const server = createServer(app)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/verify`
    const client = pointed(twilioSids(world.account).account, world.key, url)
    const number = another()
    const created = await client.verify.v2.services(world.va).verifications.create({
      to: number,
      channel: "sms",
      tags: JSON.stringify({ plan: "pro" })
    })
    expect(created.url).toBe(`${url}/v2/Services/${world.va}/Verifications/${created.sid}`)
    const caller = { account: world.account, sandbox: true }
    expect(await world.service.verify.list(caller, { filter: { to: number } })).toMatchObject({
      list: [{ metadata: { plan: "pro" } }]
    })
    await new Promise((resolve) => (server.closeAllConnections(), server.close(resolve)))
  })
})
