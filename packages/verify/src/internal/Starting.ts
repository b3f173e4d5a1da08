/**
 * Starts of verifications: checks the request, writes the record with its claim on the number, and opens the first
 * step. A start while one is pending sends that one again.
 */
import {
  type BadRequest,
  Conflict,
  Forbidden,
  type ServiceUnavailable,
  type TooManyRequests,
  inFlight,
  invalid
} from "@watchword/schemas/Errors"
import { type AccountId, type DeliveryId, nextDeliveryId } from "@watchword/schemas/Ids"
import { countryOf } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import { RECEIVE, type StartVerification } from "@watchword/schemas/Verification"
import { type RequestKeys, isIdempotent } from "@watchword/send/Claims"
import {
  type Admission,
  type Claimed,
  Heartbeat,
  REASONS,
  accountRefusal,
  conflictOf,
  endedAt
} from "@watchword/send/pipeline"
import { type Verdict, passed } from "@watchword/send/SendGuard"
import type { Opened } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { isWeaker } from "./Assurances.ts"
import type { NoStepError, StartError } from "./VerifyError.ts"
import type { AccountSettings, AllSettings } from "./AccountSettings.ts"
import type { Answered, GuardOnce } from "./GuardOnce.ts"
import { isSame } from "./Code.ts"
import type { Codes } from "./Codes.ts"
import type { Ending } from "./Ending.ts"
import { type SendAgain, type Wish, errorOf, tooSoon } from "./Resend.ts"
import * as LimitKeys from "./LimitKeys.ts"
import { type Beginning, bodyOf, isPendingClaim, opening, pendingClaim } from "./OpenStep.ts"
import { channelOf, isPending, isReceiving } from "./plan/Plan.ts"
import { preferring } from "./plan/Preference.ts"
import * as Sends from "./plan/Sends.ts"
import type { Presenting } from "./Presenting.ts"
import { requestOf } from "./Repeats.ts"
import { failureOf, isUndelivered } from "./StartFailures.ts"
import type { PlanRunner } from "./PlanRunner.ts"
import * as Texts from "./Texts.ts"
import { toWireId } from "./VerificationFormat.ts"
import * as VerificationMetrics from "./VerificationMetrics.ts"
import * as Record from "./VerificationRecord.ts"
import type { Workflows } from "./Workflows.ts"

export type Start = (
  principal: Principal,
  body: StartVerification,
  keys: RequestKeys
) => Effect.Effect<Record.Stored, StartError>

/** A start on its way to an answer. */
interface Asked {
  readonly principal: Principal
  readonly body: StartVerification
  readonly keys: RequestKeys
  /** Asks the guard, which counts each request once, even if it is tried again. */
  readonly ask: Effect.Effect<Verdict>
}

