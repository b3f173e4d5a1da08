/**
 * Sessions of browsers over a socket: tokens and links, cookies, other sites, a proxy that knows its users.
 */
import { sqlite } from "@watchword/store-sqlite"
import { afterEach, describe, expect, it } from "vitest"
import { folderForEach } from "../folder.ts"
import { type Console, cookieOf, endAll, me, openLink, own, signIn, start } from "./console.ts"

const folder = folderForEach()
afterEach(endAll)

/** Tries to sign in to services of this process, by the metric. */
const signInsOf = async ({ service }: Console) => {
  const asked = { method: "GET", path: "/metrics", headers: {}, body: { _tag: "Absent" }, remoteAddress: null } as const
  const { body } = await service.operations(asked)
  const count = (outcome: string) =>
    Number(
      new RegExp(`^watchword_operator_sign_ins_total\\{outcome="${outcome}".*\\} (\\d+)$`, "m").exec(
        String(body)
      )?.[1] ?? 0
    )
  return { done: count("done"), refused: count("refused") }
}

describe("a session", () => {
  it("is opened by a token, and is its role", async () => {
    const console = await start()
    const { token } = await console.grant("operator", { name: "anna" })
    const opened = await signIn(console, { token })
    expect(opened.status).toBe(204)
    expect(opened.headers.get("set-cookie")).toMatch(
      /^watchword_operator=opr_\S+; Max-Age=43200; HttpOnly; SameSite=Strict$/
    )
    const cookie = cookieOf(opened)
    expect(await me(console, cookie)).toEqual({ name: "anna", role: "operator", signed_in_by: "cookie" })
    const allowed = await console.ask("account/list", { headers: { ...own, ...cookie } })
    expect(allowed.status).toBe(200)
    const refused = await console.ask("erase", { body: {}, headers: { ...own, ...cookie } })
    expect([refused.status, refused.json["reason"]]).toEqual([403, "role_admin"])
  })

  it("has a cookie for TLS alone, but on the machine itself", async () => {
    const console = await start()
    const { token } = await console.grant("support")
    const direct = await signIn(console, { token })
    expect(direct.headers.get("set-cookie")).not.toContain("Secure")
    // A proxy that passes its own address on as the host still adds one of these.
    for (const [name, value] of [
      ["x-forwarded-proto", "https"],
      ["x-forwarded-proto", "https, http"],
      ["x-forwarded-for", "192.0.2.1"],
      ["via", "1.1 proxy"]
    ] as const) {
      const behindTls = await signIn(console, { token }, { [name]: value })
      expect(behindTls.headers.get("set-cookie")).toMatch(/; Secure$/)
    }
  })

  it("ends with its token, after twelve hours, and where its user ends it", async () => {
    let now = Date.now()
    const console = await start({}, { clock: { now: () => now } })
    const { id, token } = await console.grant("support")
    const cookie = cookieOf(await signIn(console, { token }))
    now += 12 * 60 * 60_000 - 1
    expect(await me(console, cookie)).toMatchObject({ signed_in_by: "cookie" })
    now += 1
    expect(await me(console, cookie)).toBe(401)

    const other = cookieOf(await signIn(console, { token }))
    expect(await me(console, other)).toMatchObject({ signed_in_by: "cookie" })
    await console.asHost("operator/revoke", { id })
    expect(await me(console, other)).toBe(401)

    const ended = await console.ask("session", { method: "DELETE", headers: own })
    expect([ended.status, ended.headers.get("set-cookie")]).toMatchObject([
      204,
      expect.stringContaining("watchword_operator=; Max-Age=0")
    ])
  })

  it("is signed: a cookie of another id or another time is none", async () => {
    const console = await start()
    const one = await console.grant("support")
    const other = await console.grant("admin")
    const { cookie } = cookieOf(await signIn(console, { token: one.token }))
    expect(await me(console, { cookie })).toMatchObject({ role: "support" })
    expect(await me(console, { cookie: cookie.replace(one.id, other.id) })).toBe(401)
    expect(await me(console, { cookie: cookie.replace(/\.\d+\./, ".9999999999999.") })).toBe(401)
    expect(await me(console, { cookie: `${cookie}0` })).toBe(401)
  })

  it("outlives the process, where the installation has a secret, and its next one", async () => {
    const store = () => sqlite(folder.file("secret.db"))
    const secret = "0123456789abcdef0123456789abcdef"
    const first = await start({}, { store: store(), secret })
    const { token } = await first.grant("support")
    const cookie = cookieOf(await signIn(first, { token }))
    await first.end()
    const second = await start({}, { store: store(), secret: [`${secret}-next`, secret] })
    expect(await me(second, cookie)).toMatchObject({ role: "support" })
    await second.end()
    const third = await start({}, { store: store(), secret: `${secret}-other` })
    expect(await me(third, cookie)).toBe(401)
  })

  it("of a wrong token is tried five times a minute from one address", async () => {
    let now = Date.now()
    const console = await start({}, { clock: { now: () => now } })
    const { token } = await console.grant("support")
    const before = await signInsOf(console)
    for (let times = 0; times < 7; times++) expect((await signIn(console, { token })).status).toBe(204)
    const wrong = { token: token.slice(0, -5) + "00000" }
    const tried = await Promise.all(Array.from({ length: 8 }, () => signIn(console, wrong)))
    const statuses = tried.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    const limited = await signIn(console, { token })
    expect([limited.status, limited.json["reason"]]).toEqual([429, "too_many_sign_ins"])
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0)
    now += 70_000
    expect((await signIn(console, { token })).status).toBe(204)
    const after = await signInsOf(console)
    expect([after.done - before.done, after.refused - before.refused]).toEqual([8, 9])
  })

  it("is not opened by a body that is wrong or large", async () => {
    const console = await start()
    expect((await signIn(console, {})).json).toMatchObject({ issues: [{ path: "token" }] })
    expect((await signIn(console, { token: "a", link: "b" })).status).toBe(400)
    expect((await signIn(console, { token: "x".repeat(5_000) })).status).toBe(413)
  })
})

