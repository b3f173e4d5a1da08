import { exchange, exchangeRaw } from "@watchword/store/checks"
import { StoreError } from "@watchword/store/StoreError"
import { sqlite } from "@watchword/store-sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { once } from "node:events"
import { connect as connect2 } from "node:http2"
import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import fastify, { type FastifyInstance } from "fastify"
import { afterEach, describe, expect, it } from "vitest"
import { createWatchword, memory } from "watchword"
import { watchword } from "@watchword/fastify"
import {
  boundToAddress,
  bodyOf,
  flash,
  hangUp,
  ok,
  post,
  postEndless,
  refusedUnread,
  scripted,
  throughProxies,
  waiting
} from "../../../test/scripted.ts"

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const start = async (app: FastifyInstance): Promise<string> => {
  closing.push(() => app.close())
  return app.listen({ host: "127.0.0.1", port: 0 })
}

/** An app whose errors and unknown paths have answers that are its own. */
const withOwnEnds = (app: FastifyInstance): FastifyInstance =>
  app
    .setNotFoundHandler((_request, reply) => reply.code(404).send("own 404"))
    .setErrorHandler((error, _request, reply) =>
      reply.code(500).send(`own error: ${error instanceof Error ? error.message : String(error)}`)
    )

describe("beside the app's own routes", () => {
  it("leaves everything at the root to them that is no endpoint", async () => {
    const service = scripted()
    const app = withOwnEnds(fastify())
    app.register(watchword(service))
    app.get("/sms", () => "own page")
    app.head("/sms/:id/sdr", (_request, reply) => reply.code(204).send())
    app.post("/users", (request) => ({ had: request.body }))
    const url = await start(app)
    expect((await post(url, "/sms", "{}")).text).toBe("{}")
    expect((await exchange(url, { method: "GET", path: "/sms" })).text).toBe("own page")
    expect((await exchange(url, { method: "HEAD", path: "/sms/1/sdr" })).status).toBe(204)
    const head = await exchange(url, { method: "HEAD", path: "/call/flash/1/cdr" })
    expect([head.status, head.headers["content-length"]]).toEqual([404, String("own 404".length)])
    expect((await post(url, "/users", '{"a":1}')).text).toBe('{"had":{"a":1}}')
    expect((await post(url, "/users", "{")).text).toMatch(/^own error: /)
    for (const path of ["/", "/sms/", "/sms/x/y/z", "/nope"]) {
      const { status, text } = await post(url, path, "{}")
      expect([status, text]).toEqual([404, "own 404"])
    }
    expect(service.asked.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /sms"])
  })

  it("answers under its prefix what no route of the app is for", async () => {
    const service = scripted(({ path }) => ({ ...ok, body: path }))
    const app = withOwnEnds(fastify())
    app.register(watchword(service), { prefix: "/v1" })
    app.get("/v1/own", () => "own page")
    const url = await start(app)
    const get = async (path: string) => (await exchange(url, { method: "GET", path })).text
    expect(await get("/v1/own")).toBe("own page")
    expect(await get("/v1/sms?a=/v1")).toBe("/sms?a=/v1")
    expect(await get("/v1?a")).toBe("/?a")
    expect(await get("/v1/")).toBe("/")
    expect(await get("/v10")).toBe("own 404")
    expect(await exchangeRaw(url, "GET http://x/v1/sms HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")).toMatch(
      /\r\n\r\n\/sms$/
    )
  })

  it("may stand in an app more than once", async () => {
    const [first, second] = [scripted(() => ({ ...ok, body: "1" })), scripted(() => ({ ...ok, body: "2" }))]
    const app = fastify()
    app.register(watchword(first), { prefix: "/a" })
    app.register(watchword(second), { prefix: "/b/:tenant" })
    const url = await start(app)
    expect((await post(url, "/a/sms", "{}")).text).toBe("1")
    expect((await post(url, "/b/c/sms", "{}")).text).toBe("2")
    expect(second.asked.map(({ path }) => path)).toEqual(["/sms"])
  })

  it("gives what fails to the app's error handler", async () => {
    const app = withOwnEnds(fastify())
    const broken = { ...scripted(), handle: () => Promise.reject(new Error("broken")) }
    app.register(watchword(broken), { prefix: "/v1" })
    const answer = await post(await start(app), "/v1/sms", "{}")
    expect([answer.status, answer.text]).toEqual([500, "own error: broken"])
  })

  it.each([new Error("not you"), "not you"])("lets a hook of the app refuse with %j", async (refusal) => {
    const service = scripted()
    const app = withOwnEnds(fastify())
    app.addHook("onRequest", async () => {
      throw refusal
    })
    app.register(watchword(service), { prefix: "/v1" })
    const answer = await post(await start(app), "/v1/sms", "{}", ";")
    expect([answer.status, answer.text]).toEqual([500, "own error: not you"])
    expect(service.asked).toEqual([])
  })

  it("answers the errors of direct calls with their status by itself", async () => {
    const service = await createWatchword({ store: memory() })
    const { account_id: account } = await service.operator.account.create()
    const app = fastify()
    app.post<{ Params: { to: string } }>("/sign-up/:to", ({ params }) =>
      service.sms.send({ account, sandbox: true }, { to: params.to, text: "Your code is 123456" })
    )
    const url = await start(app)
    expect((await post(url, "/sign-up/+4915123456789", "{}")).status).toBe(200)
    const wrong = await post(url, "/sign-up/0151", "{}")
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('"code":"BAD_REQUEST"')])
    await service.dispose()
    expect((await post(url, "/sign-up/+4915123456789", "{}")).status).toBe(503)
  })

  it("goes through the app's hooks and its log, without secrets", async () => {
    const lines: Array<string> = []
    const seen: Array<string> = []
    const app = fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
    app.addHook("onRequest", async (_request, reply) => void reply.header("x-hook", "1"))
    app.addHook("preHandler", async (request) => void seen.push(request.body instanceof Readable ? "unread" : "read"))
    app.addHook("onSend", async (_request, _reply, payload) => `${String(payload)} and more`)
    app.addHook("onResponse", async (_request, reply) => void seen.push(String(reply.statusCode)))
    app.register(watchword(scripted(() => ({ ...ok, status: 603 }))), { prefix: "/v1" })
    const url = await start(app)
    const headers = { "x-api-key": "sk_test_SECRET", "content-type": "application/json" }
    const answer = await exchange(url, { method: "POST", path: "/v1/sms", headers, body: '{"text":"778899"}' })
    expect([answer.status, answer.text, answer.headers["x-hook"]]).toEqual([603, "{} and more", "1"])
    await app.close()
    expect(seen).toEqual(["unread", "603"])
    expect(lines.join("")).toContain('"statusCode":603')
    expect(lines.join("")).not.toMatch(/SECRET|778899/)
  })

  it.each(["/v1", ""])("leaves preflight requests to the app, at %j", async (prefix) => {
    const app = withOwnEnds(fastify())
    app.options("*", (_request, reply) => reply.code(204).header("access-control-allow-methods", "POST").send())
    app.addHook("onRequest", async (_request, reply) => void reply.header("access-control-allow-origin", "*"))
    app.register(watchword(scripted()), { prefix })
    const url = await start(app)
    const preflight = await exchange(url, { method: "OPTIONS", path: `${prefix}/sms` })
    expect([preflight.status, preflight.headers["access-control-allow-methods"]]).toEqual([204, "POST"])
    const answer = await post(url, `${prefix}/sms`, "{}")
    expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([200, "*"])
  })

  it("keeps its parser to itself", async () => {
    const app = fastify()
    app.register(watchword(scripted()), { prefix: "/v1" })
    app.post("/own", (request) => ({ had: request.body }))
    const url = await start(app)
    expect((await post(url, "/own", '{"a":1}')).text).toBe('{"had":{"a":1}}')
    expect((await post(url, "/own", "a", "x/y")).status).toBe(415)
  })
})

