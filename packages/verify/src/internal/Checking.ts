/**
 * Guesses at the code of a verification, and the answers to their repeats.
 */
import { Conflict, type NotFound, TooManyRequests, invalid } from "@watchword/schemas/Errors"
import type { Principal } from "@watchword/schemas/Account"
import type { CheckVerification, VerificationChecked } from "@watchword/schemas/Verification"
import type { RequestKeys } from "@watchword/send/Claims"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { CheckError } from "./VerifyError.ts"
import { isSame } from "./Code.ts"
import type { Codes } from "./Codes.ts"
import { type Ending, noVerification } from "./Ending.ts"
import { refOf } from "./OpenStep.ts"
import * as Ends from "./plan/Ends.ts"
import { type Plan, channelOf, isCall, isPending, unopened } from "./plan/Plan.ts"
import type { Decision, Plans } from "./Plans.ts"
import * as Repeats from "./Repeats.ts"
import type { TestGuesses } from "./TestGuesses.ts"
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
  readonly testGuesses: TestGuesses
}): Effect.fn.Return<Check, never, Store> {
  const { codes, ending, plans, testGuesses } = parts
  const store = yield* Store

  /** The verification that a check is about: by its id, or the last one of a number and a purpose. */
  const subject = (
    principal: Principal,
    { purpose = "default", to, verification_id: id }: CheckVerification
  ): Effect.Effect<Record.Stored, NotFound | StoreError> => {
    if (id !== undefined) return ending.find(principal, id)
    if (to === undefined) return Effect.fail(noVerification())
    const found = store.findByRef({ channel: Record.PRODUCT, ref: refOf(principal, purpose, to) })
    return Effect.flatMap(found, (record) =>
      Option.isSome(record) ? Effect.succeed(Record.read(record.value)) : Effect.fail(noVerification())
    )
  }

  /** A guess at a plan: the plan after it, and whether it was right. */
  const guessed = (
    stored: Record.Stored,
    { bind, code: guess }: CheckVerification,
    at: number
  ): Effect.Effect<Guessed, CheckError> => {
    const { plan, terms } = stored
    const after = Ends.guess(plan, at)
    if ("_tag" in after) {
      return after._tag === "Final" ? Effect.succeed({ valid: false, after: Ends.expired(plan, at) }) : refused(after)
    }
    // It says nothing of the code, which is not compared.
    if (!Record.isBoundTo(terms, bind)) {
      return Effect.succeed({ valid: false, after: Ends.wrong(after, at), reason: "bind_mismatch" })
    }
    return Effect.mapEager(isRight(stored, guess), (valid) => ({
      valid,
      after: valid ? Ends.approved(after, at) : Ends.wrong(after, at)
    }))
  }

  /**
   * Whether a guess is the code, or the end of a number that a call of the verification came from. No guess is right
   * before the first send: while the user is to act first, no message would warn the user of guesses.
   */
  const isRight = ({ delivery, plan, terms }: Record.Stored, guess: string) => {
    if (plan.attempts.length === 0 && !terms.test_number) return Effect.succeed(false)
    return Effect.flatMapEager(codes.codeOf(delivery.id, terms), (code) => {
      const sealed = plan.attempts.filter(isCall).flatMap(({ caller }) => caller ?? [])
      if (sealed.length === 0) return Effect.succeed(isSame(code, guess))
      return Effect.map(
        Effect.forEach(sealed, (caller) => codes.open(delivery.id, terms.secret, caller)),
        // Each is compared, whichever is right: the time says nothing.
        (callers) =>
          [code, ...callers.map((caller) => caller.slice(-terms.code_length))]
            .map((right) => isSame(right, guess))
            .includes(true)
      )
    })
  }

  const check: Check = Effect.fnUntraced(function* (principal, body, keys) {
    const first = yield* subject(principal, body)
    if (body.code.length > USUAL && first.terms.code_length <= USUAL) return yield* tooLong()
    return yield* first.terms.test_number && isPending(first.plan)
      ? ofTestNumber(principal, body, keys, first)
      : checkOf(principal, body, keys, first)
  })

  /** The same within the budget of the number. */
  const ofTestNumber = Effect.fnUntraced(function* (
    principal: Principal,
    body: CheckVerification,
    keys: RequestKeys,
    first: Record.Stored
  ): Effect.fn.Return<VerificationChecked, CheckError> {
    const spent = yield* testGuesses.spend(principal.account.id, first.delivery.to)
    const before = first.plan.checksLeft
    const answer = yield* Effect.tapError(checkOf(principal, body, keys, first), () =>
      Effect.ignore(testGuesses.settle(spent, "none"))
    )
    const isWrong = !answer.valid && answer.checks_left < before
    yield* testGuesses.settle(spent, answer.valid ? "approved" : isWrong ? "wrong" : "none")
    return answer
  })

  const checkOf = Effect.fnUntraced(function* (
    principal: Principal,
    body: CheckVerification,
    { idempotencyKey }: RequestKeys,
    first: Record.Stored
  ): Effect.fn.Return<VerificationChecked, CheckError> {
    const request = Repeats.requestOf(codes.claims, "check", first.delivery.id, idempotencyKey, contentOf(body))
    let given: VerificationChecked | null = null
    const decide = (current: Record.Stored, at: number): Effect.Effect<Decision, CheckError> => {
      const { plan, requests } = current
      return Effect.flatMapEager(Repeats.find(requests.answers, request), (before) => {
        if (before !== null) {
          given = again(current, before)
          return Effect.succeed(unopened(plan))
        }
        return Effect.mapEager(guessed(current, body, at), ({ after, reason, valid }): Decision => {
          given = checked(current, after, valid, reason)
          // An answer that spends nothing is the same again without being kept.
          if (request === null || after.checksLeft === plan.checksLeft) return unopened(after)
          const answer: Record.Answer = {
            ...Repeats.keptOf(request),
            valid,
            status: after.status,
            checks_left: after.checksLeft,
            ...(reason === undefined ? {} : { reason })
          }
          return { ...unopened(after), requests: { ...requests, answers: [...requests.answers, answer] } }
        })
      })
    }
    const { stored } = yield* plans.change(first, decide)
    if (isPending(first.plan) && !isPending(stored.plan)) yield* ending.ended(principal, stored)
    return given ?? checked(stored, stored.plan, false)
  })

  return (principal, body, keys) => Effect.uninterruptible(check(principal, body, keys))
})

