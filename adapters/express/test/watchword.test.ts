import { exchange, exchangeRaw } from "@watchword/store/checks"
import { StoreError } from "@watchword/store/StoreError"
import { sqlite } from "@watchword/store-sqlite"
import { once } from "node:events"
import { connect } from "node:net"
import express, { type ErrorRequestHandler, type Express } from "express"
import { afterEach, describe, expect, it } from "vitest"
import { createWatchword, memory } from "watchword"
import { watchword } from "@watchword/express"
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
import { type Listening, listen } from "./fixture.ts"

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const start = async (app: Express): Promise<Listening> => {
  const listening = await listen(app)
  closing.push(() => {
    listening.server.closeAllConnections()
    return listening.close()
  })
  return listening
}

/** An app whose errors and unknown paths have answers that are its own. */
const withOwnEnds = (app: Express): Express => {
  const onError: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(error.status ?? 500).send(`own error: ${error.type ?? error.message}`)
  }
  return app.use((_request, response) => void response.status(404).send("own 404")).use(onError)
}

describe("beside the app's own routes", () => {
  it("leaves everything at the root to them that is no endpoint", async () => {
    const service = scripted()
    const app = express().use(watchword(service))
    app.get("/sms", (_request, response) => void response.send("own page"))
    app.post("/users", express.json(), (request, response) => void response.json({ had: request.body }))
    const { url } = await start(withOwnEnds(app))
    expect((await post(url, "/sms", "{}")).text).toBe("{}")
    expect((await exchange(url, { method: "GET", path: "/sms" })).text).toBe("own page")
    expect((await post(url, "/users", '{"a":1}')).text).toBe('{"had":{"a":1}}')
    for (const path of ["/", "/sms/", "/sms/x/y/z", "/nope"]) {
      const { status, text } = await post(url, path, "{}")
      expect([status, text]).toEqual([404, "own 404"])
    }
    expect(service.asked.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /sms"])
  })

  it("answers under its prefix what no route before it does", async () => {
    const service = scripted(({ path }) => ({ ...ok, body: path }))
    const app = express()
    app.get("/v1/own", (_request, response) => void response.send("own page"))
    const { url } = await start(withOwnEnds(app.use("/v1", watchword(service))))
    const get = async (path: string) => (await exchange(url, { method: "GET", path })).text
    expect(await get("/v1/own")).toBe("own page")
    expect(await get("/v1/sms?a=/v1")).toBe("/sms?a=/v1")
    expect(await get("/v1?a")).toBe("/?a")
    expect(await get("/v10")).toBe("own 404")
    expect(await exchangeRaw(url, "GET http://x/v1/sms HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")).toMatch(
      /\r\n\r\n\/sms$/
    )
  })

  it("gives what fails to the app's error handler", async () => {
    const broken = { ...scripted(), handle: () => Promise.reject(new Error("broken")) }
    const { url } = await start(withOwnEnds(express().use("/v1", watchword(broken))))
    const { status, text } = await post(url, "/v1/sms", "{}")
    expect([status, text]).toEqual([500, "own error: broken"])
  })

  it("answers the errors of direct calls with their status by itself", async () => {
    const service = await createWatchword({ store: memory() })
    const { account_id: account } = await service.operator.account.create()
    // Its error handler is Express's own, which would log.
    const app = express().set("env", "test")
    app.post("/sign-up/:to", async (request, response) => {
      const message = { to: request.params.to, text: "Your code is 123456" }
      response.json(await service.sms.send({ account, sandbox: true }, message))
    })
    const { url } = await start(app)
    expect((await post(url, "/sign-up/+4915123456789", "")).status).toBe(200)
    expect((await post(url, "/sign-up/0151", "")).status).toBe(400)
    await service.dispose()
    expect((await post(url, "/sign-up/+4915123456789", "")).status).toBe(503)
  })

  it("keeps the headers that are there, and leaves preflight requests to who answers them", async () => {
    const app = express()
      .use((request, response, next) => {
        response.setHeader("access-control-allow-origin", "https://app.example")
        if (request.method !== "OPTIONS") return next()
        response.status(204).end()
      })
      .use("/v1", watchword(scripted()))
    const { url } = await start(app)
    const preflight = await exchange(url, { method: "OPTIONS", path: "/v1/sms" })
    const answer = await post(url, "/v1/sms", "{}")
    expect([preflight.status, answer.status]).toEqual([204, 200])
    for (const { headers } of [preflight, answer]) {
      expect(headers["access-control-allow-origin"]).toBe("https://app.example")
    }
  })

  it("says nothing when the app is answering already", async () => {
    const answering = Promise.withResolvers<void>()
    const slow = scripted(() => answering.promise.then(() => ok))
    const app = express().use((_request, response, next) => {
      next()
      response.status(504).write("own ", () => {
        answering.resolve()
        setImmediate(() => response.end("time-out"))
      })
    })
    const errors: Array<unknown> = []
    const onError: ErrorRequestHandler = (error, _request, _response, _next) => void errors.push(error)
    const { url } = await start(app.use("/v1", watchword(slow)).use(onError))
    const { status, text } = await exchange(url, { method: "GET", path: "/v1/sms" })
    expect([status, text, errors]).toEqual([504, "own time-out", []])
  })
})

describe("statuses", () => {
  it.each([
    [603, "Decline"],
    [486, "Busy Here"],
    [480, "Temporarily Unavailable"]
  ])("%i leaves as it is", async (status, reason) => {
    const { url } = await start(express().use("/v1", watchword(scripted(() => ({ ...ok, status })))))
    const answer = await exchangeRaw(url, "GET /v1/sms HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    expect(answer.split("\r\n")[0]).toBe(`HTTP/1.1 ${status} ${reason}`)
    expect(answer.split("\r\n\r\n")[1]).toBe("{}")
  })
})

describe("bodies", () => {
  const asking = async (app: Express) => {
    const service = scripted()
    return { ...(await start(withOwnEnds(app.use("/v1", watchword(service))))), asked: service.asked }
  }

  it("are bytes where the app has not read them", async () => {
    const { url, asked } = await asking(express())
    await post(url, "/v1/sms", '{"a":1}', "no/such; type")
    await exchange(url, { method: "POST", path: "/v1/sms", body: [Buffer.from("a"), Buffer.from("b")] })
    await exchange(url, { method: "GET", path: "/v1/sms" })
    expect(asked.map(bodyOf)).toEqual(['{"a":1}', "ab", "Absent"])
  })

  it("are what the app's parser made of them", async () => {
    const { url, asked } = await asking(express().use(express.json(), express.urlencoded()))
    await post(url, "/v1/sms", '{"a":1}')
    await post(url, "/v1/sms", "a=1", "application/x-www-form-urlencoded")
    await post(url, "/v1/sms", "a=1", "text/plain")
    expect(asked.map(({ body }) => body._tag)).toEqual(["Parsed", "Parsed", "Bytes"])
    expect(asked[0]?.body).toEqual({ _tag: "Parsed", value: { a: 1 } })
  })

  it("are bytes where the app's parser left them so", async () => {
    const { url, asked } = await asking(express().use(express.raw({ type: "a/raw" }), express.text({ type: "a/text" })))
    await post(url, "/v1/sms", "{ raw }", "a/raw")
    await post(url, "/v1/sms", "{ € }", "a/text")
    expect(asked.map(bodyOf)).toEqual(["{ raw }", "{ € }"])
  })

  it("are the raw bytes where the app has kept them", async () => {
    const keep = express.json({
      verify: (request, _response, buffer) => void Object.assign(request, { rawBody: buffer })
    })
    const { url, asked } = await asking(express().use(keep))
    await post(url, "/v1/sms", '{ "a" : 1.0 }')
    expect(asked.map(bodyOf)).toEqual(['{ "a" : 1.0 }'])
  })

  it("that the app's parser refuses end in its error handler", async () => {
    const { url, asked } = await asking(express().use(express.json({ limit: 10 })))
    const malformed = await post(url, "/v1/sms", "{")
    const large = await post(url, "/v1/sms", '{"a":"0123456789"}')
    expect([malformed.status, malformed.text]).toEqual([400, "own error: entity.parse.failed"])
    expect([large.status, large.text]).toEqual([413, "own error: entity.too.large"])
    expect(asked).toEqual([])
  })

  it("that the app has read and not kept are unreadable, and not waited for", async () => {
    const app = express().use((request, _response, next) => void request.resume().once("end", () => next()))
    const { url, asked } = await asking(app)
    await post(url, "/v1/sms", "{}")
    expect(asked.map(({ body }) => body._tag)).toEqual(["Unreadable"])
  })

  it("that are too large are not read on, and the client sees the answer", async () => {
    const service = scripted(({ body }) => ({ ...ok, status: 400, body: body._tag }), 10)
    const { url } = await start(express().use("/v1", watchword(service)))
    expect((await post(url, "/v1/sms", "x".repeat(11))).text).toBe("TooLarge")
    const answer = await postEndless(url)
    expect([answer.status, await answer.text()]).toEqual([400, "TooLarge"])
  })

  it("that are too large by their announced length are refused when the app has parsed them", async () => {
    const service = await createWatchword({ store: memory(), maxBodyBytes: 100 })
    closing.push(service.dispose)
    const { account_id: account } = await service.operator.account.create()
    const { key } = await service.operator.key.create({ account_id: account, sandbox: true })
    const { url } = await start(express().use(express.json()).use("/v1", watchword(service)))
    const headers = { "x-account-id": account, "x-api-key": key, "content-type": "application/json" }
    const message = { to: "+4915123456789", text: "hi", from: "Acme" }
    const send = (body: object) =>
      exchange(url, { method: "POST", path: "/v1/sms", headers, body: JSON.stringify(body) })
    expect((await send(message)).status).toBe(200)
    expect((await send({ ...message, more: "x".repeat(100) })).status).toBe(400)
  })
})

it("has health and metrics under a prefix", async () => {
  const service = await createWatchword({ store: memory() })
  closing.push(service.dispose)
  const { url } = await start(withOwnEnds(express().use("/ops", watchword({ handle: service.operations }))))
  expect(await exchange(url, { method: "GET", path: "/ops/healthz" })).toMatchObject({ status: 200 })
  expect(await exchange(url, { method: "GET", path: "/ops/metrics" })).toMatchObject({ status: 200 })
  expect((await exchange(url, { method: "GET", path: "/healthz" })).text).toBe("own 404")
})

it("refuses what is not authorized before its body comes", async () => {
  const service = await createWatchword({ store: memory() })
  closing.push(service.dispose)
  const { url } = await start(express().use("/v1", watchword(service)))
  expect(await refusedUnread(url)).toEqual([404, 404, 401])
})

describe("the client's address", () => {
  it.each(throughProxies)("%s", async (_, trusted, trustedProxies, forwardedFor, status) => {
    const { service, statusBy } = await boundToAddress(trustedProxies)
    closing.push(service.dispose)
    const { url } = await start(express().set("trust proxy", trusted).use("/v1", watchword(service)))
    expect(await statusBy(url, forwardedFor)).toBe(status)
  })

  it("is the app's in an app within it too", async () => {
    const service = scripted()
    const app = express()
      .set("trust proxy", "loopback")
      .use("/a", express().use("/v1", watchword(service)))
    const { url } = await start(app)
    await exchange(url, { method: "GET", path: "/a/v1/sms", headers: { "x-forwarded-for": "203.0.113.7" } })
    expect(service.asked).toMatchObject([{ path: "/sms", remoteAddress: "127.0.0.1", clientAddress: "203.0.113.7" }])
  })
})

describe("clients that hang up", () => {
  it("while sending have sent nothing that can be read", async () => {
    const service = scripted()
    const { url } = await start(express().use("/v1", watchword(service)))
    await hangUp(url)
    await exchange(url, { method: "GET", path: "/v1/after" })
    expect(service.asked.map(bodyOf).toSorted()).toEqual(["Absent", "Unreadable"])
  })

  it("while waiting do not stop what they asked for", async () => {
    const service = waiting()
    const { url } = await start(express().use("/v1", watchword(service)))
    await service.abort(url)
    expect((await exchange(url, { method: "GET", path: "/v1/after" })).status).toBe(200)
  })
})

describe("a service of its own", () => {
  it("starts with the app, and ends after the requests in flight", async () => {
    const interface_ = watchword({ store: memory() })
    const { url, server } = await start(express().use("/v1", interface_))
    const { operator } = await interface_.ready
    const { account_id: account } = await operator.account.create()
    const { key } = await operator.key.create({ account_id: account, sandbox: true })
    const arrived = once(server, "request")
    const inFlight = flash(url, account, key)
    await arrived
    await new Promise((resolve) => server.close(resolve)).then(interface_.dispose)
    expect((await inFlight).status).toBe(200)
    await expect(operator.account.create().then(({ account_id: account }) => account)).rejects.toThrow()
  })

  it("has its own limit of bodies", async () => {
    const interface_ = watchword({ store: memory(), maxBodyBytes: 10 })
    closing.push(interface_.dispose)
    const { url } = await start(express().use("/v1", interface_))
    const socket = connect(Number(new URL(url).port), "127.0.0.1")
    // Answered before it is sent.
    socket.write("POST /v1/sms HTTP/1.1\r\nhost: x\r\ncontent-length: 11\r\n\r\n")
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1.1 401 /)
    socket.destroy()
  })

  it("refuses requests once it has ended", async () => {
    const interface_ = watchword({ store: memory() })
    const { url } = await start(express().use("/v1", interface_))
    await interface_.dispose()
    expect((await post(url, "/v1/sms", "{}")).status).toBe(503)
  })

  it("that cannot start is told to those who wait, and to the app's error handler", async () => {
    const interface_ = watchword({ store: sqlite("/nowhere/watchword.db") })
    await expect(interface_.ready).rejects.toBeInstanceOf(StoreError)
    const { url } = await start(withOwnEnds(express().use("/v1", interface_)))
    const { status, text } = await post(url, "/v1/sms", "{}")
    expect([status, text]).toEqual([500, expect.stringContaining("own error: ")])
    await interface_.dispose()
  })
})

describe("what is no service", () => {
  it.each([
    [() => createWatchword({ store: memory() }), "was given a promise: await createWatchword(…) first"],
    [() => undefined, "needs a service of createWatchword, or the options of one"],
    [() => "watchword.db", "needs a service of createWatchword, or the options of one"]
  ])("is refused where it is mounted: %#", async (make, message) => {
    const given: unknown = make()
    expect(() => Reflect.apply(watchword, undefined, [given])).toThrow(new TypeError(`watchword ${message}`))
    await Object(await given).dispose?.()
  })
})
