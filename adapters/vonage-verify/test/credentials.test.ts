/** Who may call: an account with its API key by Basic, and applications by the tokens that they sign. */
import { UnsecuredJWT, SignJWT } from "jose"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  APPLICATION,
  type Answer,
  PHONE,
  type World,
  basic,
  openWorld,
  pairOf,
  send,
  tokenOf,
  usualPair
} from "./fixture.ts"

let world: World

beforeEach(async () => {
  world = await openWorld()
})

afterEach(() => world[Symbol.asyncDispose]())

const startWith = (authorization: string | undefined, to = PHONE): Promise<Answer> =>
  send(world, "POST", "/v2/verify", {
    body: { brand: "Acme", workflow: [{ channel: "sms", to }] },
    ...(authorization === undefined ? {} : { authorization })
  })

const bearer = async (...given: Parameters<typeof tokenOf> extends [unknown, ...infer Rest] ? Rest : never) =>
  startWith(`Bearer ${await tokenOf(world, ...given)}`)

const expectRefused = async (answer: Answer, type = "unauthorized") => {
  expect(answer).toMatchObject({
    status: 401,
    type: "application/problem+json",
    body: { type: `https://developer.vonage.com/api-errors#${type}`, title: "Unauthorized" }
  })
  expect(await world.codes()).toEqual([])
}

describe("an account with its API key", () => {
  const keyOf = (more: object = {}) =>
    world.service.operator.key.create({ account_id: world.account, sandbox: true, ...more })

  it("starts, checks, continues and cancels", async () => {
    const { key } = await keyOf()
    const authorization = basic(world.account, key)
    const started = await startWith(authorization)
    expect(started).toMatchObject({ status: 202, type: "application/json" })
    const { request_id: id }: { request_id?: string } = Object(started.body)
    const [code = ""] = await world.codes()
    const checked = await send(world, "POST", `/v2/verify/${id}`, { authorization, body: { code } })
    expect(checked).toMatchObject({
      status: 200,
      type: "application/json",
      body: { request_id: id, status: "completed" }
    })
    expect((await send(world, "DELETE", `/v2/verify/${id}`, { authorization })).status).toBe(404)
  })

  it("is refused with a wrong key, another account, a revoked key, and without a key", async () => {
    const { key, key_id } = await keyOf()
    const other = await world.service.operator.account.create({ name: "Other" })
    await expectRefused(await startWith(basic(world.account, "sk_test_nothing")))
    await expectRefused(await startWith(basic(other.account_id, key)))
    await expectRefused(await startWith(basic(world.account, "")))
    await expectRefused(await startWith(`Basic ${key}`))
    await expectRefused(await startWith(undefined))
    await world.service.operator.key.revoke({ key_id })
    await expectRefused(await startWith(basic(world.account, key)))
  })

  it("does what the key's scopes allow", async () => {
    const { key } = await keyOf({ scopes: ["verify:check"] })
    expect(await startWith(basic(world.account, key))).toMatchObject({
      status: 403,
      body: { type: "https://developer.vonage.com/api-errors#forbidden" }
    })
    expect(await world.codes()).toEqual([])
  })

  it("learns of a pending request with a key that only sends", async () => {
    const { key } = await keyOf({ scopes: ["verify:send"] })
    const started = await startWith(basic(world.account, key))
    const again = await startWith(basic(world.account, key))
    expect(again).toMatchObject({ status: 409, body: started.body })
  })

  it("does not see another account's request", async () => {
    const { key } = await keyOf()
    const started = await startWith(basic(world.account, key))
    const { request_id: id }: { request_id?: string } = Object(started.body)
    const other = await world.service.operator.account.create({ name: "Other" })
    const theirs = await world.service.operator.key.create({ account_id: other.account_id, sandbox: true })
    const authorization = basic(other.account_id, theirs.key)
    const [code = ""] = await world.codes()
    for (const [method, path, sent] of [
      ["POST", `/v2/verify/${id}`, { code }],
      ["POST", `/v2/verify/${id}/next-workflow`, undefined],
      ["DELETE", `/v2/verify/${id}`, undefined]
    ] as const) {
      expect((await send(world, method, path, { authorization, body: sent })).status).toBe(404)
    }
  })
})

