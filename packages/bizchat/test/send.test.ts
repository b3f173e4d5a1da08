import { assert, describe, it } from "@effect/vitest"
import * as Bizchat from "@watchword/bizchat/Bizchat"
import * as Ledger from "@watchword/ledger/Ledger"
import { MicroEuros } from "@watchword/schemas/Money"
import { noKeys } from "@watchword/send/Claims"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { noAnswer, notOnPlatform, refOf } from "./platform.ts"
import {
  german,
  PRICE,
  withPlatform,
  sandboxed,
  principal,
  acme,
  body,
  page,
  message,
  entriesOf,
  balanceOf
} from "./fixture.ts"

describe("a send", () => {
  it.effect("is charged when the platform has taken it, and its record follows the platform's events", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const live = yield* acme()
        const sent = yield* chat.send(live, body({ to: german, text: "Code 123456", code: "12-AB" }), noKeys)
        assert.deepStrictEqual(sent, { uuid: sent.uuid, to: german })
        const [given] = platform.sent
        assert(given !== undefined && given.code !== null)
        assert.deepStrictEqual([given.delivery, given.to], [sent.uuid, german])
        assert.deepStrictEqual([Redacted.value(given.text), Redacted.value(given.code)], ["Code 123456", "12-AB"])
        assert.deepStrictEqual(yield* chat.get(live, sent.uuid), {
          uuid: sent.uuid,
          to: german,
          status: "SENT",
          created_at: "1970-01-01T00:00:00.000Z",
          error_code: null,
          price: 0.04,
          is_refunded: false
        })
        for (const status of ["sent", "delivered", "read"] as const) {
          yield* platform.tell(refOf(given), status)
          assert.strictEqual((yield* chat.get(live, sent.uuid)).status, status.toUpperCase())
        }
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle"])
        assert.strictEqual((yield* balanceOf(live)).available, 1_000_000 - PRICE)
      })
    )
  )

  it.effect("is answered 503 where there is no gateway, and nothing is recorded or charged", () =>
    sandboxed(
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const live = yield* acme()
        const error = yield* Effect.flip(chat.send(live, message(), noKeys))
        assert.strictEqual(error._tag, "SERVICE_UNAVAILABLE")
        assert.strictEqual((yield* chat.list(live, page({}))).total, 0)
        assert.deepStrictEqual(yield* entriesOf(live), [])
        assert.deepStrictEqual([yield* chat.health, chat.webhook], [[], null])
      })
    )
  )

  it.effect("is answered 402 when the balance is too small, and nothing is sent or recorded", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const live = yield* principal("live")
        const ledger = yield* Ledger.Ledger
        yield* ledger.credit(live.account.id, MicroEuros.make(PRICE * 2 + 1))
        yield* chat.send(live, message(), noKeys)
        yield* chat.send(live, message(), noKeys)
        assert.strictEqual((yield* Effect.flip(chat.send(live, message(), noKeys)))._tag, "PAYMENT_REQUIRED")
        assert.lengthOf(platform.sent, 2)
        assert.strictEqual((yield* chat.list(live, page({}))).total, 2)
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle", "hold", "settle"])
      })
    )
  )

  it.effect("that the gateway would refuse is 400 before 402, in the sandbox too, and not recorded", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        for (const poor of [yield* principal("live"), yield* principal("sandbox")]) {
          const error = yield* Effect.flip(chat.send(poor, message(german, "Hello"), noKeys))
          assert.strictEqual(error._tag === "BAD_REQUEST" && error.issues?.[0]?.path, "text")
          assert.strictEqual((yield* chat.list(poor, page({}))).total, 0)
        }
        assert.lengthOf(platform.sent, 0)
      })
    )
  )

  it.effect("to a number that is not on the platform is 404, released in full, and says why on the record", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const live = yield* acme()
        platform.answers(notOnPlatform)
        assert.strictEqual((yield* Effect.flip(chat.send(live, message(), noKeys)))._tag, "NOT_FOUND")
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "release"])
        assert.strictEqual((yield* balanceOf(live)).available, 1_000_000)
        const { list } = yield* chat.list(live, page({}))
        assert.deepInclude(list[0], { status: "FAILED", error_code: 131026 })
      })
    )
  )
})

describe("a send whose outcome is unknown", () => {
  it.effect("keeps its hold and is settled by an event that names the delivery", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const live = yield* acme()
        platform.answers(noAnswer)
        assert.strictEqual((yield* Effect.flip(chat.send(live, message(), noKeys)))._tag, "TEMPORARY_UNAVAILABLE")
        assert.deepStrictEqual(yield* entriesOf(live), ["hold"])
        const [given] = platform.sent
        assert(given !== undefined)
        assert.strictEqual((yield* chat.get(live, given.delivery)).status, "SENT")
        yield* platform.tell("wamid.late", "delivered", { of: given.delivery })
        assert.strictEqual((yield* chat.get(live, given.delivery)).status, "DELIVERED")
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle"])
        yield* TestClock.adjust("25 hours")
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle"])
        yield* platform.tell("wamid.late", "read")
        assert.strictEqual((yield* chat.get(live, given.delivery)).status, "READ")
      })
    )
  )

  it.effect("is given back once when the event says that the number is not on the platform", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const live = yield* acme()
        platform.answers(noAnswer)
        yield* Effect.flip(Bizchat.Bizchat.use((chat) => chat.send(live, message(), noKeys)))
        const of = platform.sent[0]?.delivery ?? null
        for (let times = 0; times < 3; times++) {
          yield* platform.tell("wamid.late", "failed", { of, errorCode: 131026 })
        }
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle", "refund"])
        assert.strictEqual((yield* balanceOf(live)).available, 1_000_000)
      })
    )
  )

  it.effect("is released after a day without a word, and a later word costs nothing", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const live = yield* acme()
        platform.answers(noAnswer)
        yield* Effect.flip(chat.send(live, message(), noKeys))
        const of = platform.sent[0]?.delivery ?? null
        assert(of !== null)
        yield* TestClock.adjust("23 hours")
        assert.deepStrictEqual(yield* entriesOf(live), ["hold"])
        yield* TestClock.adjust("62 minutes")
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "release"])
        assert.strictEqual((yield* chat.get(live, of)).status, "FAILED")
        for (const status of ["delivered", "read", "failed"] as const) {
          yield* platform.tell("wamid.late", status, { of, errorCode: status === "failed" ? 131026 : null })
        }
        assert.strictEqual((yield* chat.get(live, of)).status, "FAILED")
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "release"])
        assert.strictEqual((yield* balanceOf(live)).available, 1_000_000)
      })
    )
  )
})
