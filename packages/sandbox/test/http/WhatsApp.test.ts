/**
 * The WhatsApp Cloud API as our own gateway meets it, and as a client of its own.
 */
import { createHmac } from "node:crypto"
import { type WhatsAppScript, whatsAppApi, whatsAppError, whatsAppTaken } from "@watchword/sandbox/http"
import { afterEach, describe, expect, it } from "vitest"
import { receiver } from "./receiver.ts"

const started: Array<{ readonly stop: () => Promise<void> }> = []
afterEach(() => Promise.all(started.splice(0).map((each) => each.stop())))

const start = async (script: Partial<WhatsAppScript> = {}, options: Parameters<typeof whatsAppApi>[0] = {}) => {
  const platform = await whatsAppApi({ token: "EAAG", appSecret: "of the app", retry: 5, ...options, script })
  started.push(platform)
  const send = async (fields: object = {}, token = "EAAG") => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const body = JSON.stringify({ messaging_product: "whatsapp", to: "+4915123456789", ...fields })
    const response = await fetch(`${platform.url()}/v23.0/1/messages`, { method: "POST", headers, body })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  return { platform, send }
}

const template = (code: string) => ({ type: "template", template: { name: "otp", language: { code } } })

describe("a WhatsApp Cloud API", () => {
  it("takes messages under ids of their own", async () => {
    const { platform, send } = await start()
    expect((await send()).body.messages).toEqual([{ id: "wamid.1", message_status: "accepted" }])
    expect((await send({ to: "+33612345678" })).body.messages[0].id).toBe("wamid.2")
    expect(platform.messages.map(({ to }) => to)).toEqual(["+4915123456789", "+33612345678"])
    expect(platform.calls[0]?.path).toBe("/v23.0/1/messages")
  })

  it.each([
    ["another token", {}, "another", 401, 190],
    ["a number without an account", { to: "+4915123450003" }, "EAAG", 400, 131026],
    ["a language that no template is in", template("fr"), "EAAG", 404, 132001]
  ])("refuses %s", async (_name, fields, token, status, code) => {
    const { platform, send } = await start({ hasAccount: (to) => !to.endsWith("0003"), languages: ["de"] })
    expect(await send(fields, token)).toMatchObject({ status, body: { error: { code } } })
    expect(platform.messages).toEqual([])
    expect((await send(template("de"))).status).toBe(200)
  })

  it("throttles, or takes a message under an id that the test gives, as it is asked to", async () => {
    const { platform, send } = await start()
    platform.once(whatsAppError(131056), "drop", { ...whatsAppTaken("wamid.late"), after: 5 })
    expect(await send()).toMatchObject({ status: 400, body: { error: { code: 131056 } } })
    await expect(send()).rejects.toThrow()
    expect((await send()).body.messages[0].id).toBe("wamid.late")
  })

  it("signs its notifications, which name the message and what it carries, until they are taken", async () => {
    const receiving = await receiver([503])
    started.push(receiving)
    const heard: Array<string> = []
    const { platform, send } = await start(
      {
        reports: () => [{ status: "delivered" }, { status: "failed", more: { errors: [{ code: 131049 }] } }],
        acknowledged: ({ id }, status) => heard.push(`${id} ${status}`)
      },
      { callbackUrl: () => receiving.url }
    )
    await send({ biz_opaque_callback_data: "mine" })
    await platform.until(() => heard.length === 3)
    expect(heard).toEqual(["wamid.1 503", "wamid.1 200", "wamid.1 200"])
    for (const { body, headers } of receiving.got) {
      const digest = createHmac("sha256", "of the app").update(body).digest("hex")
      expect(headers["x-hub-signature-256"]).toBe(`sha256=${digest}`)
    }
    const statuses = receiving.got.map(({ body }) => JSON.parse(body).entry[0].changes[0].value.statuses)
    const about = { id: "wamid.1", recipient_id: "4915123456789", biz_opaque_callback_data: "mine" }
    expect(statuses).toMatchObject([
      [{ ...about, status: "delivered" }],
      [{ ...about, status: "delivered" }],
      [{ ...about, status: "failed", errors: [{ code: 131049 }] }]
    ])
  })

  it("gives a report up that no receiver takes, when it is stopped", async () => {
    const heard: Array<number | null> = []
    const { platform, send } = await start(
      { reports: () => [{ status: "read" }], acknowledged: (_message, status) => heard.push(status) },
      { callbackUrl: "http://127.0.0.1:1/" }
    )
    await send()
    await platform.until(() => heard.length === 2)
    await platform.stop()
    expect(heard.slice(0, 2)).toEqual([null, null])
  })
})