describe("a token of an application", () => {
  it("starts a request, once", async () => {
    const token = await tokenOf(world)
    expect((await startWith(`Bearer ${token}`)).status).toBe(202)
    expect(await startWith(`Bearer ${token}`, "4915123456780")).toMatchObject({ status: 401 })
    expect(await world.codes("4915123456780")).toEqual([])
  })

  it("is remembered until it ends, and has ended then", async () => {
    const token = await tokenOf(world)
    expect((await startWith(`Bearer ${token}`)).status).toBe(202)
    world.wait(920)
    expect((await startWith(`Bearer ${token}`)).status).toBe(401)
    world.wait(20)
    expect(await startWith(`Bearer ${token}`)).toMatchObject({
      status: 401,
      body: { type: "https://developer.vonage.com/api-errors#jwt-expired" }
    })
  })

  it("is refused once it has expired", async () => {
    const at = Math.floor(world.now() / 1000)
    await expectRefused(await bearer({ iat: at - 1000, exp: at - 100 }), "jwt-expired")
    await expectRefused(await bearer({ iat: at - 1000, exp: undefined }), "jwt-expired")
  })

  it("may do without an end, which is then 15 minutes after its beginning", async () => {
    expect((await bearer({ exp: undefined })).status).toBe(202)
  })

  it("is refused with claims that are missing, or out of bounds", async () => {
    const at = Math.floor(world.now() / 1000)
    await expectRefused(await bearer({ iat: undefined }))
    await expectRefused(await bearer({ jti: undefined }))
    await expectRefused(await bearer({ jti: "" }))
    await expectRefused(await bearer({ jti: 7 }))
    await expectRefused(await bearer({ iat: at + 120 }))
    await expectRefused(await bearer({ exp: at + 100_000 }))
    await expectRefused(await bearer({ nbf: at + 120 }))
  })

  it("may be made by a clock that is some seconds ahead", async () => {
    expect((await bearer({ iat: Math.floor(world.now() / 1000) + 20 })).status).toBe(202)
  })

  it("is refused when another key has signed it, or its application is unknown", async () => {
    const stranger = await pairOf()
    await expectRefused(await bearer({}, stranger.privateKey))
    await expectRefused(await bearer({ application_id: "another" }))
    await expectRefused(await bearer({ application_id: 7 }))
    await expectRefused(await bearer({ application_id: undefined }))
    await expectRefused(await startWith("Bearer nonsense"))
  })

  it("is refused without a signature, and with one by the public key as a secret", async () => {
    const at = Math.floor(world.now() / 1000)
    const claims = { application_id: APPLICATION, iat: at, exp: at + 900, jti: crypto.randomUUID() }
    await expectRefused(await startWith(`Bearer ${new UnsecuredJWT(claims).encode()}`))
    const { pem } = await usualPair()
    const secret = new TextEncoder().encode(pem.public)
    const forged = await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(secret)
    await expectRefused(await startWith(`Bearer ${forged}`))
  })

  it("is refused after its key was revoked, which the operators' log has", async () => {
    await world.service.operator.as("anna").door.revoke({ account_id: world.account, application: APPLICATION })
    world.wait(2)
    await expectRefused(await bearer())
    const { entries } = await world.service.operator.operator.log({})
    expect(entries.map(({ command, who }) => `${who} ${command}`)).toContain("anna door revoke")
  })

  it("of a key that was replaced is valid during the overlap", async () => {
    const next = await pairOf()
    const { door } = world.service.operator
    const replaced = { account_id: world.account, application: APPLICATION, sandbox: true, overlap: 3600 }
    await door.key({ ...replaced, public_key: next.pem.public })
    world.wait(2)
    expect((await bearer()).status).toBe(202)
    expect((await startWith(`Bearer ${await tokenOf(world, {}, next.privateKey)}`, "4915123456781")).status).toBe(202)
    world.wait(3600)
    expect((await startWith(`Bearer ${await tokenOf(world)}`, "4915123456782")).status).toBe(401)
    expect((await startWith(`Bearer ${await tokenOf(world, {}, next.privateKey)}`, "4915123456783")).status).toBe(202)
    const { keys } = await door.keys({ account_id: world.account })
    expect(keys.map(({ expires_at }) => expires_at === null)).toEqual([false, true])
  })

  it("acts for a live key on live phones", async () => {
    const { pem, privateKey } = await pairOf()
    await world.service.operator.door.key({ account_id: world.account, application: "live", public_key: pem.public })
    world.wait(2)
    // No gateway is configured, so that a live send is impossible.
    const answer = await startWith(`Bearer ${await tokenOf(world, { application_id: "live" }, privateKey)}`)
    expect(answer).toMatchObject({ status: 500, body: { type: "about:blank" } })
  })

  it("of a suspended account is 403", async () => {
    await world.service.operator.account.suspend({ account_id: world.account })
    expect(await bearer()).toMatchObject({
      status: 403,
      body: { type: "https://developer.vonage.com/api-errors#account-suspended" }
    })
  })
})

describe("a public key", () => {
  const add = (public_key: string, more: object = {}) =>
    world.service.operator.door.key({ account_id: world.account, application: APPLICATION, public_key, ...more })

  it("must be one, of RSA, and long enough", async () => {
    const { pem } = await usualPair()
    await expect(add(pem.private)).rejects.toThrow("is a private key, which stays with the app")
    await expect(add("nothing")).rejects.toThrow("must be a PEM file that begins with -----BEGIN PUBLIC KEY-----")
    await expect(add("-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----")).rejects.toThrow(
      "must be a public key of RSA"
    )
    await expect(add(pem.public, { application: "a b" })).rejects.toThrow("application")
  })

  it("verifies for one account only", async () => {
    const other = await world.service.operator.account.create({ name: "Other" })
    const { pem } = await pairOf()
    await expect(add(pem.public, { account_id: other.account_id })).rejects.toMatchObject({
      code: "CONFLICT",
      reason: "application_taken"
    })
    await world.service.operator.door.revoke({ account_id: world.account, application: APPLICATION })
    await add(pem.public, { account_id: other.account_id })
  })
})

describe("a body without credentials", () => {
  it("is not read", async () => {
    expect((await send(world, "POST", "/v2/verify", { body: "x".repeat(200_000) })).status).toBe(401)
  })
})
