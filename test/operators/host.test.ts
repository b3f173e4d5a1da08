/**
 * The console behind the sign-in of a host that speaks fetch.
 */
import { consolePage } from "@watchword/console"
import { absent } from "@watchword/server/Host"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Watchword, createWatchword, memory, watchwordConsole } from "watchword"

let service: Watchword

beforeEach(async () => {
  const quiet = (): void => {}
  const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet }
  service = await createWatchword({ store: memory(), logger })
})

afterEach(() => service.dispose())

const own = { "sec-fetch-site": "same-origin", "content-type": "application/json" }

/** A host whose users are in a header. */
const hostOf = (page?: typeof consolePage) =>
  watchwordConsole(service, {
    authorize: async (request) => {
      const user = request.headers.get("x-user")
      if (user === "anna") return { name: "anna", role: "admin" }
      return user === "bob" ? { name: "bob", role: "support" } : null
    },
    ...(page === undefined ? {} : { page })
  }).fetch

const post = (user: string, path: string, body: object, headers: Readonly<Record<string, string>> = own) =>
  new Request(`https://example.com${path}`, {
    method: "POST",
    headers: { ...headers, "x-user": user },
    body: JSON.stringify(body)
  })

describe("a handler of a host", () => {
  it.each(["/operator/v1", "/ops/operator/v1", "/a/b/c/operator/v1"])("answers at %s", async (prefix) => {
    const handler = hostOf()
    const me = await handler(new Request(`https://example.com${prefix}/me`, { headers: { ...own, "x-user": "bob" } }))
    expect(await me.json()).toEqual({ name: "bob", role: "support", signed_in_by: "host" })
    expect((await handler(post("anna", `${prefix}/account/create`, { name: "Acme" }))).status).toBe(200)
    const listed = await handler(post("bob", `${prefix}/account/list`, {}))
    expect(await listed.json()).toMatchObject({ accounts: [{ name: "Acme" }] })
  })

  it("refuses strangers, roles that are too small, and other sites; tokens of its own it has none", async () => {
    const handler = hostOf()
    expect((await handler(post("eve", "/operator/v1/account/list", {}))).status).toBe(401)
    expect((await handler(post("bob", "/operator/v1/account/create", { name: "Acme" }))).status).toBe(403)
    const other = { "content-type": "application/json", "sec-fetch-site": "cross-site" }
    expect((await handler(post("anna", "/operator/v1/account/create", { name: "Acme" }, other))).status).toBe(403)
    const granted = await handler(post("anna", "/operator/v1/operator/grant", { name: "x", role: "admin" }))
    const { token } = await granted.json()
    const byToken = new Request("https://example.com/operator/v1/me", { headers: { authorization: `Bearer ${token}` } })
    expect((await handler(byToken)).status).toBe(401)
    expect((await handler(post("anna", "/operator/v1/session", { token }))).status).toBe(404)
  })

  it("lets no other site read", async () => {
    const handler = hostOf()
    const read = async (path: string, site: string | null) => {
      const headers = { "x-user": "bob", ...(site === null ? {} : { "sec-fetch-site": site }) }
      const answer = await handler(new Request(`https://example.com/operator/v1/${path}`, { headers }))
      await answer.body?.cancel()
      return answer.status
    }
    for (const path of ["me", "commands", "openapi.json", "watch/guard/look"]) {
      for (const site of ["same-origin", "none"]) expect(await read(path, site)).toBe(200)
      for (const site of ["cross-site", "same-site", "", null]) expect(await read(path, site)).toBe(403)
    }
  })

  it("has the page at its folder, and none where it is not given", async () => {
    const handler = hostOf(consolePage)
    const page = await handler(new Request("https://example.com/ops/"))
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
    expect(await page.text()).toContain("<html")
    const again = new Request("https://example.com/ops/", {
      headers: { "if-none-match": page.headers.get("etag") ?? "" }
    })
    expect((await handler(again)).status).toBe(304)
    const redirected = await handler(new Request("https://example.com/ops"))
    expect([redirected.status, redirected.headers.get("location")]).toEqual([308, "ops/"])
    expect((await handler(new Request("https://example.com/ops/nothing.js"))).status).toBe(404)
    expect((await hostOf()(new Request("https://example.com/ops/"))).status).toBe(404)
  })

  it("is not made without a word on who may", () => {
    const any: ReadonlyArray<unknown> = [undefined, null, {}, { authorize: true }, { authorize: undefined }]
    for (const options of any) {
      expect(() => Reflect.apply(watchwordConsole, null, [service, options])).toThrow("needs authorize")
      expect(() => Reflect.apply(watchwordConsole, null, [service, options])).toThrow("needs authorize")
    }
    const another: unknown = { handle: async () => ({ status: 200, headers: {}, body: null }) }
    const options = { authorize: () => null }
    expect(() => Reflect.apply(watchwordConsole, null, [another, options])).toThrow(
      "needs a service of createWatchword"
    )
    expect(() => watchwordConsole(service, { tokens: { trustedProxies: ["none"] } })).toThrow("IP address")
  })

  it("sees the same headers in a host that does not speak fetch", async () => {
    const seen: Array<unknown> = []
    const { handle } = watchwordConsole(service, {
      authorize: ({ headers, method, path, remoteAddress }) => {
        seen.push(method, path, [...headers], remoteAddress)
        return null
      }
    })
    const headers = { ":path": "/me", accept: ["a", "b"], "sec-fetch-site": "none", "x-user": undefined }
    const request = { method: "GET", path: "/operator/v1/me", headers, body: absent, remoteAddress: "192.0.2.1" }
    expect((await handle(request)).status).toBe(401)
    const received = [
      ["accept", "a, b"],
      ["sec-fetch-site", "none"]
    ]
    expect(seen).toEqual(["GET", "/operator/v1/me", received, "192.0.2.1"])
  })

  it("answers 500 where the host's own word fails, or makes no sense, and goes on", async () => {
    const failing = watchwordConsole(service, {
      authorize: () => {
        throw new Error("the session store is away")
      }
    }).fetch
    const me = new Request("https://example.com/operator/v1/me")
    const failed = await failing(me)
    expect([failed.status, await failed.text()]).toEqual([500, expect.not.stringContaining("session store")])
    const senseless: unknown = { name: "anna", role: "root" }
    const handler = Reflect.apply(watchwordConsole, null, [service, { authorize: () => senseless }])
    expect((await handler.fetch(new Request("https://example.com/operator/v1/me"))).status).toBe(500)
    expect((await failing(me)).status).toBe(500)
  })
})
