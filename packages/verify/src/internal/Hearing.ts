/**
 * Brings the actions of users to their verifications: a text through its token, a call through its caller and the
 * number called, a sign-in through the token of its link.
 *
 * Only the number of the verification approves. Anything else is noted, and a token that came from another number is of
 * no more use: someone has passed it on. A carrier is answered once the outcome is stored: when a process dies before,
 * the carrier repeats the text, and when it dies after, the repeat finds the form spent.
 */
import { E164 } from "@watchword/schemas/PhoneNumber"
import { phoneOf } from "@watchword/schemas/phone"
import type { Principal } from "@watchword/schemas/Account"
import { sha256 } from "@watchword/schemas/Sha256"
import type { ReceivedResult } from "@watchword/schemas/Verification"
import { type Called, type Received, Receiving, type Result } from "@watchword/send/channel/Receiving"
import { by, counter } from "@watchword/send/pipeline"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import type { Verdict } from "@watchword/send/SendGuard"
import { isWeaker } from "./Assurances.ts"
import type { CodeChannels } from "./CodeChannels.ts"
import type { Ending } from "./Ending.ts"
import type { ExpectedCalls } from "./ExpectedCalls.ts"
import type { GuardOnce } from "./GuardOnce.ts"
import * as LimitKeys from "./LimitKeys.ts"
import type { OwnerOf } from "./Owners.ts"
import { type Change, type Plan, isCountedByStart, isPending, unopened } from "./plan/Plan.ts"
import * as Receives from "./plan/Receives.ts"
import * as Sends from "./plan/Sends.ts"
import { type PlanRunner, clientOf } from "./PlanRunner.ts"
import * as Tokens from "./Tokens.ts"
import * as Record from "./VerificationRecord.ts"

const RECEIVED = counter(
  "watchword_received_total",
  "Texts, calls and sign-ins of users who prove their number, by form and result."
)

