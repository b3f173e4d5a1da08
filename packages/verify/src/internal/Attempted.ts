/**
 * The note by which endpoints learn that a send of a verification was tried, and how it went.
 */
import type { Report } from "@watchword/store/Store"
import type { Plan } from "./plan/Plan.ts"

/** The note of a change after which the gateway of a send has answered; nothing for another change. */
export const noteOf = (before: Plan, after: Plan): Pick<Report, "note"> => {
  const number = before.attempts.findLastIndex(
    ({ outcome }, number) => outcome === "opening" && after.attempts[number]?.outcome !== "opening"
  )
  const attempt = after.attempts[number]
  if (attempt === undefined) return {}
  const { channel, delivery, outcome, reason } = attempt
  return {
    note: { name: "attempted", data: { attempt: number + 1, channel, delivery_id: delivery, status: outcome, reason } }
  }
}
