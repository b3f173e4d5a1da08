/**
 * Further sends that a client asks for: the code again, or by the next step.
 */
import { Conflict, TooManyRequests } from "@watchword/schemas/Errors"
import type { Principal } from "@watchword/schemas/Principal"
import type { StepChannel } from "@watchword/schemas/Verification"
import type { StoreError } from "@watchword/store/StoreError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Sends from "./plan/Sends.ts"
import type { Stepping } from "./Stepping.ts"
import type { Stored } from "./VerificationRecord.ts"

/** Why a plan takes no further send now. */
export class NextRefused extends Data.TaggedError("NextRefused")<{
  readonly refusal: Sends.NextRefused
  readonly at: number
}> {}

/** Sends a code again. */
export type SendAgain = (
  principal: Principal,
  stored: Stored,
  channel: (stored: Stored) => StepChannel | null
) => Effect.Effect<Stored, NextRefused | StoreError>

export const make =
  (stepping: Stepping): SendAgain =>
  (principal, stored, channel) =>
    stepping.change(principal, stored, (current, at) => {
      const next = Sends.next(current.plan, channel(current), at, stepping.options)
      return "_tag" in next ? Effect.fail(new NextRefused({ refusal: next, at })) : Effect.succeed(next)
    })

/** The error that a client gets. */
export const errorOf = ({ at, refusal }: NextRefused): Conflict | TooManyRequests => {
  switch (refusal._tag) {
    case "Final":
      return new Conflict({ message: "This verification has ended." })
    case "NoStepLeft":
      return new Conflict({ message: "This verification has no such step left." })
    case "TooManySends":
      return new TooManyRequests({ message: "This verification has no sends left.", reason: "too_many_sends" })
    case "TooSoon":
      return new TooManyRequests({
        message: "This verification was sent a moment ago.",
        reason: "resend_too_soon",
        retryAfter: Math.max(1, Math.ceil((refusal.retryAt - at) / 1000))
      })
  }
}
