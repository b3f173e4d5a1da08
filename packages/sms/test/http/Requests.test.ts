import { generateKeyPairSync } from "node:crypto"
import { describe, expect } from "@effect/vitest"
import { Sender } from "@watchword/schemas/Sms"
import { type TwilioOptions, generic, twilio, vonage } from "@watchword/sms/http"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { jwtVerify } from "jose"
import { test } from "../../../../test/live.ts"
import { message, told } from "../smpp/fixture.ts"
import { ACCOUNT, AUTH_TOKEN, acmeDescription, twilio as twilioDialect, vonage as vonageDialect } from "./dialects.ts"
import { startGateway } from "./fixture.ts"
import { acquire, startProvider } from "./simulator.ts"

const twilioTo = Effect.fnUntraced(function* (options: Partial<TwilioOptions>) {
  const provider = yield* acquire(() => startProvider(twilioDialect))
  const layer = twilio({ accountSid: ACCOUNT, authToken: AUTH_TOKEN, baseUrl: provider.url(), ...options })
  return { provider, gateway: yield* SmsGateway.pipe(Effect.provide(layer)) }
})

const opened = <E>(layer: Layer.Layer<SmsGateway, E>) => SmsGateway.pipe(Effect.provide(layer))

describe("a request", () => {
  test(
    "to Twilio is a form with the reference in the address of its receipts",
    Effect.fnUntraced(function* () {
      const { gateway, provider, receiver } = yield* startGateway("twilio")
      const sent = message("Ünïcode & 1=2 {€}", { from: Sender.make("4930123456"), ttl: 90_000 })
      expect(told(yield* gateway.send(sent))).toBe("Accepted")
      const [call] = provider.calls
      expect(call?.headers["content-type"]).toBe("application/x-www-form-urlencoded")
      expect(call?.body).toEqual({
        To: "+4915123456789",
        From: "+4930123456",
        Body: "Ünïcode & 1=2 {€}",
        ValidityPeriod: "36000",
        StatusCallback: `${receiver.url}?reference=${sent.reference}&delivery=${sent.delivery}#rc=5&rp=5xx,ct,rt`
      })
    })
  )

  test(
    "to Twilio names a messaging service in place of the sender, and may use an API key",
    Effect.fnUntraced(function* () {
      const service = `MG${"a".repeat(32)}`
      const apiKey = { sid: `SK${"b".repeat(32)}`, secret: Redacted.make("key-secret") }
      const { gateway, provider } = yield* twilioTo({ messagingServiceSid: service, apiKey })
      yield* gateway.send(message("hello", { hasCode: true }))
      const [call] = provider.calls
      expect(call?.body).toEqual({
        To: "+4915123456789",
        MessagingServiceSid: service,
        Body: "hello",
        ValidityPeriod: "600"
      })
      expect(call?.headers["authorization"]).toBe(`Basic ${btoa(`${apiKey.sid}:key-secret`)}`)
      expect(gateway.webhook).toBeNull()
    })
  )

  test(
    "bears the secret that the options have at its time",
    Effect.fnUntraced(function* () {
      const provider = yield* acquire(() => startProvider(twilioDialect))
      const baseUrl = provider.url()
      const ofTwilio = { accountSid: ACCOUNT, authToken: "yesterday", baseUrl }
      const ofVonage = { apiKey: "abcd1234", apiSecret: "yesterday", baseUrl }
      const description = { ...acmeDescription, url: `${baseUrl}/messages` }
      const ofAcme = { description, token: "yesterday", signatureSecret: "secret" }
      const sendByAll = Effect.gen(function* () {
        for (const gateway of gateways) yield* gateway.send(message())
      })
      const gateways = [
        yield* opened(twilio(ofTwilio)),
        yield* opened(vonage(ofVonage)),
        yield* opened(generic(ofAcme))
      ]
      yield* sendByAll
      ofTwilio.authToken = ofVonage.apiSecret = ofAcme.token = "today"
      yield* sendByAll
      const expected = (secret: string) => [
        `Basic ${btoa(`${ACCOUNT}:${secret}`)}`,
        `Basic ${btoa(`abcd1234:${secret}`)}`,
        `Bearer ${secret}`
      ]
      expect(provider.calls.map(({ headers }) => headers["authorization"])).toEqual([
        ...expected("yesterday"),
        ...expected("today")
      ])
    })
  )

  test(
    "to Vonage has numbers without a plus sign, and the ids that India asks for",
    Effect.fnUntraced(function* () {
      const { gateway, provider, receiver } = yield* startGateway("vonage")
      const tlvs = [
        { tag: 0x1400, value: "1101\0" },
        { tag: 0x1401, value: "1107" }
      ]
      const sent = message("hello", { from: Sender.make("+4930123456"), ttl: 300, tlvs })
      yield* gateway.send(sent)
      expect(provider.calls[0]?.body).toEqual({
        message_type: "text",
        channel: "sms",
        to: "4915123456789",
        from: "4930123456",
        text: "hello",
        client_ref: `${sent.reference}.${sent.delivery}`,
        ttl: 300,
        sms: { entity_id: "1101", content_id: "1107" },
        webhook_url: receiver.url,
        webhook_version: "v1"
      })
    })
  )

  test(
    "to Vonage by an application has a token of its own, signed with the application's key",
    Effect.fnUntraced(function* () {
      const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
      const applicationId = "aaaaaaaa-bbbb-cccc-dddd-0123456789ab"
      const provider = yield* acquire(() => startProvider({ ...vonageDialect, unauthorized: () => null }))
      const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString()
      const layer = vonage({ applicationId, privateKey: pem, baseUrl: provider.url() })
      const gateway = yield* SmsGateway.pipe(Effect.provide(layer))
      for (let times = 0; times < 2; times++) expect(told(yield* gateway.send(message()))).toBe("Accepted")
      const tokens = provider.calls.map(({ headers }) => headers["authorization"]?.replace("Bearer ", "") ?? "")
      expect(new Set(tokens).size).toBe(2)
      for (const token of tokens) {
        const { payload } = yield* Effect.promise(() => jwtVerify(token, publicKey, { algorithms: ["RS256"] }))
        expect(payload["application_id"]).toBe(applicationId)
      }
      expect(gateway.webhook).toBeNull()
    })
  )

  test(
    "with a key that cannot be read never leaves",
    Effect.fnUntraced(function* () {
      const provider = yield* acquire(() => startProvider(vonageDialect))
      const privateKey = "-----BEGIN PRIVATE KEY-----\nbm8ga2V5\n-----END PRIVATE KEY-----"
      const applicationId = "aaaaaaaa-bbbb-cccc-dddd-0123456789ab"
      const layer = vonage({ applicationId, privateKey, baseUrl: provider.url() })
      const gateway = yield* SmsGateway.pipe(Effect.provide(layer))
      expect(told(yield* gateway.send(message()))).toBe("Rejected TEMPORARY_UNAVAILABLE")
      expect(provider.calls).toHaveLength(0)
    })
  )

  test(
    "by a description has the fields of the message, and leaves out what the message does not have",
    Effect.fnUntraced(function* () {
      const { gateway, provider, receiver } = yield* startGateway("generic")
      const sent = message("hello {{to}}")
      yield* gateway.send(sent)
      const [call] = provider.calls
      expect(call?.path).toBe("/messages")
      expect(call?.headers["idempotency-key"]).toBe(sent.delivery)
      expect(call?.body).toEqual({
        recipient: "+4915123456789",
        sender: "Watchword",
        message: { text: "hello {{to}}" },
        ref: sent.reference,
        callback: receiver.url
      })
    })
  )
})

