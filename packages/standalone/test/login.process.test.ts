import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { freePort } from "../../../test/freePort.ts"
import { decide } from "../../../test/logins/sandbox.ts"
import * as Scripted from "../../../test/logins/scriptedProvider.ts"
import { CLIENT, NUMBER, visit } from "../../../test/logins/service.ts"
import { callerOf, request } from "./client.ts"
import { type Running, answerOf, command, start, startFailing } from "./Standalone.ts"

const { file } = folderForEach()
let provider: Awaited<ReturnType<typeof Scripted.open>>
beforeEach(async () => void (provider = await Scripted.open()))
afterEach(() => provider.stop())

const login = () => ({
  TELEGRAM_LOGIN_CLIENT_ID: CLIENT.clientId,
  TELEGRAM_LOGIN_CLIENT_SECRET: CLIENT.clientSecret,
  TELEGRAM_LOGIN_ISSUER: provider.issuer
})
const common = () => ({
  DATABASE_URL: `sqlite:${file("test.db")}`,
  VERIFY_SECRET: "0123456789abcdef".repeat(2),
  DEMO: "no",
  GUARDS: "none"
})

/** The link of a verification that a new account starts, and the state of the verification. */
const begin = async (server: Running, ...mode: ReadonlyArray<string>) => {
  const { account_id: account } = await command(common(), "account", "create", "--name", "Acme")
  const { key } = await command(common(), "key", "create", "--account", String(account), ...mode)
  const caller = callerOf(server, String(account), String(key))
  const workflow = [
    { channel: "receive", by: ["telegram_login"], timeout: 120 },
    { channel: "sms", timeout: 60 }
  ]
  const { body } = await request(caller, "/verifications", { to: NUMBER, workflow })
  const { id, present } = Object(body)
  const now = async () => (await request(caller, `/verifications/${String(id)}`)).body
  return { uri: String(present[0].uri), now }
}

describe("a server with Telegram Login", () => {
  it("approves the number that the provider vouches for, and after a kill too", async () => {
    const PORT = String(await freePort())
    const environment = { ...common(), ...login(), PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}` }
    const first = await start(environment)
    expect(first.printed()).toContain(`telegram login ${new URL(provider.issuer).host}`)
    const { now, uri } = await begin(first)
    await first.kill()
    const second = await start(environment)
    expect((await visit(provider.back(uri))).title).toBe("Your number is verified")
    expect(await now()).toMatchObject({ status: "approved", by: "telegram_login", assurance: "account" })
    await second.stop()
    expect(first.printed() + second.printed()).not.toContain(CLIENT.clientSecret)
  })

  it("is checked by the provider's document", async () => {
    const environment = { ...common(), ...login(), PUBLIC_URL: "https://otp.example.com" }
    const good = await answerOf(environment, "check")
    expect(good.stdout).toContain(`Telegram Login: ${provider.issuer} says where users sign in.`)
    expect(provider.asked).toEqual(["/.well-known/openid-configuration"])
    provider.script.metadata = { issuer: "https://oauth.telegram.org" }
    const other = await answerOf(environment, "check")
    expect(other).toMatchObject({ code: 1 })
    expect(other.stdout).toContain("answers with the OpenID configuration of another issuer")
    provider.script.answers.set("/.well-known/openid-configuration", (response) => void response.destroy())
    expect((await answerOf(environment, "check")).stdout).toContain("has not answered with its OpenID configuration")
  })

  it.each([
    [{ PUBLIC_URL: "" }, "PUBLIC_URL must be set, because TELEGRAM_LOGIN_CLIENT_ID is."],
    [{ PUBLIC_URL: "http://otp.example.com" }, "PUBLIC_URL must be an https address for Telegram Login"],
    [{ TELEGRAM_LOGIN_CLIENT_SECRET: "" }, "TELEGRAM_LOGIN_CLIENT_SECRET must be set"],
    [{ TELEGRAM_LOGIN_CLIENT_ID: "" }, "TELEGRAM_LOGIN_CLIENT_ID must be set"],
    [{ TELEGRAM_LOGIN_ALG: "ES256K" }, "TELEGRAM_LOGIN_ALG must be RS256, ES256, EdDSA"],
    [{ TELEGRAM_LOGIN_ISSUER: "http://example.com" }, "TELEGRAM_LOGIN_ISSUER must be an https address"]
  ])("does not start with %j", async (wrong, message) => {
    const { code, printed } = await startFailing({
      ...common(),
      ...login(),
      PUBLIC_URL: "https://otp.example.com",
      ...wrong
    })
    expect(code).toBe(1)
    expect(printed).toContain(message)
    expect(printed).not.toContain(CLIENT.clientSecret)
  })
})

it("a server without Telegram Login has its sandbox keys' users sign in at a page of its own", async () => {
  const server = await start(common())
  const { now, uri } = await begin(server, "--sandbox")
  expect((await visit(await decide(uri, { choice: "share" }))).title).toBe("Your number is verified")
  expect(await now()).toMatchObject({ status: "approved", by: "telegram_login" })
  await server.stop()
})
