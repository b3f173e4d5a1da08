/**
 * Connections that fail between the client and the server: each message is sent once.
 */
import { type StartVerification, createClient, isWatchwordError } from "@watchword/client"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { listen } from "../provider.ts"
import { type Running, startService } from "./service.ts"
import { turns } from "../until.ts"

/** Milliseconds that the gateway needs, so that a request can be in flight when its repeat comes. */
const SLOW = 300

let running: Running
beforeAll(async () => {
  running = await startService(SLOW)
})
afterAll(() => running.close())

/**
 * What becomes of a request: its connection is cut before the server has it, once the server has it, or once the server
 * has answered; or it passes.
 */
type Fate = "before" | "during" | "after" | "pass"

/** A proxy in front of the server. Requests have these fates, one after the other, and pass after that. */
const proxy = async (...fates: ReadonlyArray<Fate>) => {
  const target = new URL(running.baseUrl).origin
  let requests = 0
  const { close, url } = await listen(async (request, response) => {
    const fate = fates[requests++] ?? "pass"
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk)
    if (fate === "before") return request.socket.destroy()
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers)) {
      if (typeof value === "string" && !/^(host|connection|content-length)$/.test(name)) headers.set(name, value)
    }
    const { method = "GET" } = request
    const body = Buffer.concat(chunks)
    const forwarded = fetch(target + request.url, { method, headers, ...(body.length > 0 ? { body } : {}) })
    if (fate === "during") {
      // The server of this process has the request by then, and its gateway takes longer.
      await turns()
      request.socket.destroy()
      return forwarded
    }
    const answer = await forwarded
    const text = await answer.text()
    if (fate === "after") return request.socket.destroy()
    return response.writeHead(answer.status, { "content-type": "application/json" }).end(text)
  })
  return { close, baseUrl: `${url}/v1`, requests: () => requests }
}

let numbers = 0
const number = () => `+49151${30_005_000 + numbers++}`

const cuts = ["before", "during", "after"] as const
const fates: ReadonlyArray<ReadonlyArray<Fate>> = [
  ...cuts.map((cut) => [cut]),
  ...cuts.flatMap((first) => cuts.map((second) => [first, second])),
  ["before", "during", "after"],
  ["after", "after", "after"]
]

describe.concurrent("a send whose connections fail", () => {
  it.each(fates.map((each) => [each.join(", "), each] as const))("%s: is sent once", async (_, each) => {
    const { baseUrl, close, requests } = await proxy(...each)
    const to = number()
    const { messageId } = await running.live({ baseUrl }).sms.send({ to, text: "Your code is 123456" })
    expect(running.sent.filter((number) => number === to)).toEqual([to])
    expect(await running.live().sms.list({ filter: { to } })).toMatchObject({ total: 1, list: [{ messageId }] })
    expect(requests()).toBeGreaterThan(each.length)
    await close()
  })

  it("too often is the caller's to repeat, under the key of the error", async () => {
    const { baseUrl, close } = await proxy("after", "after")
    const to = number()
    const { sms } = running.live({ baseUrl, retries: 1 })
    const message = { to, text: "Your code is 123456" }
    const error: unknown = await sms.send(message).catch((error: unknown) => error)
    if (!isWatchwordError(error) || error.idempotencyKey === undefined) throw error
    expect(error.code).toBe("CONNECTION_FAILED")
    const { messageId } = await sms.send(message, { idempotencyKey: error.idempotencyKey })
    expect(await running.live().sms.get(messageId)).toMatchObject({ to })
    expect(running.sent.filter((number) => number === to)).toEqual([to])
    await close()
  })

  it("for want of time is sent once", async () => {
    const to = number()
    const { messageId } = await running.live({ timeout: SLOW / 2000 }).sms.send({ to, text: "Your code is 123456" })
    expect(running.sent.filter((number) => number === to)).toEqual([to])
    expect(await running.live().sms.get(messageId)).toMatchObject({ to })
  })
})

describe.concurrent("a verification whose connections fail", () => {
  const workflow: StartVerification["workflow"] = [{ channel: "sms", timeout: 60 }]

  it.each(cuts)("%s: is started once, and a guess is taken once", async (cut) => {
    const { baseUrl, close } = await proxy(cut, "pass", cut)
    const to = number()
    const { verify } = running.sandbox({ baseUrl })
    const { id, sends_left } = await verify.start({ to, workflow, code: "739204" })
    expect(sends_left).toBe(4)
    expect(await running.sandbox().sms.list({ filter: { to } })).toMatchObject({ total: 1 })
    const { verify: other } = running.sandbox({ baseUrl: (await proxy(cut)).baseUrl })
    expect(await other.check(id, { code: "000000" })).toMatchObject({ valid: false, checks_left: 4 })
    expect(await verify.get(id)).toMatchObject({ checks_left: 4 })
    await close()
  })
})

it.each(cuts)("a request that could act twice is not repeated: %s", async (cut) => {
  const { baseUrl, close, requests } = await proxy(cut)
  const { uuid } = await running.sandbox().call.flash({ callee: number(), max_ring_time: 60 })
  await expect(running.sandbox({ baseUrl }).call.hangup(uuid)).rejects.toMatchObject({ code: "CONNECTION_FAILED" })
  expect(requests()).toBe(1)
  await close()
})

it("a key does not follow a redirect", async () => {
  const asked: Array<unknown> = []
  const other = await listen((request, response) => {
    asked.push(request.headers["x-api-key"])
    return Promise.resolve(response.writeHead(200, { "content-type": "application/json" }).end("{}"))
  })
  const first = await listen((_, response) => Promise.resolve(response.writeHead(307, { location: other.url }).end()))
  const { sms } = createClient({ baseUrl: `${first.url}/v1`, apiKey: "sk_live_secret", accountId: "acc_1" })
  await expect(sms.get("m")).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER", status: 307 })
  expect(asked).toEqual([])
  await first.close()
  await other.close()
})
