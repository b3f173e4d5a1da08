import { assert, describe, it } from "@effect/vitest"
import { noKeys } from "@watchword/send/Claims"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import {
  alone,
  business,
  calls,
  code,
  events,
  flash,
  messages,
  opened,
  operation,
  sandbox,
  setPhone,
  states,
  text,
  to,
  until
} from "./fixture.ts"

describe("a phone that waits for a person", () => {
  it.effect("has each event reported as its network would, and a message end once", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, { mode: "manual" })
      yield* text(acme)
      yield* business(acme)
      yield* code(acme)
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(yield* states(acme), ["sent", "sent", "sent"])
      const ids = (yield* messages(acme)).map(({ id }) => id)
      const post = (index: number, event: string) => sandbox("messageEvent", acme, ids[index], { event })
      assert.deepInclude(yield* post(0, "failed"), { state: "failed", accepts: [] })
      assert.deepInclude(yield* post(1, "delivered"), { state: "delivered", accepts: ["read"] })
      assert.deepInclude(yield* post(1, "read"), { state: "read", accepts: [] })
      assert.deepInclude(yield* post(2, "read"), { state: "read", accepts: [] })
      for (const [index, event] of [
        [0, "delivered"],
        [1, "delivered"],
        [2, "failed"]
      ] as const) {
        assert.deepInclude(yield* Effect.flip(post(index, event)), { _tag: "CONFLICT", reason: "ended" })
      }
    }).pipe(alone)
  )

  it.effect("has a verification step on in sight: by a time-out, by a failure and by a call that is dropped", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, { mode: "manual", offline: true })
      const start = yield* operation("verify", "start")
      assert(start._tag === "Send")
      const steps = ["chatgw", "sms", "call", "bizchat"].map((channel) => ({ channel, timeout: 20 }))
      yield* start.run(acme, { to, workflow: steps }, noKeys)
      const sms = yield* until(Effect.map(messages(acme), ([, second]) => second))
      yield* until(Effect.map(messages(acme), ([first]) => (first?.state === "revoked" ? first : undefined)))
      assert.deepInclude(sms, { channel: "sms", state: "kept", attempt: 2, live_price: 0 })
      yield* setPhone(acme, { mode: "manual" })
      yield* sandbox("messageEvent", acme, sms.id, { event: "failed" })
      const call = yield* until(Effect.map(calls(acme), ([first]) => first))
      assert.deepInclude(call, { state: "ringing", verification: sms.verification, attempt: 3 })
      yield* sandbox("callEvent", acme, call.id, { event: "hangup" })
      const verification = yield* until(
        Effect.map(events(acme), (all) =>
          all
            .flatMap((event) => (event.type === "verification" ? [event.verification] : []))
            .find(({ attempts }) => attempts[3]?.status === "accepted")
        )
      )
      assert.deepInclude(verification, { step: 4, channel: "bizchat", status: "pending" })
      assert.deepStrictEqual(
        verification.attempts.map(({ status }) => status),
        ["revoked", "undelivered", "undelivered", "accepted"]
      )
    }).pipe(alone)
  )

  it.effect("has a call that is ignored end after its time", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, { mode: "manual" })
      yield* flash(acme)
      const [ringing] = yield* calls(acme)
      assert.deepInclude(ringing, { state: "ringing", caller: "+4930901820123", code: "820123" })
      yield* TestClock.adjust("1 minute")
      assert.deepInclude((yield* calls(acme))[0], { state: "ended", hangup_cause: "NO_ANSWER", accepts: [] })
    }).pipe(alone)
  )
})
