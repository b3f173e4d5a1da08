import { describe, expect, it } from "@effect/vitest"
import { ListBody } from "@watchword/pagination/Page"
import * as Ledger from "@watchword/ledger/Ledger"
import { noKeys } from "@watchword/send/Claims"
import * as Sms from "@watchword/sms/Sms"
import type { SmsEvent } from "@watchword/sms/SmsGateway"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { eventually, test } from "../../../../test/live.ts"
import { collectEvents, message } from "../smpp/fixture.ts"
import { FUNDS, PRICE, body, funded, layer } from "../smpp/service.ts"
import { ACME_SECRET, standardHeaders, twilioSignature, vonageToken } from "./dialects.ts"
import { type ProviderName, names, startGateway } from "./fixture.ts"
import { holdReceipts } from "./simulator.ts"
import type { ApiReceipt, Post } from "@watchword/sandbox/http"
import { late } from "../../../../test/provider.ts"

const page = Schema.decodeUnknownSync(ListBody)

/** A text that was sent, and its receipts, which the test posts. */
const sent = Effect.fnUntraced(function* (name: ProviderName) {
  const started = yield* startGateway(name)
  holdReceipts(started.provider)
  const { events } = yield* collectEvents(started.gateway)
  const text = message()
  yield* started.gateway.send(text)
  const [taken] = started.provider.texts
  if (taken === undefined) return yield* Effect.die(new Error("nothing was sent"))
  const receipt = started.provider.dialect.receipt(taken, "delivered")
  const post = (changes: Partial<Post>) => Effect.promise(() => started.provider.post({ ...receipt, ...changes }))
  return { ...started, events, post, receipt, taken, text }
})

const forged: { readonly [N in ProviderName]: (receipt: Post) => ReadonlyArray<Partial<Post>> } = {
  twilio: ({ body, headers, url }) => {
    const form = new URLSearchParams(body)
    const signedBy = (token: string, address = url) => ({
      headers: { ...headers, "x-twilio-signature": twilioSignature(address, form, token) }
    })
    return [
      signedBy("another token"),
      signedBy("twilio-auth-token", "https://elsewhere.example/v1/sms/events"),
      { url: url.replace(/reference=\d+/, "reference=1") },
      { url: `${url}&more=1` },
      { body: body.replace("delivered", "undelivered") },
      { body: `${body}&More=1` },
      { headers: { ...headers, "x-twilio-signature": "no base 64" } }
    ]
  },
  vonage: ({ body, headers }) => {
    const bearer = (token: string) => ({ headers: { ...headers, authorization: `Bearer ${token}` } })
    const [, payload = ""] = (headers["authorization"] ?? "").split(".")
    const unsigned = Buffer.from('{"alg":"none"}').toString("base64url")
    return [
      bearer(vonageToken(body, "another secret")),
      bearer(vonageToken(`${body} `)),
      bearer(vonageToken(body, undefined, { payload_hash: undefined })),
      bearer(vonageToken(body, undefined, { exp: 1 })),
      bearer(`${unsigned}.${payload}.`),
      bearer("token"),
      { body: body.replace("delivered", "rejected") }
    ]
  },
  generic: ({ body, headers }) => {
    const signed = (more: object) => ({ headers: { ...headers, ...more } })
    return [
      signed(standardHeaders(body, "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")),
      signed(standardHeaders(`${body} `)),
      // A replay of an hour ago.
      signed(standardHeaders(body, ACME_SECRET, Math.floor(Date.now() / 1000) - 3600)),
      signed({ "webhook-id": "another" }),
      signed({ "webhook-timestamp": "0" }),
      { body: body.replace("DELIVRD", "UNDELIV") }
    ]
  }
}

