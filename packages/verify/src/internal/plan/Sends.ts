/**
 * Changes of a plan that lead to sends: its start, gateways' answers, receipts, time-outs, and clients' requests.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import { type MicroEuros, zero } from "@watchword/schemas/Money"
import type { Step, StepChannel } from "@watchword/schemas/Verification"
import { checksAfter, ended, expired } from "./Ends.ts"
import {
  type Attempt,
  type Change,
  type Plan,
  channelOf,
  isOver,
  isPending,
  isReceiving,
  isUnsent,
  lookAfterEnd,
  mayArrive,
  nextLook,
  nextStep,
  unopened
} from "./Plan.ts"

export interface Options {
  /** Milliseconds between two sends of a code that a client asks for. */
  readonly resendInterval: number
  /** Whether that interval is passed over for now. */
  readonly isHurried?: () => boolean
  /**
   * Milliseconds after which a send that has no record is opened again, under the same number: the process that was to
   * open it is taken for dead. Longer than what comes before a record: the probe of a chat gateway.
   */
  readonly lease: number
  /** Whether a look-up that has a record of its own comes before a send. */
  readonly isProbed: (channel: StepChannel) => boolean
  /** Ids of the sends' records. */
  readonly nextId: (at: number) => DeliveryId
}

export interface Limits {
  readonly maxSends: number
  readonly maxChecks: number
  /** In seconds. */
  readonly ttl: number
}

/** A plan that opens its first step. */
export const start = (workflow: ReadonlyArray<Step>, limits: Limits, at: number, options: Options): Change =>
  taken(unsent(workflow, limits, at), 0, at, options)

/** A plan that ends as it begins: a guard has refused it. */
export const blocked = (workflow: ReadonlyArray<Step>, limits: Limits, reason: string, at: number): Plan =>
  ended(unsent(workflow, limits, at), "blocked", reason, at)

const unsent = (workflow: ReadonlyArray<Step>, { maxChecks, maxSends, ttl }: Limits, at: number): Plan => ({
  status: "pending",
  reason: null,
  workflow,
  step: 0,
  attempts: [],
  sendsLeft: maxSends,
  checksLeft: maxChecks,
  dueAt: null,
  resendAt: at,
  expiresAt: at + ttl * 1000,
  approvedAt: null,
  heard: []
})

/** The result of asking a send's gateway. */
export interface Answer {
  readonly outcome: "accepted" | "delivered" | "unknown" | "undelivered" | "unpaid"
  readonly delivery: DeliveryId | null
  readonly price: MicroEuros
  readonly reason: string | null
  /** When its gateway took it, or was asked where it did not answer: its time-out is counted from then. */
  readonly since: number
  /** A receipt that came before the answer was written down; null for none. */
  readonly receipt: Receipt | null
}

/**
 * After the gateway's answer to a send. The next step follows a refused send at once and replaces it in the budget,
 * because nothing was sent.
 */
export const answered = (plan: Plan, number: number, answer: Answer, at: number, options: Options): Change => {
  const attempt = plan.attempts[number]
  if (attempt === undefined) return unopened(plan)
  // After the end a send may have been taken for unsent whose process was only slow.
  const isPresumed = !isPending(plan) && isUnsent(attempt) && answer.reason === null
  if (attempt.outcome !== "opening" && !isPresumed) return unopened(plan)
  const { receipt: early, since, ...sent } = answer
  const after = withAttempt(plan, number, { ...attempt, ...sent }, at)
  if (!isCurrent(after, number)) return unopened(after)
  switch (answer.outcome) {
    case "accepted":
    case "unknown": {
      const waiting = { ...after, dueAt: nextTimer(after, since) }
      return early === null ? unopened(waiting) : receipt(waiting, number, early, at, options)
    }
    case "delivered":
      return unopened({ ...after, dueAt: after.expiresAt })
    case "undelivered":
    case "unpaid":
      return afterRefusal(after, at, options)
  }
}

/** The outcome in a record after the gateway's answer: a final outcome, or one with which the send may still arrive. */
export interface Receipt {
  readonly outcome: "accepted" | "unknown" | "delivered" | "undelivered" | "revoked"
  readonly price: MicroEuros
}

/**
 * After the receipt of a send. A good one of the current step stops its timer, because a slow typist must not pay for a
 * call; a bad one is followed by the next step at once, also after a good one. A receipt that is not final, or is of an
 * earlier send, is noted and moves nothing.
 */
