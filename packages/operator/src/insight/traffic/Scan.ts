/**
 * A pass over the records of a span of time, of all accounts and modes, in the order of their ids.
 */
import { DeliveryId, firstUlid } from "@watchword/schemas/Ids"
import type { Delivery } from "@watchword/store/Delivery"
import { look } from "../../command/SlowReads.ts"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"

/** How many records one look reads. */
const BATCH = 500

/** Calls a function with each page. Times are milliseconds since the epoch; `until` is left out. */
export const scan = Effect.fnUntraced(function* <E, R>(
  { since, until }: { readonly since: number; readonly until: number },
  each: (page: ReadonlyArray<Delivery>) => Effect.Effect<void, E, R>
): Effect.fn.Return<void, E | StoreError, R | Store> {
  const store = yield* Store
  let after = DeliveryId.make(firstUlid(since))
  for (;;) {
    const page = yield* look(store.deliveriesBefore({ before: until, after, limit: BATCH }))
    const last = page.at(-1)
    if (last !== undefined) yield* each(page)
    if (last === undefined || page.length < BATCH) return
    after = last.id
  }
})
