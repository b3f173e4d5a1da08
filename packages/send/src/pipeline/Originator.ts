/**
 * Originators of sends, checked against the account's lists. The pipeline takes none that was not.
 */
import { Forbidden } from "@watchword/schemas/Errors"
import { type Kind, permits } from "@watchword/schemas/Originators"
import type { Principal } from "@watchword/schemas/Account"
import type * as Brand from "effect/Brand"
import * as Effect from "effect/Effect"

/** An originator that the caller may use. */
export type Permitted<A extends string = string> = A & Brand.Brand<"Permitted">

/**
 * Fails unless the caller may use an originator: an account's lists bind its live sends, and the sandbox, which nothing
 * leaves, takes any.
 *
 * @param kind the list that it has to be in
 */
export const permitted = <A extends string>(
  { account, mode }: Principal,
  kind: Kind,
  originator: A
): Effect.Effect<Permitted<A>, Forbidden> => {
  const isPermitted = (value: A): value is Permitted<A> =>
    mode === "sandbox" || permits(account.originators, kind, value)
  return isPermitted(originator) ? Effect.succeed(originator) : Effect.fail(new Forbidden(refusals[kind]))
}

const refusals: { readonly [K in Kind]: { readonly message: string; readonly reason: string } } = {
  senders: { message: "The account may not send from this sender.", reason: "sender_not_allowed" },
  callers: { message: "The account may not call from this number.", reason: "caller_not_allowed" },
  usernames: { message: "The account may not send from this username.", reason: "sender_not_allowed" }
}
