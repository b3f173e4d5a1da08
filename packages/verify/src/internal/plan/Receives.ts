/**
 * Changes of a plan by an action of its user, who writes, calls or signs in at a step that waits for that.
 */
import type { ReceiveForm, ReceivedResult } from "@watchword/schemas/Verification"
import { approved } from "./Ends.ts"
import { type Heard, type Plan, isOver, isPending, isReceiving } from "./Plan.ts"

/** The most actions that a record keeps. */
const MOST_HEARD = 10

/** The outcomes after which a form no longer works. */
const SPENDING: ReadonlySet<ReceivedResult> = new Set(["approved", "replied", "other_number"])

/** The forms of the current step. */
export const forms = (plan: Plan, at: number): ReadonlyArray<ReceiveForm> =>
  !isPending(plan) || isOver(plan, at) || !isReceiving(plan) ? [] : (plan.workflow[plan.step]?.by ?? [])

/** The forms by which the current step still waits for the user. */
export const openForms = (plan: Plan, at: number): ReadonlyArray<ReceiveForm> => {
  const spent = new Set(plan.heard.filter(({ result }) => SPENDING.has(result)).map(({ by }) => by))
  return forms(plan, at).filter((form) => !spent.has(form))
}

/**
 * A plan with another action of its user. An approval ends it. That a token has been passed on is kept once, whether or
 * not a carrier repeats the text.
 */
export const heard = (plan: Plan, what: Heard): Plan => {
  const isKnown = plan.heard.some(({ by, result }) => by === what.by && result === what.result)
  if (isKnown && what.result === "other_number") return plan
  const after = { ...plan, heard: lasting([...plan.heard, what]) }
  return what.result === "approved" ? approved(after, what.at) : after
}

/**
 * The actions that are kept: the first of each kind that spends a form, so that no number of later ones opens it again,
 * and of the others the last.
 */
const lasting = (all: ReadonlyArray<Heard>): ReadonlyArray<Heard> => {
  const isKept = (one: Heard, place: number): boolean =>
    SPENDING.has(one.result) && all.findIndex(({ by, result }) => by === one.by && result === one.result) === place
  const dropped = all.findIndex((one, place) => !isKept(one, place))
  return all.length <= MOST_HEARD || dropped < 0 ? all : all.toSpliced(dropped, 1)
}

/** The action that proved the number, perhaps together with the code of a reply; null for a code only. */
export const proof = ({ heard: all, status }: Pick<Plan, "heard" | "status">): Heard | null =>
  status === "approved" ? (all.findLast(({ result }) => result === "approved" || result === "replied") ?? null) : null
