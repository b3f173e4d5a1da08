import { afterEach, describe, expect, it } from "vitest"
import * as OidcProvider from "./oidcProvider.ts"
import * as Service from "./service.ts"
import { NUMBER, visit } from "./service.ts"

const closing: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A service whose provider is oidc-provider. */
const start = async (alg: "RS256" | "ES256" | "EdDSA" = "RS256") => {
  let opened: Awaited<ReturnType<typeof Service.open>> | undefined
  const provider = await OidcProvider.open(async (issuer) => {
    opened = await Service.open(issuer, { alg })
    return `${opened.url}/login/telegram`
  }, alg)
  if (opened === undefined) throw new Error("the service has not started")
  const service = opened
  closing.push(service.stop, provider.stop)
  return { ...service, ...provider }
}

describe.each(["RS256", "ES256", "EdDSA"] as const)("a sign-in under %s", (alg) => {
  it("approves the number that the provider vouches for", async () => {
    const { signIn, start: begin, texts } = await start(alg)
    const { now, started, uri } = await begin()
    expect(started).toMatchObject({ status: "pending", present: [{ by: "telegram_login", number: null, text: null }] })
    const page = await visit(await signIn(uri))
    expect(page).toMatchObject({ status: 200, title: "Your number is verified" })
    expect(await now()).toMatchObject({
      status: "approved",
      by: "telegram_login",
      assurance: "account",
      received: [{ by: "telegram_login", result: "approved", assurance: "account" }]
    })
    expect(texts).toEqual([])
  })
})

describe("a user", () => {
  it("with another number approves nothing", async () => {
    const { signIn, start: begin, user } = await start()
    const { now, uri } = await begin()
    user.phone = "+4915123456780"
    expect((await visit(await signIn(uri))).title).toBe(
      "Your Telegram account has another number than the one to verify"
    )
    expect(await now()).toMatchObject({ status: "pending", received: [{ result: "other_number" }] })
  })

  it("who shares no number gets a code instead", async () => {
    const { signIn, start: begin, texts, user } = await start()
    const { now, uri } = await begin()
    user.phone = null
    expect((await visit(await signIn(uri))).title).toBe("Telegram did not share your number")
    expect(await now()).toMatchObject({ status: "pending", received: [{ result: "not_shared" }] })
    expect(texts).toEqual([NUMBER])
  })

  it("who says no offers nothing", async () => {
    const { signIn, start: begin, user } = await start()
    const { now, uri } = await begin()
    user.agrees = false
    expect(await visit(await signIn(uri))).toMatchObject({ status: 200, title: "You did not sign in" })
    expect(await now()).toMatchObject({ status: "pending", present: [{ by: "telegram_login" }] })
    expect(await now()).not.toHaveProperty("received")
  })

  it("is shown the page in the browser's language", async () => {
    const { url } = await start()
    const page = await visit(`${url}/login/telegram`, "xx, de-AT;q=0.8, en;q=0.5")
    expect(page).toMatchObject({ status: 400, title: "Dieser Link ist nicht gültig" })
    expect(page.html).toContain('<html lang="de" dir="ltr">')
    expect((await visit(`${url}/login/telegram`, "ar")).html).toContain('<html lang="ar" dir="rtl">')
    expect((await visit(`${url}/login/telegram`, "tlh;q=1, *;q=0.1")).html).toContain('<html lang="en" dir="ltr">')
  })
})

describe("a return", () => {
  it("that comes twice is too late, and changes nothing", async () => {
    const { lines, signIn, start: begin } = await start()
    const { now, uri } = await begin()
    const back = await signIn(uri)
    expect((await visit(back)).title).toBe("Your number is verified")
    expect((await visit(back)).title).toBe("Telegram could not confirm your number")
    expect(await now()).toMatchObject({ status: "approved", received: [{ result: "approved" }] })
    expect(lines.join("\n")).toContain("a sign-in with Telegram has shown no number: refused")
    expect(lines.join("\n")).not.toContain(new URL(back).searchParams.get("code"))
  })

  it("with the code of another link approves neither", async () => {
    const { signIn, start: begin } = await start()
    const victim = await begin()
    const attacker = await begin("+4915123456788")
    const code = new URL(await signIn(victim.uri)).searchParams.get("code") ?? ""
    const back = new URL(await signIn(attacker.uri))
    back.searchParams.set("code", code)
    expect(await visit(back.href)).toMatchObject({ status: 502, title: "Telegram could not confirm your number" })
    for (const { now } of [victim, attacker]) expect(await now()).toMatchObject({ status: "pending" })
  })

  it("after the step is too late", async () => {
    const { service, signIn, start: begin } = await start()
    const { caller, now, started, uri } = await begin()
    const back = await signIn(uri)
    await service.verify.next(caller, started.id)
    expect((await visit(back)).title).toBe("It is too late: this sign-in is no longer waited for")
    expect(await now()).toMatchObject({ status: "pending" })
  })

  it("is answered by a page that nothing keeps, frames or runs scripts on", async () => {
    const { url } = await start()
    const { headers, html } = await visit(`${url}/login/telegram`)
    expect(Object.fromEntries(headers)).toMatchObject({
      "cache-control": "no-store",
      "content-type": "text/html; charset=utf-8",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff"
    })
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/
    )
    expect(html).not.toContain("<script")
  })
})
