/**
 * Preference among the channels of a workflow, as the operator's check before a send has it.
 */
import type { Step } from "@watchword/schemas/Verification"
import type { Attempt, Plan } from "./Plan.ts"

/** Steps with those by preferred channels first, in the order of the preference; all others keep their order. */
export const preferring = (prefer: ReadonlyArray<string>, steps: ReadonlyArray<Step>): ReadonlyArray<Step> => {
  const rank = ({ channel }: Step) => (prefer.includes(channel) ? prefer.indexOf(channel) : prefer.length)
  return steps.toSorted((one, other) => rank(one) - rank(other))
}

/** The steps of a plan, and the steps taken. */
interface Taken extends Pick<Plan, "step" | "workflow"> {
  readonly attempts: ReadonlyArray<Pick<Attempt, "step">>
}

/**
 * A plan whose steps that nothing was sent by are in the order of the preference; sends name their steps by their
 * places.
 */
export const preferringLeft = <P extends Taken>(prefer: ReadonlyArray<string>, plan: P): P => {
  const left = 1 + Math.max(plan.step, ...plan.attempts.map(({ step }) => step))
  const workflow = [...plan.workflow.slice(0, left), ...preferring(prefer, plan.workflow.slice(left))]
  return { ...plan, workflow }
}
