/**
 * The account of a verification, for work that no request of the account began.
 */
import type { Principal } from "@watchword/schemas/Account"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Stored } from "./VerificationRecord.ts"

/** The owner of a verification; null if the account is gone. */
export type OwnerOf = (stored: Pick<Stored, "delivery">) => Effect.Effect<Principal | null, StoreError>

export const make: Effect.Effect<OwnerOf, never, Store> = Effect.map(
  Store,
  (store) =>
    ({ delivery: { account: id, mode } }) =>
      Effect.map(store.account(id), (found) =>
        Option.isNone(found) ? null : { account: found.value.account, mode, key: null, scopes: null }
      )
)
