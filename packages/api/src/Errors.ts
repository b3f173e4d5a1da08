/**
 * The errors of the interface as they travel: `{"error": CODE, "message": …, "request_id": …}`, each with
 * its status. A client gets them as the classes of `@watchword/schemas/Errors`.
 */
import * as Errors from "@watchword/schemas/Errors"
import * as Schema from "effect/Schema"

const code = { _tag: "error" } as const

export const BadRequest = Errors.BadRequest.pipe(Schema.encodeKeys(code)).annotate({
  identifier: "BadRequest",
  description: "The body is malformed, incomplete or has a wrong value; `issues` names each field."
})

export const Unauthorized = Errors.Unauthorized.pipe(Schema.encodeKeys(code)).annotate({
  identifier: "Unauthorized",
  description: "The key or the account id is missing or wrong, or the address is outside the key's allow-list."
})

export const PaymentRequired = Errors.PaymentRequired.pipe(Schema.encodeKeys(code)).annotate({
  identifier: "PaymentRequired",
  description: "The available balance is smaller than the price. Nothing was sent."
})

export const Forbidden = Errors.Forbidden.pipe(Schema.encodeKeys(code)).annotate({
  identifier: "Forbidden",
  description: "The key lacks the scope, or a rule of the operator refuses the request; then `reason` names the rule."
})

export const NotFound = Errors.NotFound.pipe(Schema.encodeKeys(code)).annotate({
  identifier: "NotFound",
  description: "No such record of this account."
})

export const Conflict = Errors.Conflict.pipe(Schema.encodeKeys(code)).annotate({
  identifier: "Conflict",
  description:
    "A duplicate request, or a change that contradicts the record's final state; `reason` says which. `in_flight` alone, a " +
    "repeat that came before the first answer, may be tried again."
})

export const TooManyRequests = Errors.TooManyRequests.pipe(
  Schema.encodeKeys({ ...code, retryAfter: "retry_after" })
).annotate({
  identifier: "TooManyRequests",
  description:
    "Too many requests; `reason` names the limit. Try again after `retry_after` seconds, which the header `retry-after` " +
    "has too; without it waiting does not help."
})

export const TemporaryUnavailable = Errors.TemporaryUnavailable.pipe(Schema.encodeKeys(code)).annotate({
  identifier: "TemporaryUnavailable",
  description: "The gateway cannot be reached for the moment; retry with exponential back-off."
})

export const BusyHere = Errors.BusyHere.pipe(Schema.encodeKeys(code)).annotate({
  identifier: "BusyHere",
  description: "The recipient is busy, or the network rejected the call."
})

export const InternalServerError = Errors.InternalServerError.pipe(Schema.encodeKeys(code)).annotate({
  identifier: "InternalServerError",
  description: "A fault of the service."
})

export const ServiceUnavailable = Errors.ServiceUnavailable.pipe(Schema.encodeKeys(code)).annotate({
  identifier: "ServiceUnavailable",
  description: "The gateway is disconnected, none is configured, or the service is under maintenance."
})

export const Decline = Errors.Decline.pipe(Schema.encodeKeys(code)).annotate({
  identifier: "Decline",
  description: "The recipient declined the call."
})

/** Errors of a send on any channel, besides those of every endpoint. */
export const sendErrors = [
  BadRequest,
  PaymentRequired,
  NotFound,
  Conflict,
  TooManyRequests,
  TemporaryUnavailable
] as const
