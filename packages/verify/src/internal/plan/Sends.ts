/**
 * Changes of a plan that lead to sends: its start, gateways' answers, receipts, time-outs, and what a client asks for.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import { type MicroEuros, zero } from "@watchword/schemas/Money"
import type { Step, StepChannel } from "@watchword/schemas/Verification"
import { checksAfter, ended } from "./Ends.ts"
import { type Attempt, type Change, type Plan, channelOf, isOver, isPending, nextStep, unopened } from "./Plan.ts"

export interface Options {
  /** Milliseconds between two sends of a code that a client asks for. */
  readonly resendInterval: number
  /**
   * Milliseconds after which a send whose gateway has not answered is opened again, under the same number: the process
   * that opened it is taken for dead. Longer than any gateway's time limit.
   */
  readonly lease: number
  /** Ids of the sends' records. */
  readonly nextId: (at: number) => DeliveryId
}

export interface Limits {
  readonly maxSends: number
  readonly maxAttempts: number
  /** In seconds. */
  readonly ttl: number
}

/** A plan that opens its first step. */
export const start = (workflow: ReadonlyArray<Step>, limits: Limits, at: number, options: Options): Change =>
  taken(unsent(workflow, limits, at), 0, at, options)

/** A plan that ends as it begins: a guard has refused it. */
export const blocked = (workflow: ReadonlyArray<Step>, limits: Limits, reason: string, at: number): Plan =>
  ended(unsent(workflow, limits, at), "blocked", reason)

const unsent = (workflow: ReadonlyArray<Step>, { maxAttempts, maxSends, ttl }: Limits, at: number): Plan => ({
  status: "pending",
  reason: null,
  workflow,
  step: 0,
  attempts: [],
  sendsLeft: maxSends,
  checksLeft: maxAttempts,
  dueAt: null,
  resendAt: at,
  expiresAt: at + ttl * 1000,
  approvedAt: null
})

/** What is known of a send once its gateway was asked. */
export interface Answer {
  readonly outcome: "accepted" | "delivered" | "unknown" | "undelivered" | "unpaid"
  readonly delivery: DeliveryId | null
  readonly price: MicroEuros
  readonly reason: string | null
  /** A receipt that came before the answer was written down; null for none. */
  readonly receipt: Receipt | null
}

/**
 * After the gateway's answer to a send. One that was refused is followed by the next step at once, which takes its place
 * in the budget: nothing was sent.
 */
export const answered = (plan: Plan, number: number, answer: Answer, at: number, options: Options): Change => {
  const attempt = plan.attempts[number]
  if (attempt === undefined || attempt.outcome !== "opening") return unopened(plan)
  const { receipt: early, ...sent } = answer
  const after = withAttempt(plan, number, { ...attempt, ...sent })
  if (!isCurrent(after, number)) return unopened(after)
  switch (answer.outcome) {
    case "accepted":
    case "unknown": {
      const waiting = { ...after, dueAt: nextTimer(after, at) }
      return early === null ? unopened(waiting) : receipt(waiting, number, early, at, options)
    }
    case "delivered":
      return unopened({ ...after, dueAt: after.expiresAt })
    case "undelivered":
    case "unpaid":
      return afterRefusal(after, at, options)
  }
}

/** What a record says of its send after the gateway's answer. */
export interface Receipt {
  readonly outcome: "delivered" | "undelivered" | "revoked"
  readonly price: MicroEuros
}