describe("statuses", () => {
  it.each([
    [603, "Decline"],
    [486, "Busy Here"],
    [480, "Temporarily Unavailable"],
    [200, "OK"]
  ])("%i leaves as it is", async (status, reason) => {
    const app = fastify()
    app.register(watchword(scripted(() => ({ ...ok, status }))), { prefix: "/v1" })
    const raw = "GET /v1/sms HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
    const answer = await exchangeRaw(await start(app), raw)
    expect(answer.split("\r\n")[0]).toBe(`HTTP/1.1 ${status} ${reason}`)
    expect(answer.split("\r\n\r\n")[1]).toBe("{}")
  })

  it("204 has no body and no length", async () => {
    const app = fastify()
    app.register(watchword(scripted(() => ({ status: 204, headers: {}, body: null }))), { prefix: "/v1" })
    const { status, headers, text } = await exchange(await start(app), { method: "DELETE", path: "/v1/call/flash/1" })
    expect([status, headers["content-length"], headers["transfer-encoding"], text]).toEqual([
      204,
      undefined,
      undefined,
      ""
    ])
  })

  it("603 is 486 over HTTP/2, and says so", async () => {
    const service = scripted(() => ({ ...ok, status: 603 }))
    const app = fastify({ http2: true })
    closing.push(() => app.close())
    app.register(watchword(service), { prefix: "/v1" })
    const session = connect2(await app.listen({ host: "127.0.0.1", port: 0 }))
    const stream = session.request({ ":method": "POST", ":path": "/v1/sms", "content-type": "application/json" })
    stream.end("{}")
    const [headers] = await once(stream, "response")
    expect([headers[":status"], headers["x-status"], await text(stream)]).toEqual([486, "603", "{}"])
    expect(service.asked.map(bodyOf)).toEqual(["{}"])
    await new Promise<void>((resolve) => session.close(resolve))
  })

  it("are the same when nothing is listening", async () => {
    const app = fastify()
    app.register(watchword(scripted(() => ({ ...ok, status: 603 }))), { prefix: "/v1" })
    const answer = await app.inject({ method: "POST", url: "/v1/sms", payload: { a: 1 } })
    expect([answer.statusCode, answer.body]).toEqual([603, "{}"])
    const large = await app.inject({ method: "POST", url: "/v1/sms", payload: "x".repeat(100_000) })
    expect([large.statusCode, large.body]).toEqual([603, "{}"])
  })
})

