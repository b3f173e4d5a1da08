import { expect, it } from "@effect/vitest"
import { BusyHere } from "@watchword/schemas/Errors"
import { AccountId } from "@watchword/schemas/Ids"
import { type Message, SmsGateway } from "@watchword/sms/SmsGateway"
import { accepted, rejected } from "@watchword/send/Outcome"
import { memory } from "@watchword/store/MemoryStore"
import { type Service as StoreService, Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { describe, vi } from "vitest"
import { Handler, type ReadBody, absent, bytes, parsed, toPromise, tooLarge, unreadable } from "@watchword/server/Host"
import { ask, createKey, json, openAccount, service } from "./fixture.ts"

const JSON_TYPE = { "content-type": "application/json" }
const REQUEST_ID = "0c9d7e3a-1111-4222-8333-444455556666"
const message = { to: "+4915123456789", text: "Your code is 123456" }

const credentials = (account: AccountId, key: string) => ({ ...JSON_TYPE, "x-account-id": account, "x-api-key": key })

/** Headers of a new account's key. */
const newCaller = Effect.gen(function* () {
  const { id } = yield* openAccount
  return credentials(id, yield* createKey(id))
})

/** A store in memory, some of whose verbs are replaced. */
const storeWith = (verbs: Partial<StoreService>): Layer.Layer<Store> =>
  Layer.effect(
    Store,
    Effect.map(Store, (store) => Store.of({ ...store, ...verbs }))
  ).pipe(Layer.provide(memory()))

describe("bodies that the host has parsed", () => {
  it.effect("are taken as they are", () =>
    Effect.gen(function* () {
      const headers = yield* newCaller
      const answer = yield* ask({ path: "/sms", headers, body: parsed(message) })
      expect(json(answer)).toMatchObject({ to: message.to })
    }).pipe(Effect.provide(service()))
  )

  it.effect.each([undefined, null, [], "text", 1, {}, Object.create(null), new Date(0), { to: { $gt: "" }, text: [] }])(
    "are refused when they are %j",
    (value) =>
      Effect.gen(function* () {
        const headers = yield* newCaller
        const answer = yield* ask({ path: "/sms", headers, body: parsed(value) })
        expect([answer.status, json(answer)]).toMatchObject([400, { error: "BAD_REQUEST" }])
      }).pipe(Effect.provide(service()))
  )

  it.effect("are refused when the host parsed something else than JSON", () =>
    Effect.gen(function* () {
      const headers = { ...(yield* newCaller), "content-type": "application/x-www-form-urlencoded" }
      expect((yield* ask({ path: "/sms", headers, body: parsed(message) })).status).toBe(400)
    }).pipe(Effect.provide(service()))
  )

  it.effect("are refused after the key when the host could not read them", () =>
    Effect.gen(function* () {
      const headers = yield* newCaller
      for (const body of [unreadable, tooLarge]) {
        expect((yield* ask({ path: "/sms", headers, body })).status).toBe(400)
        expect((yield* ask({ path: "/sms", headers: JSON_TYPE, body })).status).toBe(401)
      }
    }).pipe(Effect.provide(service()))
  )
})

describe("the limit of bodies", () => {
  it.effect("holds where the host has none", () =>
    Effect.gen(function* () {
      const headers = yield* newCaller
      const body = bytes(new TextEncoder().encode(JSON.stringify(message)))
      const long = { ...headers, "content-length": "101" }
      expect((yield* ask({ path: "/sms", headers, body })).status).toBe(200)
      expect((yield* ask({ path: "/sms", headers, body: bytes(new Uint8Array(101)) })).status).toBe(400)
      expect((yield* ask({ path: "/sms", headers: long, body: parsed(message) })).status).toBe(400)
    }).pipe(Effect.provide(service({ maxBodyBytes: 100 })))
  )
})

/** A body of a host that counts how often it is read. */
const unreadBody = (content: string) => {
  let reads = 0
  const body: ReadBody = ({ end, write }) => {
    reads++
    write(new TextEncoder().encode(content))
    end()
    return () => {}
  }
  return { body, reads: () => reads }
}

describe("bodies that the host has not read", () => {
  it.effect("stay so until the request is authorized", () =>
    Effect.gen(function* () {
      const { body, reads } = unreadBody(JSON.stringify(message))
      const headers = yield* newCaller
      const { "x-api-key": _, ...keyless } = headers
      const wrong = {
        ...headers,
        "x-api-key": headers["x-api-key"].replace(/.$/, (last) => (last === "x" ? "y" : "x"))
      }
      for (const given of [{}, keyless, wrong, { ...headers, "x-account-id": "acc_0" }]) {
        expect((yield* ask({ path: "/sms", headers: given, body })).status).toBe(401)
      }
      expect((yield* ask({ path: "/nothing", headers, body })).status).toBe(404)
      expect((yield* ask({ path: "/bizchat/events", headers, body })).status).toBe(404)
      const typed = { ...headers, "content-type": "text/plain" }
      expect((yield* ask({ path: "/sms", headers: typed, body })).status).toBe(400)
      expect(reads()).toBe(0)
      expect((yield* ask({ path: "/sms", headers, body })).status).toBe(200)
      expect(reads()).toBe(1)
    }).pipe(Effect.provide(service()))
  )

  it.effect("take memory of their account alone: the longest are given up, and others are read", () =>
    Effect.gen(function* () {
      const headers = yield* newCaller
      let stops = 0
      const body: ReadBody = ({ write }) => {
        write(new Uint8Array(60_000))
        return () => void stops++
      }
      const held = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 200 }, () => ask({ path: "/sms", headers, body })),
          { concurrency: "unbounded" }
        )
      )
      const share = Math.floor((8 * 1024 * 1024) / 60_000)
      yield* Effect.promise(() => vi.waitUntil(() => stops === 200 - share))
      for (const caller of [yield* newCaller, headers]) {
        const { body } = unreadBody(JSON.stringify(message))
        expect((yield* ask({ path: "/sms", headers: caller, body })).status).toBe(200)
      }
      expect(stops).toBe(200 - share)
      yield* Fiber.interrupt(held)
    }).pipe(Effect.provide(service()))
  )

  it.effect("are answered 503 when they are given up, and may come in many pieces", () =>
    Effect.gen(function* () {
      const headers = yield* newCaller
      const ends: Array<() => void> = []
      const body: ReadBody = ({ end, write }) => {
        const bytes = new TextEncoder().encode(JSON.stringify(message).padEnd(60_000))
        for (let start = 0; start < bytes.length; start += 64) write(bytes.subarray(start, start + 64))
        ends.push(end)
        return () => {}
      }
      const asking = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 129 }, () => ask({ path: "/sms", headers, body })),
          { concurrency: "unbounded" }
        )
      )
      yield* Effect.promise(() => vi.waitUntil(() => ends.length === 129))
      for (const end of ends) end()
      const [first, ...others] = yield* Fiber.join(asking)
      expect(first && [first.status, json(first)]).toMatchObject([503, { error: "SERVICE_UNAVAILABLE" }])
      expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]))
    }).pipe(Effect.provide(service()))
  )
})