export const receipt = (
  plan: Plan,
  number: number,
  { outcome, price }: Receipt,
  at: number,
  options: Options
): Change => {
  const attempt = plan.attempts[number]
  if (attempt === undefined || (attempt.outcome === outcome && attempt.price === price)) return unopened(plan)
  const isFinal = outcome !== "accepted" && outcome !== "unknown"
  if (!isFinal && (!mayArrive(attempt) || attempt.outcome === "delivered")) return unopened(plan)
  // A later receipt may say the opposite: a message that had arrived and failed all the same. Another price says
  // nothing new.
  const isNews = attempt.outcome !== outcome
  const after = withAttempt(plan, number, { ...attempt, outcome, price }, at)
  if (!isFinal || !isCurrent(after, number) || !isNews || outcome === "revoked") return unopened(after)
  return outcome === "delivered" ? unopened({ ...after, dueAt: after.expiresAt }) : afterLoss(after, at, options)
}

/**
 * Opens a send again whose process died before its record came to be. After the end it stays unsent, under its id: a
 * process that was paused may still open it.
 */
export const abandoned = (plan: Plan, number: number, at: number, options: Options): Change =>
  isCurrent(plan, number)
    ? { plan: { ...plan, dueAt: capped(plan, at + options.lease) }, open: number }
    : answered(plan, number, { ...unsentAt(at), delivery: plan.attempts[number]?.delivery ?? null }, at, options)

/** The answer to a send of a test number, which needs no gateway. */
export const deliveredAt = (since: number): Answer => ({
  outcome: "delivered",
  delivery: null,
  price: zero,
  reason: null,
  since,
  receipt: null
})

/** The answer to a send that no gateway was asked for. */
export const unsentAt = (since: number): Answer => ({
  outcome: "undelivered",
  delivery: null,
  price: zero,
  reason: "SERVICE_UNAVAILABLE",
  since,
  receipt: null
})

/**
 * At `dueAt` or later: the verification expires, a send that is still being opened is looked at later, or the next step
 * is taken.
 */
export const due = (plan: Plan, at: number, options: Options): Change => {
  if (!isPending(plan) || plan.dueAt === null || at < plan.dueAt) return unopened(plan)
  if (isOver(plan, at)) return unopened(expired(plan, at))
  const last = plan.attempts.at(-1)
  if (last?.outcome === "opening") return unopened({ ...plan, dueAt: capped(plan, nextLook(last, at)) })
  const step = nextStep(plan)
  return step === null ? unopened({ ...plan, dueAt: plan.expiresAt }) : taken(plan, step, at, options)
}

export type NextRefused =
  | { readonly _tag: "Final" }
  | { readonly _tag: "NoStepLeft" }
  | { readonly _tag: "TooManySends" }
  | { readonly _tag: "TooSoon"; readonly retryAt: number }

/**
 * A client's wish for another send: by the current channel again (a resend), by another one of the workflow, or by the
 * next step where no channel is named.
 */
export const next = (plan: Plan, channel: StepChannel | null, at: number, options: Options): Change | NextRefused => {
  if (!isPending(plan) || isOver(plan, at)) return { _tag: "Final" }
  const step = channel === null ? following(plan) : stepOf(plan, channel)
  if (step === null) return { _tag: "NoStepLeft" }
  if (isReceiving({ ...plan, step }) && plan.attempts.at(-1)?.outcome !== "opening") return waiting(plan, step, at)
  if (plan.sendsLeft === 0) return { _tag: "TooManySends" }
  if (at < plan.resendAt && options.isHurried?.() !== true) return { _tag: "TooSoon", retryAt: plan.resendAt }
  if (plan.attempts.at(-1)?.outcome === "opening") return { _tag: "TooSoon", retryAt: plan.dueAt ?? at }
  return taken(plan, step, at, options)
}

/** A plan with a further step at its end, unless it has a step of that channel. */
export const withStep = (plan: Plan, step: Step): Plan =>
  plan.workflow.some(({ channel }) => channel === step.channel) ? plan : { ...plan, workflow: [...plan.workflow, step] }

/** Whether a send is that of the current step: a step that waits for the user sends nothing. */
const isCurrent = (plan: Plan, number: number): boolean =>
  isPending(plan) && number === plan.attempts.length - 1 && plan.attempts[number]?.step === plan.step

const capped = ({ expiresAt }: Plan, at: number): number => Math.min(at, expiresAt)