/**
 * After the final receipt of a send. A good one of the current step stops its timer, because a slow typist must not pay
 * for a call; a bad one is followed by the next step at once. Receipts of earlier sends are noted, and move nothing.
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
  const isFirst = attempt.outcome !== "delivered" && attempt.outcome !== "undelivered"
  const after = withAttempt(plan, number, { ...attempt, outcome, price })
  if (!isCurrent(after, number) || !isFirst || outcome === "revoked") return unopened(after)
  return outcome === "delivered" ? unopened({ ...after, dueAt: after.expiresAt }) : afterLoss(after, at, options)
}

/** At `dueAt` or later: the verification expires, an abandoned send is opened again, or the next step is taken. */
export const due = (plan: Plan, at: number, options: Options): Change => {
  if (!isPending(plan) || plan.dueAt === null || at < plan.dueAt) return unopened(plan)
  if (isOver(plan, at)) return unopened(ended(plan, "expired", null))
  const number = plan.attempts.length - 1
  if (plan.attempts[number]?.outcome === "opening") {
    return { plan: { ...plan, dueAt: capped(plan, at + options.lease) }, open: number }
  }
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
  if (plan.sendsLeft === 0) return { _tag: "TooManySends" }
  if (at < plan.resendAt) return { _tag: "TooSoon", retryAt: plan.resendAt }
  if (plan.attempts.at(-1)?.outcome === "opening") return { _tag: "TooSoon", retryAt: plan.dueAt ?? at }
  return taken(plan, step, at, options)
}

const isCurrent = (plan: Plan, number: number): boolean => isPending(plan) && number === plan.attempts.length - 1

const capped = ({ expiresAt }: Plan, at: number): number => Math.min(at, expiresAt)

const withAttempt = (plan: Plan, number: number, attempt: Attempt): Plan => {
  const attempts = plan.attempts.with(number, attempt)
  return { ...plan, attempts, checksLeft: isPending(plan) ? checksAfter(attempt, plan.checksLeft) : plan.checksLeft }
}

const following = ({ step, workflow }: Plan): number | null => (step + 1 < workflow.length ? step + 1 : null)

/** The current step where it has the channel, or else the first one after it, or else the first one. */
const stepOf = (plan: Plan, channel: StepChannel): number | null => {
  const order = [...plan.workflow.keys()].map((place) => (place + plan.step) % plan.workflow.length)
  return order.find((place) => plan.workflow[place]?.channel === channel) ?? null
}

/** Opens a step that takes one of the sends. */
const taken = (plan: Plan, step: number, at: number, options: Options): Change =>
  opened({ ...plan, sendsLeft: plan.sendsLeft - 1, resendAt: at + options.resendInterval }, step, at, options)

const opened = (plan: Plan, step: number, at: number, options: Options): Change => {
  const channel = channelOf({ ...plan, step })
  const sent = { delivery: options.nextId(at), caller: null, price: zero, reason: null }
  const attempts: Plan["attempts"] = [...plan.attempts, { step, channel, at, outcome: "opening", ...sent }]
  return { plan: { ...plan, step, attempts, dueAt: capped(plan, at + options.lease) }, open: plan.attempts.length }
}

/** When the timer of the current step runs out. */
const nextTimer = (plan: Plan, at: number): number => {
  const timeout = plan.workflow[plan.step]?.timeout ?? 0
  return nextStep(plan) === null ? plan.expiresAt : capped(plan, at + timeout * 1000)
}

/** After a send of which nothing left: the next step in its place. */
const afterRefusal = (plan: Plan, at: number, options: Options): Change => {
  const step = following(plan)
  if (isOver(plan, at)) return unopened(ended(plan, "expired", null))
  return step === null ? unopened(withoutStep(plan)) : opened(plan, step, at, options)
}

/** After a send that was taken and did not reach the phone: the next step, if a send is left. */
const afterLoss = (plan: Plan, at: number, options: Options): Change => {
  const step = nextStep(plan)
  if (isOver(plan, at)) return unopened(ended(plan, "expired", null))
  return step === null ? unopened(withoutStep(plan)) : taken(plan, step, at, options)
}

/** Without a step left a plan has failed where no send can arrive any more; else it waits, and a client may ask for more. */
const withoutStep = (plan: Plan): Plan =>
  plan.attempts.every(({ outcome }) => outcome === "undelivered" || outcome === "unpaid")
    ? ended(plan, "failed", "undeliverable")
    : { ...plan, dueAt: plan.expiresAt }
