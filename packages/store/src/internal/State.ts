/**
 * State that a service writes for itself, in the table of settings under names that no operator sets: how far a sweep has come,
 * since when an inbox is empty. It is read from the store each time, because another process may have gone further.
 */
import type { Service as Store } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"
import type { Owner } from "../Settings.ts"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** One state, whose value is an `A`. */
export interface State<A> {
  /** The value; null where none was written, or one that this program cannot read. */
  readonly read: (store: Store, owner: Owner) => Effect.Effect<A | null, StoreError>
  readonly write: (store: Store, owner: Owner, value: A) => Effect.Effect<void, StoreError>
}

export const make = <A, I>(name: string, schema: Schema.Codec<A, I>): State<A> => {
  const json = Schema.fromJsonString(schema)
  const decode = Schema.decodeUnknownOption(json)
  const encode = Schema.encodeSync(json)
  return {
    read: (store, owner) =>
      Effect.map(store.settings(owner), (rows) =>
        Option.getOrNull(decode(rows.find((row) => row.name === name)?.value))
      ),
    write: (store, owner, value) => Effect.asVoid(store.changeSetting({ account: owner, name, value: encode(value) }))
  }
}
