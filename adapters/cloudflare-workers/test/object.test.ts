import { Miniflare } from "miniflare"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { smsc, type Smsc, receipt } from "@watchword/sandbox/smsc"
import { until } from "../../../test/until.ts"
import { bundleForNode } from "./workerd.ts"

describe("the service in a Durable Object", () => {
  let carrier: Smsc
  let worker: Miniflare
  let origin: string
  let headers: Record<string, string>
  beforeAll(async () => {
    carrier = await smsc({ script: { receipt: (submit) => receipt(submit, "DELIVRD", 200) } })
    worker = new Miniflare({
      modules: true,
      script: await bundleForNode("objectWorker.ts"),
      compatibilityDate: "2026-07-01",
      compatibilityFlags: ["nodejs_compat"],
      d1Databases: { DB: "watchword" },
      durableObjects: { CARRIER: "Carrier" },
      bindings: { SMPP_URL: carrier.url() },
      host: "127.0.0.1",
      cf: false,
      telemetry: { enabled: false }
    })
    ;({ origin } = await worker.ready)
    const made = await fetch(`${origin}/accounts`, { method: "POST" })
    const { account, key } = JSON.parse(await made.text())
    headers = { "x-account-id": account, "x-api-key": key, "content-type": "application/json" }
  })
  afterAll(async () => {
    await worker.dispose()
    await carrier.stop()
  })

  const send = async (to: string) => {
    const body = JSON.stringify({ to, text: "Your code is 123456" })
    const response = await fetch(`${origin}/v1/sms`, { method: "POST", headers, body })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }

  const statusOf = async (messageId: string) => {
    const response = await fetch(`${origin}/v1/sms/${messageId}/sdr`, { headers })
    return JSON.parse(await response.text()).status
  }

  it("sends by SMPP, and stores the receipt that comes when no request is in flight", async () => {
    const { body, status } = await send("+4915123456789")
    expect(status).toBe(200)
    await until(
      () => statusOf(body.messageId),
      (status) => status === "delivered"
    )
    await carrier.until(() => carrier.acknowledgements.length === 1)
    expect(carrier.acknowledgements).toEqual([0])
  })

  it("binds again by itself when the carrier hangs up", async () => {
    const [session] = carrier.bound
    session?.socket.destroy()
    await carrier.until(() => carrier.binds.length === 2)
    const { body, status } = await send("+4915123456780")
    expect(status).toBe(200)
    await until(
      () => statusOf(body.messageId),
      (status) => status === "delivered"
    )
  })

  it("is refused by a Worker, where nothing outlives a request", async () => {
    expect(await (await fetch(`${origin}/misplaced`)).text()).toContain("SMPP needs connections that last")
  })
})