export const make = Effect.fnUntraced(function* (parts: {
  readonly admission: Admission
  readonly guardOnce: GuardOnce
  readonly codes: Codes
  readonly ending: Ending
  readonly settings: AllSettings
  readonly workflows: Workflows
  readonly presenting: Presenting
  readonly runner: PlanRunner
  readonly sendAgain: SendAgain
}): Effect.fn.Return<Start, never, Heartbeat> {
  const { admission, guardOnce, codes, ending, presenting, sendAgain, settings, runner, workflows } = parts
  const { process } = yield* Heartbeat
  const { countEnd, countStart } = yield* VerificationMetrics.make

  const termsOf = Effect.fnUntraced(function* (
    id: DeliveryId,
    set: AccountSettings,
    principal: Principal,
    body: StartVerification,
    at: number
  ): Effect.fn.Return<Record.Terms, BadRequest | Forbidden | ServiceUnavailable | StoreError> {
    const { account, door } = principal
    const testCode = yield* set.testCode(account.id, body.to, at)
    const code = testCode ?? body.code ?? null
    const secret = yield* codes.secret
    const terms: Record.Terms = {
      ...Record.askedFor(body),
      country: countryOf(body.to),
      code_length: code?.length ?? body.code_length,
      secret,
      sealed: code === null ? null : yield* codes.seal(id, secret, code),
      test_number: testCode !== null,
      ...(door === undefined ? {} : { door }),
      ...LimitKeys.kept(LimitKeys.ofStart(codes.claims, principal, body))
    }
    if (body.text !== undefined) yield* checkOwnText(set, account.id, body, terms)
    const texts = yield* set.texts(account.name)
    yield* Texts.check(texts, terms, exampleOf(terms), Math.ceil(body.ttl / 60))
    return terms
  })

  const start = Effect.fnUntraced(function* (asked: Asked): Effect.fn.Return<Answered, StartError> {
    const { ask, body, keys, principal } = asked
    const { account, mode } = principal
    const askedAt = yield* Clock.currentTimeMillis
    const id = nextDeliveryId(askedAt)
    const set = yield* settings(account.id)
    const given = yield* termsOf(id, set, principal, body, askedAt)
    const possible = yield* workflows.of(set, principal, body, given.code_length)
    const { receives, steps: workflow } = yield* presenting.choose(principal, body, possible)
    const terms = receives === null ? given : { ...given, receives: JSON.stringify(receives) }
    const watch = yield* admission.watching({ account: account.id, mode, channel: Record.PRODUCT }, askedAt)
    const verdict: Verdict = terms.test_number ? passed : yield* ask
    // The verification's own interval begins no earlier than the guard has counted.
    const at = yield* Clock.currentTimeMillis
    const limits = { maxSends: body.max_sends, maxChecks: body.max_checks, ttl: body.ttl }
    const refs = receives === null ? [] : yield* presenting.refs(id, terms)
    const beginning = { id, principal, to: body.to, terms, refs, details: verdict.details, process, watch, at }
    const named = codes.claims.claims(Record.PRODUCT, keys, bodyOf(body), at)
    if (verdict._tag === "Refused") {
      const plan = Sends.blocked(workflow, limits, String(verdict.details[REASONS]), at)
      return yield* blocked(asked, { ...beginning, plan, claims: named }, verdict.failure)
    }
    const { open, plan } = yield* runner.withCaller(
      principal,
      id,
      terms,
      Sends.start(
        verdict.prefer === undefined ? workflow : preferring(verdict.prefer, workflow),
        limits,
        at,
        runner.options
      )
    )
    const claims = [...named, pendingClaim(body, plan)]
    const begun = yield* runner.begin({ ...beginning, plan, claims }, { plan, open })
    if ("_tag" in begun) return yield* begun._tag === "Claimed" ? claimed(asked, begun) : accountRefusal(begun)
    countStart({ mode, terms })
    return { stored: yield* answer(begun), opened: open, isBegun: open === null }
  })

  /**
   * Records a start that the guard refuses. A repeat is answered like the first request, and a start while a
   * verification is pending as that one says. No claim outlasts the record, so that the request may be made again.
   */
  const blocked = Effect.fnUntraced(function* (
    asked: Asked,
    beginning: Beginning,
    failure: Forbidden | TooManyRequests
  ): Effect.fn.Return<Answered, StartError> {
    const { mode } = asked.principal
    const { plan, terms } = beginning
    const record = (...claims: Beginning["claims"]) =>
      Effect.tap(opens({ ...beginning, claims: endedAt(claims, beginning.at) }), ({ _tag }) =>
        Effect.sync(() => (_tag === "Opened" ? countEnd({ mode, terms }, plan) : undefined))
      )
    const opened = yield* record(...beginning.claims, pendingClaim(asked.body, plan))
    if (opened._tag !== "Claimed") return yield* failure
    return yield* Effect.tapError(claimed(asked, opened), (error) =>
      error === failure ? record(...beginning.claims) : Effect.void
    )
  })

  const opens = (beginning: Beginning): Effect.Effect<Opened, StoreError> => admission.open(opening(beginning))

  const claimed = Effect.fnUntraced(function* (asked: Asked, claimed: Claimed): Effect.fn.Return<Answered, StartError> {
    const { by, claim } = claimed
    const stored = Record.read(by)
    if (isPendingClaim(claim, asked.body)) return yield* again(asked, stored)
    const conflict = conflictOf(claimed)
    if (conflict === null) {
      return isOnItsWay(stored) ? { stored: yield* answer(stored), opened: null } : yield* inFlight()
    }
    if (isIdempotent(claim) || !isUndelivered(stored.plan)) return yield* conflict
    // The same request under the same x-request-id may be made again once the first has failed.
    return yield* start({ ...asked, keys: { ...asked.keys, requestId: null } })
  })

  /** Sends the pending verification again; where it has ended by now, starts another one. */
  const again = Effect.fnUntraced(function* (
    asked: Asked,
    pending: Record.Stored
  ): Effect.fn.Return<Answered, StartError> {
    const { ask, body, keys, principal } = asked
    const { code, replace = false } = body
    const isOther = !(yield* hasSameCode(pending, body))
    if (isOther && !replace) return yield* otherCode()
    const isOtherPayment = !Record.isBoundTo(pending.terms, body.bind)
    if (isOtherPayment && !replace) return yield* otherBind()
    if (isOther || isOtherPayment || asksForMore(pending, body) || (replace && code === undefined)) {
      yield* withdrawn(asked, pending)
      return yield* start(asked)
    }
    const request = requestOf(codes.claims, "start", pending.delivery.id, keys.idempotencyKey, bodyOf(body))
    const wish = body.switch_channel === true ? yield* switched(asked, pending) : current
    return yield* sendAgain(principal, pending, ask, { ...wish, request }).pipe(
      Effect.catchTag("NextRefused", (refused) =>
        refused.refusal._tag === "Final" ? start(asked) : Effect.fail(errorOf(refused))
      )
    )
  })

  /** By the first step of the start's own workflow that sends, over a channel that carries the pending code. */
  const switched = Effect.fnUntraced(function* (
    { body, principal }: Asked,
    { terms }: Record.Stored
  ): Effect.fn.Return<Wish, BadRequest | ServiceUnavailable | StoreError> {
    const steps = yield* workflows.of(yield* settings(principal.account.id), principal, body, terms.code_length)
    const added = steps.find(({ channel }) => channel !== RECEIVE)
    return added === undefined ? current : { added, channel: () => added.channel }
  })

  /** A code that the service has made is compared with none: a start must not be a way to guess it. */
  const hasSameCode = Effect.fnUntraced(function* ({ delivery, terms }: Record.Stored, { code }: StartVerification) {
    if (code === undefined || terms.test_number) return true
    return terms.sealed !== null && isSame(yield* codes.codeOf(delivery.id, terms), code)
  })

  /**
   * Ends a verification that another one replaces, if the guard allows that. Its own steps do not put that off: the
   * client's user waits for the other code.
   */
  const withdrawn = Effect.fnUntraced(function* (
    { ask, principal }: Asked,
    { delivery }: Record.Stored
  ): Effect.fn.Return<void, Forbidden | TooManyRequests | StoreError> {
    const at = yield* Clock.currentTimeMillis
    const replaceableAt = delivery.createdAt + runner.options.resendInterval
    if (at < replaceableAt) return yield* tooSoon(replaceableAt, at)
    const verdict = yield* ask
    if (verdict._tag === "Refused") return yield* verdict.failure
    // It may have ended in the meantime; that is fine.
    yield* Effect.catchTags(ending.cancel(principal, toWireId(delivery.id)), {
      CONFLICT: () => Effect.void,
      NOT_FOUND: () => Effect.void
    })
  })

  return (principal, body, keys) =>
    Effect.uninterruptible(
      guardOnce(
        () => ({
          principal,
          to: body.to,
          client: body,
          ownCode: body.code !== undefined,
          ...LimitKeys.ofStart(codes.claims, principal, body)
        }),
        (ask) => start({ principal, body, keys, ask })
      )
    )
})