/** The most digits of most codes: a longer entry is not one of these codes, and takes no check. */
const USUAL = 8

const tooLong = () =>
  invalid([{ path: "code", message: "must be 4 to 8 digits, which spaces and hyphens may separate" }])

interface Guessed {
  readonly valid: boolean
  readonly after: Plan
  readonly reason?: VerificationChecked["reason"]
}

/** The content of a check, by which its repeats are recognised. */
const contentOf = ({ bind, code }: CheckVerification): string =>
  bind === undefined ? code : JSON.stringify([code, bind.amount, bind.payee])

/** The answer that a guess was given the first time. */
const again = (stored: Record.Stored, { checks_left, reason, status, valid }: Record.Answer): VerificationChecked => ({
  ...checked(stored, stored.plan, valid, reason),
  status,
  checks_left
})

const checked = (
  { delivery }: Record.Stored,
  plan: Plan,
  valid: boolean,
  reason?: VerificationChecked["reason"]
): VerificationChecked => ({
  valid,
  status: plan.status,
  checks_left: plan.checksLeft,
  verification_id: toWireId(delivery.id),
  channel: channelOf(plan),
  ...(reason === undefined ? {} : { reason })
})

const refused = (
  refusal: Exclude<Ends.GuessRefused, { readonly _tag: "Final" }>
): Effect.Effect<never, Conflict | TooManyRequests> =>
  Effect.fail(
    refusal._tag === "Approved"
      ? new Conflict({ message: "This verification is approved already.", reason: "approved" })
      : new TooManyRequests({ message: "This verification has no checks left.", reason: "no_checks_left" })
  )
