/**
 * The failure of a start that could not open any step, by the refusals of its sends.
 */
import {
  BadRequest,
  Forbidden,
  PaymentRequired,
  ServiceUnavailable,
  TemporaryUnavailable
} from "@watchword/schemas/Errors"
import { isLimit, isPermanent, refusalOf } from "@watchword/send/pipeline"
import type { NoStepError } from "./VerifyError.ts"
import type { Plan } from "./plan/Plan.ts"
import { NUMBER_REFUSED } from "./AttemptSender.ts"

/** Null if a step was on its way, whatever became of it later. */
export const failureOf = ({ attempts, status }: Plan): NoStepError | null => {
  if (status !== "failed" || attempts.some(({ reason }) => reason === null)) return null
  const reasons = attempts.map(({ reason }) => reason ?? "")
  const rule = reasons.find((reason) => RULES.has(reason))
  const refused = reasons.find(isPermanent) ?? reasons.find(isLimit)
  const said = attempts.map(({ channel, reason }) => `${channel}: ${reason}`).join(", ")
  if (attempts.some(({ outcome }) => outcome === "unpaid")) {
    return new PaymentRequired({ message: "The account's balance is too small for this verification." })
  }
  if (rule !== undefined) return new Forbidden({ message: "The account may not send this verification.", reason: rule })
  if (refused !== undefined) return refusalOf(refused)
  if (reasons.includes(NUMBER_REFUSED) && reasons.every((reason) => UNKNOWN.has(reason))) {
    const issues = [{ path: "to", message: `is not a number that can be reached (${said})` }]
    return new BadRequest({ message: "The request body is not valid.", issues })
  }
  return reasons.some((reason) => GONE.has(reason))
    ? new TemporaryUnavailable({ message: `The number cannot be reached at the moment (${said}).` })
    : new ServiceUnavailable({ message: `The code could not be sent on any channel (${said}).` })
}

/** The operator's rules other than guard rules, as errors name them. */
const RULES = new Set(["account_suspended", "sender_not_allowed", "caller_not_allowed"])

/** Reasons that speak of a number that does not exist. */
const UNKNOWN = new Set([NUMBER_REFUSED, "NO_ACCOUNT", "NOT_FOUND"])

/** Codes of failures that are the number's, or that pass. */
const GONE = new Set(["NO_ACCOUNT", "NOT_FOUND", "TEMPORARY_UNAVAILABLE", "BUSY_HERE", "DECLINE"])

/** Whether a verification has failed before a step of it was on its way. */
export const isUndelivered = (plan: Plan): boolean => failureOf(plan) !== null
