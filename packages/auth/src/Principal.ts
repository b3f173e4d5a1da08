/**
 * Who is asking, after the key was checked.
 */
import type { Mode, Scope } from "@watchword/schemas/Channel"
import { Forbidden } from "@watchword/schemas/Errors"
import type { KeyId } from "@watchword/schemas/Ids"
import type { Account } from "@watchword/store/Account"
import * as Effect from "effect/Effect"

export interface Principal {
  readonly account: Account
  readonly mode: Mode
  readonly key: KeyId
  /** Null for every scope. */
  readonly scopes: ReadonlySet<Scope> | null
}

/** Fails with 403 unless the key has the scope. */
export const authorize = (principal: Principal, scope: Scope): Effect.Effect<void, Forbidden> =>
  principal.scopes === null || principal.scopes.has(scope)
    ? Effect.void
    : Effect.fail(new Forbidden({ message: `This key lacks the scope ${scope}.` }))
