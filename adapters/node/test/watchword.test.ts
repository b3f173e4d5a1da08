import type { HandlePromise, HostResponse } from "@watchword/server/Host"
import { exchange, exchangeRaw } from "@watchword/store/checks"
import { once } from "node:events"
import { type Server, createServer } from "node:http"
import { type Socket, connect } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { type Options, watchword } from "@watchword/node"
import { createWatchword, memory } from "watchword"
import { type ReadRequest, bodyOf, refusedUnread, scripted } from "../../../test/scripted.ts"

const servers: Array<Server> = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

const listen = async (server: Server): Promise<string> => {
  servers.push(server)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("not listening on a port")
  return `http://127.0.0.1:${address.port}`
}

const ok: HostResponse = { status: 200, headers: {}, body: null }

/** Starts a server with this handler, and records the requests that the handler receives. */
const start = async (
  answer: (request: ReadRequest) => HostResponse | Promise<HostResponse>,
  options?: Options,
  maxBytes?: number
) => {
  const { asked, handle } = scripted(answer, maxBytes)
  return { url: await listen(createServer(watchword({ handle }, options))), asked }
}

/** The first bytes of the answer to a request whose body the handler does not read, or does not read completely. */
const answered = async (handle: HandlePromise, request: string): Promise<string> => {
  const socket = await connected(await listen(createServer(watchword({ handle }))))
  socket.write(request)
  const [answer] = await once(socket, "data")
  socket.destroy()
  return String(answer)
}

const connected = async (url: string): Promise<Socket> => {
  const socket = connect(Number(new URL(url).port), "127.0.0.1")
  await once(socket, "connect")
  return socket
}

const text = bodyOf

