/** Requests that are refused, from the handler to the log that operators and accounts read. */
import { type HostRequest, bytes } from "@watchword/server/Host"
import { makeMemory } from "@watchword/store/MemoryStore"
import { type RefusedRequest, type Service as StoreService, Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Options, type Watchword, createWatchword, doorOf } from "watchword"
import { until } from "../../../test/until.ts"

const to = "+4915123456789"
const REQUEST_ID = "0c9d7e3a-1111-4222-8333-444455556666"
const SECRET = "the code is 424242"

let store: ReturnType<typeof makeMemory>
let service: Watchword
let account: string
let key: string
let keyId: string

const open = async (options: Partial<Options> = {}) => {
  service = await createWatchword({
    store: Layer.succeed(Store, store),
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    ...options
  })
  account = (await service.operator.account.create({ name: "Acme" })).account_id
  const made = await service.operator.key.create({ account_id: account, sandbox: true })
  key = made.key
  keyId = made.key_id
}

beforeEach(async () => {
  store = makeMemory()
  await open()
})

afterEach(() => service.dispose())

const request = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): HostRequest => ({
  method: "POST",
  path,
  headers: { "x-api-key": key, "x-account-id": account, "content-type": "application/json", ...headers },
  body: bytes(new TextEncoder().encode(JSON.stringify(body))),
  remoteAddress: "2001:db8:1:2:3:4:5:6"
})

const post = async (...given: Parameters<typeof request>) => {
  const { body, status } = await service.handle(request(...given))
  return { status, json: Object(JSON.parse(String(body))) }
}

/** The log of operators once it has so many requests. */
const logged = async (count: number, input: Parameters<Watchword["operator"]["requests"]>[0] = {}) =>
  (
    await until(
      () => service.operator.requests(input),
      ({ requests }) => requests.length === count
    )
  ).requests

const all = (): Promise<ReadonlyArray<RefusedRequest>> =>
  Effect.runPromise(
    Effect.map(
      store.refused({
        since: 0,
        until: 2 ** 48 - 1,
        before: null,
        account: null,
        mode: null,
        status: null,
        code: null,
        operation: null,
        limit: 1_000,
        reach: 1_000
      }),
      ({ rows }) => rows
    )
  )

describe("a refused request", () => {
  it("is in the log with its account, its key, its error and its masked number, and without its body", async () => {
    const refused = await post("/verifications", { to, code: "1", purpose: SECRET }, { "x-request-id": REQUEST_ID })
    expect(refused.status).toBe(400)
    expect(await logged(1)).toEqual([
      {
        id: expect.stringMatching(/^[0-9A-Z]{26}$/),
        at: expect.stringMatching(/^20\d\d-.*Z$/),
        account_id: account,
        mode: "sandbox",
        key_id: keyId,
        operation: "POST /verifications",
        status: 400,
        code: "BAD_REQUEST",
        reason: null,
        request_id: REQUEST_ID,
        client: "2001:db8:1:2::/64",
        to: "+491********89",
        count: 1
      }
    ])
    expect(JSON.stringify(await all())).not.toContain("424242")
  })

  it("has the reason that its answer has", async () => {
    const body = { to }
    expect((await post("/verifications", body)).status).toBe(200)
    const { json } = await post("/verifications", body)
    expect(json).toMatchObject({ error: "TOO_MANY_REQUESTS", reason: "resend_too_soon" })
    const [entry] = await logged(1)
    expect(entry).toMatchObject({
      status: 429,
      code: "TOO_MANY_REQUESTS",
      reason: "resend_too_soon",
      request_id: json.request_id
    })
  })

  it("without a known key has no account, and says why to operators", async () => {
    await post("/sms", {}, { "x-api-key": "sk_test_wrong" })
    const [entry] = await logged(1)
    expect(entry).toMatchObject({ account_id: null, key_id: null, mode: null, status: 401, to: null })
    expect(entry?.reason).toBe("the key does not have the form of this service's keys")
  })

  it("by a key that there is has its account, though the key may not be used", async () => {
    const other = (await service.operator.account.create({ name: "Other" })).account_id
    await post("/sms", {}, { "x-account-id": other })
    const [entry] = await logged(1)
    expect(entry).toMatchObject({ account_id: account, key_id: keyId, reason: "the key is of another account" })
  })

  it("that no route is for, and one that succeeds, are in no log", async () => {
    await post("/wp-login.php", {})
    await post("/verifications", { to })
    await post("/sms", {}, { "x-api-key": "sk_test_wrong" })
    expect(await logged(1)).toMatchObject([{ operation: "POST /sms" }])
  })

  it("loses its number when the number is erased", async () => {
    await post("/verifications", { to, code: "1" })
    await post("/verifications", { to: "+442079460123", code: "1" })
    await logged(2)
    await service.operator.erase({ number: to })
    const after = await service.operator.requests({ account_id: account })
    expect(after.requests.map((entry) => entry.to).sort()).toEqual(["+442*******23", "erased"])
  })
})