/** Takes offers until the scope closes. */
export const keep = Effect.fnUntraced(function* (parts: {
  readonly calls: ExpectedCalls
  readonly channels: CodeChannels
  readonly ending: Ending
  readonly guardOnce: GuardOnce
  readonly ownerOf: OwnerOf
  readonly runner: PlanRunner
}): Effect.fn.Return<void, never, Store | Scope> {
  const { calls, channels, ending, guardOnce, ownerOf, runner } = parts
  const store = yield* Store
  const receiving = yield* Receiving
  const count = by("by", by("result", RECEIVED))(yield* Effect.context<never>())

  /** The verifications that something is about. */
  const subjects = (received: Exclude<Received, Called>): Effect.Effect<ReadonlyArray<Record.Stored>, StoreError> =>
    Effect.map(
      Effect.forEach(tokensOf(received), (token) =>
        store.findByRef({ channel: Record.PRODUCT, ref: Tokens.refOf(received.by, token) })
      ),
      (found) => found.flatMap((each) => Option.toArray(each).map(Record.read)).filter(isIn(received))
    )

  const called = Effect.fnUntraced(function* (call: Called): Effect.fn.Return<Result, StoreError> {
    if (call.from === null) return "unknown"
    const expected = yield* calls.from(call.from)
    return yield* about(
      call,
      expected.filter((stored) => isIn(call)(stored) && Record.receivesOf(stored.terms).call === call.to)
    )
  })

  const named = Effect.fnUntraced(function* (
    received: Exclude<Received, Called>
  ): Effect.fn.Return<Result, StoreError> {
    if (tokensOf(received).length === 0) return "unknown"
    const [found, isBlocked] = yield* Effect.all([subjects(received), hasTooManyWrong(received)], {
      concurrency: "unbounded"
    })
    if (isBlocked) return "blocked"
    const result = yield* about(received, found)
    // A repeat of the user's own text is late, and not wrong.
    const isWrong = result === "other_number" || (result === "unknown" && isGuess(received))
    if (isWrong) yield* countWrong(received)
    return result
  })

  /** A text, or a call, that fits several verifications approves no verification: the user can have meant only one. */
  const about = Effect.fnUntraced(function* (
    received: Received,
    found: ReadonlyArray<Record.Stored>
  ): Effect.fn.Return<Result, StoreError> {
    const [first, ...others] = found
    if (first === undefined) return "unknown"
    if (others.length === 0) return yield* judged(received, first)
    for (const stored of found) {
      const principal = yield* ownerOf(stored)
      if (principal !== null) yield* noted(principal, received, stored, "ambiguous")
    }
    return "ambiguous"
  })

  /** Decides on one verification, and has the outcome on record. */
  const judged = Effect.fnUntraced(function* (
    received: Received,
    stored: Record.Stored
  ): Effect.fn.Return<Result, StoreError> {
    const principal = yield* ownerOf(stored)
    if (principal === null) return "late"
    if (received.from === null) {
      // Nothing proves the number, and nothing will: the next step at once.
      return yield* noted(principal, received, stored, "not_shared", (plan, at) =>
        Sends.passedOn(plan, at, runner.options)
      )
    }
    const result = resultOf(received, received.from, stored)
    return result === null
      ? yield* replied(principal, received, stored)
      : yield* noted(principal, received, stored, result)
  })

  /** The result of an action with a number; null for a text that is replied to. */
  const resultOf = (
    received: Received,
    from: E164,
    { delivery, plan, terms }: Record.Stored
  ): ReceivedResult | null => {
    if (phoneOf(from) !== phoneOf(delivery.to)) return "other_number"
    if (isWeaker(received.assurance, terms.least_assurance)) return "weak"
    if (replyChannel(received, plan) !== null) return null
    // The approval of a payment is a check that repeats amount and payee.
    return Record.bindOf(terms) === null ? "approved" : "not_replied"
  }

  /**
   * Has a result on record, where the plan still waits for the form. That a token was passed on is noted after its use,
   * too.
   *
   * @param follow the change that follows the action; null for none
   */
  const noted = (
    principal: Principal,
    received: Received,
    stored: Record.Stored,
    result: ReceivedResult,
    follow: (plan: Plan, at: number) => Change | null = () => null
  ): Effect.Effect<Result, StoreError> =>
    Effect.suspend(() => {
      let isLate = false
      const changed = runner.change(principal, stored, ({ plan }, at) => {
        const waiting = result === "other_number" ? Receives.forms : Receives.openForms
        isLate = !waiting(plan, at).includes(received.by)
        if (isLate) return Effect.succeed(unopened(plan))
        const after = Receives.heard(plan, { ...heardIn(received), at, result })
        return Effect.succeed(follow(after, at) ?? unopened(after))
      })
      return Effect.flatMap(changed, (after): Effect.Effect<Result> => {
        if (isLate) return Effect.succeed("late")
        return Effect.as(ended(principal, stored, after), result)
      })
    })

  const ended = (principal: Principal, before: Record.Stored, after: Record.Stored): Effect.Effect<void> =>
    isPending(before.plan) && !isPending(after.plan) ? ending.ended(principal, after) : Effect.void

  /** Replies to a text with a code: a send like any other, under the guards. */
  const replied = Effect.fnUntraced(function* (principal: Principal, received: Received, stored: Record.Stored) {
    let result: Result = "late"
    const asked = () => ({
      principal,
      to: E164.make(stored.delivery.to),
      client: clientOf(stored.terms),
      ownCode: stored.terms.sealed !== null,
      ...LimitKeys.ofTerms(stored.terms)
    })
    const after = yield* guardOnce(asked, (ask) => {
      let opened: number | null = null
      const sent = runner.change(principal, stored, ({ plan, terms }, at) =>
        Effect.gen(function* () {
          opened = null
          result = "late"
          const channel = replyChannel(received, plan)
          if (channel === null || !Receives.openForms(plan, at).includes(received.by)) return unopened(plan)
          const verdict: Verdict | null = terms.test_number || isCountedByStart(plan) ? null : yield* ask
          const reply = verdict?._tag === "Refused" ? null : Sends.replied(plan, channel, at, runner.options)
          const outcome: ReceivedResult = reply === null ? "not_replied" : "replied"
          result = outcome
          opened = reply?.open ?? null
          const { open, plan: next } = reply ?? unopened(plan)
          return { open, plan: Receives.heard(next, { ...heardIn(received), at, result: outcome }) }
        })
      )
      return Effect.map(sent, (stored) => ({ stored, opened }))
    })
    yield* ended(principal, stored, after)
    return result
  })

  /** The channel of the reply to a text; null if there is no reply. */
  const replyChannel = (received: Received, { step, workflow }: Plan): string | null =>
    received._tag === "Wrote" && workflow[step]?.reply !== false && channels.named(received.by) !== undefined
      ? received.by
      : null

  const hasTooManyWrong = (received: Received): Effect.Effect<boolean, StoreError> =>
    received.from === null || isOfAnySandbox(received)
      ? Effect.succeed(false)
      : Effect.map(
          store.count([{ ...wrongOf(received, received.from), amount: 0 }]),
          ({ tallies }) => (tallies[0]?.used ?? 0) > MOST_WRONG
        )

  const countWrong = (received: Received): Effect.Effect<void, StoreError> =>
    received.from === null || isOfAnySandbox(received)
      ? Effect.void
      : Effect.asVoid(store.count([{ ...wrongOf(received, received.from), amount: 1 }]))

  yield* receiving.take((received) =>
    Effect.uninterruptible(
      Effect.tap(received._tag === "Called" ? called(received) : named(received), (result) =>
        Effect.sync(() => count(received.by)(result)(1))
      )
    )
  )
})

/** Wrong tokens of a number in a form; after more than these the form passes the number over, for a day. */
const MOST_WRONG = 3
const DAY = 86_400_000

/** Whether an action is by the sandbox's page for sign-ins, at which anyone has any number. */
const isOfAnySandbox = ({ account, mode }: Received): boolean => mode === "sandbox" && account === null

/**
 * One count for each form: forged senders of texts keep no user from signing in. A phone of the sandbox, whose number
 * anyone may choose, blocks that number in the sandbox of its account only.
 */
const wrongOf = ({ account, by, mode }: Received, from: E164) => ({
  key: `wrong-token:${mode}:${account ?? "all"}:${by}:${sha256(from).slice(0, 32)}`,
  window: DAY,
  slice: DAY / 24,
  limit: null
})

const tokensOf = (received: Exclude<Received, Called>): ReadonlyArray<string> =>
  received._tag === "Wrote" ? Tokens.find(received.text) : [received.token]

const isGuess = (received: Exclude<Received, Called>): boolean =>
  received._tag === "SignedIn" || Tokens.isGuess(received.text)

/** Whether a verification is of the mode, and of the account where the sender is only of one. */
const isIn =
  ({ account, mode }: Pick<Received, "account" | "mode">) =>
  ({ delivery }: Record.Stored): boolean =>
    delivery.mode === mode && (account === null || delivery.account === account)

const heardIn = ({ assurance, by }: Received) => ({ assurance, by })
