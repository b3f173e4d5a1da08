import { until } from "../../../test/until.ts"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Mount from "@watchword/server/Mount"
import type { Abilities } from "@watchword/server/conformance"
import { exchange } from "@watchword/store/checks"
import * as Effect from "effect/Effect"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as IpNetwork from "effect/net/IpNetwork"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { createServer } from "node:http"
import { afterEach, describe, expect, it } from "vitest"
import { describeMount } from "../../../test/hosts.ts"
import { type Options, ask, createKey, openAccount, service } from "./fixture.ts"

const proxied = HttpMiddleware.xForwardedHeaders({ trustedProxies: [IpNetwork.fromStringUnsafe("127.0.0.0/8")] })

/** A server with a route of its own and the interface next to it. */
const start = async (mount: Mount.Options, { trusting = false, ...options }: Options & { trusting?: boolean } = {}) => {
  const own = HttpRouter.add("*", "/own", (request) => Effect.succeed(HttpServerResponse.text(`own ${request.method}`)))
  const routes = Layer.merge(own, Mount.layer(mount))
  const silent = { disableLogger: true, disableListenLog: true }
  const served = trusting
    ? HttpRouter.serve(routes, { ...silent, middleware: proxied })
    : HttpRouter.serve(routes, silent)
  const server = served.pipe(
    Layer.provideMerge(service(options)),
    Layer.provideMerge(NodeHttpServer.layer(() => createServer(), { host: "127.0.0.1", port: 0 }))
  )
  const runtime = ManagedRuntime.make(server)
  const address = await runtime.runPromise(HttpServer.HttpServer.useSync(({ address }) => address))
  if (address._tag === "UnixPathAddress") throw new Error("not listening on a port")
  return { url: `http://127.0.0.1:${address.port}`, runtime }
}

const run = (name: string, prefix: `/${string}` | undefined, host: Partial<Abilities>) =>
  describeMount(name, { statusBeyond599: false, undecodablePaths: false, ...host }, async () => {
    const { url, runtime } = await start(prefix === undefined ? {} : { prefix })
    const { id: account } = await runtime.runPromise(openAccount)
    return {
      baseUrl: `${url}${prefix ?? ""}`,
      account,
      key: await runtime.runPromise(createKey(account)),
      readKey: await runtime.runPromise(createKey(account, { scopes: ["sms:read"] })),
      close: () => runtime.dispose()
    }
  })

run("an Effect router", "/v1", {})
run("an Effect router, at its root", undefined, { everyPath: false, everyMethod: false })

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

describe("an Effect router", () => {
  it.each(["/v1", undefined] as const)("keeps its own routes beside the interface at %j", async (prefix) => {
    const { url, runtime } = await start(prefix === undefined ? {} : { prefix })
    closing.push(() => runtime.dispose())
    for (const method of ["GET", "POST"]) {
      expect((await exchange(url, { method, path: "/own" })).text).toBe(`own ${method}`)
    }
    const elsewhere = await exchange(url, { method: "GET", path: "/nope" })
    expect([elsewhere.status, elsewhere.headers["x-request-id"]]).toEqual([404, undefined])
    const ours = await exchange(url, { method: "POST", path: `${prefix ?? ""}/sms` })
    expect([ours.status, JSON.parse(ours.text).error]).toEqual([401, "UNAUTHORIZED"])
  })

  it.each([
    ["the service, where it trusts proxies", false, ["127.0.0.1"], "203.0.113.7", 200],
    ["the service alone", false, [], "203.0.113.7", 401],
    ["the router, where it trusts them", true, [], "203.0.113.7", 200],
    ["the router once, not twice", true, ["127.0.0.1", "198.51.100.1"], "203.0.113.7, 198.51.100.1", 401]
  ] as const)("has the client's address found by %s", async (_, trusting, trustedProxies, forwardedFor, status) => {
    const { url, runtime } = await start({ prefix: "/v1" }, { trusting, trustedProxies })
    closing.push(() => runtime.dispose())
    const { id } = await runtime.runPromise(openAccount)
    const key = await runtime.runPromise(createKey(id, { allow: ["203.0.113.7"] }))
    const headers = { "x-account-id": id, "x-api-key": key, "x-forwarded-for": forwardedFor }
    expect((await exchange(url, { method: "POST", path: "/v1/sms/sdr", headers })).status).toBe(status)
  })

  it("finishes what is in flight before it ends", async () => {
    const { url, runtime } = await start({ prefix: "/v1" })
    const { id } = await runtime.runPromise(openAccount)
    const headers = { "x-account-id": id, "x-api-key": await runtime.runPromise(createKey(id)) }
    // A call rings for some time before it is answered.
    const body = JSON.stringify({ callee: "+4915123456789", caller: "+4930901820123" })
    const inFlight = exchange(url, { method: "POST", path: "/v1/call/flash", headers, body })
    const listed = () => runtime.runPromise(ask({ path: "/call/flash/cdr", headers, body: "{}" }))
    await until(listed, ({ body }) => String(body).includes('"total":1,'))
    await runtime.dispose()
    expect((await inFlight).status).toBe(200)
  })
})