describe("a page of another site", () => {
  const sites: ReadonlyArray<Readonly<Record<string, string>>> = [
    {},
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" }
  ]

  it.each(sites)("that sends %o changes nothing, and opens and ends no session", async (headers) => {
    const console = await start()
    const { token } = await console.grant("admin")
    const cookie = cookieOf(await signIn(console, { token }))
    const asked = [
      await console.ask("account/create", { body: { name: "Acme" }, headers: { ...headers, ...cookie } }),
      await console.ask("session", { body: { token }, headers }),
      await console.ask("session", { method: "DELETE", headers: { ...headers, ...cookie } })
    ]
    for (const { headers, json, status } of asked) {
      expect([status, json["reason"], headers.get("set-cookie")]).toEqual([403, "other_site", null])
    }
    expect(await console.asHost("account/list", {})).toMatchObject({ accounts: [] })
    // A token is in no browser.
    expect((await console.ask("account/create", { token, body: { name: "Acme" }, headers })).status).toBe(200)
  })
})

describe("a link", () => {
  it("signs in once, of many at the same time", async () => {
    const file = folder.file("link.db")
    const console = await start({}, { store: sqlite(file) })
    const link = await openLink(sqlite(file), { name: "anna", role: "operator" })
    const all = await Promise.all(Array.from({ length: 5 }, () => signIn(console, { link })))
    expect(all.map(({ status }) => status).toSorted()).toEqual([204, 401, 401, 401, 401])
    const [opened] = all.filter(({ status }) => status === 204).map(cookieOf)
    expect(await me(console, opened ?? {})).toEqual({ name: "anna", role: "operator", signed_in_by: "link" })
  })

  it("is no token, and is worth nothing after a minute", async () => {
    const file = folder.file("late.db")
    let ahead = 0
    const console = await start({}, { store: sqlite(file), clock: { now: () => Date.now() + ahead } })
    const link = await openLink(sqlite(file))
    expect((await console.ask("me", { method: "GET", token: link })).status).toBe(401)
    expect((await signIn(console, { token: link })).status).toBe(401)
    ahead = 60_000
    expect((await signIn(console, { link })).status).toBe(401)
  })

  it("is good at once, also in a server that has just read its settings", async () => {
    const file = folder.file("young.db")
    const console = await start({}, { store: sqlite(file) })
    await console.asHost("operator/list", {})
    const cookie = cookieOf(await signIn(console, { link: await openLink(sqlite(file)) }))
    expect(await me(console, cookie)).toMatchObject({ signed_in_by: "link" })
  })

  it("is in no list before it is opened, and makes room for others", async () => {
    const file = folder.file("unopened.db")
    let ahead = 0
    const console = await start({}, { store: sqlite(file), clock: { now: () => Date.now() + ahead } })
    await openLink(sqlite(file))
    const link = await openLink(sqlite(file), { name: "anna" })
    expect(await console.asHost("operator/list", {})).toEqual({ operators: [] })
    const cookie = cookieOf(await signIn(console, { link }))
    const { operators } = await console.asHost("operator/list", {})
    expect(operators).toMatchObject([{ name: "anna", kind: "link" }])
    ahead = 60 * 60_000
    expect(await me(console, cookie)).toMatchObject({ name: "anna" })
    expect(await console.asHost("operator/list", {})).toEqual({ operators })
  })

  it("has a session that is listed, and that its user ends", async () => {
    const file = folder.file("listed.db")
    const console = await start({}, { store: sqlite(file) })
    const cookie = cookieOf(await signIn(console, { link: await openLink(sqlite(file)) }))
    expect(await console.asHost("operator/list", {})).toMatchObject({
      operators: [{ name: "console", role: "admin", kind: "link" }]
    })
    await console.ask("session", { method: "DELETE", headers: { ...own, ...cookie } })
    expect(await me(console, cookie)).toBe(401)
    expect(await console.asHost("operator/list", {})).toEqual({ operators: [] })
  })
})

