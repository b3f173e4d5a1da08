/**
 * Services with scripted answers, and requests to the hosts that serve them.
 */
import { Bodies } from "@watchword/server/http"
import { type HostBody, type HostRequest, type HostResponse, endpointsOf } from "@watchword/server/Host"
import { channels } from "watchword/Hosting"
import { exchange } from "@watchword/store/checks"
import * as Effect from "effect/Effect"
import { once } from "node:events"
import { connect } from "node:net"
import { expect } from "vitest"
import { type Watchword, createWatchword, memory } from "watchword"

export const ok: HostResponse = { status: 200, headers: { "content-type": "application/json" }, body: "{}" }

const endpoints = endpointsOf(channels)

/** A request whose body has been read. */
export interface ReadRequest extends HostRequest {
  readonly body: HostBody
}

/** Reads the body of a request, as the service does after authorizing the request. */
export const read = async (request: HostRequest, maxBytes = 65_536): Promise<ReadRequest> => ({
  ...request,
  body: await Effect.runPromise(Bodies.make({ maxBytes })(request, "party", Effect.succeed))
})

/** A service that gives scripted answers after reading the body, and keeps the requests. */
export const scripted = (
  answer: (request: ReadRequest) => HostResponse | Promise<HostResponse> = () => ok,
  maxBytes?: number
) => {
  const asked: Array<ReadRequest> = []
  const handle = async (given: HostRequest) => {
    const request = await read(given, maxBytes)
    asked.push(request)
    return answer(request)
  }
  return { handle, endpoints, asked }
}

/** A service that answers only after the client has hung up. */
export const waiting = () => {
  const begun = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const service = scripted(async () => {
    begun.resolve()
    await gone.promise
    done.resolve()
    return ok
  })
  /** Aborts a request to the service at this address, and waits until the service has answered nevertheless. */
  const abort = async (url: string): Promise<void> => {
    const abort = new AbortController()
    const asked = fetch(`${url}/v1/sms`, { method: "POST", body: "{}", signal: abort.signal })
    await begun.promise
    abort.abort()
    await expect(asked).rejects.toThrow("aborted")
    gone.resolve()
    await done.promise
  }
  return { ...service, abort }
}

export const post = (
  url: string,
  path: string,
  body: string | Uint8Array | Array<Uint8Array>,
  type = "application/json"
) => exchange(url, { method: "POST", path, headers: { "content-type": type }, body })

/** The text of a body, or the tag of a body without bytes. */
export const bodyOf = (request: ReadRequest | undefined): string | undefined =>
  request?.body._tag === "Bytes" ? Buffer.from(request.body.bytes).toString() : request?.body._tag

/** Sends half a request and closes the connection. */
export const hangUp = async (url: string): Promise<void> => {
  const socket = connect(Number(new URL(url).port), "127.0.0.1")
  socket.write("POST /v1/sms HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf")
  await once(socket, "connect")
  socket.destroy()
  await once(socket, "close")
}

/**
 * The statuses of requests that are answered before their bodies arrive: on a path without an endpoint, on the path of
 * a gateway that the service does not have, and without a key.
 */
export const refusedUnread = (url: string): Promise<ReadonlyArray<number>> =>
  Promise.all(
    ["/v1/nothing", "/v1/bizchat/events", "/v1/sms"].map(async (path) => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1")
      socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n`)
      const [answer] = await once(socket, "data")
      socket.destroy()
      return Number(/^HTTP\/1.1 (\d{3}) /.exec(String(answer))?.[1])
    })
  )

/** Sends a request whose body does not end. */
export const postEndless = (url: string, headers: Record<string, string> = {}): Promise<Response> => {
  const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) })
  const half = { method: "POST", headers, body, duplex: "half" }
  return fetch(`${url}/v1/sms`, half)
}

/** A call that rings for some time before it is answered. */
export const flash = (url: string, account: string, key: string) =>
  exchange(url, {
    method: "POST",
    path: "/v1/call/flash",
    headers: { "x-account-id": account, "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ callee: "+4915123456789", caller: "+4930901820123" })
  })

/** Proxies that a host and the service trust, and the status of a request from 203.0.113.7 through 127.0.0.1. */
export const throughProxies = [
  ["is the socket's where no proxy is trusted", false, [], "203.0.113.7", 401],
  ["is found by the service where it trusts the proxy", false, ["127.0.0.1"], "203.0.113.7", 200],
  ["is found by the app where it trusts the proxy", "127.0.0.1", [], "203.0.113.7", 200],
  ["is not made up by the client", 1, [], "203.0.113.7, 198.51.100.1", 401],
  ["is found once, not twice", 1, ["127.0.0.1", "198.51.100.1"], "203.0.113.7, 198.51.100.1", 401],
  ["is the socket's where the app trusts other proxies", "10.0.0.1", ["127.0.0.1"], "203.0.113.7", 401],
  ["is unknown where the header has no address", true, [], "unknown", 401]
] as const

/** A service with a key that is restricted to 203.0.113.7, and the status of a request with that key. */
export const boundToAddress = async (trustedProxies: ReadonlyArray<string>) => {
  const service: Watchword = await createWatchword({ store: memory(), trustedProxies })
  const { account_id: account } = await service.operator.account.create()
  const { key } = await service.operator.key.create({ account_id: account, sandbox: true, allow: ["203.0.113.7"] })
  const statusBy = async (url: string, forwardedFor: string): Promise<number> => {
    const headers = { "x-account-id": account, "x-api-key": key, "x-forwarded-for": forwardedFor }
    return (await exchange(url, { method: "POST", path: "/v1/sms/sdr", headers })).status
  }
  return { service, statusBy }
}
