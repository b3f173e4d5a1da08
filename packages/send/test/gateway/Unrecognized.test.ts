import { Unrecognized, foreign, joined } from "../../src/gateway/Unrecognized.ts"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import * as FastCheck from "fast-check"

/** Runs an effect, and returns its log. */
const logged = Effect.fnUntraced(function* (effect: Effect.Effect<void>) {
  const lines: Array<string> = []
  const logger = Logger.make(({ message }) => void lines.push(JSON.stringify(message)))
  yield* Effect.provide(effect, Logger.layer([logger]))
  return lines
})

const said = (word: string) => ({ word, message: "a receipt has a state of its own", details: { id: "7F3A" } })

describe("what a peer says and is not recognized", () => {
  it.effect("is logged once for each word of a gateway, and counted each time", () =>
    Effect.gen(function* () {
      const unrecognized = new Unrecognized()
      const note = (gateway: string, word: string) => unrecognized.note(gateway, "receipt_state", said(word))
      const lines = yield* logged(
        Effect.all([note("sms:a", "DND"), note("sms:a", "DND"), note("sms:a", "NACK"), note("sms:b", "DND")], {
          discard: true
        })
      )
      assert.strictEqual(lines.length, 3)
      assert.include(lines[0], '"word":"DND"')
      assert.include(lines[0], '"id":"7F3A"')
      const counts = unrecognized.seen("sms:a").map(({ count, kind, word }) => ({ count, kind, word }))
      assert.sameDeepMembers(counts, [
        { count: 2, kind: "receipt_state", word: "DND" },
        { count: 1, kind: "receipt_state", word: "NACK" }
      ])
      assert.deepStrictEqual(unrecognized.seen("sms:c"), [])
    })
  )

  it.effect("has a hundred words of a gateway, and then `other`", () =>
    Effect.gen(function* () {
      const unrecognized = new Unrecognized()
      const words = Array.from({ length: 250 }, (_, index) => `W${index}`)
      const notes = words.map((word) => unrecognized.note("sms:many", "receipt_state", said(word)))
      const lines = yield* logged(Effect.all(notes, { discard: true }))
      assert.strictEqual(lines.length, 101)
      assert.strictEqual(unrecognized.seen("sms:many").length, 101)
      assert.strictEqual(unrecognized.seen("sms:many").find(({ word }) => word === "other")?.count, 150)
      const series = (yield* Metric.snapshot).filter(({ attributes }) => attributes?.["gateway"] === "sms:many")
      assert.strictEqual(series.length, 101)
    })
  )

  it("is added up over connections, the most recent first", () => {
    const of = (word: string, count: number, at: number) => ({ kind: "receipt_state", word, count, at })
    assert.deepStrictEqual(joined([[of("DND", 2, 10), of("NACK", 1, 20)], [], [of("DND", 3, 30)]]), [
      of("DND", 5, 30),
      of("NACK", 1, 20)
    ])
  })
})

describe("a foreign text", () => {
  it.each([
    ["printable text", "printable text"],
    ["\u001b[31mred\u0007\r\nnext", "[31mred next"],
    ["right\u202eto left\u2028line", "right to left line"],
    ["to +49 151 2345-6789 failed", "to +… failed"],
    ["code 123456 is wrong", "code … is wrong"],
    ["Button at index 0 of 3", "Button at index 0 of 3"],
    ["(#131030) not in the list", "(#131030) not in the list"]
  ])("%j reads %j", (text, expected) => {
    assert.strictEqual(foreign(text, 64, ["131030"]), expected)
  })

  it("is no longer than asked, whatever it has, and has no number of four digits", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit: "binary", maxLength: 200 }), (text) => {
        const shown = foreign(text, 20)
        assert.isAtMost(Array.from(shown).length, 20)
        assert.notMatch(shown, /\p{C}|\p{Nd}{4}/u)
      })
    )
  })
})