describe("answers", () => {
  it.each([
    [603, "Decline"],
    [480, "Temporarily Unavailable"],
    [486, "Busy Here"],
    [999, "unknown"]
  ])("%i leaves as it is", async (status, reason) => {
    const { url } = await start(() => ({ status, headers: { "content-type": "application/json" }, body: "{}" }))
    const answer = await exchangeRaw(url, "GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    expect(answer.split("\r\n")[0]).toBe(`HTTP/1.1 ${status} ${reason}`)
    expect(answer.split("\r\n\r\n")[1]).toBe("{}")
  })

  it("have their length, in bytes", async () => {
    const { url } = await start(() => ({ ...ok, body: "€" }))
    const answer = await exchange(url, { method: "GET", path: "/" })
    expect(answer.headers["content-length"]).toBe("3")
    expect(answer.text).toBe("€")
  })

  it("may be bytes", async () => {
    const { url } = await start(() => ({ ...ok, body: new TextEncoder().encode("€") }))
    expect((await exchange(url, { method: "GET", path: "/" })).text).toBe("€")
  })

  it("without a body have the length zero, and none with 204", async () => {
    const { url } = await start(({ path }) => ({ ...ok, status: path === "/204" ? 204 : 200 }))
    expect((await exchange(url, { method: "GET", path: "/200" })).headers["content-length"]).toBe("0")
    const { status, headers, text } = await exchange(url, { method: "GET", path: "/204" })
    expect([status, headers["content-length"], headers["transfer-encoding"], text]).toEqual([
      204,
      undefined,
      undefined,
      ""
    ])
  })

  it("to HEAD have no body", async () => {
    const { url } = await start(() => ({ ...ok, body: "four" }))
    const answer = await exchangeRaw(url, "HEAD / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    expect(answer).toMatch(/content-length: 4\r\n/)
    expect(answer.endsWith("\r\n\r\n")).toBe(true)
  })

  it("end the connection when the handler breaks its promise", async () => {
    const { url } = await start(() => Promise.reject(new Error("broken")))
    await expect(exchange(url, { method: "GET", path: "/" })).rejects.toThrow("socket hang up")
  })
})

describe("requests", () => {
  it("are handed over as they came", async () => {
    const { url, asked } = await start(() => ok)
    await exchange(url, {
      method: "PROPFIND",
      path: "/a//../%2F?b=%20&c",
      headers: { "X-Api-Key": "k", "x-forwarded-for": ["1.1.1.1", "2.2.2.2"] },
      body: "{}"
    })
    expect(asked).toMatchObject([{ method: "PROPFIND", path: "/a//../%2F?b=%20&c", remoteAddress: "127.0.0.1" }])
    expect(asked[0]?.headers).toMatchObject({ "x-api-key": "k", "x-forwarded-for": "1.1.1.1, 2.2.2.2" })
    expect(text(asked[0])).toBe("{}")
  })

  it("have bodies in one piece, however they came", async () => {
    const { url, asked } = await start(() => ok)
    await exchange(url, { method: "POST", path: "/", body: [Buffer.from("a"), Buffer.from("b"), Buffer.from("c")] })
    await exchange(url, { method: "POST", path: "/", body: "" })
    await exchange(url, { method: "POST", path: "/", body: [] })
    await exchange(url, { method: "GET", path: "/" })
    expect(asked.map(text)).toEqual(["abc", "Absent", "", "Absent"])
  })

  it("may name the whole address, as to a proxy", async () => {
    const { url, asked } = await start(() => ok, { basePath: "/v1" })
    await exchangeRaw(url, "GET http://example.com/v1/sms?x HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    expect(asked.map(({ path }) => path)).toEqual(["/sms?x"])
  })
})

describe("the base path", () => {
  it.each([
    ["/v1/sms", "/sms"],
    ["/v1", "/"],
    ["/v1?a", "/?a"],
    ["/v1/", "/"],
    ["/v1//sms", "//sms"]
  ])("is taken off %s", async (path, rest) => {
    const { url, asked } = await start(() => ok, { basePath: "/v1" })
    await exchange(url, { method: "GET", path })
    expect(asked.map((request) => request.path)).toEqual([rest])
  })

  it.each(["/", "/v", "/v10/sms", "/V1/sms", "/sms", "/x/v1/sms", "//v1/sms"])(
    "leaves %s to the routes beside it",
    async (path) => {
      const handler = watchword({ handle: () => Promise.resolve(ok) }, { basePath: "/v1" })
      const url = await listen(
        createServer((request, response) => handler(request, response, () => response.writeHead(418).end(request.url)))
      )
      const answer = await exchange(url, { method: "GET", path })
      expect([answer.status, answer.text]).toEqual([418, path])
    }
  )

  it.each(["", "/", "/v1/"])("may be written %j", async (basePath) => {
    const { url, asked } = await start(() => ok, { basePath })
    await exchange(url, { method: "GET", path: basePath === "/v1/" ? "/v1/sms" : "/sms" })
    expect(asked.map((request) => request.path)).toEqual(["/sms"])
  })

  it("makes everything outside unknown to the handler when there are no other routes", async () => {
    const { url, asked } = await start(() => ({ ...ok, status: 404 }), { basePath: "/v1" })
    expect((await exchange(url, { method: "POST", path: "/sms", body: "{}" })).status).toBe(404)
    expect(asked.map(({ path }) => path)).toEqual(["/"])
  })
})

describe("bodies that are too large", () => {
  const refuse = () => ({ status: 400, headers: {}, body: "too large" })

  it("are refused by their announced length, unread", async () => {
    const { url, asked } = await start(refuse, {}, 10)
    const socket = await connected(url)
    socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000000000\r\n\r\n")
    const [answer] = await once(socket, "data")
    expect(String(answer)).toMatch(/^HTTP\/1.1 400 .*too large$/s)
    expect(asked.map(text)).toEqual(["TooLarge"])
    socket.destroy()
  })

  it("are refused while they come, and the client sees the answer", async () => {
    const { url, asked } = await start(refuse)
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) })
    const half = { method: "POST", body: endless, duplex: "half" }
    const answer = await fetch(url, half)
    expect([answer.status, await answer.text()]).toEqual([400, "too large"])
    expect(asked.map(text)).toEqual(["TooLarge"])
  })

  it("are not kept in memory, and not read on", async () => {
    const { url } = await start(refuse)
    const socket = await connected(url)
    socket.on("error", () => {})
    socket.write("POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n")
    const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(0x100000), Buffer.from("\r\n")])
    const closed = new Promise((resolve) => socket.once("close", resolve))
    const before = process.memoryUsage().rss
    let written = 0
    const pour = () => {
      while (!socket.destroyed && written < 1_000) {
        written++
        if (!socket.write(chunk)) return
      }
    }
    socket.on("drain", pour)
    pour()
    await closed
    // No more can be written than the kernel's buffers hold.
    expect(written).toBeLessThan(50)
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  })
})