const withAttempt = (plan: Plan, number: number, attempt: Attempt, at: number): Plan => {
  const after = { ...plan, attempts: plan.attempts.with(number, attempt) }
  if (isPending(plan)) return { ...after, checksLeft: checksAfter(attempt, plan.checksLeft) }
  // After the end, a receipt may have left no work.
  return { ...after, dueAt: plan.dueAt === null ? lookAfterEnd(after, at) : Math.min(plan.dueAt, nextLook({ at }, at)) }
}

const following = ({ step, workflow }: Plan): number | null => (step + 1 < workflow.length ? step + 1 : null)

/** The current step where it has the channel, or else the first one after it, or else the first one. */
const stepOf = (plan: Plan, channel: StepChannel): number | null => {
  const order = [...plan.workflow.keys()].map((place) => (place + plan.step) % plan.workflow.length)
  return order.find((place) => plan.workflow[place]?.channel === channel) ?? null
}

/** Opens a step that takes one of the sends, or waits for the user. */
const taken = (plan: Plan, step: number, at: number, options: Options): Change =>
  isReceiving({ ...plan, step })
    ? waiting(plan, step, at)
    : opened({ ...plan, sendsLeft: plan.sendsLeft - 1, resendAt: at + options.resendInterval }, step, at, options)

/** A plan that waits for the user at a step. */
const waiting = (plan: Plan, step: number, at: number): Change => {
  const there = { ...plan, step }
  return unopened({ ...there, dueAt: nextTimer(there, at) })
}

/**
 * The next step at once, after an action of the user that proves nothing; null without a step that follows by
 * itself, and while a reply is being opened.
 */
export const passedOn = (plan: Plan, at: number, options: Options): Change | null => {
  const step = nextStep(plan)
  const isBusy = plan.attempts.at(-1)?.outcome === "opening"
  return step === null || isBusy || isReturned(plan) ? null : taken(plan, step, at, options)
}

/**
 * Replies to the user's text with a code, within the step that waits: the reply takes one of the sends. Null if no send
 * is left, or another one is being opened.
 */
export const replied = (plan: Plan, channel: StepChannel, at: number, options: Options): Change | null => {
  if (plan.sendsLeft === 0 || plan.attempts.at(-1)?.outcome === "opening") return null
  const paid = { ...plan, sendsLeft: plan.sendsLeft - 1, resendAt: at + options.resendInterval }
  return opened(paid, plan.step, at, options, channel)
}

const opened = (
  plan: Plan,
  step: number,
  at: number,
  options: Options,
  channel = channelOf({ step, workflow: plan.workflow })
): Change => {
  const ids = { probe: options.isProbed(channel) ? options.nextId(at) : null, delivery: options.nextId(at) }
  const attempt: Attempt = { step, channel, ...ids, caller: null, at, outcome: "opening", price: zero, reason: null }
  const dueAt = capped(plan, nextLook(attempt, at))
  return { plan: { ...plan, step, attempts: [...plan.attempts, attempt], dueAt }, open: plan.attempts.length }
}

/**
 * Whether a client has gone back to a step that waits for the user, which no guard counts: the steps behind it do not
 * follow by themselves a second time.
 */
const isReturned = (plan: Plan): boolean => isReceiving(plan) && plan.attempts.some(({ step }) => step > plan.step)

/** When the timer of the current step runs out. */
const nextTimer = (plan: Plan, at: number): number => {
  const timeout = plan.workflow[plan.step]?.timeout ?? 0
  return nextStep(plan) === null || isReturned(plan) ? plan.expiresAt : capped(plan, at + timeout * 1000)
}

/** After a send that never left: the next step instead. */
const afterRefusal = (plan: Plan, at: number, options: Options): Change => {
  const step = following(plan)
  if (isOver(plan, at)) return unopened(expired(plan, at))
  if (step === null) return unopened(withoutStep(plan, at))
  return isReceiving({ ...plan, step }) ? waiting(plan, step, at) : opened(plan, step, at, options)
}

/** After a send that was taken and did not reach the phone: the next step, if a send is left. */
const afterLoss = (plan: Plan, at: number, options: Options): Change => {
  const step = nextStep(plan)
  if (isOver(plan, at)) return unopened(expired(plan, at))
  return step === null ? unopened(withoutStep(plan, at)) : taken(plan, step, at, options)
}

/**
 * Without a step left a plan has failed where no send can arrive any more; else it waits, and a client may ask for
 * more.
 */
const withoutStep = (plan: Plan, at: number): Plan =>
  plan.attempts.every(({ outcome }) => outcome === "undelivered" || outcome === "unpaid")
    ? ended(plan, "failed", "undeliverable", at)
    : { ...plan, dueAt: plan.expiresAt }
