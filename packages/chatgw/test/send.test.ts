import { assert, describe, it } from "@effect/vitest"
import { Chatgw } from "@watchword/chatgw/Chatgw"
import { RequestId } from "@watchword/schemas/Ids"
import { noKeys } from "@watchword/send/Claims"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { inspect } from "node:util"
import { austrian, codeTo, entriesOf, german, inWorld, loseAnswer, page, principal, refuse } from "./fixture.ts"

describe("a code", () => {
  it.effect("is sent, charged and found again", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal("live", 1, { senderUsername: "acme_codes" })
        const sent = yield* chat.send(acme, codeTo(german, { ttl: 60 }), noKeys)
        const { uuid } = sent
        assert.deepStrictEqual(sent, {
          uuid,
          request_id: "request-1",
          to: german,
          status: "sent",
          request_cost: 0.05,
          remaining_balance: 0.95
        })
        assert.deepStrictEqual(yield* chat.get(acme, uuid), {
          uuid,
          request_id: "request-1",
          to: german,
          status: "SENT",
          delivery_status: "sent",
          verification_status: null,
          request_cost: 0.05,
          is_refunded: false,
          country: "Germany",
          created_at: "1970-01-01T00:00:00.000Z"
        })
        const [{ code, ...message } = { code: null }] = gateway.sends
        assert.strictEqual(code && Redacted.value(code), "123456")
        assert.deepStrictEqual(message, {
          delivery: uuid,
          to: german,
          ttl: 60,
          senderUsername: "acme_codes",
          callbackUrl: null,
          requestId: null
        })
        assert.deepStrictEqual(yield* entriesOf(acme), ["hold 5", "settle 5"])
      })
    )
  )

  it.effect("takes what the body says before what the account says", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal("live", 1, { senderUsername: "acme_codes" })
        const callback_url = "https://example.com/events"
        yield* chat.send(acme, codeTo(german, { sender_username: "@other_codes", callback_url }), noKeys)
        assert.include(gateway.sends[0], { senderUsername: "@other_codes", callbackUrl: callback_url, ttl: 300 })
      })
    )
  )

  it.effect("is not stored, told or logged, whatever becomes of it", () =>
    inWorld(({ gateway, store }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const keys = { ...noKeys, requestId: RequestId.make(crypto.randomUUID()), idempotencyKey: "k" }
        for (const mode of ["live", "sandbox"] as const) {
          const acme = yield* principal(mode)
          const answers: Array<unknown> = []
          for (const onSend of [gateway.onSend, refuse, loseAnswer]) {
            gateway.onSend = onSend
            const to = german.replace(/.$/, String(answers.length))
            answers.push(yield* Effect.result(chat.send(acme, codeTo(to, { code: "86420975" }), noKeys)))
          }
          const sent = yield* Effect.result(chat.send(acme, codeTo(austrian, { code: "86420975" }), keys))
          answers.push(sent, yield* chat.list(acme, page({})))
          const { rows } = yield* store.list({
            account: acme.account.id,
            mode,
            channel: "chatgw",
            where: [],
            sort: { field: "id", direction: "ASC" },
            offset: 0,
            limit: 10
          })
          assert.isAtLeast(rows.length, 4)
          // Records of the sandbox keep what its inbox shows.
          const stored = mode === "live" ? rows : []
          assert.notInclude(inspect([answers, stored], { depth: null, maxStringLength: null }), "86420975")
        }
      })
    )
  )

  it.effect("is not sent where it cannot be paid for", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal("live", 0.04)
        const error = yield* Effect.flip(chat.send(acme, codeTo(), noKeys))
        assert.strictEqual(error._tag, "PAYMENT_REQUIRED")
        assert.lengthOf(gateway.sends, 0)
        assert.deepStrictEqual(yield* entriesOf(acme), [])
        assert.strictEqual((yield* chat.list(acme, page({}))).total, 0)
      })
    )
  )

  it.effect("is paid back when the gateway refuses it", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        gateway.onSend = refuse
        assert.strictEqual((yield* Effect.flip(chat.send(acme, codeTo(), noKeys)))._tag, "NOT_FOUND")
        assert.deepStrictEqual(yield* entriesOf(acme), ["hold 5", "release 5"])
        const { list } = yield* chat.list(acme, page({}))
        assert.include(list[0], { status: "FAILED", delivery_status: "failed", request_id: null })
      })
    )
  )

  it.effect("is answered 503 where there is no gateway, and nothing is recorded", () =>
    inWorld(
      ({ store }) =>
        Effect.gen(function* () {
          const chat = yield* Chatgw
          const acme = yield* principal()
          assert.strictEqual((yield* Effect.flip(chat.send(acme, codeTo(), noKeys)))._tag, "SERVICE_UNAVAILABLE")
          const probe = yield* Effect.flip(chat.checkSendAbility(acme, { to: german }, noKeys))
          assert.strictEqual(probe._tag, "SERVICE_UNAVAILABLE")
          for (const channel of ["chatgw", "chatgw_probe"] as const) {
            const { total } = yield* store.list({
              account: acme.account.id,
              mode: "live",
              channel,
              where: [],
              sort: { field: "id", direction: "ASC" },
              offset: 0,
              limit: 10
            })
            assert.strictEqual(total, 0)
          }
          assert.isNull(chat.webhook)
          assert.deepStrictEqual(yield* entriesOf(acme), [])
        }),
      { hasGateway: false }
    )
  )
})
