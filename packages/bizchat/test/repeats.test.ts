import { assert, describe, it } from "@effect/vitest"
import * as Bizchat from "@watchword/bizchat/Bizchat"
import { RequestId } from "@watchword/schemas/Ids"
import { type RequestKeys, noKeys } from "@watchword/send/Claims"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { noAnswer, notOnPlatform } from "./platform.ts"
import { german, withPlatform, acme, body, message, entriesOf } from "./fixture.ts"

describe("a repeated send", () => {
  const correlated: RequestKeys = { ...noKeys, requestId: RequestId.make("0c9d7e3a-1111-4222-8333-444455556666") }
  const idempotent: RequestKeys = { ...noKeys, idempotencyKey: "signup-1" }

  it.effect("under one correlation id is a conflict, and another body is another send", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const live = yield* acme()
        yield* chat.send(live, message(), correlated)
        assert.strictEqual((yield* Effect.flip(chat.send(live, message(), correlated)))._tag, "CONFLICT")
        yield* chat.send(live, message(german, "Your code: 123456"), correlated)
        yield* chat.send(live, body({ ...message(), code: "123456" }), correlated)
        assert.lengthOf(platform.sent, 3)
        yield* TestClock.adjust("24 hours")
        yield* chat.send(live, message(), correlated)
        assert.lengthOf(platform.sent, 4)
      })
    )
  )

  it.effect("under one correlation id may be made again after a refusal, but not while it may have left", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const live = yield* acme()
        const send = Effect.flip(chat.send(live, message(), correlated))
        platform.answers(notOnPlatform)
        assert.strictEqual((yield* send)._tag, "NOT_FOUND")
        platform.answers(noAnswer)
        assert.strictEqual((yield* send)._tag, "TEMPORARY_UNAVAILABLE")
        assert.strictEqual((yield* send)._tag, "CONFLICT")
        assert.lengthOf(platform.sent, 2)
      })
    )
  )

  it.effect("under one idempotency key is answered again, and another body is a conflict", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const live = yield* acme()
        const first = yield* chat.send(live, message(), idempotent)
        assert.deepStrictEqual(yield* chat.send(live, message(), idempotent), first)
        const other = chat.send(live, body({ ...message(), code: "123456" }), idempotent)
        assert.strictEqual((yield* Effect.flip(other))._tag, "CONFLICT")
        assert.lengthOf(platform.sent, 1)
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle"])
      })
    )
  )

  it.effect("under one idempotency key is answered the failure again, until the message turns out to be sent", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const live = yield* acme()
        platform.answers(noAnswer)
        const send = chat.send(live, message(), idempotent)
        for (const _ of ["first", "again"]) {
          assert.strictEqual((yield* Effect.flip(send))._tag, "TEMPORARY_UNAVAILABLE")
        }
        const of = platform.sent[0]?.delivery ?? null
        yield* platform.tell("wamid.late", "sent", { of })
        assert.strictEqual((yield* send).uuid, of)
        assert.lengthOf(platform.sent, 1)
      })
    )
  )
})