it.effect("keeps answers out of caches", () =>
  Effect.gen(function* () {
    const headers = yield* newCaller
    const answers = [
      yield* ask({ path: "/sms", headers, body: JSON.stringify(message) }),
      yield* ask({ path: "/sms", body: "{}" }),
      yield* ask({ path: "/nothing" })
    ]
    for (const answer of answers) {
      expect(answer.headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff" })
    }
  }).pipe(Effect.provide(service()))
)

describe("the client's address", () => {
  const allowed = (headers: Record<string, string>, remoteAddress: string | null) =>
    Effect.gen(function* () {
      const { id } = yield* openAccount
      const key = yield* createKey(id, { allow: ["203.0.113.7"] })
      const request = { path: "/sms/sdr", headers: { ...credentials(id, key), ...headers }, body: "{}" }
      return (yield* ask({ ...request, remoteAddress })).status
    })

  it.effect("is the socket's unless that is a trusted proxy", () =>
    Effect.gen(function* () {
      expect(yield* allowed({}, "203.0.113.7")).toBe(200)
      expect(yield* allowed({}, "::ffff:203.0.113.7")).toBe(200)
      expect(yield* allowed({}, "203.0.113.8")).toBe(401)
      expect(yield* allowed({}, null)).toBe(401)
      expect(yield* allowed({ "x-forwarded-for": "203.0.113.7" }, "203.0.113.8")).toBe(401)
      expect(yield* allowed({ "x-forwarded-for": "1.1.1.1, 203.0.113.7" }, "10.1.2.3")).toBe(200)
      expect(yield* allowed({ "x-forwarded-for": "203.0.113.7, 1.1.1.1" }, "10.1.2.3")).toBe(401)
    }).pipe(Effect.provide(service({ trustedProxies: ["10.0.0.0/8"] })))
  )
})

describe("faults of the service", () => {
  const logged: Array<string> = []
  const log = Logger.layer([Logger.map(Logger.formatJson, (line) => logged.push(line))])
  const broken = storeWith({
    find: () => Effect.fail(new StoreError({ reason: "Unavailable", message: "disk I/O error at /var/lib/secret" })),
    list: () => Effect.die(new TypeError("secret is not a function"))
  })

  it.effect("are told in general words, and logged with the request's id", () =>
    Effect.gen(function* () {
      const headers = { ...(yield* newCaller), "x-request-id": REQUEST_ID }
      const path = "/sms/0199a1c6-2f00-8000-8000-000000000000/sdr"
      const unavailable = yield* ask({ method: "GET", path, headers })
      const failed = yield* ask({ path: "/sms/sdr", headers, body: "{}" })
      expect([unavailable.status, json(unavailable)]).toMatchObject([
        503,
        { error: "SERVICE_UNAVAILABLE", request_id: REQUEST_ID }
      ])
      expect([failed.status, json(failed)]).toMatchObject([
        500,
        { error: "INTERNAL_SERVER_ERROR", request_id: REQUEST_ID }
      ])
      expect(JSON.stringify([json(unavailable), json(failed)])).not.toContain("secret")
      expect(logged).toHaveLength(2)
      expect(logged[0]).toContain("disk I/O error")
      expect(logged[1]).toContain("secret is not a function")
      for (const line of logged) expect(line).toContain(REQUEST_ID)
    }).pipe(Effect.provide(Layer.provideMerge(service({ store: broken }), log)))
  )
})

describe("what a request runs with", () => {
  const logged: Array<string> = []
  const log = Logger.layer([Logger.map(Logger.formatJson, (line) => logged.push(line))])
  const broken = storeWith({ keyByHash: () => Effect.die(new TypeError("lost")) })
  const unknownKey = `sk_live_${"0".repeat(43)}1Vxh1Z`
  const headers = credentials(AccountId.make("acc_01KAJ3T8ZZ0000000000000000"), unknownKey)

  it.effect("is what the service was made with, whatever its host has", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(Layer.provide(service({ store: broken }), log))
      const handle = toPromise(Context.get(context, Handler))
      const answer = yield* Effect.promise(() =>
        handle({ method: "POST", path: "/sms", headers, body: absent, remoteAddress: null })
      )
      expect(answer.status).toBe(500)
      expect(logged.join()).toContain("lost")
    })
  )

  it.effect("has the host's tracer for one request and none for the next", () =>
    Effect.gen(function* () {
      const spans: Array<string> = []
      const tracer = Tracer.make({
        span: (options) => {
          spans.push(options.name)
          return new Tracer.NativeSpan(options)
        }
      })
      const asked = ask({ path: "/sms", headers })
      yield* asked
      yield* Effect.withTracer(asked, tracer)
      yield* asked
      expect(spans).toEqual(["POST"])
    }).pipe(Effect.provide(service()))
  )
})

