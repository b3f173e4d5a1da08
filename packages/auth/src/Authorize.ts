/**
 * Authorization of a caller by scope.
 */
import type { Scope } from "@watchword/schemas/Channel"
import { Forbidden } from "@watchword/schemas/Errors"
import type { Principal } from "@watchword/schemas/Principal"
import * as Effect from "effect/Effect"

/**
 * Fails unless the caller has a scope.
 *
 * @example
 * ```ts
 * import { authorize } from "@watchword/auth/Authorize"
 * import type { Principal } from "@watchword/schemas/Principal"
 * import * as Effect from "effect/Effect"
 *
 * const guarded = (principal: Principal) => Effect.andThen(authorize(principal, "sms:send"), Effect.succeed("sent"))
 * ```
 */
export const authorize = (principal: Principal, scope: Scope): Effect.Effect<void, Forbidden> =>
  principal.scopes === null || principal.scopes.has(scope)
    ? Effect.void
    : Effect.fail(new Forbidden({ message: `The API key lacks the scope ${scope}.` }))
