import { assert, describe, it } from "@effect/vitest"
import * as Bizchat from "@watchword/bizchat/Bizchat"
import { makeMemory } from "@watchword/store/MemoryStore"
import type { Service as StoreService } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import { makePlatform, refOf } from "./platform.ts"
import { layerOf, withPlatform, acme, entriesOf, balanceOf, sendOne } from "./fixture.ts"

describe("events", () => {
  it.effect.each([
    [["delivered", "sent"], "DELIVERED"],
    [["read"], "READ"],
    [["read", "delivered", "sent", "read"], "READ"],
    [["delivered", "read", "delivered"], "READ"],
    [["failed", "delivered"], "FAILED"],
    [["delivered", "failed"], "FAILED"],
    [["failed", "read", "failed"], "FAILED"],
    [["read", "failed", "delivered"], "FAILED"],
    [["sent", "sent"], "SENT"]
  ] as const)("%j make a record %s", ([statuses, expected]) =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const live = yield* acme()
        const { ref, uuid } = yield* sendOne(platform, live)
        for (const status of statuses) yield* platform.tell(ref, status)
        assert.strictEqual((yield* chat.get(live, uuid)).status, expected)
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle"])
      })
    )
  )

  it.effect.each([131047, 131049, 131000, null])("say why a text failed: %s, and cost what they cost", (errorCode) =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const live = yield* acme()
        const { ref, uuid } = yield* sendOne(platform, live)
        yield* platform.tell(ref, "failed", { errorCode })
        const record = yield* chat.get(live, uuid)
        assert.deepInclude(record, { status: "FAILED", error_code: errorCode, is_refunded: false })
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle"])
      })
    )
  )

  it.effect("that a number is not on the platform give the price back once", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const live = yield* acme()
        const { ref, uuid } = yield* sendOne(platform, live)
        for (let times = 0; times < 3; times++) yield* platform.tell(ref, "failed", { errorCode: 131026 })
        assert.deepInclude(yield* chat.get(live, uuid), { status: "FAILED", error_code: 131026, is_refunded: true })
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle", "refund"])
        assert.strictEqual((yield* balanceOf(live)).available, 1_000_000)
      })
    )
  )

  it.effect("that come before the answer wait for it", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const live = yield* acme()
        platform.answers((sent) =>
          Effect.as(platform.tell(refOf(sent), "read"), { _tag: "Accepted", refs: [refOf(sent)], details: {} })
        )
        const { uuid } = yield* sendOne(platform, live)
        assert.strictEqual((yield* chat.get(live, uuid)).status, "READ")
        platform.answers((sent) =>
          Effect.as(platform.tell(refOf(sent), "failed", { of: sent.delivery, errorCode: 131026 }), {
            _tag: "Accepted",
            refs: [refOf(sent)],
            details: {}
          })
        )
        const failed = yield* sendOne(platform, live)
        assert.deepInclude(yield* chat.get(live, failed.uuid), { status: "FAILED", is_refunded: true })
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle", "hold", "settle", "refund"])
      })
    )
  )

  it.effect("of unknown messages change nothing", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const live = yield* acme()
        const { uuid } = yield* sendOne(platform, live)
        yield* platform.tell("wamid.unknown", "failed", { errorCode: 131026 })
        assert.strictEqual((yield* chat.get(live, uuid)).status, "SENT")
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle"])
      })
    )
  )

  it.effect("that cannot be stored fail, so that they are told again", () => {
    const store = makeMemory()
    let away = true
    const failing: StoreService = {
      ...store,
      report: (report) =>
        Effect.suspend(() =>
          away && report.refund
            ? Effect.fail(new StoreError({ reason: "Unavailable", message: "away" }))
            : store.report(report)
        )
    }
    const platform = makePlatform()
    return Effect.gen(function* () {
      const live = yield* acme()
      const { ref } = yield* sendOne(platform, live)
      const event = platform.tell(ref, "failed", { errorCode: 131026 })
      assert.strictEqual((yield* Effect.flip(event))._tag, "StoreError")
      away = false
      yield* event
      assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle", "refund"])
    }).pipe(Effect.provide(layerOf(platform, failing)))
  })
})
