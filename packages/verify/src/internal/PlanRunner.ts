/**
 * Carries plans out: opens the sends that a change asks for, and the sends that follow from their gateways' answers;
 * revokes sends that a plan no longer needs.
 */
import type { ClientFacts } from "@watchword/schemas/SharedFields"
import { type DeliveryId, nextDeliveryId } from "@watchword/schemas/Ids"
import type { ServiceUnavailable } from "@watchword/schemas/Errors"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import { type Admission, forkBackground } from "@watchword/send/pipeline"
import type { CodeMessage } from "@watchword/send/channel/Channel"
import type { Origin, Whole } from "@watchword/send/Claims"
import type { Delivery } from "@watchword/store/Delivery"
import { begun, isOpen } from "@watchword/store/step"
import type { Open, OpenRefused } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import { Hurry, Options } from "./VerifyOptions.ts"
import type { AllSettings } from "./AccountSettings.ts"
import type { Callers } from "./Callers.ts"
import type { CodeChannels } from "./CodeChannels.ts"
import type { Codes } from "./Codes.ts"
import { type Attempt, type Change, type Plan, isPending, obsolete, unopened } from "./plan/Plan.ts"
import * as Sends from "./plan/Sends.ts"
import type { Changed, Decision, Plans } from "./Plans.ts"
import { type Receipts, type Sent, unheard } from "./Receipts.ts"
import type { Outages } from "./Outages.ts"
import type { AttemptOrigin } from "./AttemptOrigin.ts"
import { type Asked, type AttemptSender, unfollowed } from "./AttemptSender.ts"
import { compose } from "./Texts.ts"
import { type Beginning, opening } from "./OpenStep.ts"
import * as Record from "./VerificationRecord.ts"
import type { Stored, Terms } from "./VerificationRecord.ts"

type Decide<E> = (stored: Stored, at: number) => Effect.Effect<Decision, E>

/** A plan with the state of one of its sends from the record. */
export interface Observed extends Decision {
  /**
   * Whether the record says nothing more: it is closed, or is not there any more. An unknown outcome stays unknown
   * then.
   */
  readonly isLast: boolean
}

export interface PlanRunner {
  /** The options of changes that open sends. */
  readonly options: Sends.Options

  /** The change with a caller for the call that it opens, which is kept, sealed, before the phone can ring. */
  readonly withCaller: <C extends Change>(
    principal: Principal,
    id: DeliveryId,
    terms: Pick<Terms, "secret" | "test_number">,
    change: C
  ) => Effect.Effect<C, StoreError>

  /** Changes a plan, and opens the sends that follow until one is on its way. */
  readonly change: <E>(principal: Principal, stored: Stored, decide: Decide<E>) => Effect.Effect<Stored, E | StoreError>

  /** Opens the send that a change asks for, and the sends that follow. */
  readonly carryOut: (principal: Principal, changed: Changed) => Effect.Effect<Stored, StoreError>

  /**
   * Opens a verification together with the first of its sends where nothing comes before that, and carries its plan
   * out; or answers why it was not opened.
   */
  readonly begin: (beginning: Beginning, change: Change) => Effect.Effect<Stored | OpenRefused, StoreError>

  /** A plan after a look at the record of one of its sends, which is not being asked. */
  readonly seen: (plan: Plan, number: number, sent: Sent, at: number) => Change

  /** Updates a plan from the current record of one of its sends. */
  readonly observed: (stored: Stored, number: number, at: number) => Effect.Effect<Observed, StoreError>

  /**
   * Revokes the sends that a plan no longer needs.
   *
   * @param late the number of a send whose gateway was asked while the plan ended
   */
  readonly withdraw: (principal: Principal, stored: Stored, late?: number | null) => Effect.Effect<void>
}

/** In seconds: gateways keep a message for at least half a minute. */
const SHORTEST_TTL = 30

/** Longer than a probe: after this the process of a send that has no record is taken for dead. */
const LEASE = 30_000

/**
 * Longer than any gateway's time limit: after this a gateway is not waited for, whether or not a lease tells of a
 * death.
 */
const LONGEST_ANSWER = 60_000

