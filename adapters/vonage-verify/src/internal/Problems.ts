/**
 * Vonage's errors, and which of them each error of the service is.
 *
 * Sources: the page https://developer.vonage.com/en/api-errors with its section on Verify v2, and the recorded answers
 * in the tests of Vonage's SDKs, which have the types in full; RFC 9457 (problem documents).
 */
import { type ErrorCode, type errors, isErrorCode } from "@watchword/schemas/Errors"
import type { HostResponse } from "@watchword/server/Host"

interface Entry {
  readonly status: number
  readonly type: string
  readonly title: string
  readonly detail: string
}

const GENERIC = "https://developer.vonage.com/api-errors#"
const VERIFY = "https://www.developer.vonage.com/api-errors/verify#"

/** An error without a documented type of its own (RFC 9457, section 4.2.1). */
const blank = (status: number, title: string, detail: string): Entry => ({ status, type: "about:blank", title, detail })

const problems = {
  unauthorized: {
    status: 401,
    type: `${GENERIC}unauthorized`,
    title: "Unauthorized",
    detail: "You did not provide correct credentials."
  },
  jwtExpired: {
    status: 401,
    type: `${GENERIC}jwt-expired`,
    title: "Unauthorized",
    detail: "The JWT provided has expired."
  },
  lowBalance: {
    status: 402,
    type: `${GENERIC}low-balance`,
    title: "Low balance",
    detail: "This request could not be performed due to your account balance being low."
  },
  forbidden: {
    status: 403,
    type: `${GENERIC}forbidden`,
    title: "Forbidden",
    detail: "Your account does not have permission to perform this action."
  },
  accountSuspended: {
    status: 403,
    type: `${GENERIC}account-suspended`,
    title: "Forbidden",
    detail: "This account has been suspended."
  },
  notFound: {
    status: 404,
    type: `${GENERIC}not-found`,
    title: "Not Found",
    detail: "The requested resource does not exist, or you do not have access to it."
  },
  noRequest: {
    status: 404,
    type: `${GENERIC}not-found`,
    title: "Not Found",
    detail: "The request was not found or it has been verified already."
  },
  wrongVerb: {
    status: 405,
    type: `${GENERIC}wrong-verb`,
    title: "Method Not Allowed",
    detail: "This endpoint does not support the HTTP verb that you requested."
  },
  pending: {
    status: 409,
    type: `${VERIFY}conflict`,
    title: "Conflict",
    detail: "Concurrent verifications to the same number are not allowed."
  },
  noEvents: {
    status: 409,
    type: `${VERIFY}conflict`,
    title: "Conflict",
    detail: "There are no more events left to trigger."
  },
  invalidCode: {
    status: 400,
    type: `${VERIFY}invalid-code`,
    title: "Invalid Code",
    detail: "The code you provided does not match the expected value."
  },
  tooManyCodes: {
    status: 410,
    type: `${VERIFY}expired`,
    title: "Invalid Code",
    detail: "An incorrect code has been provided too many times. Workflow terminated."
  },
  invalidJson: {
    status: 400,
    type: `${GENERIC}invalid-json`,
    title: "Bad Request",
    detail: "The request body did not contain valid JSON."
  },
  contentType: {
    status: 415,
    type: `${GENERIC}content-type-header`,
    title: "Unsupported Media Type",
    detail: "Invalid Content-Type header provided: send application/json."
  },
  invalidParams: {
    status: 422,
    type: `${GENERIC}invalid-params`,
    title: "Invalid params",
    detail: "The value of one or more parameters is invalid."
  },
  throttled: {
    status: 429,
    type: `${GENERIC}throttled`,
    title: "Rate Limit Hit",
    detail: "Please wait, then retry your request."
  },
  tooLarge: blank(413, "Content Too Large", "The request body is too large."),
  late: blank(408, "Request Timeout", "The request body came too slowly."),
  internal: blank(500, "Internal Server Error", "The request could not be performed.")
} as const satisfies Readonly<Record<string, Entry>>

export type Problem = keyof typeof problems

/** The error that a code of the service is, and the errors of its reasons. */
interface Translation {
  readonly problem: Problem
  /** Whether `detail` is the service's own message, which says more than Vonage's. */
  readonly says: "service" | "vonage"
  readonly reasons: Readonly<Record<string, Problem>>
}

type ReasonOf<Code extends ErrorCode> = (typeof errors)[Code] extends { readonly reasons: infer Reasons }
  ? keyof Reasons
  : never

