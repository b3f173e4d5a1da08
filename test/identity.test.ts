/**
 * Identity servers against a server over HTTP: adapters are called through their own client; servers that need no
 * adapter are set up as in docs/identity.md, Ory Kratos with the interface and Keycloak's plugin with Logto's receiver.
 */
import { logto } from "@watchword/auth-hooks/logto"
import { verification } from "@watchword/better-auth"
import { createClient } from "@watchword/client"
import { type Serving, serve } from "@watchword/node"
import type { Scope } from "@watchword/schemas/Channel"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type Watchword, createWatchword, memory } from "watchword"

const page = readFileSync(new URL("../docs/identity.md", import.meta.url), "utf8")

let service: Watchword
let serving: Serving
let account: string

beforeAll(async () => {
  service = await createWatchword({ store: memory() })
  account = (await service.operator.account.create({ sms_sender: "Acme" })).account_id
  serving = await serve(service, { basePath: "/v1", port: 0 })
})

afterAll(async () => {
  vi.useRealTimers()
  await serving.close()
  await service.dispose()
})

const codesAt = async (to: string): Promise<ReadonlyArray<string | null>> => {
  const { messages } = await service.sandbox.inbox({ account, sandbox: true }, { to })
  return messages.map(({ code }) => code)
}

describe("Ory Kratos", () => {
  const PHONE = "+4915123456701"

  /** Sends the request that the courier would build from the page's configuration and template. */
  const dispatch = async (type: string, data: Readonly<Record<string, unknown>>): Promise<number> => {
    const [, path = "", header = "", idHeader = ""] =
      /url: https:\/\/otp\.example(\S+)[\s\S]*?(x-account-id): acc_[\s\S]*?name: (\S+)/.exec(page) ?? []
    const fields = Object.keys(data).filter((name) => name.endsWith("_code"))
    const { key } = await service.operator.key.create({ account_id: account, sandbox: true, scopes: ["verify:send"] })
    const response = await fetch(`http://127.0.0.1:${serving.port}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", [header]: account, [idHeader]: key },
      body: JSON.stringify({ to: PHONE, code: data[fields[0] ?? ""], purpose: type, replace: true })
    })
    await response.text()
    return response.status
  }

  it("has the codes of its messages delivered, and a repeat of one not twice", async () => {
    const login = { to: PHONE, login_code: "123456", identity: {}, request_url: "", transient_payload: null }
    expect(await dispatch("login_code_valid", { ...login, expires_in_minutes: 15 })).toBe(200)
    expect(await dispatch("login_code_valid", login)).toBe(429)
    expect(await codesAt(PHONE)).toEqual(["123456"])
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 })
    expect(await dispatch("login_code_valid", { ...login, login_code: "654321" })).toBe(200)
    expect(await dispatch("verification_code_valid", { to: PHONE, verification_code: "111111" })).toBe(200)
    expect(await codesAt(PHONE)).toEqual(["111111", "654321", "123456"])
  })
})

describe("Keycloak's plugin", () => {
  it("has its codes delivered through the receiver of Logto", async () => {
    const [, template = ""] = /Request JSON template \| `(.*)`/.exec(page) ?? []
    const phone = "+4915123456702"
    const values = [phone, "246810"]
    const authorization = "Bearer 7a1f0b52c3d94e6f"
    const hook = logto({ service, caller: { account, sandbox: true }, authorization })
    const response = await hook.fetch(
      new Request("https://app.example/hooks/logto", {
        method: "POST",
        headers: { "content-type": "application/json", authorization },
        body: template.replaceAll("%s", () => values.shift() ?? "")
      })
    )
    expect(response.status).toBe(200)
    expect(await codesAt(phone)).toEqual(["246810"])
  })
})

describe("an adapter by the client of a server", () => {
  const PHONE = "+4915123456703"
  const clientWith = async (scopes: ReadonlyArray<Scope>) => {
    const { key } = await service.operator.key.create({ account_id: account, sandbox: true, scopes })
    return createClient({ baseUrl: `http://127.0.0.1:${serving.port}/v1`, accountId: account, apiKey: key })
  }

  it("delivers what a hook asks for, and its repeat not twice", async () => {
    const authorization = "Bearer 7a1f0b52c3d94e6f"
    const hook = logto({ client: await clientWith(["verify:send", "sms:send"]), authorization })
    const body = JSON.stringify({ to: PHONE, type: "SignIn", payload: { code: "135790" } })
    const post = () =>
      hook.fetch(new Request("https://app.example", { method: "POST", headers: { authorization }, body }))
    expect([(await post()).status, (await post()).status]).toEqual([200, 200])
    expect(await codesAt(PHONE)).toEqual(["135790"])
  })

  it("verifies numbers for better-auth, with its errors", async () => {
    const { sendOTP, verifyOTP } = verification({ client: await clientWith(["verify:send", "verify:check"]) })
    await sendOTP({ phoneNumber: PHONE, code: "000000" })
    await expect(sendOTP({ phoneNumber: PHONE, code: "000000" })).rejects.toMatchObject({
      status: "TOO_MANY_REQUESTS",
      body: { code: "OTP_SENT_RECENTLY" }
    })
    const [code = ""] = await codesAt(PHONE)
    expect(await verifyOTP({ phoneNumber: PHONE, code: code ?? "" })).toBe(true)
    await expect(verifyOTP({ phoneNumber: PHONE, code: code ?? "" })).rejects.toMatchObject({
      body: { code: "OTP_NOT_FOUND" }
    })
  })
})
