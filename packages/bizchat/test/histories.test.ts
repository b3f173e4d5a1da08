import { assert, describe, it } from "@effect/vitest"
import * as Bizchat from "@watchword/bizchat/Bizchat"
import * as Ledger from "@watchword/ledger/Ledger"
import { noKeys } from "@watchword/send/Claims"
import { makeMemory } from "@watchword/store/MemoryStore"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { makePlatform, noAnswer, notOnPlatform, refOf } from "./platform.ts"
import { type Platform, layerOf, acme, page, message, balanceOf } from "./fixture.ts"

describe("whatever happens to many texts", () => {
  type Step =
    | { readonly do: "send"; readonly answer: "accepted" | "not on the platform" | "unknown" | "accepted late" }
    | { readonly do: "tell"; readonly which: number; readonly status: "sent" | "delivered" | "read" | "failed" }
    | { readonly do: "refuse"; readonly which: number }
    | { readonly do: "report"; readonly which: number; readonly outcome: "Success" | "Failed" }
    | { readonly do: "wait"; readonly minutes: number }

  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({
      do: fc.constant("send" as const),
      answer: fc.constantFrom("accepted", "not on the platform", "unknown", "accepted late")
    }),
    fc.record({
      do: fc.constant("tell" as const),
      which: fc.nat(9),
      status: fc.constantFrom("sent", "delivered", "read", "failed")
    }),
    fc.record({ do: fc.constant("refuse" as const), which: fc.nat(9) }),
    fc.record({ do: fc.constant("report" as const), which: fc.nat(9), outcome: fc.constantFrom("Success", "Failed") }),
    fc.record({ do: fc.constant("wait" as const), minutes: fc.constantFrom(1, 5, 12) })
  )

  const run = (platform: Platform, steps: ReadonlyArray<Step>) =>
    Effect.gen(function* () {
      const chat = yield* Bizchat.Bizchat
      const live = yield* acme()
      const eventOf = (which: number) => {
        const sent = platform.sent[which % Math.max(1, platform.sent.length)]
        return sent === undefined ? null : { ref: refOf(sent), of: sent.delivery }
      }
      const last = new Map<string, string>()

      for (const one of steps) {
        switch (one.do) {
          case "send":
            platform.answers((sent) => {
              switch (one.answer) {
                case "accepted":
                  return { _tag: "Accepted", refs: [refOf(sent)], details: {} }
                case "not on the platform":
                  return notOnPlatform()
                case "unknown":
                  return noAnswer()
                case "accepted late":
                  return Effect.as(platform.tell(refOf(sent), "delivered", { of: sent.delivery }), noAnswer())
              }
            })
            yield* Effect.exit(chat.send(live, message(), noKeys))
            break
          case "tell":
          case "refuse": {
            const event = eventOf(one.which)
            if (event === null) break
            const errorCode = one.do === "refuse" ? 131026 : null
            yield* platform.tell(event.ref, one.do === "refuse" ? "failed" : one.status, { of: event.of, errorCode })
            break
          }
          case "report": {
            const uuid = eventOf(one.which)?.of
            if (uuid !== undefined) yield* Effect.exit(chat.report(live, { uuid, status: one.outcome }))
            break
          }
          case "wait":
            yield* TestClock.adjust(`${one.minutes} minutes`)
        }

        const ledger = yield* Ledger.Ledger
        assert.isTrue((yield* ledger.audit(live.account.id)).agrees)
        const entries = yield* Stream.runCollect(ledger.entries(live.account.id))
        const { list } = yield* chat.list(live, page({ rows_per_page: 100 }))
        for (const { status, uuid, ...record } of list) {
          const money = entries.filter(({ delivery }) => delivery === uuid).map(({ kind }) => kind)
          assert.include(["hold", "hold,settle", "hold,release", "hold,settle,refund"], money.join())
          if (money.includes("refund")) assert.isTrue(record.is_refunded)
          const before = last.get(uuid) ?? "SENT"
          assert.include(followers[before] ?? [], status)
          last.set(uuid, status)
        }
      }
      yield* TestClock.adjust("12 minutes")
      assert.strictEqual((yield* balanceOf(live)).held, 0)
    }).pipe(Effect.provide(layerOf(platform, makeMemory(), { releaseAfter: "10 minutes" })))

  const followers: Readonly<Record<string, ReadonlyArray<string>>> = {
    SENT: ["SENT", "DELIVERED", "READ", "FAILED"],
    DELIVERED: ["DELIVERED", "FAILED", "READ"],
    READ: ["READ", "FAILED"],
    FAILED: ["FAILED"]
  }

  it("no price is charged or given back twice, and no status goes back", () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), (steps) =>
        Effect.runPromise(Effect.scoped(Effect.provide(run(makePlatform(), steps), TestClock.layer())))
      ),
      { numRuns: 100 }
    ))
})
