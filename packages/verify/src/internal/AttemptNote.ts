/**
 * The note by which endpoints learn that a send of a verification was tried, and how it went.
 */
import type { Report } from "@watchword/store/Store"
import { type Attempt, type Plan, isPending } from "./plan/Plan.ts"

/**
 * The note of a change after which the gateway of a send has answered, or by which a send of an ended plan is
 * corrected; nothing for another change.
 */
export const noteOf = (before: Plan, after: Plan): Pick<Report, "note"> => {
  const number = before.attempts.findLastIndex(
    (attempt, number) =>
      (attempt.outcome === "opening" || !isPending(before)) && isOther(attempt, after.attempts[number])
  )
  const attempt = after.attempts[number]
  if (attempt === undefined) return {}
  const { channel, delivery, outcome, reason } = attempt
  return {
    note: { name: "attempted", data: { attempt: number + 1, channel, delivery_id: delivery, status: outcome, reason } }
  }
}

const isOther = (before: Attempt, after: Attempt | undefined): boolean =>
  after?.outcome !== before.outcome || after.price !== before.price