describe("bodies", () => {
  it.each(["application/json", "text/plain", "a/b; c=d", ";", "x".repeat(300), "no type at all"])(
    "are bytes, also as %j",
    async (type) => {
      const service = scripted()
      const app = fastify()
      app.register(watchword(service), { prefix: "/v1" })
      const url = await start(app)
      expect((await post(url, "/v1/sms", '{"a":1}', type)).status).toBe(200)
      await post(url, "/v1/sms", [Buffer.from("a"), Buffer.from("b")], type)
      await exchange(url, { method: "POST", path: "/v1/sms", body: "c" })
      await exchange(url, { method: "POST", path: "/v1/sms" })
      expect(service.asked.map(bodyOf)).toEqual(['{"a":1}', "ab", "c", "Absent"])
    }
  )

  it.each(["application/json", ";"])(
    "that are too large are not read on, and the client sees the answer: %j",
    async (type) => {
      const service = scripted(({ body }) => ({ ...ok, status: 400, body: body._tag }), 10)
      const app = fastify({ bodyLimit: 5 })
      app.addHook("onRequest", async (_request, reply) => void reply.header("access-control-allow-origin", "*"))
      app.register(watchword(service), { prefix: "/v1" })
      const url = await start(app)
      expect((await post(url, "/v1/sms", "x".repeat(10), type)).text).toBe("Bytes")
      expect((await post(url, "/v1/sms", "x".repeat(11), type)).text).toBe("TooLarge")
      const answer = await postEndless(url, { "content-type": type })
      expect([answer.status, await answer.text()]).toEqual([400, "TooLarge"])
      expect(answer.headers.get("access-control-allow-origin")).toBe("*")
    }
  )
})

it("refuses what is not authorized before its body comes", async () => {
  const service = await createWatchword({ store: memory() })
  closing.push(service.dispose)
  const app = fastify()
  app.register(watchword(service), { prefix: "/v1" })
  expect(await refusedUnread(await start(app))).toEqual([404, 404, 401])
})

describe("the client's address", () => {
  it.each(throughProxies)("%s", async (_, trustProxy, trustedProxies, forwardedFor, status) => {
    const { service, statusBy } = await boundToAddress(trustedProxies)
    closing.push(service.dispose)
    const app = fastify({ trustProxy })
    app.register(watchword(service), { prefix: "/v1" })
    expect(await statusBy(await start(app), forwardedFor)).toBe(status)
  })
})