describe("a text that is too long for the provider", () => {
  for (const [name, longest] of [
    ["twilio", 1600],
    ["vonage", 1000]
  ] as const) {
    test(
      `is rejected unasked by ${name} from ${longest + 1} characters on`,
      Effect.fnUntraced(function* () {
        const { gateway, provider } = yield* startGateway(name)
        expect(told(yield* gateway.send(message("a".repeat(longest))))).toBe("Accepted")
        expect(told(yield* gateway.send(message("a".repeat(longest + 1))))).toBe("Rejected BAD_REQUEST")
        expect(provider.calls).toHaveLength(1)
      })
    )
  }
})

describe("an option that cannot be used", () => {
  const good = { accountSid: ACCOUNT, authToken: AUTH_TOKEN }
  const application = "aaaaaaaa-bbbb-cccc-dddd-0123456789ab"
  const description = { ...acmeDescription, url: "https://sms.acme.example" }
  const cases: ReadonlyArray<readonly [string, Layer.Layer<SmsGateway, { readonly message: string }>]> = [
    ["accountSid", twilio({ ...good, accountSid: "AC-secret" })],
    ["authToken", twilio({ ...good, authToken: "sec ret" })],
    ["authToken", twilio({ ...good, authToken: Redacted.make("") })],
    ["messagingServiceSid", twilio({ ...good, messagingServiceSid: "secret" })],
    ["apiKey.sid", twilio({ ...good, apiKey: { sid: "secret", secret: "secret" } })],
    ["callbackUrl", twilio({ ...good, callbackUrl: "https://secret:secret@otp.example.com" })],
    ["baseUrl", twilio({ ...good, baseUrl: "secret" })],
    ["rate", twilio({ ...good, rate: 0 })],
    ["timeout", twilio({ ...good, timeout: -1 })],
    ["deadline", twilio({ ...good, deadline: Number.NaN })],
    ["rate", vonage({ apiKey: "abcd1234", apiSecret: "secret", rate: Number.NaN })],
    ["apiKey", vonage({ apiKey: "", apiSecret: "secret" })],
    ["apiSecret", vonage({ apiKey: "abcd1234", apiSecret: "sec\nret" })],
    ["applicationId", vonage({ applicationId: "secret", privateKey: "secret" })],
    ["privateKey", vonage({ applicationId: application, privateKey: "secret" })],
    ["token", generic({ description })],
    ["signatureSecret", generic({ description, token: "t" })],
    ["description.url", generic({ description: { ...description, url: "secret" }, token: "t", signatureSecret: "s" })],
    ["description.body", generic({ description: { ...description, body: { a: "{{secret}}" } }, token: "t" })],
    ["description.answer.id", generic({ description: { ...description, answer: { id: "" } }, token: "t" })]
  ]
  for (const [setting, layer] of cases) {
    test(
      `is named: ${setting}`,
      Effect.fnUntraced(function* () {
        const error = yield* Effect.flip(Effect.scoped(Layer.build(layer)))
        expect(error.message.startsWith(`${setting} `)).toBe(true)
        if (setting !== "description.body") expect(error.message).not.toContain("secret")
      })
    )
  }
})
