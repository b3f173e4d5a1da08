/**
 * Kinds of cases for a store: on one store, on a reopened store, and on two stores over the same data.
 */
import type { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import type { AccountId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Store } from "../../Store.ts"
import type { StoreError } from "../../StoreError.ts"
import { accountFor } from "./Fixtures.ts"

export { same } from "../../checks/index.ts"

/** A case before it has a store. */
export interface StoreCase {
  readonly name: string
  /** @param store opens data that no other case uses, empty at first; each build opens the same data */
  readonly check: (
    store: Layer.Layer<Store, StoreError, ChannelRegistry>
  ) => Effect.Effect<void, StoreError, ChannelRegistry>
}

/** A case on one store. */
export const check = (name: string, program: Effect.Effect<void, StoreError, ChannelRegistry | Store>): StoreCase => ({
  name,
  check: (store) => Effect.provide(program, Layer.fresh(store))
})

/** A case on one store, with a new account that has money for a number of sends. */
export const onAccount = (
  name: string,
  { sends }: { readonly sends: number },
  program: (on: {
    readonly store: Store["Service"]
    readonly account: AccountId
  }) => Effect.fn.Return<void, StoreError, Store>
): StoreCase =>
  check(
    name,
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(sends)
      yield* program({ store, account })
    })
  )

/** A case on a store that is closed and opened again between two programs. */
export const reopened = <A>(
  name: string,
  before: Effect.Effect<A, StoreError, Store>,
  after: (result: A) => Effect.Effect<void, StoreError, Store>
): StoreCase => ({
  name,
  check: (store) =>
    Effect.flatMap(Effect.provide(before, Layer.fresh(store)), (result) =>
      Effect.provide(after(result), Layer.fresh(store))
    )
})

/** A case on two stores that are open on the same data at once. */
export const together = (
  name: string,
  program: (one: Store["Service"], other: Store["Service"]) => Effect.Effect<void, StoreError, Store>
): StoreCase => ({
  name,
  check: (store) => {
    const both = Effect.gen(function* () {
      const one = yield* Store
      const inOther = Effect.flatMap(Store, (other) => Effect.provideService(program(one, other), Store, one))
      yield* Effect.provide(inOther, Layer.fresh(store))
    })
    return Effect.provide(both, Layer.fresh(store))
  }
})
