/**
 * Guesses at the code of a verification, and the answers to their repeats.
 */
import { Conflict, TooManyRequests } from "@watchword/schemas/Errors"
import type { Principal } from "@watchword/schemas/Principal"
import type { CheckVerification, VerificationChecked } from "@watchword/schemas/Verification"
import type { RequestKeys } from "@watchword/send/Claims"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { CheckError } from "../VerifyError.ts"
import { isSame } from "./Code.ts"
import type { Codes } from "./Codes.ts"
import { type Ending, noVerification } from "./Ending.ts"
import { refOf } from "./Opening.ts"
import * as Ends from "./plan/Ends.ts"
import { type Plan, channelOf, isCall, isPending, unopened } from "./plan/Plan.ts"
import type { Decision, Plans } from "./Plans.ts"
import * as Repeats from "./Repeats.ts"
import { toWireId } from "./VerificationFormat.ts"
import * as Record from "./VerificationRecord.ts"

export type Check = (
  principal: Principal,
  body: CheckVerification,
  keys: RequestKeys
) => Effect.Effect<VerificationChecked, CheckError>

export const make = Effect.fnUntraced(function* (parts: {
  readonly plans: Plans
  readonly codes: Codes
  readonly ending: Ending
}): Effect.fn.Return<Check, never, Store> {
  const { codes, ending, plans } = parts
  const store = yield* Store

  /** The verification that a check is about: by its id, or the last one of a number and a purpose. */
  const subject = Effect.fnUntraced(function* (principal: Principal, body: CheckVerification) {
    const { purpose = "default", to, verification_id: id } = body
    if (id !== undefined) return yield* ending.recall(principal, id)
    if (to === undefined) return yield* noVerification()
    const found = yield* store.findByRef({ channel: Record.PRODUCT, ref: refOf(principal, purpose, to) })
    return Option.isSome(found) ? plans.read(found.value) : yield* noVerification()
  })

  /** A guess at a plan: the plan after it, and whether it was right. */
  const guessed = Effect.fnUntraced(function* (stored: Record.Stored, guess: string, at: number) {
    const { plan } = stored
    const after = Ends.guess(plan, at)
    if ("_tag" in after) {
      return after._tag === "Final" ? { valid: false, after: Ends.expired(plan, at) } : yield* refused(after)
    }
    const valid = yield* isRight(stored, guess)
    return { valid, after: valid ? Ends.approved(after, at) : Ends.wrong(after, at) }
  })

  /** Whether a guess is the code, or the end of a number that a call of the verification came from. */
  const isRight = Effect.fnUntraced(function* ({ delivery, plan, terms }: Record.Stored, guess: string) {
    const code = yield* codes.codeOf(delivery.id, terms)
    const sealed = plan.attempts.filter(isCall).flatMap(({ caller }) => caller ?? [])
    const callers = yield* Effect.forEach(sealed, (caller) => codes.open(delivery.id, terms.secret, caller))
    // Each is compared, whichever is right: the time says nothing.
    return [code, ...callers.map((caller) => caller.slice(-terms.code_length))]
      .map((right) => isSame(right, guess))
      .includes(true)
  })

  const check = Effect.fnUntraced(function* (
    principal: Principal,
    body: CheckVerification,
    { idempotencyKey }: RequestKeys
  ): Effect.fn.Return<VerificationChecked, CheckError> {
    const first = yield* subject(principal, body)
    const request = Repeats.requestOf(codes.claims, "check", first.delivery.id, idempotencyKey, body.code)
    let given: VerificationChecked | null = null
    const { stored } = yield* plans.change(first, (current, at): Effect.Effect<Decision, CheckError> =>
      Effect.gen(function* () {
        const { plan, requests } = current
        const before = yield* Repeats.find(requests.answers, request)
        if (before !== null) {
          given = again(current, before)
          return unopened(plan)
        }
        const { after, valid } = yield* guessed(current, body.code, at)
        given = checked(current, after, valid)
        // An answer that spends nothing is the same again without being kept.
        if (request === null || after.checksLeft === plan.checksLeft) return unopened(after)
        const answer = { ...Repeats.keptOf(request), valid, status: after.status, checks_left: after.checksLeft }
        return { ...unopened(after), requests: { ...requests, answers: [...requests.answers, answer] } }
      })
    )
    if (isPending(first.plan) && !isPending(stored.plan)) yield* ending.ended(principal, stored)
    return given ?? checked(stored, stored.plan, false)
  })

  return (principal, body, keys) => Effect.uninterruptible(check(principal, body, keys))
})

/** The answer that a guess was given the first time. */
const again = (stored: Record.Stored, { checks_left, status, valid }: Record.Answer): VerificationChecked => ({
  ...checked(stored, stored.plan, valid),
  status,
  checks_left
})

const checked = ({ delivery }: Record.Stored, plan: Plan, valid: boolean): VerificationChecked => ({
  valid,
  status: plan.status,
  checks_left: plan.checksLeft,
  verification_id: toWireId(delivery.id),
  channel: channelOf(plan)
})

const refused = (
  refusal: Exclude<Ends.GuessRefused, { readonly _tag: "Final" }>
): Effect.Effect<never, Conflict | TooManyRequests> =>
  Effect.fail(
    refusal._tag === "Approved"
      ? new Conflict({ message: "This verification is approved already.", reason: "approved" })
      : new TooManyRequests({ message: "This verification has no guesses left.", reason: "no_guesses_left" })
  )
