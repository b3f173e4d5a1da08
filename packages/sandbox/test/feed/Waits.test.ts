/**
 * How accounts share the streams of the sandbox in a process.
 */
import { AccountId } from "@watchword/schemas/Ids"
import type { Following } from "@watchword/send/channel/Operation"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Waits from "../../src/internal/feed/Waits.ts"

const account = (number: number) => AccountId.make(`acc_${String(number).padStart(26, "0")}`)

/** What answers at once, and then has nothing more to say. */
const following: Following<string> = {
  after: (id) => (id === null ? Effect.succeed({ id: "1", answer: "first" }) : Effect.never),
  end: Effect.void
}

const first = { id: "1", answer: "first" }

/** A stream that has had its first answer and waits for the next one. */
const open = Effect.fnUntraced(function* (waits: Waits.Waits, number: number) {
  const stream = yield* waits.following(account(number), following)
  const answer = yield* stream.after(null)
  const waiting = yield* Effect.forkChild(stream.after("1"), { startImmediately: true })
  return { ...stream, answer, waiting }
})

/** Ten streams of each of ten accounts. */
const filled = Effect.fnUntraced(function* (waits: Waits.Waits) {
  const numbers = Array.from({ length: 100 }, (_, n) => Math.floor(n / 10))
  return yield* Effect.forEach(numbers, (number) => open(waits, number))
})

describe("streams of the sandbox", () => {
  it.effect("are ten of an account at most, also of those that are read later", () =>
    Effect.gen(function* () {
      const waits = Waits.make()
      const streams = yield* Effect.forEach(Array.from({ length: 12 }), () => waits.following(account(1), following))
      const answers = yield* Effect.forEach(streams, ({ after }) => after(null))
      assert.deepStrictEqual(answers, [...Array.from({ length: 10 }, () => first), null, null])
      const refused = yield* Effect.flip(waits.following(account(1), following))
      assert.strictEqual(refused.reason, "too_many_waits")
      for (const { end } of streams) yield* end
      assert.deepStrictEqual((yield* open(waits, 1)).answer, first)
    })
  )

  it.effect("of ten accounts leave room for others: the oldest of the account that has the most ends", () =>
    Effect.gen(function* () {
      const waits = Waits.make()
      const streams = yield* filled(waits)
      const others = yield* Effect.forEach(Array.from({ length: 10 }), (_, n) => open(waits, 10 + n))
      assert.deepStrictEqual(
        others.map(({ answer }) => answer),
        Array.from({ length: 10 }, () => first)
      )
      const ended = streams.filter(({ waiting }) => waiting.pollUnsafe() !== undefined)
      assert.deepStrictEqual(
        ended.map((stream) => streams.indexOf(stream)),
        [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]
      )
      for (const { end, waiting } of ended) {
        assert.isNull(yield* Fiber.join(waiting))
        yield* end
      }
      assert.isTrue(others.every(({ waiting }) => waiting.pollUnsafe() === undefined))
      // A stream that gave way does not come back.
      const [gone] = ended
      assert(gone !== undefined)
      assert.isNull(yield* gone.after("1"))
      assert.isNull(yield* gone.after(null))
      // The places are still a hundred, and a place becomes free when its stream ends.
      for (const { end } of [...streams, ...others]) yield* end
      assert.lengthOf(yield* filled(waits), 100)
    })
  )

  it.effect("of accounts with as many never push each other out", () =>
    Effect.gen(function* () {
      const waits = Waits.make()
      const streams = yield* Effect.forEach(Array.from({ length: 100 }), (_, n) => open(waits, n))
      for (const number of [0, 100]) {
        const refused = yield* Effect.flip(waits.following(account(number), following))
        assert.include(refused.message, "At most 100 streams")
      }
      assert.isTrue(streams.every(({ waiting }) => waiting.pollUnsafe() === undefined))
    })
  )
})