describe.each(names)("a receipt of %s", (name) => {
  test(
    "is taken with its id, number, reference and status, and as often as it comes",
    Effect.fnUntraced(function* () {
      const { events, post, taken, text } = yield* sent(name)
      expect([yield* post({}), yield* post({})]).toEqual([200, 200])
      expect(events).toHaveLength(2)
      expect(events[0]).toMatchObject({
        refs: [taken.id],
        isOfAllParts: true,
        to: text.to,
        reference: text.reference,
        status: "delivered"
      })
      expect(events[1]).toEqual(events[0])
    })
  )

  test(
    "is refused without a signature, or with a wrong one",
    Effect.fnUntraced(function* () {
      const { events, post, receipt } = yield* sent(name)
      const unsigned = Object.entries(receipt.headers).filter(([header]) => header === "content-type")
      expect(yield* post({ headers: Object.fromEntries(unsigned) })).toBe(401)
      for (const changes of forged[name](receipt)) expect([changes, yield* post(changes)]).toEqual([changes, 401])
      expect(events).toEqual([])
    })
  )

  test(
    "settles a text whose answer was lost, before and after the outcome is known, and once",
    Effect.fnUntraced(function* () {
      const { gateway, provider } = yield* startGateway(name)
      holdReceipts(provider)
      yield* Effect.gen(function* () {
        const sms = yield* Sms.Sms
        const ledger = yield* Ledger.Ledger
        const principal = yield* funded
        const text = body({ to: "+4915123456789", text: "a".repeat(400) })
        const deliverLast = (outcome: ApiReceipt["outcome"]) =>
          Effect.promise(async () => {
            const text = provider.texts.at(-1)
            expect(text && (await provider.report(text, { outcome }))).toBe(200)
          })
        const balance = () => Effect.map(ledger.balance(principal.account.id), ({ held, posted }) => [held, posted])

        provider.once(late("drop"))
        expect((yield* Effect.flip(sms.send(principal, text, noKeys)))._tag).toBe("TEMPORARY_UNAVAILABLE")
        expect(yield* balance()).toEqual([PRICE * 3, FUNDS])
        // Twice, and out of order.
        for (const outcome of ["delivered", "delivered", "sent"] as const) yield* deliverLast(outcome)
        expect(yield* balance()).toEqual([0, FUNDS - PRICE * 3])

        // The receipt is there before the answer.
        provider.once(async (_call, take) => {
          const reply = take()
          const text = provider.texts.at(-1)
          if (text !== undefined) await provider.report(text, { outcome: "delivered" })
          return reply
        })
        yield* sms.send(principal, text, noKeys)
        expect(yield* balance()).toEqual([0, FUNDS - PRICE * 6])
        const { list } = yield* sms.list(principal, page({}))
        expect(list.map(({ parts, status }) => [parts, status])).toEqual([
          [3, "delivered"],
          [3, "delivered"]
        ])
      }).pipe(Effect.provide(layer(gateway)))
    })
  )

  test(
    "is asked for again when it was not stored",
    Effect.fnUntraced(function* () {
      const { gateway, provider } = yield* startGateway(name)
      let failures = 2
      const away = new StoreError({ reason: "Unavailable", message: "away" })
      const { events } = yield* collectEvents(gateway, () => (failures-- > 0 ? Effect.fail(away) : Effect.void))
      yield* gateway.send(message())
      yield* eventually(Effect.sync(() => events.length >= 3))
      expect(provider.acknowledgements.filter((status) => status === 503)).toHaveLength(2)
    })
  )

  test(
    "that is about something else is acknowledged, and one that cannot be read is not",
    Effect.fnUntraced(function* () {
      const { events, post, receipt } = yield* sent(name)
      const signed = (content: string) => {
        if (name === "vonage") return { authorization: `Bearer ${vonageToken(content)}` }
        if (name === "generic") return standardHeaders(content)
        return { "x-twilio-signature": twilioSignature(receipt.url, new URLSearchParams(content)) }
      }
      const other = name === "twilio" ? "SmsStatus=receiving" : '{"results":[{"id":"1"}],"status":"inbound"}'
      const post1 = (content: string) => post({ body: content, headers: { ...receipt.headers, ...signed(content) } })
      expect(yield* post1(other)).toBe(200)
      if (name !== "twilio") expect(yield* post1("{")).toBe(400)
      expect(events).toEqual([])
    })
  )
})

describe("what a provider says beside the status", () => {
  const detailsOf = (event: SmsEvent | undefined) => (event?._tag === "Receipt" ? event.details : undefined)

  test(
    "is kept: price, currency, parts and time by Vonage",
    Effect.fnUntraced(function* () {
      const { events, post, receipt } = yield* sent("vonage")
      yield* post({})
      expect(detailsOf(events[0])).toEqual({
        carrier_parts: 2,
        carrier_price: "0.0333",
        carrier_currency: "EUR",
        carrier_time: JSON.parse(receipt.body).timestamp
      })
    })
  )

  test(
    "is kept: the error of a text that did not arrive",
    Effect.fnUntraced(function* () {
      for (const [name, error] of [
        ["twilio", "30003"],
        ["vonage", "1260"]
      ] as const) {
        const { events, provider, taken } = yield* sent(name)
        yield* Effect.promise(() => provider.report(taken, { outcome: "undelivered" }))
        expect(events[0]).toMatchObject({ status: "undelivered", carrierError: error })
      }
    })
  )
})

it("is signed by the Twilio of tests as its documentation does", () => {
  const url = "https://mycompany.com/myapp.php?foo=1&bar=2"
  const form = new URLSearchParams({
    CallSid: "CA1234567890ABCDE",
    Caller: "+14158675309",
    Digits: "1234",
    From: "+14158675309",
    To: "+18005551212"
  })
  expect(twilioSignature(url, form, "12345")).toBe("RSOYDt4T1cUTdK1PDd93/VVr8B8=")
})
