/**
 * Guard of starts: refuses verifications by rules of the operator before anything is sent.
 *
 * A start that it refuses leaves a record with the status `blocked`, which names the rules, and the client gets the
 * failure. Test numbers are not asked about.
 */
import type { Forbidden, TooManyRequests } from "@watchword/schemas/Errors"
import type { Principal } from "@watchword/schemas/Principal"
import type { StartVerification } from "@watchword/schemas/Verification"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export interface Refusal {
  /** Names of the rules, for example `limit_number`. */
  readonly reasons: readonly [string, ...ReadonlyArray<string>]
  readonly failure: Forbidden | TooManyRequests
}

/** Null lets a start through. */
export type Guard = (principal: Principal, start: StartVerification) => Effect.Effect<Refusal | null>

const none: Guard = () => Effect.succeed(null)

/** Read when the service is made. */
export const StartGuard: Context.Reference<Guard> = Context.Reference("@watchword/verify/StartGuard", {
  defaultValue: () => none
})