describe("a proxy that knows its users", () => {
  const roles = new Map([
    ["anna", "admin"],
    ["*", "support"]
  ] as const)
  const proxy = { addresses: ["127.0.0.1"], header: "x-forwarded-user", roles }
  const anna = { "x-forwarded-user": "anna" }

  it("is believed from a trusted address", async () => {
    const console = await start({ proxy })
    expect(await me(console, anna)).toEqual({ name: "anna", role: "admin", signed_in_by: "proxy" })
    expect(await me(console, { "x-forwarded-user": "bob" })).toMatchObject({ name: "bob", role: "support" })
    expect(await me(console, {})).toBe(401)
    const changed = await console.ask("account/create", { body: { name: "Acme" }, headers: anna })
    expect([changed.status, changed.json["reason"]]).toEqual([403, "other_site"])
    const fromPage = await console.ask("account/create", { body: { name: "Acme" }, headers: { ...anna, ...own } })
    expect(fromPage.status).toBe(200)
  })

  it("is not believed from another one, nor where no header is set", async () => {
    const untrusted = await start({ proxy: { ...proxy, addresses: ["192.0.2.1"] } })
    expect(await me(untrusted, { ...anna, "x-forwarded-for": "192.0.2.1" })).toBe(401)
    const unset = await start({ trustedProxies: ["127.0.0.1"] })
    expect(await me(unset, anna)).toBe(401)
  })

  it("is not believed from the proxies of customers", async () => {
    const console = await start({ trustedProxies: ["127.0.0.1"], proxy: { ...proxy, addresses: ["192.0.2.1"] } })
    expect(await me(console, anna)).toBe(401)
    expect(await me(console, { ...anna, "x-forwarded-for": "192.0.2.1" })).toBe(401)
  })

  it("lets no other site read", async () => {
    const console = await start({ proxy })
    const { token } = await console.grant("support")
    const cookie = cookieOf(await signIn(console, { token }))
    for (const site of ["cross-site", "same-site", ""]) {
      for (const who of [anna, cookie]) {
        expect(await me(console, { ...who, "sec-fetch-site": site })).toBe(403)
        const watched = await console.ask("watch/guard/look", {
          method: "GET",
          headers: { ...who, "sec-fetch-site": site }
        })
        expect([watched.status, watched.json["reason"]]).toEqual([403, "other_site"])
      }
    }
    expect(await me(console, { ...anna, "sec-fetch-site": "none" })).toMatchObject({ name: "anna" })
  })

  it("has no role for users that are not named", async () => {
    const only = { ...proxy, header: "x-forwarded-user", roles: new Map([["anna", "admin"]] as const) }
    const console = await start({ proxy: only })
    expect(await me(console, { "x-forwarded-user": "bob" })).toBe(403)
    expect(await me(console, { "x-forwarded-user": "constructor" })).toBe(403)
  })
})
