/**
 * Telegram Login in workerd: keys, signatures and MACs by its WebCrypto, at a provider over the network and at that of
 * the sandbox.
 */
import { Miniflare } from "miniflare"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freePort } from "../../../test/freePort.ts"
import * as Scripted from "../../../test/logins/scriptedProvider.ts"
import { CLIENT, visit } from "../../../test/logins/service.ts"
import { decide } from "../../../test/logins/sandbox.ts"
import { bundle } from "./workerd.ts"

const NUMBER = "+4915123456789"

describe("Telegram Login in a Worker", () => {
  let worker: Miniflare
  let url: string
  let provider: Awaited<ReturnType<typeof Scripted.open>>
  let keys: Readonly<Record<string, string>>
  beforeAll(async () => {
    provider = await Scripted.open()
    const port = await freePort()
    url = `http://127.0.0.1:${port}/v1`
    worker = new Miniflare({
      modules: true,
      script: await bundle("loginWorker.ts"),
      compatibilityDate: "2026-07-01",
      d1Databases: { DB: "watchword" },
      bindings: {
        PUBLIC_URL: url,
        CLIENT_ID: CLIENT.clientId,
        CLIENT_SECRET: CLIENT.clientSecret,
        ISSUER: provider.issuer
      },
      host: "127.0.0.1",
      port,
      cf: false,
      telemetry: { enabled: false }
    })
    const { origin } = await worker.ready
    keys = JSON.parse(await (await fetch(`${origin}/accounts`, { method: "POST" })).text())
  })
  afterAll(async () => {
    await worker.dispose()
    await provider.stop()
  })

  const start = async (mode: "live" | "sandbox") => {
    const headers = { authorization: `Bearer ${keys[mode]}`, "content-type": "application/json" }
    const body = JSON.stringify({
      to: NUMBER,
      workflow: [
        { channel: "receive", by: ["telegram_login"], timeout: 120 },
        { channel: "sms", timeout: 60 }
      ]
    })
    const started = await (await fetch(`${url}/verifications`, { method: "POST", headers, body })).json()
    const { id, present } = Object(started)
    const now = async () => Object(await (await fetch(`${url}/verifications/${id}`, { headers })).json())
    return { now, uri: String(present[0].uri) }
  }

  it("approves the number that the provider vouches for", async () => {
    const { now, uri } = await start("live")
    expect((await visit(provider.back(uri), "de")).title).toBe("Ihre Nummer ist bestätigt")
    expect(await now()).toMatchObject({ status: "approved", by: "telegram_login", assurance: "account" })
  })

  it("approves the number with which the user signs in at the sandbox", async () => {
    const { now, uri } = await start("sandbox")
    expect((await visit(await decide(uri, { choice: "share" }))).title).toBe("Your number is verified")
    expect(await now()).toMatchObject({ status: "approved", by: "telegram_login", assurance: "account" })
  })
})
