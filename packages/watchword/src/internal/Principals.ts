/**
 * Callers of direct calls: accounts, without an API key.
 */
import { Accounts } from "@watchword/ledger/Accounts"
import type { BadRequest, NotFound } from "@watchword/schemas/Errors"
import { AccountId } from "@watchword/schemas/Ids"
import type { Principal } from "@watchword/schemas/Account"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { Admitted } from "./Admitted.ts"
import { reading } from "./Reading.ts"

/**
 * An account by its id, live unless `sandbox` is true.
 *
 * @example
 * ```ts
 * import type { Caller } from "watchword"
 *
 * const live: Caller = "acc_01KAJ3T8ZZ0000000000000000"
 * const sandbox: Caller = { account: "acc_01KAJ3T8ZZ0000000000000000", sandbox: true }
 * ```
 */
export type Caller =
  | string
  | {
      /** The account's id, `acc_…`. */
      readonly account: string
      /** Whether the sandbox's phones get the messages, at no cost, instead of real phones; false unless given. */
      readonly sandbox?: boolean
    }

const read = reading(
  Schema.Struct({ account: AccountId, sandbox: Schema.optional(Schema.Boolean) }),
  "The caller must be an account's id, or { account, sandbox }."
)

/** The principal of a caller, with every scope unless a door has admitted the caller by a key. */
export const principalOf = Effect.fnUntraced(function* (
  caller: Caller
): Effect.fn.Return<Principal, BadRequest | NotFound | StoreError, Accounts> {
  const admitted = Admitted.principalOf(caller)
  if (admitted !== null) return admitted
  // Programs without types may pass anything.
  const { account: id, sandbox = false } = yield* read(Predicate.isObject(caller) ? caller : { account: caller })
  const { account } = yield* Accounts.use((accounts) => accounts.get(id))
  return { account, mode: sandbox ? "sandbox" : "live", key: null, scopes: null }
})
