/**
 * The service's errors and their reasons in CAMARA's words: the one table of the door.
 */
import type { ErrorCode } from "@watchword/schemas/Errors"
import type { HostResponse } from "@watchword/server/Host"
import type { Issue, WatchwordError } from "watchword"
import { type Problem, problem } from "./Answers.ts"

/** Errors without a reason of their own below. */
const byError: { readonly [C in ErrorCode]: Problem } = {
  BAD_REQUEST: "invalid",
  UNAUTHORIZED: "unauthenticated",
  PAYMENT_REQUIRED: "quota",
  FORBIDDEN: "denied",
  NOT_FOUND: "notFound",
  CONFLICT: "tooManyRequests",
  TOO_MANY_REQUESTS: "tooManyRequests",
  TEMPORARY_UNAVAILABLE: "unavailable",
  BUSY_HERE: "unavailable",
  INTERNAL_SERVER_ERROR: "internal",
  SERVICE_UNAVAILABLE: "unavailable",
  DECLINE: "unavailable"
}

/** Reasons of errors that starts and checks of verifications have. */
export const byReason: Readonly<Record<string, Problem>> = {
  account_suspended: "denied",
  own_text_not_allowed: "denied",
  sender_not_allowed: "denied",
  caller_not_allowed: "denied",
  country_not_allowed: "notAllowed",
  number_not_allowed: "notAllowed",
  prefix_blocked: "blocked",
  denied: "notAllowed",
  check_failed: "denied",
  in_flight: "tooManyRequests",
  other_code: "tooManyRequests",
  other_bind: "tooManyRequests",
  approved: "expired",
  ended: "expired",
  expired: "expired",
  resend_too_soon: "tooManyRequests",
  too_many_sends: "tooManyCodes",
  no_checks_left: "failed",
  "limit_…": "tooManyCodes",
  spend: "quota",
  too_many_sandbox_sends: "tooManyRequests",
  no_route: "unavailable"
}

/** An error as the client of `send-code` or `validate-code` reads it. */
export const answerOf = (error: WatchwordError): HostResponse => {
  const kind = kindOf(error)
  return problem(kind, {
    message: kind === "invalid" ? sentenceOf(error) : kind === "denied" ? error.message : undefined,
    retryAfter: error.retryAfter
  })
}

const kindOf = ({ code, issues = [], reason = "" }: WatchwordError): Problem => {
  if (code === "BAD_REQUEST") return issues.map(ofIssue).find((kind) => kind !== "invalid") ?? "invalid"
  const named = reason.startsWith("limit_") ? "limit_…" : reason
  return byReason[named] ?? (isKnown(code) ? byError[code] : "internal")
}

const isKnown = (code: string): code is ErrorCode => Object.hasOwn(byError, code)

/** The service refuses numbers in words: one without a price is not sold, and a carrier may refuse one for good. */
const ofIssue = ({ message, path }: Issue): Problem => {
  if (path === "code") return "wrongCode"
  if (path !== "to") return "invalid"
  if (message.startsWith("is a number that no price is set for")) return "otherOperator"
  return message.startsWith("is not a number that can be reached") ? "notAllowed" : "invalid"
}

const sentenceOf = ({ issues = [], message }: WatchwordError): string =>
  issues.length === 0
    ? message
    : `${issues.map(({ message, path }) => `${NAMES[path] ?? path} ${message}`).join("; ")}.`

/** The standard's names of the service's fields. */
const NAMES: Readonly<Record<string, string>> = { to: "phoneNumber", text: "message" }
