/**
 * Owners of settings: accounts, and the installation, which is null.
 */
import { NotFound } from "@watchword/schemas/Errors"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Setting } from "../Setting.ts"
import { type Owner, Settings } from "../Settings.ts"
import { Store } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"

/** The installation, and each account. */
export const owners: Effect.Effect<ReadonlyArray<Owner>, StoreError, Store> = Store.use((store) =>
  Effect.map(store.accounts, (accounts) => [null, ...accounts.map(({ account }) => account.id)])
)

/** Fails for an account that there is not. */
export const exists = Effect.fnUntraced(function* (owner: Owner): Effect.fn.Return<void, NotFound | StoreError, Store> {
  if (owner === null || Option.isSome(yield* Store.use((store) => store.account(owner)))) return
  return yield* new NotFound({ message: "There is no such account." })
})

/** The value of an owner's setting; null where it is not set. */
export const valueOf = <A>(owner: Owner, setting: Setting<A>): Effect.Effect<A | null, StoreError, Settings> =>
  Settings.use((settings) => Effect.map(settings.get(owner, setting), Option.getOrNull))