describe("the log of a door", () => {
  it("has the service's error, whatever the door says of it", async () => {
    const door = doorOf(service, "acme")
    const handle = door.handler({
      answer: async (request, route) => {
        route("/codes")
        const caller = await door.authenticate(request, { account: null, apiKey: key })
        try {
          await service.verify.start(caller, { to, code: "1" })
        } catch {
          return { status: 418, headers: {}, body: "no tea" }
        }
        return { status: 200, headers: {}, body: null }
      },
      failed: ({ code, status = 500 }) => ({ status, headers: {}, body: code })
    })
    expect((await handle(request("/codes", {}))).status).toBe(418)
    key = "sk_test_wrong"
    expect((await handle(request("/codes", {}))).status).toBe(401)
    const [refused, failed] = await logged(2)
    expect(failed).toMatchObject({
      account_id: account,
      key_id: keyId,
      operation: "POST /codes",
      status: 418,
      code: "BAD_REQUEST",
      to: "+491********89"
    })
    expect(refused).toMatchObject({ account_id: null, status: 401, code: "UNAUTHORIZED" })
  })
})

describe("an account", () => {
  it("lists its own, in the mode of its key, by the fields of lists", async () => {
    const { key: live } = await service.operator.key.create({ account_id: account })
    const other = await service.operator.account.create({ name: "Other" })
    const { key: others } = await service.operator.key.create({ account_id: other.account_id, sandbox: true })
    await post("/verifications", { to, code: "1" })
    // Times are in milliseconds, and a list by time needs two of them.
    const first = Date.now()
    await until(
      () => Date.now(),
      (now) => now > first
    )
    await post("/sms", {})
    await post("/sms", {}, { "x-api-key": live })
    await post("/sms", {}, { "x-api-key": others, "x-account-id": other.account_id })
    await logged(4)
    const { json } = await post("/requests/list", {})
    expect(json).toMatchObject({ total: 2, list: [{ operation: "POST /sms" }, { operation: "POST /verifications" }] })
    expect(json.list[1]).toEqual({
      created_at: expect.stringMatching(/^20\d\d-.*Z$/),
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      operation: "POST /verifications",
      status: 400,
      code: "BAD_REQUEST",
      reason: null,
      key_id: keyId,
      client: "2001:db8:1:2::/64",
      to: "+491********89",
      count: 1
    })
    const listed = async (body: object) => (await post("/requests/list", body)).json
    expect(await listed({ filter: { operation: "POST /sms" } })).toMatchObject({ total: 1 })
    expect(await listed({ filter: { status: [401, 400], to: null } })).toMatchObject({ total: 1 })
    expect(await listed({ filter: { created_at: { lt: json.list[1].created_at } } })).toMatchObject({ total: 0 })
    expect(await listed({ filter: { created_at: { lte: json.list[1].created_at } } })).toMatchObject({ total: 1 })
    expect(await listed({ filter: { created_at: { gte: json.list[1].created_at } } })).toMatchObject({ total: 2 })
    expect(await listed({ rows_per_page: 1, sort_direction: "ASC" })).toMatchObject({
      total: 2,
      has_next_page: true,
      list: [{ operation: "POST /verifications" }]
    })
    expect(await listed({ filter: { body: 1 } })).toMatchObject({ error: "BAD_REQUEST" })
    const own = await service.requests.list({ account, sandbox: false })
    expect(own.total).toBe(1)
  })

  it("needs the scope", async () => {
    key = (await service.operator.key.create({ account_id: account, sandbox: true, scopes: ["sms:read"] })).key
    expect((await post("/requests/list", {})).json).toMatchObject({ error: "FORBIDDEN" })
    key = (await service.operator.key.create({ account_id: account, sandbox: true, scopes: ["requests:read"] })).key
    expect((await post("/requests/list", {})).status).toBe(200)
  })
})

/** The store with the names of the methods that were called. */
const counted = (inner: StoreService) => {
  const calls: Array<string> = []
  const service = new Proxy(inner, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== "function") return value
      return new Proxy(value, {
        apply: (method, self, args) => {
          // Keys are looked up again for a request of any kind, after some time.
          if (name !== "keysChangedWithin") calls.push(String(name))
          return Reflect.apply(method, self, args)
        }
      })
    }
  })
  return { calls, service }
}

describe("the store", () => {
  it("is asked for nothing more by requests that succeed, and once for many that are refused", async () => {
    await service.dispose()
    const { calls, service: watched } = counted(store)
    // Nothing runs by itself, and time stands still: the first refusal is written, and the rest at the end.
    const now = Date.now()
    await open({ store: Layer.succeed(Store, watched), background: false, clock: { now: () => now } })
    await post("/sms", { to, text: "Your code is 123456" })
    calls.length = 0
    await post("/sms", { to, text: "Your code is 123456" })
    expect(calls).toEqual(["open"])
    calls.length = 0
    await post("/verifications", { to, code: "1" })
    await until(() => calls.length > 0)
    expect(calls).toEqual(["addRefused"])
    calls.length = 0
    for (let n = 0; n < 40; n++) await post("/verifications", { to, code: "1" })
    expect(calls).toEqual([])
    await service.dispose()
    expect(calls.filter((name) => name === "addRefused")).toHaveLength(1)
    const rows = await all()
    expect(rows.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([...Array<number>(11).fill(1), 30])
  })

  it("that is away gets the rows once it is back", async () => {
    await service.dispose()
    const away = { is: true, asked: 0 }
    const addRefused: StoreService["addRefused"] = (rows) =>
      Effect.suspend(() => {
        away.asked++
        return away.is
          ? Effect.fail(new StoreError({ reason: "Unavailable", message: "no disk" }))
          : store.addRefused(rows)
      })
    await open({ store: Layer.succeed(Store, { ...store, addRefused }) })
    await post("/verifications", { to, code: "1" })
    await until(() => away.asked > 1)
    expect(await all()).toEqual([])
    away.is = false
    expect(await logged(1)).toMatchObject([{ status: 400 }])
  })
})
