import { assert, describe, it } from "@effect/vitest"
import type { TextMessage } from "@watchword/bizchat/BizchatGateway"
import * as WhatsApp from "@watchword/bizchat/whatsapp"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { messageTo } from "../message.ts"
import { type Fault, answer } from "../../../../test/provider.ts"
import { whatsAppApi, whatsAppError as error } from "@watchword/sandbox/http"

const start = Effect.fnUntraced(function* (options: Partial<WhatsApp.Options> = {}) {
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => whatsAppApi()),
    (server) => Effect.promise(() => server.stop())
  )
  const gateway = yield* WhatsApp.make({
    token: Redacted.make("token"),
    phoneNumberId: "106540352242922",
    baseUrl: server.url(),
    ...options
  })
  const send = (changes: Partial<TextMessage> = {}) => gateway.send(messageTo("6789", changes))
  return { gateway, send, server }
})

const template = { name: "otp", language: "en_US" }

describe("a send", () => {
  it.live("has the code in the template twice", () =>
    Effect.gen(function* () {
      const { send, server } = yield* start({ template })
      const { delivery } = messageTo("6789")
      assert.strictEqual((yield* send({ delivery }))._tag, "Accepted")
      assert.lengthOf(server.calls, 1)
      const [call] = server.calls
      assert.strictEqual(call?.headers["authorization"], "Bearer token")
      assert.strictEqual(call?.path, "/v23.0/106540352242922/messages")
      assert.deepStrictEqual(call?.body, {
        messaging_product: "whatsapp",
        recipient_type: "individual",
        to: "+4915123456789",
        biz_opaque_callback_data: delivery,
        type: "template",
        template: {
          name: "otp",
          language: { code: "en_US" },
          components: [
            { type: "body", parameters: [{ type: "text", text: "123456" }] },
            { type: "button", sub_type: "url", index: "0", parameters: [{ type: "text", text: "123456" }] }
          ]
        }
      })
    })
  )

  /** A platform that has the template in some languages. */
  const translated = Effect.fnUntraced(function* (...languages: ReadonlyArray<string>) {
    const { send, server } = yield* start({ template })
    const asked = () =>
      server.calls.map(({ body }) => (JSON.stringify(body).match(/"language":\{"code":"(.*?)"\}/) ?? [])[1])
    server.script.languages = languages
    return { send, asked }
  })

  it.live("is in the language of its locale, where the template has it", () =>
    Effect.gen(function* () {
      const { asked, send } = yield* translated("de", "pt_BR", "zh_TW", "en_US")
      for (const locale of ["de", "de-AT", "pt-BR", "pt", "zh-Hant", "no"]) {
        assert.strictEqual((yield* send({ locale }))._tag, "Accepted")
      }
      assert.deepStrictEqual(asked(), ["de", "de_AT", "de", "pt_BR", "pt", "pt_BR", "zh_TW", "nb", "nb_NO", "en_US"])
    })
  )

  it.live("is in the configured language at once after another was refused", () =>
    Effect.gen(function* () {
      const { asked, send } = yield* translated("en_US")
      assert.strictEqual((yield* send({ locale: "fr-FR" }))._tag, "Accepted")
      assert.strictEqual((yield* send({ locale: "fr-FR" }))._tag, "Accepted")
      assert.strictEqual((yield* send({ locale: "en-US" }))._tag, "Accepted")
      assert.deepStrictEqual(asked(), ["fr_FR", "fr", "en_US", "en_US", "en_US"])
    })
  )

  it.live("is refused where the template is not in the configured language either", () =>
    Effect.gen(function* () {
      const { asked, send } = yield* translated("es")
      const outcome = yield* send({ locale: "de" })
      assert(outcome._tag === "Rejected")
      assert.strictEqual(outcome.failure._tag, "SERVICE_UNAVAILABLE")
      assert.deepStrictEqual(asked(), ["de", "de_DE", "en_US"])
    })
  )

  it.live("has the code that it is given rather than one in the text", () =>
    Effect.gen(function* () {
      const { send, server } = yield* start({ template })
      yield* send({ code: Redacted.make("AB-12") })
      assert.include(JSON.stringify(server.calls[0]?.body), '"AB-12"')
    })
  )

  it.live.each([
    ["no code in the text", { text: Redacted.make("Hello") }, "text"],
    ["two codes in the text", { text: Redacted.make("1234 or 5678") }, "text"],
    ["a code of 16 characters", { code: Redacted.make("x".repeat(16)) }, "code"],
    ["an empty code", { code: Redacted.make("") }, "code"]
  ] as const)("does not go out with a template and %s, and check says so before", ([_name, changes, field]) =>
    Effect.gen(function* () {
      const { gateway, send, server } = yield* start({ template })
      const refusal = yield* Effect.flip(gateway.check(messageTo("6789", changes)))
      assert.deepStrictEqual(
        refusal.issues?.map(({ path }) => path),
        [field]
      )
      const outcome = yield* send(changes)
      assert(outcome._tag === "Rejected")
      assert.strictEqual(outcome.failure._tag, "BAD_REQUEST")
      assert.lengthOf(server.calls, 0)
    })
  )

  it.live("may be checked with a code in the text, with one beside it, and without a template", () =>
    Effect.gen(function* () {
      const { gateway } = yield* start({ template })
      const { gateway: plain } = yield* start()
      const withCode = { text: Redacted.make("Hello"), code: Redacted.make("AB-12") }
      const checks = [
        gateway.check(messageTo("6789")),
        gateway.check(messageTo("6789", withCode)),
        plain.check(messageTo("6789", { text: Redacted.make("Hello") }))
      ]
      for (const check of checks) assert.isUndefined(yield* check)
    })
  )

  it.live("is plain text without a template", () =>
    Effect.gen(function* () {
      const { send, server } = yield* start()
      yield* send({ text: Redacted.make("Hello") })
      assert.deepInclude(server.calls[0]?.body, { type: "text", text: { body: "Hello" } })
    })
  )

  it.live("goes to the version that the address or the options name", () =>
    Effect.gen(function* () {
      const { server } = yield* start()
      const addresses = [{ baseUrl: `${server.url()}/v19.0/` }, { baseUrl: `${server.url()}/graph/`, version: "v20.0" }]
      for (const options of addresses) {
        const gateway = yield* WhatsApp.make({ token: Redacted.make("token"), phoneNumberId: "1", ...options })
        yield* gateway.send(messageTo("6789"))
      }
      assert.deepStrictEqual(
        server.calls.map((call) => call.path),
        ["/v19.0/1/messages", "/graph/v20.0/1/messages"]
      )
    })
  )

  const refusals: ReadonlyArray<readonly [number, string, number]> = [
    [190, "SERVICE_UNAVAILABLE", 401],
    [130429, "TEMPORARY_UNAVAILABLE", 429],
    [80007, "TEMPORARY_UNAVAILABLE", 400],
    [131026, "NOT_FOUND", 400],
    [131047, "SERVICE_UNAVAILABLE", 400],
    [131048, "TEMPORARY_UNAVAILABLE", 400],
    [131056, "TEMPORARY_UNAVAILABLE", 400],
    [131049, "NOT_FOUND", 400],
    [131057, "SERVICE_UNAVAILABLE", 500],
    [368, "SERVICE_UNAVAILABLE", 403],
    [132001, "SERVICE_UNAVAILABLE", 404],
    [999, "SERVICE_UNAVAILABLE", 400]
  ]

  it.live.each(refusals)("that is refused with %s is rejected with %s", ([code, failure, status]) =>
    Effect.gen(function* () {
      const { send, server } = yield* start()
      server.once(error(code, status))
      const outcome = yield* send()
      assert(outcome._tag === "Rejected", `was ${outcome._tag}`)
      assert.strictEqual(outcome.failure._tag, failure)
      assert.deepStrictEqual(outcome.details, { error_code: code })
    })
  )

  const uncertain: ReadonlyArray<readonly [string, Fault]> = [
    ["a connection that is dropped", "drop"],
    ["an answer that breaks off", "break off"],
    ["an answer that does not come", "silence"],
    ["broken JSON", answer(200, '{"messages":')],
    ["another JSON", answer(200, "{}")],
    ["no message in the answer", answer(200, '{"messages":[]}')],
    ["a page", answer(200, "<html></html>", { "content-type": "text/html" })],
    ["a redirection", answer(307, "", { location: "/elsewhere" })],
    ["status 408", answer(408, "{}")],
    ["status 500", answer(500, "{}")],
    ["status 500 and a code that is not known", error(131000, 500)],
    ["status 200 and a code that is not known", error(2, 200)],
    ["status 502 and a page", answer(502, "<html></html>", { "content-type": "text/html" })]
  ]

  it.live.each(uncertain)("is unknown after %s, and not made again", ([_name, fault]) =>
    Effect.gen(function* () {
      const { send, server } = yield* start({ timeout: 1 })
      server.once(fault)
      assert.strictEqual((yield* send())._tag, "Unknown")
      assert.lengthOf(server.calls, 1)
      assert.strictEqual((yield* send())._tag, "Accepted")
    })
  )

  it.live.each([
    ["status 429 and a page", answer(429, "slow down", { "content-type": "text/plain" }), "TEMPORARY_UNAVAILABLE"],
    ["status 401 and a page", answer(401, "who?", { "content-type": "text/plain" }), "SERVICE_UNAVAILABLE"]
  ] as const)("is rejected after %s", ([_name, fault, failure]) =>
    Effect.gen(function* () {
      const { send, server } = yield* start()
      server.once(fault)
      const outcome = yield* send()
      assert(outcome._tag === "Rejected")
      assert.strictEqual(outcome.failure._tag, failure)
    })
  )

  it.live("is rejected when the platform refuses connections", () =>
    Effect.gen(function* () {
      const { send, server } = yield* start()
      yield* Effect.promise(() => server.stop())
      const outcome = yield* send()
      assert(outcome._tag === "Rejected")
      assert.strictEqual(outcome.failure._tag, "TEMPORARY_UNAVAILABLE")
    })
  )

  it.live.each([
    ["a rate limit", error(130429, 429)],
    ["Retry-After", answer(503, "{}", { "content-type": "application/json", "retry-after": "60" })]
  ] as const)("is rejected without asking for a while after %s", ([_name, fault]) =>
    Effect.gen(function* () {
      const { send, server } = yield* start()
      server.once(fault)
      yield* send()
      const outcome = yield* send()
      assert(outcome._tag === "Rejected")
      assert.strictEqual(outcome.failure._tag, "TEMPORARY_UNAVAILABLE")
      assert.lengthOf(server.calls, 1)
    })
  )

  it.live("goes on after a limit that is one recipient's", () =>
    Effect.gen(function* () {
      const { send, server } = yield* start()
      server.once(error(131056))
      yield* send()
      assert.strictEqual((yield* send())._tag, "Accepted")
    })
  )

  it.live("never tells text or token", () =>
    Effect.gen(function* () {
      const { send, server } = yield* start()
      const faults: ReadonlyArray<Fault> = [
        error(999),
        "drop",
        answer(500, "86420975 token"),
        answer(400, '{"error":{"message":"86420975"}}')
      ]
      for (const fault of faults) {
        server.once(fault)
        const outcome = yield* send({ text: Redacted.make("Code 86420975") })
        assert.notMatch(JSON.stringify(outcome), /86420975|token/)
      }
    })
  )
})

describe("a platform that is down", () => {
  it.live("is not asked any more after failures about five numbers, and shows as down", () =>
    Effect.gen(function* () {
      const { gateway, send, server } = yield* start()
      assert.deepStrictEqual(yield* gateway.health, [{ name: "whatsapp", up: true }])
      for (let times = 0; times < 5; times++) {
        server.once(answer(500, "{}"))
        const { to } = messageTo(String(6780 + times))
        assert.strictEqual((yield* send({ to }))._tag, "Unknown")
      }
      assert.strictEqual((yield* send())._tag, "Rejected")
      assert.lengthOf(server.calls, 5)
      assert.deepStrictEqual(yield* gateway.health, [{ name: "whatsapp", up: false }])
    })
  )
})
