/**
 * Authorization of a caller: whether its account may act, and its key has the scope.
 */
import type { Scope } from "@watchword/schemas/Channel"
import { Forbidden, accountSuspended } from "@watchword/schemas/Errors"
import type { Principal } from "@watchword/schemas/Account"
import * as Effect from "effect/Effect"

/** The requirements of an operation on its caller. */
export interface Demand {
  readonly scope: Scope
  /** Whether accounts that are suspended may do it too. */
  readonly whileSuspended: boolean
}

/**
 * Fails where the caller's account is suspended, or its key lacks the scope.
 *
 * @example
 * ```ts
 * import { authorize } from "@watchword/auth/Authenticator"
 * import type { Principal } from "@watchword/schemas/Account"
 * import * as Effect from "effect/Effect"
 *
 * const guarded = (principal: Principal) =>
 *   Effect.andThen(authorize(principal, { scope: "sms:send", whileSuspended: false }), Effect.succeed("sent"))
 * ```
 */
export const authorize = (
  { account, scopes }: Principal,
  { scope, whileSuspended }: Demand
): Effect.Effect<void, Forbidden> => {
  if (account.suspendedAt !== null && !whileSuspended) return Effect.fail(accountSuspended())
  return scopes === null || scopes.has(scope)
    ? Effect.void
    : Effect.fail(new Forbidden({ message: `The API key lacks the scope ${scope}.` }))
}
