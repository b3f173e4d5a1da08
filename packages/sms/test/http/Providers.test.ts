import { assert, describe, it } from "@effect/vitest"
import type { Message } from "@watchword/sms/SmsGateway"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import * as Generic from "../../src/internal/http/Generic.ts"
import type { Provider } from "../../src/internal/http/Provider.ts"
import * as Template from "../../src/internal/http/Template.ts"
import * as Twilio from "../../src/internal/http/Twilio.ts"
import * as Vonage from "../../src/internal/http/Vonage.ts"
import { message } from "../smpp/fixture.ts"
import * as dialects from "./dialects.ts"

const CALLBACK = "https://otp.example.com/v1/sms/events"

const providers: { readonly [name: string]: Effect.Effect<Provider, { readonly message: string }> } = {
  twilio: Twilio.describe({ accountSid: dialects.ACCOUNT, authToken: dialects.AUTH_TOKEN, callbackUrl: CALLBACK }),
  vonage: Vonage.describe({
    apiKey: dialects.API_KEY,
    apiSecret: dialects.API_SECRET,
    signatureSecret: dialects.SIGNATURE_SECRET
  }),
  generic: Generic.describe({
    description: { ...dialects.acmeDescription, url: "https://sms.acme.example/messages" },
    token: dialects.ACME_TOKEN,
    signatureSecret: dialects.ACME_SECRET
  })
}

const statuses = fc.constantFrom(200, 201, 202, 301, 400, 401, 404, 408, 409, 422, 429, 500, 503)

/** Values that look like answers and receipts, with anything instead of fields. */
const names = ["sid", "message_uuid", "messages", "id", "code", "type", "error", "status", "results", "state", "usage"]
const values = fc.letrec<{ readonly value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("", "delivered", "DELIVRD", "#1", "busy", "__proto__", "x".repeat(200), null, true, 0, -1.5, 1e300),
    fc.string(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 5 })
  )
})).value

describe.each(Object.entries(providers))("the description of %s", (_name, made) => {
  const provider = Effect.runSync(made)
  const headers = { "content-type": "application/json" }

  it("takes a text for sent only below 300 and with an id, and for refused never after 5xx, 408, 409 and redirections", () =>
    fc.assert(
      fc.property(statuses, fc.option(values, { nil: undefined }), (status, body) => {
        const answer = provider.answer(status, body)
        if (answer._tag === "Accepted") {
          assert.isBelow(status, 300)
          assert.isNotEmpty(answer.ids)
          for (const id of answer.ids) assert.isTrue(id.length > 0 && id.length <= 128)
        }
        // The description of the tests says of the code `busy` that nothing was taken, whatever the status.
        const isUncertain = status < 400 || status >= 500 || status === 408 || status === 409
        if (answer._tag === "Refused" && answer.code !== "busy") assert.isFalse(isUncertain)
        if (answer._tag === "Throttled") assert.strictEqual(status, 429)
      })
    ))

  it("reads any receipt without failing, and none without an id and a status", () =>
    fc.assert(
      fc.property(
        fc.oneof(
          values.map((value) => JSON.stringify(value) ?? ""),
          fc.string()
        ),
        (text) => {
          const rawBody = new TextEncoder().encode(text)
          const receipts = provider.receipts?.read({ method: "POST", query: {}, headers, rawBody }) ?? []
          assert.isArray(receipts)
          for (const receipt of receipts) {
            if (receipt._tag === "Other") {
              assert.isNotEmpty(receipt.word)
              continue
            }
            if (receipt._tag === "Texted") {
              assert.isString(receipt.text)
              continue
            }
            assert.isNotEmpty(receipt.refs[0])
            assert.isNotEmpty(receipt.carrierStatus)
            assert.include(["sent", "delivered", "undelivered", "failed", null], receipt.status)
          }
        }
      )
    ))
})

describe("a template", () => {
  const valuesOf = (fields: Partial<Message> = {}) =>
    Template.valuesOf({ ...message("hello", fields), validity: null }, null)

  it("puts texts in as they are, also those that read like placeholders", () =>
    fc.assert(
      fc.property(fc.string(), (text) => {
        const values = { ...valuesOf(), text }
        assert.deepStrictEqual(Template.fillRecord({ a: "{{text}}", b: ["<{{ text }}>"] }, values), {
          a: text,
          b: [`<${text}>`]
        })
      })
    ))

  it("keeps numbers, leaves out what there is not, and carries parameters of the send", () => {
    const values = valuesOf({ reference: 7, tlvs: [{ tag: 0x1400, value: "1101" }] })
    const template = {
      ref: "{{reference}}",
      ttl: "{{validity}}",
      more: { entity: "{{tlv.1400}}", other: "{{tlv.1401}}" }
    }
    assert.deepStrictEqual(Template.fillRecord(template, values), { ref: 7, more: { entity: "1101" } })
    assert.deepStrictEqual(Template.tagsOf(template), [0x1400, 0x1401])
  })
})
