/**
 * The errors of the interface: one class for each code, each with its HTTP status. They travel as
 * values from where they arise to the edge, which adds the request's id and writes
 * `{"error": CODE, "message": …, "request_id": …}`.
 *
 * Source: the interface's table of errors; RFC 9110 §15, RFC 6585 §4 (429), RFC 3261 §21 (480, 486, 603).
 */
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { RequestId } from "./Ids.ts"

/** One thing wrong with a request body: where, and how to mend it. */
export const Issue = Schema.Struct({ path: Schema.String, message: Schema.String })
export type Issue = typeof Issue.Type

const fields = { message: Schema.String, request_id: Schema.optionalKey(RequestId) }

/**
 * The base class of all errors of the interface. `code`, which `_tag` and `name` repeat, is stable and tells them apart;
 * web frameworks answer with the `status` that they find on an error.
 *
 * @example
 * ```ts
 * import { Conflict, WatchwordError } from "@watchword/schemas/Errors"
 *
 * const error: unknown = new Conflict({ message: "This request was revoked already.", reason: "revoked" })
 * if (error instanceof WatchwordError) console.log(error.code, error.status) // CONFLICT 409
 * ```
 */
export abstract class WatchwordError extends Schema.Error<WatchwordError>("WatchwordError")(fields) {
  get code(): string {
    return this.name
  }

  /** The status of the HTTP answer. */
  get status(): number {
    return statuses.get(this.name) ?? 500
  }

  /** The same by the name that Fastify reads. */
  get statusCode(): number {
    return this.status
  }

  /** Whether the message is for the client, which Nest and Koa ask of errors. */
  get expose(): boolean {
    return this.status < 500
  }

