import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { telegramLogin } from "watchword/telegramLogin"
import { decide } from "./sandbox.ts"
import * as Service from "./service.ts"
import { CLIENT, visit } from "./service.ts"

let service: Awaited<ReturnType<typeof Service.open>>
beforeEach(async () => {
  service = await Service.open(null)
})
afterEach(() => service.stop())

describe("a sandbox key's user", () => {
  it("signs in with the number of the verification", async () => {
    const { now, uri } = await service.start(undefined, true)
    expect((await visit(uri)).html).toContain(`value="${Service.NUMBER}"`)
    expect((await visit(await decide(uri, { choice: "share" }))).title).toBe("Your number is verified")
    expect(await now()).toMatchObject({ status: "approved", by: "telegram_login", assurance: "account" })
  })

  it.each([
    [
      { choice: "share", number: "+49 151 23456780" },
      "Your Telegram account has another number than the one to verify"
    ],
    [{ choice: "hide" }, "Telegram did not share your number"],
    [{ choice: "cancel" }, "You did not sign in"]
  ])("may do otherwise: %j", async (fields, title) => {
    const { now, uri } = await service.start(undefined, true)
    expect((await visit(await decide(uri, fields))).title).toBe(title)
    expect(await now()).toMatchObject({ status: "pending" })
  })

  it("is asked again if the number is not valid", async () => {
    const { uri } = await service.start(undefined, true)
    await expect(decide(uri, { choice: "share", number: "Anna" })).rejects.toThrow("400")
  })

  it("signs in once with one code", async () => {
    const { uri } = await service.start(undefined, true)
    const back = await decide(uri, { choice: "share", number: "+49 151 23456780" })
    await visit(back)
    expect((await visit(back)).title).toBe("Telegram could not confirm your number")
  })
})

describe("the page of the sandbox", () => {
  it.each([
    ["another app", "client_id", "other"],
    ["another address to lead back to", "redirect_uri", "https://example.com/"],
    ["a plain challenge", "code_challenge_method", "plain"]
  ])("serves no link of %s", async (_, name, value) => {
    const { uri } = await service.start(undefined, true)
    const other = new URL(uri)
    other.searchParams.set(name, value)
    expect(await visit(other.href)).toMatchObject({ status: 400, title: "This link is not of this service" })
  })

  it("shows what the link has as text", async () => {
    const { uri } = await service.start(undefined, true)
    const other = new URL(uri)
    other.searchParams.set("login_hint", '"><script>')
    const { headers, html } = await visit(other.href)
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;"')
    expect(headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(headers.get("content-security-policy")).toContain("form-action 'self'")
  })

  it("opens nothing live", async () => {
    const { status } = await visit(`${service.url}/login/telegram`)
    expect(status).toBe(404)
    const { started } = await service.start()
    expect(started).toMatchObject({ status: "pending", channel: "sms" })
  })
})

describe("an option that cannot be used", () => {
  it.each([
    ["clientId", { ...CLIENT, clientId: " " }],
    ["clientSecret", { ...CLIENT, clientSecret: "" }],
    ["alg", { ...CLIENT, alg: "ES256K" }],
    ["alg", { ...CLIENT, alg: "none" }],
    ["issuer", { ...CLIENT, issuer: "http://example.com" }],
    ["issuer", { ...CLIENT, issuer: "oauth.telegram.org" }]
  ])("is named: %s", (option, app) => {
    expect(() => telegramLogin(app)).toThrow(new RegExp(`^${option} must be `))
  })

  it.each([
    [{}, "publicUrl must be set"],
    [{ publicUrl: "http://example.com/v1" }, "publicUrl must be an https address"]
  ])("is named at the start: %j", async (options, message) => {
    const { createWatchword, memory } = await import("watchword")
    const starting = createWatchword({ store: memory(), telegramLogin: telegramLogin(CLIENT), ...options })
    await expect(starting).rejects.toThrow(message)
  })
})
