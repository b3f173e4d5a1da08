import type { HandlePromise, HostRequest, HostResponse } from "@watchword/server/Host"
import { exchange, exchangeRaw } from "@watchword/store/checks"
import { once } from "node:events"
import { Agent, get } from "node:http"
import { type Socket, connect } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { type ServeOptions, type Serving, serve } from "@watchword/node"
import { read } from "../../../test/scripted.ts"

const running: Array<Serving> = []
afterEach(async () => {
  for (const serving of running.splice(0)) {
    serving.server.closeAllConnections()
    await serving.close()
  }
})

const start = async (handle: HandlePromise, options: Partial<ServeOptions> = {}) => {
  const serving = await serve({ handle }, { port: 0, ...options })
  running.push(serving)
  return { serving, url: `http://${serving.host}:${serving.port}` }
}

const answer = (body: string, status = 200): HostResponse => ({ status, headers: {}, body })
const echo =
  (prefix: string): HandlePromise =>
  (request) =>
    Promise.resolve(answer(`${prefix} ${request.path}`))

const connected = async (url: string): Promise<Socket> => {
  const socket = connect(Number(new URL(url).port), "127.0.0.1")
  await once(socket, "connect")
  return socket
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.resume().once("close", () => resolve()))

/** A handler that answers `/held` only when the test says so. */
const holding = () => {
  const arrived = Promise.withResolvers<HostRequest>()
  const release = Promise.withResolvers<void>()
  const handle: HandlePromise = async (request) => {
    if (request.path !== "/held") return answer("free")
    arrived.resolve(request)
    await release.promise
    return answer("held")
  }
  return { handle, arrived: arrived.promise, release: release.resolve }
}

