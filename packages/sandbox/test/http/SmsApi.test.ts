/**
 * Providers of SMS by HTTP: Twilio's and Vonage's as our own gateways meet them, and a provider that a test describes.
 */
import { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { Sender } from "@watchword/schemas/Sms"
import { encode } from "@watchword/sms/EncodedText"
import { twilio, vonage } from "@watchword/sms/http"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import { type SmsApi, smsApi, twilioApi, twilioSignature, vonageApi } from "@watchword/sandbox/http"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { jwtVerify } from "jose"
import { createHash } from "node:crypto"
import { afterEach, describe, expect, it } from "vitest"
import { receiver } from "./receiver.ts"

const started: Array<{ readonly stop: () => Promise<void> }> = []
afterEach(() => Promise.all(started.splice(0).map((each) => each.stop())))

const ofTwilio = { accountSid: `AC${"0".repeat(32)}`, authToken: "of-twilio" }
const ofVonage = {
  apiKey: "abcd1234",
  apiSecret: "of-vonage",
  signatureSecret: "a-secret-of-thirty-two-octets-or-more"
}

const message = {
  delivery: DeliveryId.make("01KAJ3T8ZZ0000000000000000"),
  account: AccountId.make("acc_01KAJ3T8ZZ0000000000000000"),
  to: E164.make("+4915123456789"),
  from: Sender.make("Acme"),
  text: encode("Your code is 123456"),
  reference: 7,
  ttl: null,
  hasCode: true,
  tlvs: []
}

/** Sends a text through a gateway of our own. */
const sendBy = <E>(layer: Layer.Layer<SmsGateway, E>) =>
  Effect.runPromise(
    SmsGateway.use((gateway) => gateway.send(message)).pipe(Effect.scoped, Effect.provide([layer, Logger.layer([])]))
  )

const providers = {
  Twilio: {
    start: (options: object) => twilioApi({ ...ofTwilio, ...options }),
    gateway: (api: SmsApi, callbackUrl: string) => twilio({ ...ofTwilio, baseUrl: api.url(), callbackUrl })
  },
  Vonage: {
    start: (options: object) => vonageApi({ ...ofVonage, ...options }),
    gateway: (api: SmsApi, callbackUrl: string) => vonage({ ...ofVonage, baseUrl: api.url(), callbackUrl })
  }
} as const

describe.each(["Twilio", "Vonage"] as const)("%s", (name) => {
  const { gateway, start } = providers[name]

  it("takes a text, and reports on it until the report is taken", async () => {
    const receiving = await receiver([503])
    const heard: Array<number | null> = []
    const api = await start({
      retry: 5,
      script: {
        reports: () => [{ outcome: "sent" }, { after: 1, outcome: "undelivered" }],
        acknowledged: (_text: unknown, status: number | null) => heard.push(status)
      }
    })
    started.push(receiving, api)
    expect(await sendBy(gateway(api, receiving.url))).toMatchObject({ _tag: "Accepted", refs: [api.texts[0]?.id] })
    expect(api.texts).toMatchObject([{ to: "+4915123456789", from: "Acme", text: "Your code is 123456" }])
    await api.until(() => heard.length === 3)
    expect(heard).toEqual([503, 200, 200])
    const [, sent, undelivered] = receiving.got.map(({ body }) => body)
    expect(sent).toContain(name === "Twilio" ? "MessageStatus=sent" : '"status":"submitted"')
    expect(undelivered).toContain(name === "Twilio" ? "ErrorCode=30003" : '"status":"undeliverable"')
    for (const { body, headers, url } of receiving.got) {
      if (name === "Twilio") {
        const address = new URL(url, receiving.url).href
        const signature = twilioSignature(address, new URLSearchParams(body), ofTwilio.authToken)
        expect(headers["x-twilio-signature"]).toBe(signature)
      } else {
        const token = (headers["authorization"] ?? "").replace("Bearer ", "")
        const { payload } = await jwtVerify(token, new TextEncoder().encode(ofVonage.signatureSecret))
        expect(payload["payload_hash"]).toBe(createHash("sha256").update(body).digest("hex"))
      }
    }
  })

  it("refuses another's credentials, and fails as it is asked to", async () => {
    const api = await start({ script: { answer: () => ({ status: 500, body: {} }) } })
    started.push(api)
    expect(await sendBy(gateway(api, "http://127.0.0.1:1"))).toMatchObject({ _tag: "Unknown" })
    api.script.answer = () => ({})
    const stranger = await fetch(`${api.url()}/v1/messages`, { method: "POST", body: "{}" })
    expect(stranger.status).toBe(401)
    expect(api.texts).toEqual([])
    api.once("drop")
    expect(await sendBy(gateway(api, "http://127.0.0.1:1"))).toMatchObject({ _tag: "Unknown" })
    expect(await sendBy(gateway(api, "http://127.0.0.1:1"))).toMatchObject({ _tag: "Accepted" })
  })
})

it("a provider of a dialect of its own takes what the dialect reads, and reports as it writes", async () => {
  const receiving = await receiver()
  const api = await smsApi({
    dialect: {
      read: ({ body }) => ({
        to: String(body["to"]),
        from: String(body["from"]),
        text: String(body["text"]),
        reference: "",
        callbackUrl: null
      }),
      unauthorized: ({ headers }) => (headers["x-key"] === "right" ? null : { status: 403, body: { error: "key" } }),
      id: (nth) => `mine-${nth}`,
      accepted: ({ id }) => ({ status: 202, headers: { "x-id": id }, body: { id } }),
      receipt: ({ callbackUrl, id }, outcome) => ({ url: callbackUrl ?? "", headers: {}, body: `${id} is ${outcome}` })
    },
    callbackUrl: receiving.url
  })
  started.push(receiving, api)
  const send = (key: string) =>
    fetch(api.url(), {
      method: "POST",
      headers: { "x-key": key, "content-type": "application/json" },
      body: JSON.stringify({ to: "+4915123456789", from: "Acme", text: "hello" })
    })
  expect((await send("wrong")).status).toBe(403)
  const taken = await send("right")
  expect([taken.status, taken.headers.get("x-id"), await taken.json()]).toEqual([202, "mine-1", { id: "mine-1" }])
  const [text] = api.texts
  expect(text && (await api.report(text, { outcome: "delivered" }))).toBe(200)
  expect(receiving.got[0]?.body).toBe("mine-1 is delivered")
})
