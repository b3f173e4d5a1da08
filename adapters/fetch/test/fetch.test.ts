import { type Options, watchword } from "@watchword/fetch"
import type { HostResponse } from "@watchword/server/Host"
import { describe, expect, it } from "vitest"
import { type ReadRequest, read } from "../../../test/scripted.ts"

const told = (answer: Partial<HostResponse> = {}, options: Options = {}, maxBytes?: number) => {
  const requests: Array<ReadRequest> = []
  const fetch = watchword(
    {
      handle: async (request) => {
        requests.push(await read(request, maxBytes))
        return { status: 200, headers: {}, body: null, ...answer }
      }
    },
    options
  )
  return { fetch, requests }
}

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request("http://localhost/sms", { method: "POST", body, headers, ...half })

// Streams as bodies are only taken when the request says so.
const half = { duplex: "half" }

const stream = (chunks: ReadonlyArray<string>): { readonly body: ReadableStream; readonly read: () => number } => {
  let read = 0
  const body = new ReadableStream({
    pull: (controller) => {
      const chunk = chunks[read++]
      if (chunk === undefined) controller.close()
      else controller.enqueue(new TextEncoder().encode(chunk))
    }
  })
  return { body, read: () => read }
}

describe("watchword", () => {
  it("hands over the method, the path with its query, the headers and the body's bytes", async () => {
    const { fetch, requests } = told()
    await fetch(
      new Request("http://localhost:8080/sms/sdr?x=/v1#y", {
        method: "POST",
        body: "{}",
        headers: { "X-Api-Key": "sk" }
      })
    )
    const [request] = requests
    expect(request).toMatchObject({ method: "POST", path: "/sms/sdr?x=/v1", remoteAddress: null })
    expect(request?.headers["x-api-key"]).toBe("sk")
    expect(request?.body).toEqual({ _tag: "Bytes", bytes: new TextEncoder().encode("{}") })
  })

  it("has no body where there is none", async () => {
    const { fetch, requests } = told()
    await fetch(new Request("http://localhost/sms"))
    expect(requests.map(({ body }) => body._tag)).toEqual(["Absent"])
  })

  it.each([
    ["http://localhost/v1/sms", "/sms"],
    ["http://localhost/v1?x", "/?x"],
    ["http://localhost/v1", "/"],
    ["http://localhost/v11/sms", "/"],
    ["http://localhost/sms", "/"],
    ["http://localhost", "/"]
  ])("under the base path /v1/ %s is %s", async (url, path) => {
    const { fetch, requests } = told({}, { basePath: "/v1/" })
    await fetch(new Request(url))
    expect(requests.map((request) => request.path)).toEqual([path])
  })

  it("reads bodies that come in pieces, up to the limit", async () => {
    const { fetch, requests } = told({}, {}, 6)
    await fetch(post(stream(["abc", "def"]).body))
    expect(requests.map(({ body }) => body)).toEqual([{ _tag: "Bytes", bytes: new TextEncoder().encode("abcdef") }])
  })

  it("does not read a body to its end that is too large", async () => {
    const { fetch, requests } = told({}, {}, 6)
    const { body, read } = stream(Array.from({ length: 100 }, () => "abc"))
    await fetch(post(body))
    await fetch(post("abcdefg", { "content-length": "7" }))
    expect(requests.map((request) => request.body._tag)).toEqual(["TooLarge", "TooLarge"])
    expect(read()).toBeLessThan(10)
  })

  it("does not read a body before it is asked for, and stops when it is to", async () => {
    const pieces: Array<number> = []
    const fetch = watchword({
      handle: ({ body }) =>
        new Promise((resolve) => {
          if (typeof body !== "function") throw new Error("the body was read")
          const answer = () => resolve({ status: 503, headers: {}, body: null })
          const write = ({ length }: Uint8Array) => {
            pieces.push(length)
            if (pieces.length === 3) stop()
          }
          const stop = body({ write, end: answer, fail: answer })
        })
    })
    const { body, read } = stream(["ab", "cd", "efg", "h", "i", "j", "k"])
    await fetch(post(body))
    expect(pieces).toEqual([2, 2, 3])
    expect(read()).toBeLessThan(6)
    const unread = stream(["ab", "cd", "ef", "gh"])
    await watchword({ handle: () => Promise.resolve({ status: 401, headers: {}, body: null }) })(post(unread.body))
    expect(unread.read()).toBeLessThan(3)
  })

  it("says of a body that breaks off that it cannot be read", async () => {
    const { fetch, requests } = told()
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) })
    await fetch(post(body))
    expect(requests.map((request) => request.body._tag)).toEqual(["Unreadable"])
  })

  it("does not take a request whose body has been read", async () => {
    const { fetch, requests } = told()
    const request = post("{}")
    await request.text()
    await expect(fetch(request)).rejects.toThrow("an unread one")
    expect(requests).toEqual([])
  })

  it("asks for the address that it was told to ask for", async () => {
    const { fetch, requests } = told({}, { remoteAddress: (request) => request.headers.get("x-real-ip") })
    await fetch(new Request("http://localhost/", { headers: { "x-real-ip": "192.0.2.1" } }))
    expect(requests.map((request) => request.remoteAddress)).toEqual(["192.0.2.1"])
  })

  it.each([
    [200, 200, null],
    [480, 480, null],
    [599, 599, null],
    [603, 486, "603"]
  ])("status %i leaves as %i", async (status, left, xStatus) => {
    const { fetch } = told({ status, body: `{"error":"X"}`, headers: { "content-type": "application/json" } })
    const response = await fetch(new Request("http://localhost/"))
    expect([response.status, response.headers.get("x-status")]).toEqual([left, xStatus])
    expect([await response.text(), response.headers.get("content-type")]).toEqual([`{"error":"X"}`, "application/json"])
  })

  it("writes bytes as they are, and nothing with 204", async () => {
    const request = () => new Request("http://localhost/")
    const bytes = await told({ body: Uint8Array.of(0, 255) }).fetch(request())
    expect(new Uint8Array(await bytes.arrayBuffer())).toEqual(Uint8Array.of(0, 255))
    const empty = await told({ status: 204, body: "" }).fetch(request())
    expect([empty.status, empty.body]).toEqual([204, null])
  })
})
