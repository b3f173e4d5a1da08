/**
 * What a case of the suite is, and how it says what went wrong.
 */
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Layer from "effect/Layer"
import { Store } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"

export interface Case {
  readonly name: string
  /**
   * Dies with an explanation when the store does not do what the port says.
   *
   * @param store opens data that no other case uses, empty at first; each time it is built it opens the same
   */
  readonly check: (store: Layer.Layer<Store, StoreError>) => Effect.Effect<void, StoreError>
}

/** A case on one store. */
export const check = (name: string, program: Effect.Effect<void, StoreError, Store>): Case => ({
  name,
  check: (store) => Effect.provide(program, Layer.fresh(store))
})

/** A case on a store that is closed and opened again between two programs. */
export const reopened = <A>(
  name: string,
  before: Effect.Effect<A, StoreError, Store>,
  after: (result: A) => Effect.Effect<void, StoreError, Store>
): Case => ({
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
): Case => ({
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

/** Requires two values to be equal. */
export const same = <A>(about: string, actual: A, expected: A): void => {
  if (!Equal.equals(actual, expected)) {
    throw new Error(`${about}: expected ${written(expected)}, found ${written(actual)}`)
  }
}

const written = (value: unknown): string => JSON.stringify(value) ?? String(value)
