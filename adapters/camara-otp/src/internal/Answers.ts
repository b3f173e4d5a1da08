/**
 * Answers in CAMARA's form: JSON, errors as `{ status, code, message }`.
 *
 * Source: CAMARA One-Time Password SMS 1.1, and CAMARA_common.yaml of Commonalities 0.6 for the codes that it leaves to
 * all interfaces (METHOD_NOT_ALLOWED, UNSUPPORTED_MEDIA_TYPE, INTERNAL, UNAVAILABLE).
 */
import type { HostResponse } from "@watchword/server/Host"

const OTP = "ONE_TIME_PASSWORD_SMS"

/** The errors that a client of the standard knows, with a sentence for people. */
export const problems = {
  invalid: [400, "INVALID_ARGUMENT", "The request has a wrong value."],
  wrongCode: [400, `${OTP}.INVALID_OTP`, "The code is wrong for this authenticationId."],
  failed: [400, `${OTP}.VERIFICATION_FAILED`, "Too many wrong codes were entered for this authenticationId."],
  expired: [400, `${OTP}.VERIFICATION_EXPIRED`, "This authenticationId is no longer valid: send another code."],
  unauthenticated: [401, "UNAUTHENTICATED", "The access token is missing, not valid or expired."],
  denied: [403, "PERMISSION_DENIED", "The client may not do this."],
  tooManyCodes: [403, `${OTP}.MAX_OTP_CODES_EXCEEDED`, "Too many codes were sent to this number. Try again later."],
  notAllowed: [403, `${OTP}.PHONE_NUMBER_NOT_ALLOWED`, "This number cannot receive codes over SMS."],
  blocked: [403, `${OTP}.PHONE_NUMBER_BLOCKED`, "SMS to this number are blocked."],
  notFound: [404, "NOT_FOUND", "There is no such resource."],
  otherOperator: [404, "NOT_FOUND", "This service does not send to this number."],
  wrongMethod: [405, "METHOD_NOT_ALLOWED", "Requests of this interface are sent with POST."],
  wrongType: [415, "UNSUPPORTED_MEDIA_TYPE", "The body must be JSON, with the content type application/json."],
  quota: [429, "QUOTA_EXCEEDED", "The account's budget is used up."],
  tooManyRequests: [429, "TOO_MANY_REQUESTS", "Too many requests. Try again later."],
  internal: [500, "INTERNAL", "The service has a fault."],
  unavailable: [503, "UNAVAILABLE", "The code cannot be sent at the moment. Try again later."]
} as const satisfies Readonly<Record<string, readonly [status: number, code: string, message: string]>>

export type Problem = keyof typeof problems

/**
 * The answer to an error.
 *
 * @param more a sentence about a mistake of the client, and the wait in seconds
 */
export const problem = (
  kind: Problem,
  more: { readonly message?: string | undefined; readonly retryAfter?: number | undefined } = {}
): HostResponse => {
  const [status, code, usual] = problems[kind]
  const { message = usual, retryAfter } = more
  const wait = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }
  return json(status, { status, code, message }, { ...ofKind[kind], ...wait })
}

const ofKind: { readonly [P in Problem]?: Readonly<Record<string, string>> } = {
  // RFC 6750 §3.
  unauthenticated: { "www-authenticate": "Bearer" },
  wrongMethod: { allow: "POST" }
}

export const json = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): HostResponse => ({
  status,
  headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  body: JSON.stringify(body)
})

export const noContent: HostResponse = { status: 204, headers: { "cache-control": "no-store" }, body: null }