it("refuses what is not authorized before its body comes", async () => {
  const service = await createWatchword({ store: memory() })
  const url = await listen(createServer(watchword(service, { basePath: "/v1" })))
  expect(await refusedUnread(url)).toEqual([404, 404, 401])
  await service.dispose()
})

describe("bodies that the handler does not read", () => {
  const refuse: HandlePromise = () => Promise.resolve({ status: 401, headers: {}, body: "no key" })

  it("stay unread, and the client sees the answer", async () => {
    const answer = await answered(refuse, "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n")
    expect(answer).toMatch(/^HTTP\/1.1 401 .*connection: close.*no key$/is)
  })

  it("leave the connection to the next request, where they came whole", async () => {
    const socket = await connected(await listen(createServer(watchword({ handle: refuse }))))
    for (let times = 0; times < 3; times++) {
      socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}")
      const [answer] = await once(socket, "data")
      expect(String(answer)).toMatch(/^HTTP\/1.1 401 .*connection: keep-alive.*no key$/is)
    }
    socket.destroy()
  })

  it("are read until the handler stops, and the client sees the answer", async () => {
    const handle: HandlePromise = ({ body }) =>
      new Promise((resolve) => {
        if (typeof body !== "function") throw new Error("the body was read")
        const ignore = () => {}
        const write = ({ length }: Uint8Array) => {
          stop()
          resolve({ status: 503, headers: {}, body: `given up after ${length}` })
        }
        const stop = body({ write, end: ignore, fail: ignore })
      })
    const length = "content-length: 1000\r\n"
    const answer = await answered(handle, `POST / HTTP/1.1\r\nhost: x\r\n${length}\r\n${"x".repeat(101)}`)
    expect(answer).toMatch(/^HTTP\/1.1 503 .*connection: close.*given up after 101$/is)
  })
})

describe("clients that hang up", () => {
  it("while sending have sent nothing that can be read", async () => {
    const { url, asked } = await start(() => ok)
    for (const sent of ["POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf", "POST / HTTP/1.1\r\nhos"]) {
      const socket = await connected(url)
      socket.write(sent)
      socket.destroy()
      await once(socket, "close")
    }
    await exchange(url, { method: "GET", path: "/after" })
    expect(asked.map(text).toSorted()).toEqual(["Absent", "Unreadable"])
  })

  it("while waiting do not stop what they asked for", async () => {
    const answer = Promise.withResolvers<HostResponse>()
    const begun = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const { url } = await start(async ({ path }) => {
      if (path !== "/slow") return ok
      begun.resolve()
      const answered = await answer.promise
      done.resolve()
      return answered
    })
    const socket = await connected(url)
    socket.write("POST /slow HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}")
    await begun.promise
    socket.resetAndDestroy()
    await once(socket, "close")
    answer.resolve({ ...ok, body: "too late" })
    await done.promise
    expect((await exchange(url, { method: "GET", path: "/after" })).status).toBe(200)
  })
})
