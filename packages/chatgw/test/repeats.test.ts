import { assert, describe, it } from "@effect/vitest"
import { Chatgw } from "@watchword/chatgw/Chatgw"
import { RequestId } from "@watchword/schemas/Ids"
import { noKeys } from "@watchword/send/Claims"
import * as Effect from "effect/Effect"
import { austrian, codeTo, entriesOf, german, inWorld, principal, refuse } from "./fixture.ts"

describe("a repeated request", () => {
  const id = () => ({ ...noKeys, requestId: RequestId.make(crypto.randomUUID()) })
  const key = { ...noKeys, idempotencyKey: "signup-1" }

  it.effect("under the same x-request-id is a conflict, unless the first failed or the body differs", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        const keys = id()
        gateway.onSend = refuse
        assert.strictEqual((yield* Effect.flip(chat.send(acme, codeTo(), keys)))._tag, "NOT_FOUND")
        gateway.onSend = (_, act) => act
        yield* chat.send(acme, codeTo(), keys)
        assert.strictEqual((yield* Effect.flip(chat.send(acme, codeTo(), keys)))._tag, "CONFLICT")
        for (const other of [{ code: "654321" }, { ttl: 60 }, { sender_username: "other" }]) {
          yield* chat.send(acme, codeTo(german, other), keys)
        }
        assert.lengthOf(gateway.sends, 5)
      })
    )
  )

  it.effect("under the same Idempotency-Key is answered again, and a conflict with another body", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        const sent = yield* chat.send(acme, codeTo(), key)
        assert.deepStrictEqual(yield* chat.send(acme, codeTo(), key), sent)
        const other = yield* Effect.flip(chat.send(acme, codeTo(german, { code: "0000" }), key))
        assert.strictEqual(other._tag, "CONFLICT")
        assert.lengthOf(gateway.sends, 1)
      })
    )
  )

  it.effect("of a send may have the id of a probe", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        const keys = { ...id(), idempotencyKey: "k" }
        yield* chat.checkSendAbility(acme, { to: german }, keys)
        yield* chat.send(acme, codeTo(), keys)
        assert.deepStrictEqual(yield* entriesOf(acme), ["hold 1", "settle 1", "hold 4", "settle 4"])
      })
    )
  )

  it.effect("of a probe asks and costs once", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        const [one, two] = [id(), key]
        const first = yield* chat.checkSendAbility(acme, { to: german }, one)
        // While it is remembered, and when a send has spent it.
        yield* chat.checkSendAbility(acme, { to: german }, one)
        yield* chat.send(acme, codeTo(), noKeys)
        const again = yield* Effect.flip(chat.checkSendAbility(acme, { to: german }, one))
        assert.strictEqual(again._tag, "CONFLICT")
        const named = yield* chat.checkSendAbility(acme, { to: austrian }, two)
        yield* chat.send(acme, codeTo(austrian), noKeys)
        const repeated = yield* chat.checkSendAbility(acme, { to: austrian }, two)
        assert.deepStrictEqual(repeated, { ...named, remaining_balance: 0.9 })
        const other = yield* Effect.flip(chat.checkSendAbility(acme, { to: german }, two))
        assert.strictEqual(other._tag, "CONFLICT")
        assert.strictEqual(gateway.probes, 2)
        assert.strictEqual(first.request_id, "request-1")
      })
    )
  )

  it.effect("of a probe whose price came back tells what the first told", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        const first = yield* chat.checkSendAbility(acme, { to: german }, key)
        const { request_id } = yield* chat.send(acme, codeTo(), noKeys)
        yield* chat.revoke(acme, { request_id })
        const again = yield* chat.checkSendAbility(acme, { to: german }, key)
        assert.deepStrictEqual(again, { ...first, remaining_balance: 1 })
      })
    )
  )

  it.effect("of a probe that found no account answers the same again", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        gateway.onProbe = () => Effect.succeed({ _tag: "Unreachable" })
        const first = yield* chat.checkSendAbility(acme, { to: german }, key)
        assert.deepStrictEqual(yield* chat.checkSendAbility(acme, { to: german }, key), first)
        assert.isTrue(first.is_refunded)
        assert.strictEqual(gateway.probes, 1)
      })
    )
  )
})