/** By the channel of the current step. */
const current: Wish = { channel: ({ plan }) => channelOf(plan) }

const answer = (stored: Record.Stored): Effect.Effect<Record.Stored, NoStepError> => {
  const failure = failureOf(stored.plan)
  return failure === null ? Effect.succeed(stored) : Effect.fail(failure)
}

/** Whether a start has been answered: a gateway took a step, a step waits for the user, or the verification ended. */
const isOnItsWay = ({ plan }: Record.Stored): boolean =>
  !isPending(plan) ||
  isReceiving(plan) ||
  plan.attempts.some(({ outcome, reason }) => outcome !== "opening" && reason === null)

/**
 * Whether a start asks for more than the pending verification, which is then replaced: an earlier start that asked for
 * little must not lower the proof of a later one.
 */
const asksForMore = ({ terms }: Record.Stored, { least_assurance }: StartVerification): boolean =>
  terms.receives !== undefined && isWeaker(terms.least_assurance, least_assurance)

/** A code of the length that a verification's code has. */
const exampleOf = ({ code_length }: Record.Terms): string => "0".repeat(code_length)

/** Refuses a client's own text unless an operator has allowed the account to have one. */
const checkOwnText = Effect.fnUntraced(function* (
  set: AccountSettings,
  account: AccountId,
  { template, variables }: StartVerification,
  terms: Record.Terms
): Effect.fn.Return<void, BadRequest | Forbidden | StoreError> {
  if (template !== undefined || variables !== undefined) {
    return yield* invalid([{ path: "text", message: "must not be set together with template or variables" }])
  }
  if (!(yield* set.ownTexts)) {
    return yield* new Forbidden({
      message: "The account may not have texts of its own in verifications: an operator can allow them.",
      reason: "own_text_not_allowed"
    })
  }
  const parts = Texts.partsOf(terms, exampleOf(terms))
  if (parts > 1) yield* Effect.logWarning("the client's own text takes more than one SMS", { account, parts })
})

const otherBind = () =>
  new Conflict({ message: "A verification of this number for another payment is pending.", reason: "other_bind" })

const otherCode = () =>
  new Conflict({ message: "A verification of this number with another code is pending.", reason: "other_code" })
