/**
 * A process that deletes all records that may be deleted, some at a time: `node purge.ts ADDRESS`. It prints how many
 * each step has deleted.
 */
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { layerOf } from "./layerOf.ts"

const DAY = 24 * 60 * 60 * 1000
const before = Date.now() + DAY
const limit = Number(process.argv[3])

const program = Effect.gen(function* () {
  const store = yield* Store
  for (;;) {
    const deleted = yield* store.purge({ before, limit })
    if (deleted === 0) return
    writeSync(1, `${deleted}\n`)
  }
})

await Effect.runPromise(Effect.provide(program, layerOf(process.argv[2] ?? "")))
