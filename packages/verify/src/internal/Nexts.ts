/**
 * Further sends that a client asks for: the code again, or by the next step.
 */
import { Conflict, TooManyRequests } from "@watchword/schemas/Errors"
import type { Principal } from "@watchword/schemas/Principal"
import type { StepChannel } from "@watchword/schemas/Verification"
import type { StoreError } from "@watchword/store/StoreError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { unopened } from "./plan/Plan.ts"
import * as Sends from "./plan/Sends.ts"
import * as Repeats from "./Repeats.ts"
import type { Stepping } from "./Stepping.ts"
import type { Stored } from "./VerificationRecord.ts"

/** Why a plan takes no further send now. */
export class NextRefused extends Data.TaggedError("NextRefused")<{
  readonly refusal: Sends.NextRefused
  readonly at: number
}> {}

/** Sends a code again; a request that did so before changes nothing. */
export type SendAgain = (
  principal: Principal,
  stored: Stored,
  channel: (stored: Stored) => StepChannel | null,
  request?: Repeats.Request | null
) => Effect.Effect<Stored, NextRefused | Conflict | StoreError>

export const make =
  (stepping: Stepping): SendAgain =>
  (principal, stored, channel, request = null) =>
    stepping.change(principal, stored, (current, at) =>
      Effect.gen(function* () {
        const { plan, requests } = current
        if ((yield* Repeats.find(requests.resends, request)) !== null) return unopened(plan)
        const next = Sends.next(plan, channel(current), at, stepping.options)
        if ("_tag" in next) return yield* new NextRefused({ refusal: next, at })
        if (request === null) return next
        return { ...next, requests: { ...requests, resends: [...requests.resends, Repeats.keptOf(request)] } }
      })
    )

/** The error that a client gets. */
export const errorOf = ({ at, refusal }: NextRefused): Conflict | TooManyRequests => {
  switch (refusal._tag) {
    case "Final":
      return new Conflict({ message: "This verification has ended.", reason: "ended" })
    case "NoStepLeft":
      return new Conflict({ message: "This verification has no such step left.", reason: "no_step_left" })
    case "TooManySends":
      return new TooManyRequests({ message: "This verification has no sends left.", reason: "too_many_sends" })
    case "TooSoon":
      return tooSoon(refusal.retryAt, at)
  }
}

export const tooSoon = (retryAt: number, at: number): TooManyRequests =>
  new TooManyRequests({
    message: "This verification was sent a moment ago.",
    reason: "resend_too_soon",
    retryAfter: Math.max(1, Math.ceil((retryAt - at) / 1000))
  })