describe("clients that hang up", () => {
  it("while sending have sent nothing that can be read", async () => {
    const service = scripted()
    const app = fastify()
    const gone = Promise.withResolvers<void>()
    app.addHook("onRequestAbort", async (_request) => gone.resolve())
    app.register(watchword(service), { prefix: "/v1" })
    const url = await start(app)
    await hangUp(url)
    await gone.promise
    await exchange(url, { method: "GET", path: "/v1/after" })
    expect(service.asked.map(bodyOf).toSorted()).toEqual(["Absent", "Unreadable"])
  })

  it("while waiting do not stop what they asked for", async () => {
    const service = waiting()
    const app = fastify()
    app.register(watchword(service), { prefix: "/v1" })
    const url = await start(app)
    await service.abort(url)
    expect((await exchange(url, { method: "GET", path: "/v1/after" })).status).toBe(200)
  })
})

/** A store that tells when it is closed. */
const closingStore = (closed: () => void) =>
  memory().pipe(Layer.merge(Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(closed)))))

describe("a service of its own", () => {
  it("starts with the app", async () => {
    const app = fastify()
    app.register(watchword({ store: memory() }), { prefix: "/v1" })
    const url = await start(app)
    const { status, text } = await post(url, "/v1/sms", "{}")
    expect([status, JSON.parse(text).error]).toEqual([401, "UNAUTHORIZED"])
  })

  it("that cannot start keeps the app from starting", async () => {
    const app = fastify()
    app.register(watchword({ store: sqlite("/nowhere/watchword.db") }), { prefix: "/v1" })
    await expect(app.ready()).rejects.toBeInstanceOf(StoreError)
  })

  it("that was given is left as it is when the app closes, after the requests in flight", async () => {
    const service = await createWatchword({ store: memory() })
    closing.push(service.dispose)
    const { account_id: account } = await service.operator.account.create()
    const { key } = await service.operator.key.create({ account_id: account, sandbox: true })
    const app = fastify()
    const arrived = Promise.withResolvers<void>()
    app.addHook("preHandler", async () => arrived.resolve())
    app.register(watchword(service), { prefix: "/v1" })
    const url = await start(app)
    const inFlight = flash(url, account, key)
    await arrived.promise
    await app.close()
    expect((await inFlight).status).toBe(200)
    expect((await service.operator.account.list()).accounts).toHaveLength(1)
  })

  it("ends with the app, after the requests in flight", async () => {
    const app = fastify()
    const begun = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const order: Array<string> = []
    app.addHook("onResponse", async () => void order.push("answered"))
    app.addHook("preHandler", () => {
      begun.resolve()
      return release.promise
    })
    app.register(watchword({ store: closingStore(() => order.push("closed")) }), { prefix: "/v1" })
    const url = await start(app)
    const inFlight = post(url, "/v1/sms", "{}")
    await begun.promise
    const closed = app.close()
    release.resolve()
    await closed
    expect((await inFlight).status).toBe(401)
    expect(order).toEqual(["answered", "closed"])
  })
})

it("logs by the app's own logger, with fields that pino keeps", async () => {
  const lines: Array<unknown> = []
  const app = fastify({ logger: { level: "debug", stream: { write: (line) => void lines.push(JSON.parse(line)) } } })
  const service = await createWatchword({ store: memory(), logger: app.log })
  app.register(watchword(service), { prefix: "/v1" })
  app.addHook("onClose", service.dispose)
  const request_id = "0c9d7e3a-1111-4222-8333-444455556666"
  const answer = await app.inject({ method: "POST", url: "/v1/sms", headers: { "x-request-id": request_id }, body: {} })
  expect(answer.statusCode).toBe(401)
  await app.close()
  const reason = "no x-api-key and no x-account-id"
  expect(lines).toContainEqual(expect.objectContaining({ level: 20, msg: "a key was refused", reason, request_id }))
  expect(lines).toContainEqual(expect.objectContaining({ level: 20, msg: "POST /sms 401", route: "/sms", status: 401 }))
})

it("takes what Fastify adds to the options of a service", async () => {
  const app = fastify()
  app.register(watchword({ store: memory() }), { prefix: "/v1", logLevel: "warn" })
  expect((await app.inject({ method: "POST", url: "/v1/sms", body: {} })).statusCode).toBe(401)
  await app.close()
})