describe("a server", () => {
  it("gives the base path to one handler and the rest to the other", async () => {
    const { url } = await start(echo("interface"), { basePath: "/v1", operations: echo("operations") })
    expect((await exchange(url, { method: "GET", path: "/v1/sms" })).text).toBe("interface /sms")
    expect((await exchange(url, { method: "GET", path: "/healthz" })).text).toBe("operations /healthz")
    expect((await exchange(url, { method: "GET", path: "/v10" })).text).toBe("operations /v10")
  })

  it("says when its address is taken", async () => {
    const { serving } = await start(echo("first"))
    await expect(serve({ handle: echo("second") }, { port: serving.port })).rejects.toThrow("EADDRINUSE")
  })

  it("bounds how long a client may take", async () => {
    const { serving } = await start(echo(""))
    const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = serving.server
    for (const limit of [headersTimeout, requestTimeout, timeout, keepAliveTimeout]) {
      expect(limit).toBeGreaterThan(0)
      expect(limit).toBeLessThanOrEqual(120_000)
    }
  })

  it.each([
    ["no HTTP", "hello\r\n\r\n"],
    ["an unknown method", "BREW /v1/sms HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["headers without end", `GET / HTTP/1.1\r\nhost: x\r\nx: ${"x".repeat(100_000)}\r\n\r\n`],
    ["a header with a control character", "GET / HTTP/1.1\r\nhost: x\r\nx: \u0000\r\n\r\n"],
    ["two lengths", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
    [
      "a length and chunks",
      "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"
    ]
  ])("answers %s with an envelope", async (_, sent) => {
    const { url } = await start(echo(""))
    const received = await exchangeRaw(url, sent)
    expect(received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(JSON.parse(received.split("\r\n\r\n")[1] ?? "")).toMatchObject({ error: "BAD_REQUEST", issues: [] })
  })

  it("answers a request without Host with an envelope and its id, and does not hand it over", async () => {
    const id = "0c9d7e3a-1111-4222-8333-444455556666"
    const { url } = await start(() => Promise.reject(new Error("handed over")))
    const sent = `POST /v1/sms HTTP/1.1\r\nx-request-id: ${id}\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}`
    const received = await exchangeRaw(url, sent)
    expect(received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    const error = { error: "BAD_REQUEST", issues: [], request_id: id }
    expect(JSON.parse(received.split("\r\n\r\n")[1] ?? "")).toMatchObject(error)
  })

  it("takes a request of HTTP/1.0, which needs no Host", async () => {
    const { url } = await start(echo("interface"))
    expect(await exchangeRaw(url, "GET /sms HTTP/1.0\r\n\r\n")).toMatch(/interface \/sms$/)
  })

  it("lets a client that asks first send what is not too large, and nothing else", async () => {
    const { url } = await start(async (request) => answer((await read(request, 10)).body._tag))
    const asking = (length: number) =>
      `POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: ${length}\r\n\r\n`
    const small = await connected(url)
    small.write(asking(2))
    expect(String((await once(small, "data"))[0])).toMatch(/^HTTP\/1.1 100 /)
    small.write("{}")
    expect(String((await once(small, "data"))[0])).toMatch(/^HTTP\/1.1 200 .*Bytes$/s)
    small.destroy()
    const large = await connected(url)
    large.write(asking(11))
    expect(String((await once(large, "data"))[0])).toMatch(/^HTTP\/1.1 200 .*TooLarge$/s)
    large.destroy()
  })

  it("does not let a client send what is refused unread", async () => {
    const { url } = await start(() => Promise.resolve(answer("no key", 401)))
    const socket = await connected(url)
    socket.write("POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n")
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1.1 401 .*no key$/s)
    socket.destroy()
  })

  it("keeps all headers, those behind two thousand others among them", async () => {
    const { url } = await start((request) => Promise.resolve(answer(String(request.headers["x-forwarded-for"]))))
    const many = "a:\r\n".repeat(2_500)
    const sent = `GET / HTTP/1.1\r\nhost: x\r\n${many}x-forwarded-for: 203.0.113.7\r\nconnection: close\r\n\r\n`
    expect(await exchangeRaw(url, sent)).toMatch(/203\.0\.113\.7$/)
  })
})

describe("closing", () => {
  it("finishes what is in flight and takes nothing more", async () => {
    const { handle, arrived, release } = holding()
    const { serving, url } = await start(handle)
    const inFlight = exchange(url, { method: "GET", path: "/held" })
    await arrived
    let ended = false
    const end = serving.close().then(() => (ended = true))
    await expect(exchange(url, { method: "GET", path: "/" })).rejects.toThrow("ECONNREFUSED")
    expect(ended).toBe(false)
    release()
    expect((await inFlight).text).toBe("held")
    await end
  })

  it("does not wait for connections that are merely kept", async () => {
    const { serving, url } = await start(echo(""))
    const agent = new Agent({ keepAlive: true })
    const [response] = await once(get(url, { agent }), "response")
    response.resume()
    await once(response, "end")
    const unused = await connected(url)
    await Promise.all([serving.close(), closed(unused)])
    expect(unused.destroyed).toBe(true)
    agent.destroy()
  })

  it("ends a kept connection once the request on it is answered", async () => {
    const { handle, arrived, release } = holding()
    const { serving, url } = await start(handle)
    const socket = await connected(url)
    socket.write("GET /held HTTP/1.1\r\nhost: x\r\n\r\n")
    await arrived
    const end = serving.close()
    const gone = closed(socket)
    release()
    await Promise.all([gone, end])
    expect(socket.destroyed).toBe(true)
  })

  it("asks clients on kept connections to leave", async () => {
    const { handle, arrived, release } = holding()
    const { serving, url } = await start(handle)
    const socket = await connected(url)
    let received = ""
    socket.on("data", (chunk) => (received += String(chunk)))
    socket.write("GET /held HTTP/1.1\r\nhost: x\r\n\r\n")
    await arrived
    const end = serving.close()
    // It arrives while the first is still being answered.
    socket.write("GET /later HTTP/1.1\r\nhost: x\r\n\r\n")
    release()
    await Promise.all([closed(socket), end])
    expect(received).toContain("held")
  })

  it("stops waiting in the end", async () => {
    const { handle, arrived } = holding()
    const { serving, url } = await start(handle, { drainTimeout: 50 })
    const inFlight = exchange(url, { method: "GET", path: "/held" })
    const [cutOff] = await Promise.allSettled([inFlight, arrived.then(serving.close)])
    expect(cutOff).toMatchObject({ status: "rejected", reason: { message: "socket hang up" } })
  })
})
