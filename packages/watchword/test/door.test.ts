import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { HostRequest, HostResponse } from "@watchword/server/Host"
import * as Effect from "effect/Effect"
import { Settings } from "@watchword/store/Settings"
import { type Door, type DoorCaller, type Watchword, createWatchword, doorOf, memory } from "watchword"

const to = "+4915123456789"
const secret = "0123456789abcdef0123456789abcdef"

let service: Watchword
let door: Door
let account: string
let lines: Array<readonly [string, object]>

beforeEach(async () => {
  lines = []
  const line = (text: string, fields: object) => void lines.push([text, fields])
  service = await createWatchword({
    store: memory(),
    secret,
    trustedProxies: ["192.0.2.1"],
    logger: { debug: line, error: line }
  })
  door = doorOf(service, "acme")
  account = (await service.operator.account.create({ name: "Acme" })).account_id
})

afterEach(() => service.dispose())

const keyOf = (more: object = {}) => service.operator.key.create({ account_id: account, sandbox: true, ...more })

const request = (more: Partial<HostRequest> = {}): HostRequest => ({
  method: "POST",
  path: "/codes",
  headers: {},
  body: { _tag: "Absent" },
  remoteAddress: "198.51.100.7",
  ...more
})

const text = (status: number, body: string): HostResponse => ({ status, headers: {}, body })

describe("a door's caller", () => {
  it("has the mode and the account of its key, and verifications keep the door's name", async () => {
    const { key } = await keyOf()
    const caller = await door.authenticate(request(), { apiKey: key, account })
    expect(caller).toMatchObject({ account, sandbox: true })
    await service.verify.start(caller, { to })
    const { items } = await service.operator.why({ number: to })
    expect(items[0]).toMatchObject({ mode: "sandbox", channel: "verify" })
    expect(items[0]?.lines).toContain("started by the door acme")
  })

  it("does no more than its key's scopes allow", async () => {
    const { key } = await keyOf({ scopes: ["verify:read"] })
    const caller = await door.authenticate(request(), { apiKey: key, account: null })
    await expect(service.verify.start(caller, { to })).rejects.toMatchObject({ code: "FORBIDDEN" })
  })

  it("is refused for another account's key, from another address, and once its key is revoked", async () => {
    const { key, key_id } = await keyOf({ allow: ["203.0.113.0/24"] })
    const other = (await service.operator.account.create()).account_id
    const within = request({ remoteAddress: "192.0.2.1", headers: { "x-forwarded-for": "203.0.113.9" } })
    const unauthorized = { code: "UNAUTHORIZED" }
    await expect(door.authenticate(request(), { apiKey: key, account })).rejects.toMatchObject(unauthorized)
    await expect(door.authenticate(within, { apiKey: key, account: other })).rejects.toMatchObject(unauthorized)
    const { ticket } = await door.authenticate(within, { apiKey: key, account })
    await expect(door.authenticate(request(), { ticket: String(ticket) })).rejects.toMatchObject(unauthorized)
    expect(await door.authenticate(within, { ticket: String(ticket) })).toMatchObject({ account })
    await service.operator.key.revoke({ key_id })
    await expect(door.authenticate(within, { ticket: String(ticket) })).rejects.toMatchObject(unauthorized)
    await expect(door.authenticate(within, { ticket: key })).rejects.toMatchObject(unauthorized)
  })

  it("may be an account without a key, whose name no client can take", async () => {
    const caller = await door.admit({ account, sandbox: true })
    expect(caller).toMatchObject({ account, sandbox: true, ticket: null })
    await service.verify.start(caller, { to })
    const copy: DoorCaller = { ...caller }
    await expect(service.verify.start(copy, { to })).rejects.toMatchObject({ code: "BAD_REQUEST" })
    await expect(door.admit("acc_01KAJ3T8ZZ0000000000000000")).rejects.toMatchObject({ code: "NOT_FOUND" })
  })

  it("repeats a start under its idempotency key", async () => {
    const caller = await door.admit({ account, sandbox: true })
    const first = await service.verify.start(caller, { to }, { idempotencyKey: "one" })
    expect(await service.verify.start(caller, { to }, { idempotencyKey: "one" })).toMatchObject({
      id: first.id,
      sends_left: first.sends_left
    })
  })
})

