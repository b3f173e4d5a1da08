import * as WebhookSender from "../src/internal/WebhookSender.ts"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it } from "vitest"
import * as web from "../src/internal/sender.web.ts"
import { until } from "../../../test/until.ts"
import { closeReceivers, receive, status } from "./receiver.ts"

afterEach(closeReceivers)

const post = (url: string, options: WebhookSender.Options = { allowPrivate: true }) =>
  Effect.runPromise(WebhookSender.make(options).send({ url, headers: { "x-a": "b" }, body: "{}" }))

describe("a webhook", () => {
  it("is posted with its headers and body", async () => {
    const receiver = await receive()
    expect(await post(`${receiver.url}/hook?a=1`)).toEqual({ _tag: "Answered", status: 204 })
    expect(receiver.got).toMatchObject([{ path: "/hook?a=1", headers: { "x-a": "b" }, body: "{}" }])
  })

  it("follows no redirect", async () => {
    const other = await receive()
    const receiver = await receive(status(307, { location: other.url }))
    expect(await post(receiver.url)).toEqual({ _tag: "Answered", status: 307 })
    expect(other.got).toEqual([])
  })

  it("has the beginning of an answer that refuses it, and no body of one that takes it", async () => {
    const long = "x".repeat(2_000)
    const refusing = await receive((response) => response.writeHead(500).end(`Wrong signature. ${long}`))
    const taking = await receive((response) => response.writeHead(200).end("thanks"))
    for (const send of [
      WebhookSender.make,
      (options: { readonly allowPrivate: true }) => web.make({ ...options, timeout: 5_000 })
    ]) {
      const posted = (url: string) =>
        Effect.runPromise(send({ allowPrivate: true }).send({ url, headers: {}, body: "{}" }))
      expect(await posted(refusing.url)).toEqual({
        _tag: "Answered",
        status: 500,
        said: `Wrong signature. ${long}`.slice(0, 800)
      })
      expect(await posted(taking.url)).toEqual({ _tag: "Answered", status: 200 })
    }
  })

  it("is given up when nothing is answered in time", async () => {
    const receiver = await receive(() => {})
    expect(await post(receiver.url, { allowPrivate: true, timeout: 100 })).toEqual({
      _tag: "Unanswered",
      why: "timeout"
    })
  })

  it("names the code of what went wrong", async () => {
    const { port } = await receive()
    await closeReceivers()
    expect(await post(`http://127.0.0.1:${port}`)).toEqual({ _tag: "Unanswered", why: "ECONNREFUSED" })
    expect(await post("http://nowhere.invalid/")).toMatchObject({ _tag: "Unresolved" })
  })

  it("is refused to private addresses and to names that lead to them, before anything is sent", async () => {
    const receiver = await receive()
    const { port } = receiver
    for (const host of ["127.0.0.1", "localhost", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254"]) {
      expect(await post(`http://${host}:${port}/`, {})).toEqual({ _tag: "Refused" })
    }
    expect(receiver.got).toEqual([])
    expect(await post(`http://localhost:${port}/`)).toEqual({ _tag: "Answered", status: 204 })
  })

  it("uses a connection again when its answer has ended", async () => {
    const receiver = await receive((response) => response.writeHead(200).end("thanks"))
    const { send } = WebhookSender.make({ allowPrivate: true })
    for (let n = 0; n < 5; n++) await Effect.runPromise(send({ url: receiver.url, headers: {}, body: "{}" }))
    expect(receiver.connections()).toBe(1)
  })

  it("gives its socket back though the answer never ends, before it is settled", async () => {
    const receiver = await receive((response) => void response.writeHead(200).write("."))
    const { send } = WebhookSender.make({ allowPrivate: true })
    for (let n = 1; n <= 2; n++) {
      const answer = await Effect.runPromise(send({ url: receiver.url, headers: {}, body: "{}" }))
      expect(answer).toEqual({ _tag: "Answered", status: 200 })
      await until(() => receiver.open() === 0)
      expect(receiver.connections()).toBe(n)
    }
  })

  it("survives an answer that is too long", async () => {
    const receiver = await receive((response) => response.writeHead(200).end("x".repeat(1_000_000)))
    expect(await post(receiver.url)).toEqual({ _tag: "Answered", status: 200 })
    expect(await post(receiver.url)).toEqual({ _tag: "Answered", status: 200 })
  })
})

describe("a webhook by fetch", () => {
  const send = (url: string, allowPrivate: boolean) =>
    Effect.runPromise(web.make({ allowPrivate, timeout: 1_000 }).send({ url, headers: {}, body: "{}" }))

  it("is refused to private addresses in URLs, and follows no redirect", async () => {
    const other = await receive()
    const receiver = await receive(status(302, { location: other.url }))
    for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
      expect(await send(`http://${host}:${receiver.port}/`, false)).toEqual({ _tag: "Refused" })
    }
    expect(await send(receiver.url, true)).toEqual({ _tag: "Answered", status: 302 })
    expect([receiver.got.length, other.got.length]).toEqual([1, 0])
  })
})
