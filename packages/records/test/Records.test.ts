import * as Fields from "@watchword/pagination/Fields"
import { ListBody } from "@watchword/pagination/Page"
import { nextAccountId } from "@watchword/schemas/Ids"
import { memory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import * as Records from "../src/Records.ts"

const fields = Fields.listFields({ to: Fields.string("to"), timestamp: Fields.time("statusAt") }, "timestamp")

/** Lists on a store that fails with an error. */
const listing = (error: StoreError) => {
  const store = Layer.effect(
    Store,
    Effect.map(Effect.service(Store), (store) => Store.of({ ...store, list: () => Effect.fail(error) }))
  ).pipe(Layer.provide(memory()))
  const partition = { account: nextAccountId(0), mode: "live", channel: "sms" } as const
  return Records.Records.use((records) =>
    records.list(partition, Schema.decodeUnknownSync(ListBody)({}), fields, ({ id }) => id)
  ).pipe(Effect.flip, Effect.provide(Layer.provide(Records.layer, store)), Effect.runPromise)
}

describe("a list", () => {
  it("that takes longer than the store allows is a bad request, which names the field that narrows it", async () => {
    expect(await listing(new StoreError({ reason: "TimeLimit", message: "for operators" }))).toMatchObject({
      _tag: "BAD_REQUEST",
      message: "The list takes too long; narrow its window by timestamp.",
      issues: [{ path: "filter.timestamp", message: "must bound a shorter time" }]
    })
  })

  it("of an account that waits for others is told to try again", async () => {
    expect(await listing(new StoreError({ reason: "TooManyLists", message: "for operators" }))).toMatchObject({
      _tag: "TOO_MANY_REQUESTS",
      message: "The account's lists before this one are not answered yet; try again."
    })
  })

  it("fails as the store does otherwise", async () => {
    const error = new StoreError({ reason: "Unavailable", message: "away" })
    expect(await listing(error)).toBe(error)
  })
})