describe("a door's handler", () => {
  it("answers each failure in the door's words, and logs a fault with its request", async () => {
    // All services of a process have one series for a route.
    const route = `/codes/${crypto.randomUUID()}`
    const handle = door.handler({
      answer: async ({ headers }, named) => {
        named(route)
        if (headers["x-broken"] !== undefined) throw new Error("broken")
        await door.authenticate(request(), { apiKey: "sk_test_1", account })
        return text(200, "")
      },
      failed: ({ code, status = 0 }) => text(status, `problem ${code}`)
    })
    expect(await handle(request())).toMatchObject({ status: 401, body: "problem UNAUTHORIZED" })
    const id = "0b1a9f2e-54c6-4b57-9f0c-6f1d2e3a4b5c"
    const broken = await handle(request({ headers: { "x-broken": "1", "x-request-id": id } }))
    expect(broken).toMatchObject({
      status: 500,
      body: "problem INTERNAL_SERVER_ERROR",
      headers: { "x-request-id": id }
    })
    const [, fields] = lines.find(([line]) => line.startsWith("a request failed")) ?? []
    expect(fields).toMatchObject({ request_id: id, route })
    const metrics = await service.operations({ ...request({ method: "GET", path: "/metrics" }) })
    expect(String(metrics.body)).toContain(
      `watchword_http_requests_total{method="POST",route="${route}",status="401"} 1`
    )
  })

  it("reads bodies within their bounds", async () => {
    const caller = await door.admit({ account, sandbox: true })
    const sized = (bytes: number) => request({ body: { _tag: "Bytes", bytes: new Uint8Array(bytes) } })
    const tagOf = (bytes: number, by: DoorCaller | null) =>
      door.withBody(sized(bytes), by, async ({ _tag }) => Promise.resolve(_tag))
    expect(await tagOf(65_536, caller)).toBe("Bytes")
    expect(await tagOf(65_537, caller)).toBe("TooLarge")
    expect(await tagOf(8_193, null)).toBe("TooLarge")
  })

  it("answers in the door's words after the end of the service", async () => {
    const handle = door.handler({
      answer: async () => Promise.resolve(text(200, "")),
      failed: ({ status = 0 }) => text(status, "problem")
    })
    expect(await handle(request())).toMatchObject({ status: 200 })
    await service.dispose()
    expect(await handle(request())).toMatchObject({ status: 503, body: "problem" })
  })
})

describe("a door's seals", () => {
  it("open in another process of the installation, and at the same door only", async () => {
    const sealed = await door.seal("token")
    const next = await createWatchword({ store: memory(), secret: ["another secret of thirty-two chars!", secret] })
    expect(await doorOf(next, "acme").open(sealed)).toBe("token")
    expect(await doorOf(next, "other").open(sealed)).toBeNull()
    await next.dispose()
    const stranger = await createWatchword({ store: memory() })
    expect(await doorOf(stranger, "acme").open(sealed)).toBeNull()
    const own = await doorOf(stranger, "acme").seal("own")
    expect(own).toMatch(/^[\w-]+$/)
    await stranger.dispose()
  })
})

describe("doorOf", () => {
  it("refuses a name that records could not have, and what is not a service", () => {
    expect(() => doorOf(service, "Twilio")).toThrow("a door's name must be")
    expect(() => doorOf({ handle: service.handle, drain: service.drain }, "twilio")).toThrow(
      "doorOf needs a service of createWatchword"
    )
  })

  it("runs programs with the service's services", async () => {
    const found = await door.run(Effect.map(Settings, (settings) => typeof settings.get))
    expect(found).toBe("function")
  })
})
