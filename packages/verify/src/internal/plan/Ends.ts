/**
 * Changes of a plan by guesses, and its ends.
 */
import type { VerificationStatus } from "@watchword/schemas/Verification"
import { type Attempt, type Plan, isCall, isOver, isPending, lookAfterEnd, mayArrive, obsolete } from "./Plan.ts"

export type GuessRefused = { readonly _tag: "Approved" } | { readonly _tag: "NoneLeft" } | { readonly _tag: "Final" }

/**
 * The plan with one guess less. The budget falls in the same write that the answer depends on, so that no number of
 * guesses at once learns more than it allows.
 */
export const guess = (plan: Plan, at: number): Plan | GuessRefused => {
  if (plan.status === "approved") return { _tag: "Approved" }
  if (plan.checksLeft === 0) return { _tag: "NoneLeft" }
  if (!isPending(plan) || isOver(plan, at)) return { _tag: "Final" }
  // A call that is being placed may ring already.
  const last = plan.attempts.at(-1)
  return { ...plan, checksLeft: (last === undefined ? plan.checksLeft : checksAfter(last, plan.checksLeft)) - 1 }
}

/** The most guesses that are left once a call was made: a caller is one of a pool, and weaker than a code. */
const CALL_CHECKS = 3

export const checksAfter = (attempt: Attempt, checksLeft: number): number =>
  isCall(attempt) ? Math.min(checksLeft, CALL_CHECKS) : checksLeft

/** After a wrong guess: the last one ends the verification. */
export const wrong = (plan: Plan, at: number): Plan =>
  isPending(plan) && plan.checksLeft === 0 ? ended(plan, "failed", "max_checks", at) : plan

export const approved = (plan: Plan, at: number): Plan =>
  isPending(plan) ? { ...ended(plan, "approved", null, at), approvedAt: at } : plan

export const canceled = (plan: Plan, at: number): Plan => (isPending(plan) ? ended(plan, "canceled", null, at) : plan)

/** After the client's own report that the verification failed. */
export const failed = (plan: Plan, at: number): Plan => (isPending(plan) ? ended(plan, "failed", "reported", at) : plan)

/** A pending plan whose time is over has expired, whether a process has noticed or not. */
export const expired = (plan: Plan, at: number): Plan =>
  isPending(plan) && isOver(plan, at) ? ended(plan, "expired", null, at) : plan

/** How long sends that are not wanted any more may take to be taken back, in milliseconds. */
const TAKEN_BACK_WITHIN = 30_000

/**
 * A process may die before it has revoked the sends that the end makes useless: the plan stays due until that is done.
 */
export const ended = (plan: Plan, status: VerificationStatus, reason: string | null, at: number): Plan => {
  const after: Plan = { ...plan, status, reason, dueAt: null }
  const look = lookAfterEnd(after, at)
  const isTakenBack = obsolete(after).length > 0 || plan.attempts.slice(0, -1).some(mayArrive)
  return { ...after, dueAt: isTakenBack ? Math.min(look ?? Number.POSITIVE_INFINITY, at + TAKEN_BACK_WITHIN) : look }
}
