/** Requests with mistakes, and oddities of SDKs. */
import { vonageVerify } from "@watchword/vonage-verify"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Answer, PHONE, type World, openWorld, send, tokenOf } from "./fixture.ts"

let world: World

beforeEach(async () => {
  world = await openWorld()
})

afterEach(() => world[Symbol.asyncDispose]())

const call = async (method: string, path: string, more: { body?: unknown; type?: string } = {}): Promise<Answer> =>
  send(world, method, path, { authorization: `Bearer ${await tokenOf(world)}`, ...more })

const step = { channel: "sms", to: PHONE }
const start = (body: unknown) => call("POST", "/v2/verify", { body })
const good = (more: object = {}) => start({ brand: "Acme", workflow: [step], ...more })

const idOf = (answer: Answer): string => {
  const { request_id: id }: { request_id?: string } = Object(answer.body)
  return id ?? ""
}

describe("a start", () => {
  it.each([
    ["without a body", undefined, "brand"],
    ["with a list", [], "body"],
    ["without a brand", { workflow: [step] }, "brand"],
    ["with a long brand", { brand: "x".repeat(17), workflow: [step] }, "brand"],
    ["without steps", { brand: "Acme", workflow: [] }, "workflow"],
    ["without a number", { brand: "Acme", workflow: [{ channel: "sms" }] }, "workflow[0].to"],
    ["with a number of letters", { brand: "Acme", workflow: [{ ...step, to: "abc" }] }, "workflow[0].to"],
    ["with a number that there is not", { brand: "Acme", workflow: [{ ...step, to: "4900000000" }] }, "workflow[0].to"],
    ["with e-mail", { brand: "Acme", workflow: [{ channel: "email", to: PHONE }] }, "workflow[0].channel"],
    [
      "with a property of objects",
      { brand: "Acme", workflow: [{ ...step, channel: "toString" }] },
      "workflow[0].channel"
    ],
    [
      "with silent authentication",
      { brand: "Acme", workflow: [{ channel: "silent_auth", to: PHONE }, step] },
      "workflow[0].channel"
    ],
    ["with a voice", { brand: "Acme", workflow: [step, { channel: "voice", to: PHONE }] }, "workflow[1].channel"],
    ["to two numbers", { brand: "Acme", workflow: [step, { ...step, to: "4915123456780" }] }, "workflow[1].to"],
    ["with a short time-out", { brand: "Acme", workflow: [step], channel_timeout: 5 }, "channel_timeout"],
    ["with a code of letters", { brand: "Acme", workflow: [step], code: "abcd" }, "code"],
    ["with a short code", { brand: "Acme", workflow: [step], code_length: 3 }, "code_length"],
    ["with a malformed language", { brand: "Acme", workflow: [step], locale: "?" }, "locale"],
    ["with an unknown template", { brand: "Acme", workflow: [step], template_id: "nothing" }, "template_id"],
    ["with the hash of no app", { brand: "Acme", workflow: [{ ...step, app_hash: "?" }] }, "workflow[0].app_hash"]
  ])("%s is 422 and names the parameter", async (_, body, name) => {
    const answer = await start(body)
    expect(answer).toMatchObject({
      status: 422,
      type: "application/problem+json",
      body: { type: "https://developer.vonage.com/api-errors#invalid-params", title: "Invalid params" }
    })
    const { invalid_parameters: invalid }: { invalid_parameters?: ReadonlyArray<{ name: string }> } = Object(
      answer.body
    )
    expect(invalid?.map((parameter) => parameter.name)).toContain(name)
    expect(await world.codes()).toEqual([])
  })

  it("takes a number with its plus sign, null for an option, and fields that it does not know", async () => {
    const answer = await start({
      brand: "Acme",
      workflow: [{ channel: "sms", to: `+${PHONE}`, from: "Acme", entity_id: "1", another: true }],
      locale: null,
      client_ref: null,
      fraud_check: false,
      something: { else: 1 }
    })
    expect(answer.status).toBe(202)
    expect(await world.codes()).toHaveLength(1)
  })

  it("that is not JSON, or too large, is refused in problem documents", async () => {
    const type = "https://developer.vonage.com/api-errors"
    expect(await start("{")).toMatchObject({ status: 400, body: { type: `${type}#invalid-json` } })
    expect(
      await call("POST", "/v2/verify", { body: "brand=Acme", type: "application/x-www-form-urlencoded" })
    ).toMatchObject({
      status: 415,
      body: { type: `${type}#content-type-header` }
    })
    expect(await start("x".repeat(100_000))).toMatchObject({ status: 413, type: "application/problem+json" })
  })
})

describe("a body that the host has parsed already", () => {
  it("is taken as it is", async () => {
    const { handle } = vonageVerify(world.service)
    const answer = await handle({
      method: "POST",
      path: "/v2/verify?source=app",
      headers: { authorization: `Bearer ${await tokenOf(world)}` },
      body: { _tag: "Parsed", value: { brand: "Acme", workflow: [step] } },
      remoteAddress: null
    })
    expect(answer).toMatchObject({ status: 202, headers: { "content-type": "application/json" } })
    expect(await world.codes()).toHaveLength(1)
  })
})

describe("a check", () => {
  it("takes a code as a number, and a base URL that ends in a slash", async () => {
    const id = idOf(await good({ code: "24680" }))
    const checked = await call("POST", `//v2/verify/${id.toUpperCase()}`, { body: { code: 24680 } })
    expect(checked).toMatchObject({ status: 200, body: { request_id: id, status: "completed" } })
  })

  it("without a code is 422, and with letters a wrong code", async () => {
    const id = idOf(await good())
    expect(await call("POST", `/v2/verify/${id}`, { body: {} })).toMatchObject({ status: 422 })
    expect(await call("POST", `/v2/verify/${id}`)).toMatchObject({ status: 422 })
    expect(await call("POST", `/v2/verify/${id}`, { body: { code: "abcd" } })).toMatchObject({
      status: 400,
      body: { type: "https://www.developer.vonage.com/api-errors/verify#invalid-code" }
    })
  })
})

describe("the next step", () => {
  it("has Vonage's path with a hyphen and that of SDKs with an underscore, and an empty body of JSON", async () => {
    const id = idOf(await good())
    world.wait(31)
    for (const path of ["next-workflow", "next_workflow"]) {
      expect(await call("POST", `/v2/verify/${id}/${path}`, { body: "" })).toMatchObject({
        status: 409,
        body: { title: "Conflict", detail: "There are no more events left to trigger." }
      })
    }
  })
})

describe("other paths and methods", () => {
  it("are problem documents of Vonage's types", async () => {
    const type = "https://developer.vonage.com/api-errors"
    for (const path of ["/", "/v2/verify/a/b/c", "/v2/verify/a/other", "/v1/verify", "/v2/verify/templates"]) {
      expect(await call("GET", path)).toMatchObject({ status: 404, body: { type: `${type}#not-found` } })
    }
    const verbs = [
      ["GET", "/v2/verify"],
      ["PUT", "/v2/verify/a"],
      ["GET", "/v2/verify/a/next-workflow"]
    ] as const
    for (const [method, path] of verbs) {
      expect(await call(method, path)).toMatchObject({ status: 405, body: { type: `${type}#wrong-verb` } })
    }
  })
})

describe("a voice", () => {
  it("is a flash call where the operator has set it so", async () => {
    await world[Symbol.asyncDispose]()
    world = await openWorld({}, { call: "flash" })
    expect((await good({ workflow: [step, { channel: "voice", to: PHONE }] })).status).toBe(202)
  })
})
