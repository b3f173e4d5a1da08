import { type Fetch, createClient } from "@watchword/client"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"

const given = { baseUrl: "https://otp.example.com/v1", apiKey: "sk_test_1", accountId: "acc_1" }
const message = { to: "+4915123456789", text: "Your code is 123456" }
const sent = { messageId: "m", from: "Acme", to: message.to }

type Reply = Response | Error

const answer = (body: object, status = 200): Response => Response.json(body, { status })
const failure = (error: string, status: number, more: object = {}): Response =>
  answer({ error, message: "No.", ...more }, status)

/** A client whose requests are answered by these, one after the other. */
const scripted = (...replies: ReadonlyArray<() => Reply>) => {
  const keys: Array<unknown> = []
  const at: Array<number> = []
  const fetch: Fetch = (_, { headers }) => {
    at.push(Date.now())
    const reply = replies[keys.length]?.() ?? new Error("asked too often")
    keys.push(new Headers(headers).get("idempotency-key"))
    return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply)
  }
  return {
    client: createClient({ ...given, fetch }),
    keys,
    waits: () => at.slice(1).map((time, i) => time - (at[i] ?? 0))
  }
}

const lost = () => new TypeError("fetch failed")
const found = () => answer(sent)

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, "random").mockReturnValue(1)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** The outcome of a promise, once all timers before it have run. */
const settled = async <A>(promise: Promise<A>): Promise<A> => {
  promise.catch(() => {})
  await vi.runAllTimersAsync()
  return promise
}

