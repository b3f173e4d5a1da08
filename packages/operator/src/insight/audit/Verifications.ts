import type { VerificationStatus } from "@watchword/schemas/Verification"
import type { DeliveryRow } from "@watchword/store/Snapshots"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Group } from "./Merge.ts"
import { isPurged } from "./Purged.ts"
import { type Violation, violation } from "./Violation.ts"

const PRODUCT = "verify"

/** The outcomes of a send that has taken its place in the budget for good. */
const TAKEN: ReadonlySet<string> = new Set(["opening", "accepted", "delivered", "unknown"])

/** The details of a verification that rules are about. */
const Plan = Schema.Struct({
  attempts: Schema.fromJsonString(
    Schema.Array(Schema.Struct({ delivery: Schema.NullOr(Schema.String), outcome: Schema.String }))
  ),
  max_sends: Schema.Int,
  sends_left: Schema.Int,
  checks_left: Schema.Int
})
const decode = Schema.decodeUnknownOption(Plan)

export const verification = ({ attempts, delivery, id }: Group, purgedBefore: number): ReadonlyArray<Violation> => {
  if (delivery === null && isPurged(id, purgedBefore)) return []
  if (delivery?.channel !== PRODUCT) {
    return attempts.map((send) =>
      violation("send-verification", send.id, `a send of verification ${id}, which does not exist`)
    )
  }
  const plan = Option.getOrNull(decode(delivery.details))
  if (plan === null) return [violation("budget", id, "the plan is unreadable")]
  return [
    ...attempts
      .filter((send) => plan.attempts[send.attempt]?.delivery !== send.id)
      .map((send) => violation("send-once", send.id, `send ${send.attempt} of verification ${id} is another one`)),
    ...budget(delivery, plan)
  ]
}

const budget = ({ id }: DeliveryRow, plan: typeof Plan.Type): ReadonlyArray<Violation> => {
  const { checks_left: checks, max_sends: most, sends_left: left } = plan
  // A refused send gives its place in the budget to the next step.
  const sent = plan.attempts.filter(({ outcome }) => TAKEN.has(outcome)).length
  if (checks >= 0 && left >= 0 && sent + left <= most) return []
  return [violation("budget", id, `${sent} sends of ${most}, ${left} left, and ${checks} checks left`)]
}

/** @param stepless the products whose deliveries take no step of their own */
export const dueTime = ({ delivery, id }: Group, stepless: ReadonlySet<string>): ReadonlyArray<Violation> => {
  if (delivery === null) return []
  const isDue = delivery.dueAt !== null
  if (stepless.has(delivery.channel) && isDue)
    return [violation("due-time", id, `a delivery by ${delivery.channel} that is due`)]
  if (delivery.channel !== PRODUCT) return []
  const { name } = delivery.status
  // After the end it is due until its sends are settled.
  if (name === PENDING ? isDue : !isDue || name !== BLOCKED) return []
  return [violation("due-time", id, `a verification that is ${name}, and ${isDue ? "due" : "never due"}`)]
}

const PENDING: VerificationStatus = "pending"
const BLOCKED: VerificationStatus = "blocked"