/** Every error of the service. The compiler holds that no reason is missing. */
export const translations: {
  readonly [Code in ErrorCode]: Translation & { readonly reasons: Readonly<Record<ReasonOf<Code>, Problem>> }
} = {
  BAD_REQUEST: { problem: "invalidParams", says: "vonage", reasons: {} },
  UNAUTHORIZED: { problem: "unauthorized", says: "vonage", reasons: {} },
  PAYMENT_REQUIRED: { problem: "lowBalance", says: "vonage", reasons: {} },
  FORBIDDEN: {
    problem: "forbidden",
    says: "service",
    reasons: {
      account_suspended: "accountSuspended",
      sender_not_allowed: "forbidden",
      caller_not_allowed: "forbidden",
      country_not_allowed: "forbidden",
      number_not_allowed: "forbidden",
      own_text_not_allowed: "forbidden",
      prefix_blocked: "forbidden",
      denied: "forbidden",
      check_failed: "forbidden",
      sandbox_only: "forbidden",
      "role_…": "forbidden",
      other_site: "forbidden"
    }
  },
  NOT_FOUND: { problem: "noRequest", says: "vonage", reasons: {} },
  CONFLICT: {
    problem: "noRequest",
    says: "vonage",
    reasons: {
      in_flight: "pending",
      key_reused: "pending",
      duplicate_request: "pending",
      other_code: "pending",
      other_bind: "pending",
      no_step_left: "noEvents",
      // Vonage no longer finds an ended request.
      approved: "noRequest",
      ended: "noRequest",
      final_status: "noRequest",
      revoked: "noRequest",
      failed: "noRequest",
      expired: "noRequest",
      kept: "noRequest",
      offline: "noRequest",
      no_account: "noRequest",
      not_asked: "noRequest",
      changed_meanwhile: "noRequest",
      move_under_way: "noRequest",
      key_ended: "noRequest",
      application_taken: "noRequest",
      id_reused: "noRequest"
    }
  },
  TOO_MANY_REQUESTS: {
    problem: "throttled",
    says: "service",
    reasons: {
      no_checks_left: "tooManyCodes",
      too_many_sends: "noEvents",
      resend_too_soon: "throttled",
      "limit_…": "throttled",
      spend: "throttled",
      too_many_lists: "throttled",
      too_many_waits: "throttled",
      too_many_sandbox_sends: "throttled",
      too_many_sign_ins: "throttled",
      too_many_reads: "throttled",
      too_many_streams: "throttled"
    }
  },
  // Vonage has one error for what its own side cannot do.
  TEMPORARY_UNAVAILABLE: { problem: "internal", says: "service", reasons: {} },
  BUSY_HERE: { problem: "internal", says: "service", reasons: {} },
  INTERNAL_SERVER_ERROR: { problem: "internal", says: "service", reasons: {} },
  SERVICE_UNAVAILABLE: {
    problem: "internal",
    says: "service",
    reasons: { no_route: "internal", caller_blocked: "internal" }
  },
  DECLINE: { problem: "internal", says: "service", reasons: {} }
}

/** An error of the service, as direct calls reject with it. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly reason?: string | undefined
  readonly retryAfter?: number | undefined
}

/** Which of Vonage's errors a failure is. */
export const problemOf = ({ code, reason }: Pick<Failure, "code" | "reason">): Problem => {
  const { problem, reasons } = translationOf(code)
  if (reason === undefined) return problem
  const family = `${reason.slice(0, reason.indexOf("_") + 1)}…`
  return reasons[reason] ?? reasons[family] ?? problem
}

const translationOf = (code: string): Translation => translations[isErrorCode(code) ? code : "INTERNAL_SERVER_ERROR"]

/** A parameter that is wrong, as a 422 lists it. */
export interface InvalidParameter {
  readonly name: string
  readonly reason: string
}

/** Further members of a document. */
export interface More {
  readonly detail?: string
  readonly request_id?: string
  readonly invalid_parameters?: ReadonlyArray<InvalidParameter>
}

/** The document of an error. @param instance identifies this answer in the log */
export const problemResponse = (
  problem: Problem,
  instance: string,
  more: More = {},
  headers: HostResponse["headers"] = {}
): HostResponse => {
  const { detail, status, title, type } = problems[problem]
  return {
    status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store", ...headers },
    body: JSON.stringify({ type, title, detail, instance, ...more })
  }
}

/** The answer to a failure of the service. */
export const failureResponse = (failure: Failure, instance: string, requestId: string | null): HostResponse => {
  const problem = problemOf(failure)
  const more = problem === "noRequest" && requestId !== null ? missing(requestId) : {}
  const { message, retryAfter } = failure
  const isOwn = translationOf(failure.code).says === "service" && OWN_WORDS.has(problem)
  // SDKs show no header: the sentence has to say how long to wait.
  const wait = retryAfter === undefined ? "" : ` Try again in ${retryAfter} seconds.`
  return problemResponse(
    problem,
    instance,
    { ...(isOwn ? { detail: `${message}${wait}` } : {}), ...more },
    {
      ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
      ...(problem === "unauthorized" ? { "www-authenticate": "Bearer" } : {})
    }
  )
}

/** The sentence of a 404 as Vonage has it. */
export const missing = (requestId: string): More => ({
  detail: `Request ${requestId.slice(0, 64)} was not found or it has been verified already.`
})

/** Errors whose sentence of Vonage's is so general that the service's message is better. */
const OWN_WORDS: ReadonlySet<Problem> = new Set(["forbidden", "throttled", "internal"])
