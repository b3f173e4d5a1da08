import { assert, describe, it } from "@effect/vitest"
import { nextAccountId } from "@watchword/schemas/Ids"
import * as SharedFigures from "../../src/routes/SharedFigures.ts"
import { memory } from "@watchword/store/MemoryStore"
import { AMOUNTS, COUNTS, type TrafficKey } from "@watchword/store/Traffic"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"

const account = nextAccountId(0)

const row = (key: Partial<TrafficKey>, counts: Partial<Record<(typeof COUNTS)[number], number>>) => ({
  key: { hour: 10, account, mode: "live", channel: "sms", carrier: "acme", country: "DE", ...key } as const,
  amounts: Array.from({ length: AMOUNTS }, (_, place) => counts[COUNTS[place] ?? "cost"] ?? 0)
})

describe("figures over all servers", () => {
  it.effect(
    "are those of the last sixty minutes, of live messages of the channel, and are read again each minute in which they were asked for",
    () =>
      Effect.gen(function* () {
        const { addTraffic } = yield* Store
        yield* TestClock.setTime(10.25 * 3_600_000)
        yield* addTraffic([
          row({}, { sent: 40, approved: 30, delivered: 36, failed: 2 }),
          row({ hour: 9 }, { sent: 80, approved: 20, delivered: 8, failed: 4 }),
          row({ hour: 8 }, { sent: 1_000 }),
          row({ mode: "sandbox" }, { sent: 1_000 }),
          row({ channel: "call" }, { sent: 1_000 }),
          row({ country: "" }, { sent: 7 })
        ])
        const figures = yield* SharedFigures.make("sms")
        assert.deepStrictEqual(figures("acme", "DE"), { sent: 100, approved: 45, delivered: 42, lost: 5 })
        assert.strictEqual(figures("acme", "no country")?.sent, 7)
        assert.isUndefined(figures("bell", "DE"))
        yield* addTraffic([row({ carrier: "bell" }, { sent: 5 })])
        assert.isUndefined(figures("bell", "DE"))
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(figures("bell", "DE")?.sent, 5)
        yield* TestClock.adjust("1 minute")
        yield* addTraffic([row({ carrier: "cell" }, { sent: 3 })])
        yield* TestClock.adjust("1 minute")
        assert.isUndefined(figures("cell", "DE"))
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(figures("cell", "DE")?.sent, 3)
      }).pipe(Effect.scoped, Effect.provide(memory()))
  )
})