describe("a send is repeated under one key", () => {
  it.each([
    ["a lost connection", lost],
    ["a fault", () => failure("INTERNAL_SERVER_ERROR", 500)],
    ["a service that stops", () => failure("SERVICE_UNAVAILABLE", 503)],
    ["a first request in flight", () => failure("CONFLICT", 409, { reason: "in_flight" })],
    ["a limit that says for how long", () => failure("TOO_MANY_REQUESTS", 429, { reason: "r", retry_after: 1 })],
    ["a proxy without a service", () => new Response("Bad gateway", { status: 502 })]
  ])("after %s", async (_, reply) => {
    const { client, keys } = scripted(reply, found)
    expect(await settled(client.sms.send(message))).toEqual(sent)
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]])
  })

  it("which the caller may give", async () => {
    const { client, keys } = scripted(lost, found)
    await settled(client.sms.send(message, { idempotencyKey: "signup-1" }))
    expect(keys).toEqual(["signup-1", "signup-1"])
  })

  it("and the next send is under another", async () => {
    const { client, keys } = scripted(found, found)
    await client.sms.send(message)
    await client.sms.send(message)
    expect(new Set(keys).size).toBe(2)
  })

  it("three times, at growing intervals", async () => {
    const { client, keys, waits } = scripted(lost, lost, lost, lost, found)
    await expect(settled(client.sms.send(message))).rejects.toMatchObject({
      code: "CONNECTION_FAILED",
      idempotencyKey: expect.any(String)
    })
    expect(new Set(keys).size).toBe(1)
    expect(waits()).toEqual([250, 500, 1000])
  })

  it("more slowly while the first request is in flight", async () => {
    const inFlight = () => failure("CONFLICT", 409, { reason: "in_flight" })
    const { client, waits } = scripted(inFlight, inFlight, inFlight, found)
    await settled(client.sms.send(message))
    expect(waits()).toEqual([1000, 2000, 4000])
  })

  it("as often as the caller says", async () => {
    const { client, keys } = scripted(lost, lost, lost)
    await expect(settled(client.sms.send(message, { retries: 1 }))).rejects.toThrow()
    expect(keys).toHaveLength(2)
  })

  it("after the seconds of a limit, and not where those are many", async () => {
    const limit = (seconds: number) => () => failure("TOO_MANY_REQUESTS", 429, { reason: "r", retry_after: seconds })
    const short = scripted(limit(7), found)
    await settled(short.client.sms.send(message))
    expect(short.waits()).toEqual([7000])
    const long = scripted(limit(11), found)
    await expect(settled(long.client.sms.send(message))).rejects.toMatchObject({ retryAfter: 11 })
    expect(long.keys).toHaveLength(1)
  })

  it("no more once it is aborted, also while it waits", async () => {
    const controller = new AbortController()
    const { client, keys } = scripted(lost, found)
    const sending = client.sms.send(message, { signal: controller.signal })
    sending.catch(() => {})
    await vi.advanceTimersByTimeAsync(100)
    controller.abort(new Error("enough"))
    await expect(sending).rejects.toThrow("enough")
    expect(keys).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe("a send is not repeated after", () => {
  it.each([
    ["another body under the key", () => failure("CONFLICT", 409, { reason: "key_reused" })],
    ["a limit that no time lifts", () => failure("TOO_MANY_REQUESTS", 429, { reason: "too_many_sends" })],
    ["a gateway that refused", () => failure("TEMPORARY_UNAVAILABLE", 480)],
    ["a busy phone", () => failure("BUSY_HERE", 486)],
    ["a declined call", () => failure("DECLINE", 603 - 117)],
    ["a wrong body", () => failure("BAD_REQUEST", 400)],
    ["a redirect", () => new Response(null, { status: 301 })],
    ["a page that is no answer", () => new Response("Welcome")]
  ])("%s", async (_, reply) => {
    const { client, keys } = scripted(reply, found)
    await expect(settled(client.sms.send(message))).rejects.toThrow()
    expect(keys).toHaveLength(1)
  })
})

it("a request that could act twice is not repeated", async () => {
  const { client, keys } = scripted(lost, found)
  await expect(settled(client.call.hangup("a"))).rejects.toMatchObject({ code: "CONNECTION_FAILED" })
  expect(keys).toEqual([null])
})

const all = async <A>(items: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const found: Array<A> = []
  for await (const item of items) found.push(item)
  return found
}

describe("a list", () => {
  const page = (list: ReadonlyArray<number>, has_next_page: boolean) => () => answer({ list, has_next_page })

  it("is a page, and all records from that page on", async () => {
    const bodies: Array<unknown> = []
    const replies = [page([1, 2], true), page([3, 4], true), page([5], false)]
    const fetch: Fetch = (_, { body }) => {
      bodies.push(JSON.parse(String(body)))
      return Promise.resolve(replies[bodies.length - 1]?.() ?? Response.error())
    }
    const listing = createClient({ ...given, fetch }).sms.list({ page: 4, filter: { to: message.to } })
    expect(await listing).toEqual({ list: [1, 2], has_next_page: true })
    expect(await all(listing)).toEqual([1, 2, 3, 4, 5])
    expect(bodies).toEqual([4, 5, 6].map((page) => ({ page, filter: { to: message.to } })))
  })

  it("asks for nothing until it is awaited or walked, and for its page once", async () => {
    const { client, keys } = scripted(page([1], false))
    const listing = client.sms.list()
    await Promise.resolve()
    expect(keys).toHaveLength(0)
    expect([await listing, await listing.finally(() => {})]).toMatchObject([{ list: [1] }, { list: [1] }])
    expect(await all(listing)).toEqual([1])
    expect(keys).toHaveLength(1)
  })

  it("asks for no page that is not reached", async () => {
    const { client, keys } = scripted(page([1], true))
    for await (const _ of client.sms.list()) break
    expect(keys).toHaveLength(1)
  })

  it("fails where a page does", async () => {
    const { client } = scripted(page([1], true), () => failure("FORBIDDEN", 403))
    await expect(all(client.sms.list())).rejects.toMatchObject({ code: "FORBIDDEN" })
  })
})

it("an inbox that waits has more time", async () => {
  const limit = vi.spyOn(AbortSignal, "timeout")
  const { client } = scripted(() => answer({ messages: [] }))
  await client.sandbox.inbox({ to: message.to, wait: 30 })
  expect(limit).toHaveBeenLastCalledWith(95_000)
})
