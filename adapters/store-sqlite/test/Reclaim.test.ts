import { type DeliveryId, nextDeliveryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import { Store } from "@watchword/store/Store"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import { globSync, readFileSync, statSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { AT, accountFor, ending, expectSound, opening, temporaryFile } from "./fixtures.ts"
import * as BuiltIn from "./builtIn.ts"

const NUMBER = "+4915123456701"
const TEXT = "Dear Ada, your code is 71930482"

/** The number of a database's files that contain a text. */
const filesWith = (file: string, text: string): number =>
  globSync(`${file}*`).filter((each) => readFileSync(each).includes(text)).length

const sends = Effect.fnUntraced(function* (count: number) {
  const store = yield* Store
  const account = yield* accountFor(0)
  const ids = Array.from({ length: count }, () => nextDeliveryId(AT))
  const details = { text: TEXT }
  yield* Effect.forEach(
    ids,
    (id) =>
      store.open({ ...opening(account, { id, to: NUMBER, price: zero, details }), close: ending("accepted", id) }),
    { concurrency: 100, discard: true }
  )
  return ids
})

/** Later than any id, because a process continues its ids from the latest time that it has seen. */
const LATEST = 2 ** 48 - 1

const gone = (id: DeliveryId) => ({ id, to: true, from: true, details: { text: null } })

describe("space that is given back", () => {
  it("has no number and no text of a redacted record", async () => {
    const file = temporaryFile()
    await Effect.gen(function* () {
      const store = yield* Store
      const ids = yield* sends(1)
      expect(filesWith(file, TEXT)).toBeGreaterThan(0)
      expect(yield* store.redact(ids.map(gone))).toBe(1)
      expect(yield* store.reclaim("all")).toBe(true)
      expect([filesWith(file, NUMBER.slice(1)), filesWith(file, TEXT)]).toEqual([0, 0])
    }).pipe(Effect.provide(BuiltIn.sqlite(file)), Effect.runPromise)
  })

  it("is cut off the file where records were deleted", async () => {
    const file = temporaryFile()
    await Effect.gen(function* () {
      const store = yield* Store
      yield* sends(3_000)
      yield* store.reclaim("all")
      const before = statSync(file).size
      while ((yield* store.purge({ before: LATEST, limit: 500 })) > 0) yield* store.reclaim("some")
      yield* store.reclaim("all")
      expect(statSync(file).size).toBeLessThan(before / 3)
      expect([filesWith(file, NUMBER.slice(1)), filesWith(file, TEXT)]).toEqual([0, 0])
      yield* expectSound(file)
    }).pipe(Effect.provide(BuiltIn.sqlite(file)), Effect.runPromise)
  })

  it("is not given back while another program reads what was there before", async () => {
    const file = temporaryFile()
    await Effect.gen(function* () {
      const store = yield* Store
      const ids = yield* sends(1)
      const reader = new Sqlite(file, { readonly: true })
      reader.exec("BEGIN")
      reader.prepare("SELECT count(*) FROM deliveries").get()
      yield* store.redact(ids.map(gone))
      expect(yield* store.reclaim("all")).toBe(false)
      reader.close()
      expect(yield* store.reclaim("all")).toBe(true)
    }).pipe(Effect.provide(BuiltIn.sqlite(file)), Effect.runPromise)
  })
})
