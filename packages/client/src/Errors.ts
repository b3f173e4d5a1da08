/**
 * The errors that promises of the client reject with: a class for each code of the interface, and three for requests
 * without an answer of it. All of them are a `WatchwordError`.
 *
 * Source: the interface's table of errors; their names and codes are those of `@watchword/schemas/Errors`.
 */

/** One thing wrong with a request body: where, and how to mend it. */
export interface Issue {
  readonly path: string
  readonly message: string
}

/** The parts of an error besides its code and its message. */
export interface ErrorDetails {
  /** The status of the HTTP answer by the interface; undefined where there was no answer. */
  readonly status?: number | undefined
  /** The correlation id under which the service has logged the request. */
  readonly requestId?: string | undefined
  /** The key under which the request was made. Under the same key it can be repeated, and nothing is sent twice. */
  readonly idempotencyKey?: string | undefined
  /** Of a 400: each field that is wrong. */
  readonly issues?: ReadonlyArray<Issue> | undefined
  /** Of a 403, a 409 and a 429: the rule, the conflict or the limit, for example `resend_too_soon`. */
  readonly reason?: string | undefined
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number | undefined
  /** Of a 429 of a guard: the rest of each limit, by its reason. */
  readonly remaining?: Readonly<Record<string, number>> | undefined
  readonly cause?: unknown
}

/**
 * The base class of all errors. `code`, which `name` repeats, is stable and tells them apart; `isWatchwordError` narrows to
 * the union of all of them, for exhaustive switches.
 *
 * @example
 * ```ts
 * import { TooManyRequests, WatchwordError } from "@watchword/client"
 *
 * const error: unknown = new TooManyRequests("Too many requests.", { status: 429, retryAfter: 30 })
 * if (error instanceof WatchwordError) console.log(error.code, error.retryAfter) // TOO_MANY_REQUESTS 30
 * ```
 */
export abstract class WatchwordError extends Error {
  abstract readonly code: string
  readonly status: number | undefined
  readonly requestId: string | undefined
  readonly idempotencyKey: string | undefined
  readonly issues: ReadonlyArray<Issue> | undefined
  readonly reason: string | undefined
  readonly retryAfter: number | undefined
  readonly remaining: Readonly<Record<string, number>> | undefined

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.status = details.status
    this.requestId = details.requestId
    this.idempotencyKey = details.idempotencyKey
    this.issues = details.issues
    this.reason = details.reason
    this.retryAfter = details.retryAfter
    this.remaining = details.remaining
  }
}

const coded = <const Code extends string>(code: Code) =>
  class extends WatchwordError {
    override readonly code: Code = code
    override readonly name: Code = code
  }

/** 400: the body is malformed, incomplete or has a wrong value; `issues` names each field. */
export class BadRequest extends coded("BAD_REQUEST") {}

/** 401: the key or the account id is wrong, or the client's address is outside the key's allow-list. */
export class Unauthorized extends coded("UNAUTHORIZED") {}

/** 402: the available balance is smaller than the price. Nothing was sent. */
export class PaymentRequired extends coded("PAYMENT_REQUIRED") {}

/** 403: the key lacks the scope, or a rule of the operator refuses the request, which `reason` names. */
export class Forbidden extends coded("FORBIDDEN") {}

/** 404: no such record of this account. */
export class NotFound extends coded("NOT_FOUND") {}

/** 409: a duplicate request, or a change that contradicts the record; `reason` says which. */
export class Conflict extends coded("CONFLICT") {}

/** 429: a limit, which `reason` names; without `retryAfter` waiting does not help. */
export class TooManyRequests extends coded("TOO_MANY_REQUESTS") {}

/** 480: the gateway cannot be reached for the moment. */
export class TemporaryUnavailable extends coded("TEMPORARY_UNAVAILABLE") {}

/** 486: the recipient is busy, or the network rejected the call. */
export class BusyHere extends coded("BUSY_HERE") {}

/** 500: a fault of the service. */
export class InternalServerError extends coded("INTERNAL_SERVER_ERROR") {}

/** 503: the gateway is disconnected, none is configured, or the service is under maintenance. */
export class ServiceUnavailable extends coded("SERVICE_UNAVAILABLE") {}

/** 603: the recipient declined the call. */
export class Decline extends coded("DECLINE") {}

/** The connection failed before there was a whole answer. Whether the request was carried out is not known. */
export class ConnectionFailed extends coded("CONNECTION_FAILED") {}

/** There was no answer within the time limit. Whether the request was carried out is not known. */
export class TimedOut extends coded("TIMED_OUT") {}

/** The answer is none of the interface: that of a proxy, a redirect, or a code that this version does not know. */
export class UnexpectedAnswer extends coded("UNEXPECTED_ANSWER") {}

/** Errors of the interface, by the code that the body of an answer has in `error`. */
const answers = {
  BAD_REQUEST: [400, BadRequest],
  UNAUTHORIZED: [401, Unauthorized],
  PAYMENT_REQUIRED: [402, PaymentRequired],
  FORBIDDEN: [403, Forbidden],
  NOT_FOUND: [404, NotFound],
  CONFLICT: [409, Conflict],
  TOO_MANY_REQUESTS: [429, TooManyRequests],
  TEMPORARY_UNAVAILABLE: [480, TemporaryUnavailable],
  BUSY_HERE: [486, BusyHere],
  INTERNAL_SERVER_ERROR: [500, InternalServerError],
  SERVICE_UNAVAILABLE: [503, ServiceUnavailable],
  DECLINE: [603, Decline]
} as const

/** An error that the service has answered with. */
export type ApiError = InstanceType<(typeof answers)[keyof typeof answers][1]>

/** Every error of the client, told apart by its code. */
export type AnyWatchwordError = ApiError | ConnectionFailed | TimedOut | UnexpectedAnswer

/** A stable code of an error. */
export type ErrorCode = AnyWatchwordError["code"]

/** Whether a value is an error of the client. */
export const isWatchwordError = (error: unknown): error is AnyWatchwordError => error instanceof WatchwordError

/**
 * The error of a code, with the status that the interface gives it: a host that cannot answer 603 answers 486 instead. None
 * for codes that are not known.
 */
export const apiError = (code: unknown, message: string, details: ErrorDetails): ApiError | null => {
  if (typeof code !== "string" || !isCode(code)) return null
  const [status, Class] = answers[code]
  return new Class(message, { ...details, status })
}

const isCode = (code: string): code is keyof typeof answers => Object.hasOwn(answers, code)
