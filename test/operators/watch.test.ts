/**
 * Command answers as streams, over a socket: who may follow them, how often they query the database, and how they
 * end.
 */
import { makeMemory } from "@watchword/store/MemoryStore"
import { type Service, Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, describe, expect, it } from "vitest"
import { type Console, endAll, start } from "./console.ts"
import { realTime } from "../until.ts"

const stops: Array<AbortController> = []

afterAll(async () => {
  for (const stop of stops.splice(0)) stop.abort()
  await endAll()
})

/** A store that counts the queries for the newest sends, and fails them while it is away. */
const counted = () => {
  const store = makeMemory()
  const looks = { count: 0, isAway: false }
  const service: Service = {
    ...store,
    newestDeliveries: (query) =>
      Effect.suspend(() => {
        looks.count++
        return looks.isAway
          ? Effect.fail(new StoreError({ reason: "Unavailable", message: "away" }))
          : store.newestDeliveries(query)
      })
  }
  return { looks, store: Layer.succeed(Store, service) }
}

interface Stream {
  readonly response: Response
  /** The next event, as text; comments are skipped. Null at the end. */
  readonly next: () => Promise<string | null>
  readonly close: () => void
}

const open = async ({ origin }: Console, path: string, token: string): Promise<Stream> => {
  const stop = new AbortController()
  stops.push(stop)
  const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" }
  const response = await fetch(`${origin}/operator/v1/watch/${path}`, { headers, signal: stop.signal })
  const pieces = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ""
  const next = async (): Promise<string | null> => {
    for (;;) {
      const end = rest.indexOf("\n\n")
      if (end >= 0) {
        const event = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (!event.startsWith(":")) return event
        continue
      }
      const { done, value } = (await pieces?.read()) ?? { done: true, value: undefined }
      if (done) return null
      rest += value
    }
  }
  return { response, next, close: () => stop.abort() }
}

const LIST = "delivery/list?mode=sandbox&limit=5"

const send = async ({ service }: Console) => {
  const { account_id: account } = await service.operator.account.create({ sms_sender: "Acme" })
  await service.sms.send({ account, sandbox: true }, { to: "+4915123456789", text: "Your code is 123456" })
}

// Each test has a service of its own, and waits for queries triggered by a timer.
describe("a stream", { concurrent: true }, () => {
  it("has the answer at once, and again when it has changed, by one query for all viewers", async () => {
    const { looks, store } = counted()
    const console = await start({}, { store })
    const { token } = await console.grant("support")
    const viewers = await Promise.all([1, 2, 3].map(() => open(console, LIST, token)))
    expect(viewers[0]?.response.headers.get("content-type")).toBe("text/event-stream")
    expect(viewers[0]?.response.headers.get("cache-control")).toBe("no-store")
    const empty = 'event: answer\ndata: {"deliveries":[],"next":null}'
    expect(await Promise.all(viewers.map(({ next }) => next()))).toEqual([empty, empty, empty])
    expect(looks.count).toBe(1)
    await send(console)
    const later = await Promise.all(viewers.map(({ next }) => next()))
    expect(later[0]).toContain('"channel":"sms"')
    expect(later).toEqual([later[0], later[0], later[0]])
    expect(looks.count).toBe(2)
  })

  it("goes on when the database is back", async () => {
    const { looks, store } = counted()
    const console = await start({}, { store })
    const { token } = await console.grant("support")
    const { next } = await open(console, LIST, token)
    expect(await next()).toMatch(/^event: answer/)
    looks.isAway = true
    expect(await next()).toMatch(/^event: failure\ndata: \{"error":"SERVICE_UNAVAILABLE"/)
    looks.isAway = false
    expect(await next()).toMatch(/^event: answer/)
  })

  it("costs nothing once its viewers have gone", async () => {
    const { looks, store } = counted()
    const console = await start({}, { store })
    const { token } = await console.grant("support")
    const viewers = await Promise.all([1, 2].map(() => open(console, LIST, token)))
    await Promise.all(viewers.map(({ next }) => next()))
    for (const { close } of viewers) close()
    await realTime(6_000, "a look of a stream that is open")
    expect(looks.count).toBe(1)
  })

  it("ends with the token, and with the service", async () => {
    const console = await start({}, { store: counted().store })
    const [first, second] = [await console.grant("support"), await console.grant("support")]
    const ended = await open(console, LIST, first.token)
    const stopped = await open(console, LIST, second.token)
    expect([await ended.next(), await stopped.next()]).toEqual([expect.any(String), expect.any(String)])
    await console.asHost("operator/revoke", { id: first.id })
    await send(console)
    expect(await ended.next()).toBe(null)
    expect(await stopped.next()).toContain("sms")
    const end = stopped.next()
    await console.end()
    expect(await end).toBe(null)
  })

  it("is of commands that may be followed, and of inputs that are right", async () => {
    const console = await start()
    const { token } = await console.grant("support")
    const refused = async (path: string) => {
      const { response } = await open(console, path, token)
      return response.status
    }
    expect(await refused("why?number=%2B4915123456789")).toBe(404)
    expect(await refused("account/create?name=Acme")).toBe(403)
    expect(await refused("delivery/list?limit=many")).toBe(400)
    expect(await refused("delivery/list?mode=other")).toBe(400)
    expect(await refused("delivery/list?number=1")).toBe(400)
    const posted = await console.ask("watch/delivery/list", { token, body: {} })
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"])
  })

  it("is one of a hundred", async () => {
    const { store } = counted()
    const console = await start({}, { store })
    const grants = await Promise.all(Array.from({ length: 10 }, () => console.grant("support")))
    const { token } = await console.grant("support")
    const tokens = grants.flatMap((grant) => Array.from({ length: 10 }, () => grant.token))
    const viewers = await Promise.all(tokens.map((token) => open(console, LIST, token)))
    expect(viewers.every(({ response }) => response.status === 200)).toBe(true)
    const { json, status } = await console.ask(`watch/${LIST}`, { method: "GET", token })
    expect([status, json["reason"]]).toEqual([429, "too_many_streams"])
    for (const { close } of viewers) close()
    await expect.poll(async () => (await open(console, LIST, token)).response.status).toBe(200)
  })

  it("gives way to the eleventh of its token, and takes no place of others", async () => {
    const { store } = counted()
    const console = await start({}, { store })
    const [{ token }, admin] = [await console.grant("support"), await console.grant("admin")]
    const other = await open(console, LIST, admin.token)
    const viewers: Array<Stream> = []
    for (let n = 0; n < 110; n++) {
      const viewer = await open(console, LIST, token)
      expect([n, viewer.response.status, (await viewer.next())?.slice(0, 13)]).toEqual([n, 200, "event: answer"])
      viewers.push(viewer)
    }
    for (const viewer of viewers.slice(0, 100)) expect(await viewer.next()).toBeNull()
    await send(console)
    expect((await other.next())?.slice(0, 13)).toBe("event: answer")
    for (const viewer of viewers.slice(100)) expect(await viewer.next()).toMatch(/^event: answer/)
    expect((await open(console, "overview", admin.token)).response.status).toBe(200)
  })
})