describe("a client that has gone", () => {
  it.effect("is not looked up for any longer", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const list = () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
      const store = storeWith({ list: () => Effect.onInterrupt(list(), () => Deferred.succeed(ended, undefined)) })
      yield* Effect.gen(function* () {
        const headers = yield* newCaller
        const fiber = yield* Effect.forkDetach(ask({ path: "/sms/sdr", headers, body: "{}" }))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(fiber)
        expect(yield* Deferred.isDone(ended)).toBe(true)
      }).pipe(Effect.provide(service({ store })))
    })
  )
})

describe("an error that the endpoint does not declare", () => {
  it.effect("is a fault of the service", () =>
    Effect.gen(function* () {
      const failure = new BusyHere({ message: "a text cannot be busy" })
      const gateway = Layer.succeed(SmsGateway, {
        send: () => Effect.succeed(rejected(failure)),
        events: () => Effect.void,
        health: Effect.succeed([])
      })
      yield* Effect.gen(function* () {
        const { id } = yield* openAccount
        const headers = credentials(id, yield* createKey(id, { mode: "live" }))
        const answer = yield* ask({ path: "/sms", headers, body: JSON.stringify(message) })
        expect([answer.status, json(answer)]).toMatchObject([500, { error: "INTERNAL_SERVER_ERROR" }])
      }).pipe(Effect.provide(service({ gateway })))
    })
  )
})

