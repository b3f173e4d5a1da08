/**
 * The errors of the interface: one class for each code, each with its HTTP status. They travel as
 * values from where they arise to the edge, which adds the request's id and writes
 * `{"error": CODE, "message": …, "request_id": …}`.
 *
 * Source: the interface's table of errors; RFC 9110 §15, RFC 6585 §4 (429), RFC 3261 §21 (480, 486, 603).
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { RequestId } from "./Ids.ts"

/** One thing wrong with a request body: where, and how to mend it. */
export const Issue = Schema.Struct({ path: Schema.String, message: Schema.String })
export type Issue = typeof Issue.Type

const fields = { message: Schema.String, request_id: Schema.optionalKey(RequestId) }

/** The body is malformed, incomplete or has a wrong value; `issues` names each field. */
export class BadRequest extends Schema.TaggedError<BadRequest>()(
  "BAD_REQUEST",
  { ...fields, issues: Schema.optionalKey(Schema.Array(Issue)) },
  { httpApiStatus: 400 }
) {}

/** The key or the account id is missing or wrong, or the client's address is outside the key's allow-list. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("UNAUTHORIZED", fields, { httpApiStatus: 401 }) {}

/** The account's available balance is smaller than the price. Nothing was sent. */
export class PaymentRequired extends Schema.TaggedError<PaymentRequired>()("PAYMENT_REQUIRED", fields, {
  httpApiStatus: 402
}) {}

/**
 * The key is valid and lacks the scope, or a rule of the operator refuses the request: then `reason` names the rule, for
 * example `account_suspended`.
 */
export class Forbidden extends Schema.TaggedError<Forbidden>()(
  "FORBIDDEN",
  { ...fields, reason: Schema.optionalKey(Schema.String) },
  { httpApiStatus: 403 }
) {}

/** The 403 of a suspended account. */
export const accountSuspended = (): Forbidden =>
  new Forbidden({ message: "The account is suspended.", reason: "account_suspended" })

/** No such path, or no such record of this account in this mode. */
export class NotFound extends Schema.TaggedError<NotFound>()("NOT_FOUND", fields, { httpApiStatus: 404 }) {}

/** A duplicate request, or a change that contradicts the record's final state. */
export class Conflict extends Schema.TaggedError<Conflict>()("CONFLICT", fields, { httpApiStatus: 409 }) {}

/**
 * Too many requests: `reason` names the limit, for example `resend_too_soon`, and `retryAfter` is the number of seconds
 * after which the same request may succeed. Without it the limit is not one of time.
 */
export class TooManyRequests extends Schema.TaggedError<TooManyRequests>()(
  "TOO_MANY_REQUESTS",
  { ...fields, reason: Schema.String, retryAfter: Schema.optionalKey(Schema.Int) },
  { httpApiStatus: 429 }
) {}

/** The gateway cannot be reached for the moment; retry with exponential back-off. */
export class TemporaryUnavailable extends Schema.TaggedError<TemporaryUnavailable>()("TEMPORARY_UNAVAILABLE", fields, {
  httpApiStatus: 480
}) {}

/** The recipient is busy, or the network rejected the call. */
export class BusyHere extends Schema.TaggedError<BusyHere>()("BUSY_HERE", fields, { httpApiStatus: 486 }) {}

/** A fault of the service. */
export class InternalServerError extends Schema.TaggedError<InternalServerError>()("INTERNAL_SERVER_ERROR", fields, {
  httpApiStatus: 500
}) {}

/** The gateway is disconnected, none is configured, or the service is under maintenance. */
export class ServiceUnavailable extends Schema.TaggedError<ServiceUnavailable>()("SERVICE_UNAVAILABLE", fields, {
  httpApiStatus: 503
}) {}

/** The recipient declined the call. */
export class Decline extends Schema.TaggedError<Decline>()("DECLINE", fields, { httpApiStatus: 603 }) {}

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