  /** For `console.log`: the stack, and each issue. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    const issues = "issues" in this && Array.isArray(this.issues) ? this.issues : []
    return [this.stack ?? String(this), ...issues.map(({ message, path }) => `    ${path} ${message}`)].join("\n")
  }
}

/** The types of a code and its status, for exhaustive switches. */
interface Coded<Code extends string, Status extends number> {
  readonly code: Code
  readonly status: Status
}

/** The body is malformed, incomplete or has a wrong value; `issues` names each field. */
export class BadRequest extends WatchwordError.extend<BadRequest, {}, Coded<"BAD_REQUEST", 400>>("BAD_REQUEST")(
  { _tag: Schema.tag("BAD_REQUEST"), issues: Schema.optionalKey(Schema.Array(Issue)) },
  { httpApiStatus: 400 }
) {}

/** The key or the account id is missing or wrong, or the client's address is outside the key's allow-list. */
export class Unauthorized extends WatchwordError.extend<Unauthorized, {}, Coded<"UNAUTHORIZED", 401>>("UNAUTHORIZED")(
  { _tag: Schema.tag("UNAUTHORIZED") },
  { httpApiStatus: 401 }
) {}

/** The account's available balance is smaller than the price. Nothing was sent. */
export class PaymentRequired extends WatchwordError.extend<PaymentRequired, {}, Coded<"PAYMENT_REQUIRED", 402>>(
  "PAYMENT_REQUIRED"
)({ _tag: Schema.tag("PAYMENT_REQUIRED") }, { httpApiStatus: 402 }) {}

/**
 * The key is valid and lacks the scope, or a rule of the operator refuses the request: then `reason` names the rule, for
 * example `account_suspended`.
 */
export class Forbidden extends WatchwordError.extend<Forbidden, {}, Coded<"FORBIDDEN", 403>>("FORBIDDEN")(
  { _tag: Schema.tag("FORBIDDEN"), reason: Schema.optionalKey(Schema.String) },
  { httpApiStatus: 403 }
) {}

/** The 403 of a suspended account. */
export const accountSuspended = (): Forbidden =>
  new Forbidden({ message: "The account is suspended.", reason: "account_suspended" })

/** No such path, or no such record of this account in this mode. */
export class NotFound extends WatchwordError.extend<NotFound, {}, Coded<"NOT_FOUND", 404>>("NOT_FOUND")(
  { _tag: Schema.tag("NOT_FOUND") },
  { httpApiStatus: 404 }
) {}

/**
 * A duplicate request, or a change that contradicts the record's final state; `reason` says which. Of these only
 * `in_flight`, the first request under an `Idempotency-Key` that is not answered yet, passes by itself.
 */
export class Conflict extends WatchwordError.extend<Conflict, {}, Coded<"CONFLICT", 409>>("CONFLICT")(
  { _tag: Schema.tag("CONFLICT"), reason: Schema.String },
  { httpApiStatus: 409 }
) {}

/** The 409 of a repeat that comes before the first request under its `Idempotency-Key` is answered. */
export const inFlight = (): Conflict =>
  new Conflict({ message: "The first request of this kind is still in flight.", reason: "in_flight" })

/** The 409 of an `Idempotency-Key` that another request has used. */
export const keyReused = (): Conflict =>
  new Conflict({ message: "This Idempotency-Key was used with another body.", reason: "key_reused" })

/** The 409 of a correlation id that comes again with the same body. */
export const duplicateRequest = (): Conflict =>
  new Conflict({
    message: "This request was made already; use another x-request-id to make it again.",
    reason: "duplicate_request"
  })

/**
 * Too many requests: `reason` names the limit, for example `resend_too_soon`, and `retryAfter` is the number of seconds
 * after which the same request may succeed. Without it the limit is not one of time. `remaining` is what is left of each
 * limit of a guard by its reason: sends, and of `spend` EUR.
 */
export class TooManyRequests extends WatchwordError.extend<TooManyRequests, {}, Coded<"TOO_MANY_REQUESTS", 429>>(
  "TOO_MANY_REQUESTS"
)(
  {
    _tag: Schema.tag("TOO_MANY_REQUESTS"),
    reason: Schema.String,
    retryAfter: Schema.optionalKey(Schema.Int),
    remaining: Schema.optionalKey(Schema.Record(Schema.String, Schema.Finite))
  },
  { httpApiStatus: 429 }
) {}

/** The gateway cannot be reached for the moment; retry with exponential back-off. */
export class TemporaryUnavailable extends WatchwordError.extend<
  TemporaryUnavailable,
  {},
  Coded<"TEMPORARY_UNAVAILABLE", 480>
>("TEMPORARY_UNAVAILABLE")({ _tag: Schema.tag("TEMPORARY_UNAVAILABLE") }, { httpApiStatus: 480 }) {}

/** The recipient is busy, or the network rejected the call. */
export class BusyHere extends WatchwordError.extend<BusyHere, {}, Coded<"BUSY_HERE", 486>>("BUSY_HERE")(
  { _tag: Schema.tag("BUSY_HERE") },
  { httpApiStatus: 486 }
) {}

/** A fault of the service. */
export class InternalServerError extends WatchwordError.extend<
  InternalServerError,
  {},
  Coded<"INTERNAL_SERVER_ERROR", 500>
>("INTERNAL_SERVER_ERROR")({ _tag: Schema.tag("INTERNAL_SERVER_ERROR") }, { httpApiStatus: 500 }) {}

/** The gateway is disconnected, none is configured, or the service is under maintenance. */
export class ServiceUnavailable extends WatchwordError.extend<
  ServiceUnavailable,
  {},
  Coded<"SERVICE_UNAVAILABLE", 503>
>("SERVICE_UNAVAILABLE")({ _tag: Schema.tag("SERVICE_UNAVAILABLE") }, { httpApiStatus: 503 }) {}

/** The recipient declined the call. */
export class Decline extends WatchwordError.extend<Decline, {}, Coded<"DECLINE", 603>>("DECLINE")(
  { _tag: Schema.tag("DECLINE") },
  { httpApiStatus: 603 }
) {}

/** Failures of a delivery: a gateway's refusal or silence. */
export type DeliveryFailure =
  | BadRequest
  | PaymentRequired
  | NotFound
  | TemporaryUnavailable
  | BusyHere
  | ServiceUnavailable
  | Decline

/** Every error that an answer can carry. */
export type ApiError = DeliveryFailure | Unauthorized | Forbidden | Conflict | TooManyRequests | InternalServerError

/** A stable code, as the body's `error` carries it. */
export type ErrorCode = ApiError["_tag"]

const deliveryFailures = {
  BAD_REQUEST: BadRequest,
  PAYMENT_REQUIRED: PaymentRequired,
  NOT_FOUND: NotFound,
  TEMPORARY_UNAVAILABLE: TemporaryUnavailable,
  BUSY_HERE: BusyHere,
  SERVICE_UNAVAILABLE: ServiceUnavailable,
  DECLINE: Decline
}

const isDeliveryFailureCode = (code: string): code is keyof typeof deliveryFailures =>
  Object.hasOwn(deliveryFailures, code)

/** The failure of a code, for example when a stored answer is given again; none for any other code. */
export const deliveryFailure = (code: string, message: string): Option.Option<DeliveryFailure> =>
  isDeliveryFailureCode(code) ? Option.some(new deliveryFailures[code]({ message })) : Option.none()

const classes = [
  BadRequest,
  Unauthorized,
  PaymentRequired,
  Forbidden,
  NotFound,
  Conflict,
  TooManyRequests,
  TemporaryUnavailable,
  BusyHere,
  InternalServerError,
  ServiceUnavailable,
  Decline
] as const

/** The status that an error's class, or a schema made of it, is annotated with; 500 without one. */
export const statusOf = (error: Schema.Constraint): number => {
  const status = Schema.resolveAnnotations(error)?.["httpApiStatus"]
  return Predicate.isNumber(status) ? status : 500
}

const statuses: ReadonlyMap<string, number> = new Map(classes.map((error) => [error.identifier, statusOf(error)]))

/** Every status that an error can be answered with. */
export const errorStatuses: ReadonlySet<number> = new Set(statuses.values())

/** Whether a failure is an error that an answer can carry. */
export const isApiError = (error: unknown): error is ApiError => error instanceof WatchwordError
