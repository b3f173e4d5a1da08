import { assert, describe, it } from "@effect/vitest"
import { type Content, contentOf } from "../src/pipeline/Content.ts"
import { Send } from "@watchword/send/Send"
import type { Mode } from "@watchword/schemas/Channel"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { layer, principalWith, request } from "./fixtures.ts"

/** The record of a send as the store has it. */
const recordOf = Effect.fnUntraced(function* (mode: Mode, content: Content | null) {
  const { send } = yield* Send
  const store = yield* Store
  const { delivery } = yield* send(request(yield* principalWith(10_000, mode), undefined, { content }))
  return Option.getOrThrow(yield* store.find(delivery))
})

describe("the content of a send", () => {
  it.effect("is on the record of the sandbox, with the code of its text", () =>
    Effect.gen(function* () {
      const text = "Order 2024: your code is 123-456."
      const kept = (content: Content) => Effect.map(recordOf("sandbox", content), contentOf)
      const from = null
      assert.deepStrictEqual(yield* kept({ text, code: null }), { text, code: "123456", from })
      assert.deepStrictEqual(yield* kept({ text, code: "2024" }), { text, code: "2024", from })
      assert.deepStrictEqual(yield* kept({ text: null, code: "1234" }), { text: null, code: "1234", from })
      assert.deepStrictEqual(yield* kept({ text: "Hello", code: null, from: "+4930" }), {
        text: "Hello",
        code: null,
        from: "+4930"
      })
    }).pipe(Effect.provide(layer))
  )

  it.effect("is on no record where a phone shows nothing", () =>
    Effect.gen(function* () {
      assert.isNull(contentOf(yield* recordOf("sandbox", null)))
    }).pipe(Effect.provide(layer))
  )

  it.effect("is never on a live record", () =>
    Effect.gen(function* () {
      const record = yield* recordOf("live", { text: "Your code is 918273", code: null })
      assert.isNull(contentOf(record))
      assert.notInclude(JSON.stringify(record), "918273")
    }).pipe(Effect.provide(layer))
  )
})
