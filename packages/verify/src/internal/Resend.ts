/**
 * Further sends that a client asks for: the code again, or by the next step.
 */
import { Conflict, type Forbidden, TooManyRequests } from "@watchword/schemas/Errors"
import type { Principal } from "@watchword/schemas/Account"
import type { Step, StepChannel } from "@watchword/schemas/Verification"
import type { Verdict } from "@watchword/send/SendGuard"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Answered } from "./GuardOnce.ts"
import { type Plan, isCountedByStart, unopened } from "./plan/Plan.ts"
import { preferringLeft } from "./plan/Preference.ts"
import * as Sends from "./plan/Sends.ts"
import * as Repeats from "./Repeats.ts"
import type { PlanRunner } from "./PlanRunner.ts"
import type { Stored } from "./VerificationRecord.ts"

/** Why a plan takes no further send now. */
export class NextRefused extends Data.TaggedError("NextRefused")<{
  readonly refusal: Sends.NextRefused
  readonly at: number
}> {}

/** The step by which a client wants a code to be sent again. */
export interface Wish {
  /** The channel; null for the next step. */
  readonly channel: (stored: Stored) => StepChannel | null
  /** A step that the plan gets, unless it has one of the same channel. */
  readonly added?: Step
  /** The request, if it has a key by which its repeats are known. */
  readonly request?: Repeats.Request | null
}

/** Sends a code again, where the guard lets it; a request that did so before changes nothing. */
export type SendAgain = (
  principal: Principal,
  stored: Stored,
  ask: Effect.Effect<Verdict>,
  wish: Wish
) => Effect.Effect<Answered, NextRefused | Conflict | Forbidden | TooManyRequests | StoreError>

export const make =
  ({ change, options }: PlanRunner): SendAgain =>
  (principal, stored, ask, { added, channel, request = null }) =>
    Effect.suspend(() => {
      let opened: number | null = null

      const planned = (plan: Plan, channel: StepChannel | null, at: number) => {
        const next = Sends.next(added === undefined ? plan : Sends.withStep(plan, added), channel, at, options)
        return "_tag" in next ? Effect.fail(new NextRefused({ refusal: next, at })) : Effect.succeed(next)
      }

      const sent = change(principal, stored, (current, at) =>
        Effect.gen(function* () {
          opened = null
          const { plan, requests, terms } = current
          if ((yield* Repeats.find(requests.resends, request)) !== null) return unopened(plan)
          const by = channel(current)
          const { open } = yield* planned(plan, by, at)
          const isAsked = open !== null && !terms.test_number && !isCountedByStart(plan)
          const verdict = isAsked ? yield* ask : null
          if (verdict?._tag === "Refused") return yield* verdict.failure
          // Both intervals, the verification's and the guard's, begin no later than now.
          const prefer = by === null ? verdict?.prefer : undefined
          const left = prefer === undefined ? plan : preferringLeft(prefer, plan)
          const next = yield* planned(left, by, Math.max(at, yield* Clock.currentTimeMillis))
          opened = next.open
          if (request === null) return next
          return { ...next, requests: { ...requests, resends: [...requests.resends, Repeats.keptOf(request)] } }
        })
      )
      return Effect.map(sent, (after) => ({ stored: after, opened }))
    })

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