export const make = Effect.fnUntraced(function* (parts: {
  readonly plans: Plans
  readonly sender: AttemptSender
  readonly channels: CodeChannels
  readonly receipts: Receipts
  readonly codes: Codes
  readonly callers: Callers
  readonly settings: AllSettings
  readonly outages: Outages
  readonly admission: Admission
}): Effect.fn.Return<PlanRunner, never, Scope> {
  const { admission, callers, channels, codes, outages, plans, sender, settings } = parts
  const { answerOf, receiptOf } = parts.receipts
  const scope = yield* Effect.scope
  const { resendInterval = 30 } = yield* Options
  const options: Sends.Options = {
    resendInterval: resendInterval * 1000,
    isHurried: yield* Hurry,
    lease: LEASE,
    nextId: nextDeliveryId,
    isProbed: (channel) => (channels.named(channel)?.probe ?? null) !== null
  }
  const startedAt = yield* Clock.currentTimeMillis
  // Sends that began before this process did belong to dead processes, if one process serves at a time.
  const isDead = (sentAt: number, at: number): boolean => at >= sentAt + LEASE || (plans.isAlone && sentAt < startedAt)

  const withCaller: PlanRunner["withCaller"] = (principal, id, terms, change) => {
    const { open, plan } = change
    const attempt = open === null ? undefined : plan.attempts[open]
    if (open === null || attempt === undefined || attempt.caller !== null || terms.test_number) {
      return Effect.succeed(change)
    }
    if (channels.named(attempt.channel)?.isCaller !== true) return Effect.succeed(change)
    return Effect.gen(function* () {
      const drawn = yield* callers.draw(principal)
      // A verification whose secret is lost has no code either: it is not placed.
      const caller = drawn === null ? null : Option.getOrNull(yield* Effect.option(codes.seal(id, terms.secret, drawn)))
      return { ...change, plan: { ...plan, attempts: plan.attempts.with(open, { ...attempt, caller }) } }
    })
  }

  /** Changes a plan, whose sends are still to be opened. */
  const planned = <E>(
    principal: Principal,
    stored: Stored,
    decide: Decide<E>
  ): Effect.Effect<Changed, E | StoreError> =>
    plans.change(stored, (current, at) =>
      Effect.flatMapEager(decide(current, at), (decision) =>
        withCaller(principal, current.delivery.id, current.terms, decision)
      )
    )

  const change: PlanRunner["change"] = (principal, stored, decide) =>
    Effect.flatMap(planned(principal, stored, decide), (changed) => carryOut(principal, changed))

  const begin: PlanRunner["begin"] = Effect.fnUntraced(function* (beginning, { open, plan }) {
    const { principal, terms } = beginning
    const request = opening(beginning)
    const step: { answer: Delivery | OpenRefused | null } = { answer: null }
    const whole = { open: request, answered: (answer: Delivery | OpenRefused) => (step.answer = answer) }
    const first = open === null ? undefined : plan.attempts[open]
    const unopened = Record.started(begun(request).delivery, terms, plan)
    // A look-up is a send of its own, which comes before the send.
    const asked =
      open === null || first === undefined || first.probe !== null ? null : yield* ask(principal, unopened, open, whole)
    const opened = step.answer ?? (yield* openedAlone(request))
    if ("_tag" in opened) return opened
    const stored = Record.started(opened, terms, plan)
    return open === null ? stored : yield* carried(principal, stored, open, asked)
  })

  /** The record of an open; or why it is not there. */
  const openedAlone = (request: Open): Effect.Effect<Delivery | OpenRefused, StoreError> =>
    Effect.map(admission.open(request), (opened) => {
      switch (opened._tag) {
        case "Opened":
          return opened.delivery
        case "WholeRefused":
          return opened.by
        default:
          return opened
      }
    })

  const carryOut: PlanRunner["carryOut"] = (principal, { open, stored }) =>
    open === null ? Effect.succeed(stored) : carried(principal, stored, open, null)

  /**
   * Opens a send, and the sends that follow.
   *
   * @param given what became of the first send, where that is known already
   */
  const carried = Effect.fnUntraced(function* (
    principal: Principal,
    first: Stored,
    number: number,
    given: Asked | null
  ): Effect.fn.Return<Stored, StoreError> {
    let stored = first
    let open: number | null = number
    let late: number | null = null
    let known = given
    while (open !== null) {
      const current: number = open
      const { answer, followed } = known ?? (yield* ask(principal, stored, current))
      known = null
      const after: Changed =
        followed !== null
          ? { stored: Record.read(followed), open: null }
          : yield* planned(principal, stored, ({ plan }, at) =>
              Effect.succeed(Sends.answered(plan, current, answer, at, options))
            )
      stored = after.stored
      open = after.open
      if (!isPending(stored.plan)) late = current
    }
    // The next step is on its way before the one before it is taken back.
    if (obsolete(stored.plan, late).length > 0) yield* forkBackground(withdraw(principal, stored, late), scope)
    return stored
  })

  /** @param whole the verification, where it is opened together with the send */
  const ask = (
    principal: Principal,
    stored: Stored,
    number: number,
    whole?: Whole
  ): Effect.Effect<Asked, StoreError> => {
    const attempt = stored.plan.attempts[number]
    if (attempt === undefined || attempt.delivery === null) return Effect.die(new Error("a send has no id"))
    if (stored.terms.test_number) return Effect.succeed(unfollowed(Sends.deliveredAt(attempt.at)))
    if (outages.isDown(principal, attempt.channel)) return Effect.succeed(unfollowed(Sends.unsentAt(attempt.at)))
    const details: AttemptOrigin = { verification: stored.delivery.id, attempt: number }
    const before = stored.plan.attempts.slice(0, number)
    const isByOther = stored.plan.workflow[attempt.step]?.carrier === "other"
    const origin = {
      id: attempt.delivery,
      details: { ...details },
      codeLength: stored.terms.code_length,
      earlier: earlierBy(attempt, before),
      ...(whole === undefined ? {} : { whole }),
      ...(isByOther
        ? {
            notBy: earlierBy(
              attempt,
              before.filter(({ step }) => step < attempt.step)
            )
          }
        : {})
    }
    return messageOf(principal, stored, attempt, origin).pipe(
      Effect.flatMap((message) => sender.send(attempt.channel, message)),
      Effect.catchTag("SERVICE_UNAVAILABLE", () => Effect.succeed(unfollowed(Sends.unsentAt(attempt.at))))
    )
  }

  const textsOf = ({ account: { id, name } }: Principal) =>
    Effect.flatMapEager(settings(id), ({ texts }) => texts(name))

  /** The message to send. Fails where the secret of the verification was taken away. */
  const messageOf = (
    principal: Principal,
    { delivery, plan, terms }: Stored,
    { caller: sealed, probe }: Attempt,
    origin: Origin
  ): Effect.Effect<CodeMessage, ServiceUnavailable | StoreError> => {
    const opened = sealed === null ? Effect.succeed(null) : codes.open(delivery.id, terms.secret, sealed)
    return Effect.flatMapEager(opened, (caller) =>
      Effect.flatMapEager(codes.codeOf(delivery.id, terms), (code) =>
        Effect.flatMapEager(textsOf(principal), (texts) =>
          Effect.map(Clock.currentTimeMillis, (at) => {
            const left = Math.max(0, plan.expiresAt - at)
            return {
              principal,
              to: E164.make(delivery.to),
              code,
              text: compose(texts, terms, code, Math.ceil(left / 60_000)),
              locale: terms.locale,
              caller,
              ttl: Math.max(Math.ceil(left / 1000), SHORTEST_TTL),
              client: clientOf(terms),
              origin,
              probe
            }
          })
        )
      )
    )
  }

  const observed: PlanRunner["observed"] = Effect.fnUntraced(function* (stored, number, at) {
    const { plan } = stored
    const attempt = plan.attempts[number]
    if (attempt === undefined || attempt.delivery === null) return { ...unopened(plan), isLast: true }
    const found = Option.getOrNull(yield* sender.find(stored.delivery, attempt))
    if (attempt.outcome === "opening") {
      if (found === null) {
        const isLeft = isDead(attempt.at, at)
        return { ...(isLeft ? Sends.abandoned(plan, number, at, options) : unopened(plan)), isLast: false }
      }
      const isUnheard = answerOf(found) === null && at >= attempt.at + LONGEST_ANSWER
      const change = isUnheard
        ? Sends.answered(plan, number, unheard(found), at, options)
        : seen(plan, number, found, at)
      return { ...change, isLast: change.plan !== plan && !isOpen(found.record) }
    }
    if (found === null) return { ...unopened(plan), isLast: true }
    return { ...seen(plan, number, found, at), isLast: !isOpen(found.record) }
  })

  const seen: PlanRunner["seen"] = (plan, number, sent, at) => {
    if (plan.attempts[number]?.outcome === "opening") {
      const answer = answerOf(sent)
      return answer === null ? unopened(plan) : Sends.answered(plan, number, answer, at, options)
    }
    const receipt = receiptOf(sent)
    return receipt === null ? unopened(plan) : Sends.receipt(plan, number, receipt, at, options)
  }

  const withdraw: PlanRunner["withdraw"] = (principal, { plan }, late = null) =>
    Effect.forEach(
      obsolete(plan, late),
      ({ channel, delivery }) => (delivery === null ? Effect.void : sender.withdraw(channel, principal, delivery)),
      { discard: true, concurrency: "unbounded" }
    )

  return { options, withCaller, change, carryOut, begin, seen, observed, withdraw }
})

/** The deliveries of earlier sends on the same channel. */
const earlierBy = ({ channel }: Attempt, before: ReadonlyArray<Attempt>): ReadonlyArray<DeliveryId> =>
  before.flatMap((each) => (each.channel === channel && each.delivery !== null ? [each.delivery] : []))

/** The facts about the user that the start had, by which guards count its sends. */
export const clientOf = ({ client_ip, client_ref, trusted }: Terms): ClientFacts => ({
  ...(client_ip === null ? {} : { client_ip }),
  ...(client_ref === null ? {} : { client_ref }),
  trusted
})
