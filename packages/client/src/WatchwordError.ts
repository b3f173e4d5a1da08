/**
 * The base class of the errors that promises of the client and of a service in the same process reject with.
 */

/** One thing wrong with a request body: where, and how to mend it. */
export interface Issue {
  readonly path: string
  readonly message: string
}

/** The parts of an error other than its code and its message. */
export interface ErrorDetails {
  /** The status of the HTTP answer by the interface; undefined if there was no answer. */
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
 * The base class of all errors. `code`, which `name` repeats, is stable and identifies the error; `isWatchwordError`
 * narrows to the union of all errors, for exhaustive switches.
 *
 * @example
 * ```ts
 * import { TooManyRequests, WatchwordError } from "@watchword/client"
 *
 * const error: unknown = new TooManyRequests("Too many requests.", { status: 429, retryAfter: 30 })
 * if (error instanceof WatchwordError) console.log(error.code, error.retryAfter) // TOO_MANY_REQUESTS 30
 * ```
 */
export abstract class WatchwordError extends Error implements ErrorDetails {
  /** Which error it is, such as `TOO_MANY_REQUESTS`. */
  abstract readonly code: string
  /** The status of the HTTP answer by the interface; undefined if there was no answer. */
  readonly status: number | undefined
  /** The correlation id under which the service has logged the request. */
  readonly requestId: string | undefined
  /** The key under which the request was made. Under the same key it can be repeated, and nothing is sent twice. */
  readonly idempotencyKey: string | undefined
  /** Of a 400: each field that is wrong. */
  readonly issues: ReadonlyArray<Issue> | undefined
  /** Of a 403, a 409 and a 429: the rule, the conflict or the limit, for example `resend_too_soon`. */
  readonly reason: string | undefined
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined
  /** Of a 429 of a guard: the rest of each limit, by its reason. */
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

  /** `status` by the name that Fastify reads. */
  get statusCode(): number | undefined {
    return this.status
  }

  /** Whether the message may be shown to the sender of the request, which Nest and Koa ask of errors. */
  get expose(): boolean {
    return Number(this.status) < 500
  }
}

/** The class of a code, with the status that the interface gives it. */
export const coded = <const Code extends string>(code: Code, status?: number) =>
  class CodedError extends WatchwordError {
    static readonly code: Code = code
    override readonly code: Code = code
    override readonly name: Code = code

    constructor(message: string, details: ErrorDetails = {}) {
      super(message, status === undefined ? details : { ...details, status })
    }
  }
