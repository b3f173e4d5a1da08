import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fixture from "./fixture.ts"

const { SMS, check, codeOf, inWorld, principal, start } = fixture

describe("a start", () => {
  it.effect("sends a code by the first step, and its check approves it", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS)
        assert.deepInclude(started, { status: "pending", channel: "sms", step: 1, sends_left: 4, checks_left: 5 })
        const answer = yield* check(by, started, codeOf(world))
        assert.deepInclude(answer, { valid: true, status: "approved", checks_left: 4 })
      })
    )
  )
})
