/**
 * The errors of the interface as they travel: `{"error": CODE, "message": …, "request_id": …}`, each with
 * its status. A client gets them as the classes of `@watchword/schemas/Errors`. Written by scripts/contract.ts.
 */
import * as Errors from "@watchword/schemas/Errors"
import * as Schema from "effect/Schema"

const code = { _tag: "error" } as const

/** The annotations of a code: its name in the document, such as `BadRequest`, and its description. */
const travelling = (code: Errors.ErrorCode) => ({
  identifier: Errors.nameOf(code),
  description: Errors.errors[code].description
})

export const BadRequest = Errors.BadRequest.pipe(Schema.encodeKeys(code)).annotate(travelling("BAD_REQUEST"))

export const Unauthorized = Errors.Unauthorized.pipe(Schema.encodeKeys(code)).annotate(travelling("UNAUTHORIZED"))

export const PaymentRequired = Errors.PaymentRequired.pipe(Schema.encodeKeys(code)).annotate(
  travelling("PAYMENT_REQUIRED")
)

export const Forbidden = Errors.Forbidden.pipe(Schema.encodeKeys(code)).annotate(travelling("FORBIDDEN"))

export const NotFound = Errors.NotFound.pipe(Schema.encodeKeys(code)).annotate(travelling("NOT_FOUND"))

export const Conflict = Errors.Conflict.pipe(Schema.encodeKeys(code)).annotate(travelling("CONFLICT"))

export const TooManyRequests = Errors.TooManyRequests.pipe(
  Schema.encodeKeys({ ...code, retryAfter: "retry_after" })
).annotate(travelling("TOO_MANY_REQUESTS"))

export const TemporaryUnavailable = Errors.TemporaryUnavailable.pipe(Schema.encodeKeys(code)).annotate(
  travelling("TEMPORARY_UNAVAILABLE")
)

export const BusyHere = Errors.BusyHere.pipe(Schema.encodeKeys(code)).annotate(travelling("BUSY_HERE"))

export const InternalServerError = Errors.InternalServerError.pipe(Schema.encodeKeys(code)).annotate(
  travelling("INTERNAL_SERVER_ERROR")
)

export const ServiceUnavailable = Errors.ServiceUnavailable.pipe(Schema.encodeKeys(code)).annotate(
  travelling("SERVICE_UNAVAILABLE")
)

export const Decline = Errors.Decline.pipe(Schema.encodeKeys(code)).annotate(travelling("DECLINE"))

/** Errors of a send on any channel, in addition to the errors of every endpoint. */
export const sendErrors = [
  BadRequest,
  PaymentRequired,
  NotFound,
  Conflict,
  TooManyRequests,
  TemporaryUnavailable
] as const