describe("a send that has begun", () => {
  /** A gateway that accepts a message only when the test says so. */
  const makeGateway = Effect.gen(function* () {
    const asked = yield* Deferred.make<Message>()
    const release = yield* Deferred.make<void>()
    const layer = Layer.succeed(SmsGateway, {
      send: (sms: Message) =>
        Effect.as(Effect.andThen(Deferred.succeed(asked, sms), Deferred.await(release)), accepted(["ref-1"])),
      events: () => Effect.void,
      health: Effect.succeed([])
    })
    return { layer, asked, release }
  })

  const begin = Effect.gen(function* () {
    const { id } = yield* openAccount
    const headers = credentials(id, yield* createKey(id, { mode: "live" }))
    const fiber = yield* Effect.forkDetach(ask({ path: "/sms", headers, body: JSON.stringify(message) }))
    return { headers, fiber }
  })

  it.effect("goes on when the client is gone", () =>
    Effect.gen(function* () {
      const gateway = yield* makeGateway
      yield* Effect.gen(function* () {
        const { headers, fiber } = yield* begin
        yield* Deferred.await(gateway.asked)
        const gone = yield* Effect.forkDetach(Fiber.interrupt(fiber))
        yield* Deferred.succeed(gateway.release, undefined)
        yield* Fiber.join(gone)
        const list = yield* ask({ path: "/sms/sdr", headers, body: "{}" })
        expect(json(list)).toMatchObject({ total: 1, list: [{ status: "sent", to: message.to }] })
      }).pipe(Effect.provide(service({ gateway: gateway.layer })))
    })
  )

  it.effect("is waited for when the service ends, while later requests are refused", () =>
    Effect.gen(function* () {
      const gateway = yield* makeGateway
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(service({ gateway: gateway.layer }), scope)
      yield* Effect.gen(function* () {
        const { headers, fiber } = yield* begin
        yield* Deferred.await(gateway.asked)
        const end = yield* Effect.forkDetach(Scope.close(scope, yield* Effect.exit(Effect.void)))
        yield* Effect.yieldNow
        const refused = yield* ask({ path: "/sms", headers: { ...headers, "x-request-id": REQUEST_ID } })
        expect([refused.status, refused.headers["x-request-id"]]).toEqual([503, REQUEST_ID])
        expect(end.pollUnsafe()).toBeUndefined()
        yield* Deferred.succeed(gateway.release, undefined)
        expect((yield* Fiber.join(fiber)).status).toBe(200)
        yield* Fiber.join(end)
      }).pipe(Effect.provide(context))
    })
  )
})

it.effect("takes headers that came more than once", () =>
  Effect.gen(function* () {
    const headers = yield* newCaller
    const twice = { ...headers, "x-request-id": [REQUEST_ID, REQUEST_ID], "x-other": ["a", "b"] }
    const answer = yield* ask({ path: "/sms/sdr", headers: twice, body: "{}" })
    expect(answer.status).toBe(200)
    expect(answer.headers["x-request-id"]).not.toContain(REQUEST_ID)
  }).pipe(Effect.provide(service()))
)

it.effect("names the trusted proxy that cannot be read", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(Layer.build(service({ trustedProxies: ["10.0.0.0/8", "my proxy"] })))
    expect(error).toMatchObject({ _tag: "NetworkError", entry: "my proxy" })
  })
)

it.effect("answers everything through the service tag", () =>
  Effect.gen(function* () {
    const handle = yield* Handler
    const answer = yield* handle({ method: "", path: "", headers: {}, body: { _tag: "Absent" }, remoteAddress: null })
    expect(answer.status).toBe(404)
  }).pipe(Effect.provide(service()))
)
