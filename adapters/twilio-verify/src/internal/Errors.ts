/**
 * Each error of the service as one of Twilio's.
 *
 * Source: https://www.twilio.com/docs/verify/return-and-error-codes, and the page of each code under
 * https://www.twilio.com/docs/errors.
 */
import { type ErrorCode, type errors, isErrorCode } from "@watchword/schemas/Errors"
import { Refused, type TwilioCode } from "./Answers.ts"

/** Reasons of a code; a reason that is renamed no longer compiles. */
type Reasons<Code extends ErrorCode> = (typeof errors)[Code] extends { readonly reasons: infer R } ? keyof R : never

/** Codes of Twilio by reason; null for a reason that no call of the door is refused for. */
type ByReason<Code extends ErrorCode> = { readonly [R in Reasons<Code>]: TwilioCode | null }

const forbidden: ByReason<"FORBIDDEN"> = {
  account_suspended: 20005,
  sender_not_allowed: 60223,
  caller_not_allowed: 60223,
  country_not_allowed: 60605,
  own_text_not_allowed: 20403,
  number_not_allowed: 60205,
  prefix_blocked: 60410,
  denied: 60410,
  check_failed: 20403,
  sandbox_only: 20403,
  "role_…": null,
  other_site: null
}

const conflict: ByReason<"CONFLICT"> = {
  in_flight: 60212,
  key_reused: 60200,
  duplicate_request: 60212,
  final_status: 20404,
  revoked: 20404,
  failed: 20404,
  expired: 20404,
  approved: 20404,
  ended: 20404,
  kept: null,
  offline: null,
  no_account: null,
  not_asked: null,
  no_step_left: 60223,
  other_code: 60212,
  other_bind: 60212,
  changed_meanwhile: null,
  move_under_way: null,
  key_ended: null,
  id_reused: null,
  application_taken: null
}

const tooMany: ByReason<"TOO_MANY_REQUESTS"> = {
  resend_too_soon: 60212,
  too_many_sends: 60203,
  no_checks_left: 60202,
  "limit_…": 20429,
  spend: 20429,
  too_many_lists: 20429,
  too_many_waits: 20429,
  too_many_sandbox_sends: 20429,
  too_many_sign_ins: null,
  too_many_reads: null,
  too_many_streams: null
}

const unavailable: ByReason<"SERVICE_UNAVAILABLE"> = {
  no_route: 20503,
  caller_blocked: 20503
}

interface Entry {
  /** For errors without a reason, and for reasons that the table lacks. */
  readonly otherwise: TwilioCode
  readonly reasons?: Readonly<Partial<Record<string, TwilioCode | null>>>
}

/** Codes of Twilio by the codes and the reasons of the service. */
export const table: { readonly [Code in ErrorCode]: Entry } = {
  BAD_REQUEST: { otherwise: 60200 },
  UNAUTHORIZED: { otherwise: 20003 },
  // No error of Verify says that there is no money.
  PAYMENT_REQUIRED: { otherwise: 20403 },
  // A key without the scope.
  FORBIDDEN: { otherwise: 20403, reasons: forbidden },
  NOT_FOUND: { otherwise: 20404 },
  CONFLICT: { otherwise: 20404, reasons: conflict },
  TOO_MANY_REQUESTS: { otherwise: 20429, reasons: { ...tooMany, limit_number: 60203 } },
  TEMPORARY_UNAVAILABLE: { otherwise: 20503 },
  BUSY_HERE: { otherwise: 20503 },
  INTERNAL_SERVER_ERROR: { otherwise: 20500 },
  SERVICE_UNAVAILABLE: { otherwise: 20503, reasons: unavailable },
  DECLINE: { otherwise: 20503 }
}

/** An error of the service, as direct calls reject with it. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly reason?: string | undefined
  readonly retryAfter?: number | undefined
  readonly issues?: ReadonlyArray<{ readonly path: string; readonly message: string }> | undefined
}

export const refusalOf = ({ code, issues = [], message, reason = "", retryAfter }: Failure): Refused => {
  const entry = table[isErrorCode(code) ? code : "INTERNAL_SERVER_ERROR"]
  const found = entry.reasons?.[reason] ?? (reason.startsWith("limit_") ? 20429 : undefined)
  // A channel that the installation does not have, or does not sell.
  const isChannel = issues.some(({ path }) => path.startsWith("workflow"))
  const twilio = isChannel ? 60223 : (found ?? entry.otherwise)
  return new Refused({ code: twilio, message: sentences[twilio] ?? inWords(message, issues), retryAfter, reason })
}

/** Twilio's own words, which apps show or compare. */
const sentences: { readonly [Code in TwilioCode]?: string } = {
  20003: "Authenticate",
  60202: "Max check attempts reached",
  60203: "Max send attempts reached",
  60212: "Too many concurrent requests for phone number."
}

/** Fields of the service by the parameters that they come from. */
const parameters: Readonly<Record<string, string>> = {
  to: "To",
  code: "Code",
  locale: "Locale",
  template: "TemplateSid",
  variables: "TemplateCustomSubstitutions",
  app_hash: "AppHash",
  metadata: "Tags",
  client_ip: "DeviceIp",
  limit_keys: "RateLimits",
  bind: "Amount"
}

const inWords = (message: string, issues: NonNullable<Failure["issues"]>): string => {
  const [first] = issues
  if (first === undefined) return message
  const [field = ""] = first.path.split(/[.[]/)
  return `Invalid parameter: ${parameters[field] ?? field} ${first.message}.`
}
