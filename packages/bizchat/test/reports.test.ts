import { assert, describe, it } from "@effect/vitest"
import * as Bizchat from "@watchword/bizchat/Bizchat"
import * as Effect from "effect/Effect"
import { type Platform, withPlatform, acme, entriesOf, sendOne } from "./fixture.ts"

describe("reported outcomes", () => {
  const reporting = Effect.fnUntraced(function* (platform: Platform) {
    const chat = yield* Bizchat.Bizchat
    const live = yield* acme()
    const { ref, uuid } = yield* sendOne(platform, live)
    return { chat, live, ref, uuid, report: (status: "Success" | "Failed") => chat.report(live, { uuid, status }) }
  })

  it.effect.each([
    ["Success", "DELIVERED", "Failed"],
    ["Failed", "FAILED", "Success"]
  ] as const)("%s makes a record %s; repeats are fine and %s is a conflict", ([outcome, status, opposite]) =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const { chat, live, report, uuid } = yield* reporting(platform)
        for (const _ of ["first", "again"]) {
          assert.deepStrictEqual(yield* report(outcome), { message: "OK", uuid, status })
        }
        assert.strictEqual((yield* Effect.flip(report(opposite)))._tag, "CONFLICT")
        assert.strictEqual((yield* chat.get(live, uuid)).status, status)
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle"])
      })
    )
  )

  it.effect("Success of a text that was read is fine, and Failed a conflict", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const { ref, report } = yield* reporting(platform)
        yield* platform.tell(ref, "read")
        assert.strictEqual((yield* report("Success")).status, "READ")
        assert.strictEqual((yield* Effect.flip(report("Failed")))._tag, "CONFLICT")
      })
    )
  )

  it.effect("are not undone by late events", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const { chat, live, ref, report, uuid } = yield* reporting(platform)
        yield* report("Failed")
        for (const status of ["sent", "delivered", "read"] as const) yield* platform.tell(ref, status)
        assert.strictEqual((yield* chat.get(live, uuid)).status, "FAILED")
      })
    )
  )

  it.effect("do not keep the price from coming back", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const { chat, live, ref, report, uuid } = yield* reporting(platform)
        yield* report("Failed")
        yield* platform.tell(ref, "failed", { errorCode: 131026 })
        assert.deepInclude(yield* chat.get(live, uuid), { status: "FAILED", is_refunded: true })
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle", "refund"])
        assert.strictEqual((yield* report("Failed")).status, "FAILED")
      })
    )
  )

  it.effect("of an unknown text are 404", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const { chat, live, uuid } = yield* reporting(platform)
        for (const unknown of ["", "nothing", "01KAJ3T8ZZ0000000000000000", `${uuid}0`]) {
          const error = yield* Effect.flip(chat.report(live, { uuid: unknown, status: "Success" }))
          assert.strictEqual(error._tag, "NOT_FOUND")
        }
      })
    )
  )
})
