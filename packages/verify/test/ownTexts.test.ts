import { assert, describe, it } from "@effect/vitest"
import { OwnTexts } from "../src/operator/index.ts"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { SMS, check, codeOf, inWorld, next, principal, start, textOf } from "./fixture.ts"

const text = "{{code}} opens Ada's door. {{code}}"

describe("a text of the client's own", () => {
  it.effect.each(["live", "sandbox"] as const)("is refused in the %s mode until an operator allows it", (mode) =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal(mode)
        const refused = yield* Effect.flip(start(by, { ...SMS, text }))
        assert.deepInclude(refused, { _tag: "FORBIDDEN", reason: "own_text_not_allowed" })
        yield* OwnTexts.set(by.account.id, "own")
        assert.strictEqual(yield* OwnTexts.get(by.account.id), "own")
        yield* start(by, { ...SMS, text })
        yield* OwnTexts.set(by.account.id, "templates")
        const other = yield* Effect.flip(start(by, { ...SMS, purpose: "b", text }))
        assert.deepInclude(other, { reason: "own_text_not_allowed" })
        assert.lengthOf(world.sms.sends, mode === "live" ? 1 : 0)
      })
    )
  )

  it.effect("has the code in each of its places, at a resend too", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        yield* OwnTexts.set(by.account.id, "own")
        const started = yield* start(by, { ...SMS, text, web_origin: "https://shop.example" })
        const code = codeOf(world)
        const sent = `${code} opens Ada's door. ${code}\n@shop.example #${code}`
        assert.strictEqual(textOf(world), sent)
        yield* TestClock.adjust("30 seconds")
        yield* next(by, started, "sms")
        assert.strictEqual(textOf(world), sent)
        assert.isTrue((yield* check(by, started, code)).valid)
      })
    )
  )

  it.effect("may take several SMS, and has no template beside it", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        yield* OwnTexts.set(by.account.id, "own")
        yield* start(by, { ...SMS, text: `{{code}} ${"\u0416".repeat(140)}` })
        assert.isAbove(world.sms.sends[0]?.text.parts.length ?? 0, 1)
        const both = yield* Effect.flip(start(by, { ...SMS, purpose: "b", text, template: "login" }))
        assert.deepInclude(both, { _tag: "BAD_REQUEST" })
      })
    )
  )
})
