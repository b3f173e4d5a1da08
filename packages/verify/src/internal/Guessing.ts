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
import { toWireId } from "./VerificationFormat.ts"
import * as Record from "./VerificationRecord.ts"

export type Check = (
  principal: Principal,
  body: CheckVerification,
  keys: RequestKeys
) => Effect.Effect<VerificationChecked, CheckError>

/** What tells a repeat of a check: digests of its key, and of its key with the guess, under each secret. */
interface Repeat {
  readonly key: ReadonlyArray<string>
  readonly guess: ReadonlyArray<string>
}

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
    if (id !== undefined) return yield* ending.find(principal, id)
    if (to === undefined) return yield* noVerification()
    const found = yield* store.findByRef({ channel: Record.PRODUCT, ref: refOf(principal, purpose, to) })
    return Option.isSome(found) ? Record.read(found.value) : yield* noVerification()
  })

  /** A guess at a plan: the plan after it, and whether it was right. */
  const guessed = Effect.fnUntraced(function* (stored: Record.Stored, guess: string, at: number) {
    const { plan } = stored
    const after = Ends.guess(plan, at)
    if ("_tag" in after) {
      return after._tag === "Final" ? { valid: false, after: Ends.expired(plan, at) } : yield* refused(after)
    }
    const valid = yield* isRight(stored, guess)
    return { valid, after: valid ? Ends.approved(after, at) : Ends.wrong(after) }
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
    const repeat = idempotencyKey === null ? null : repeatOf(codes, first, idempotencyKey, body.code)
    let given: VerificationChecked | null = null
    const { stored } = yield* plans.change(first, (current, at): Effect.Effect<Decision, CheckError> =>
      Effect.gen(function* () {
        const before = current.answers.find(({ key }) => repeat?.key.includes(key))
        if (before !== undefined) {
          given = yield* repeated(current, before, repeat)
          return unopened(current.plan)
        }
        const { after, valid } = yield* guessed(current, body.code, at)
        given = checked(current, after, valid)
        // An answer that spends nothing is the same again without being kept.
        if (repeat === null || after.checksLeft === current.plan.checksLeft) return unopened(after)
        return { ...unopened(after), answers: [...current.answers, kept(repeat, after, valid)] }
      })
    )
    if (isPending(first.plan) && !isPending(stored.plan)) yield* ending.ended(principal, stored)
    return given ?? checked(stored, stored.plan, false)
  })

  return (principal, body, keys) => Effect.uninterruptible(check(principal, body, keys))
})

const repeatOf = ({ claims }: Codes, { delivery }: Record.Stored, key: string, guess: string): Repeat => ({
  key: claims.digests("check", delivery.id, key),
  guess: claims.digests("guess", delivery.id, key, guess)
})

const kept = ({ guess: [guess = ""], key: [key = ""] }: Repeat, plan: Plan, valid: boolean): Record.Answer => ({
  key,
  guess,
  valid,
  status: plan.status,
  checks_left: plan.checksLeft
})

const repeated = (
  { delivery, plan }: Record.Stored,
  { checks_left, guess, status, valid }: Record.Answer,
  repeat: Repeat | null
): Effect.Effect<VerificationChecked, Conflict> =>
  repeat?.guess.includes(guess)
    ? Effect.succeed({ valid, status, checks_left, verification_id: toWireId(delivery.id), channel: channelOf(plan) })
    : Effect.fail(new Conflict({ message: "This Idempotency-Key was used with another code." }))

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
      ? new Conflict({ message: "This verification is approved already." })
      : new TooManyRequests({ message: "This verification has no guesses left.", reason: "no_guesses_left" })
  )
