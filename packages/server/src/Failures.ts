/**
 * The one place where a failure becomes an answer: `{"error": CODE, "message": …, "request_id": …}`.
 */
import * as Errors from "@watchword/schemas/Errors"
import { StoreError } from "@watchword/store/StoreError"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { isHttpServerError } from "effect/http/HttpServerError"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { type ServerRequest, current } from "./ServerRequest.ts"

/**
 * The answer to whatever went wrong. A client is told what it can mend; a fault of the service is logged
 * with the request's id and answered 500 in general words.
 */
export const respond = (
  cause: Cause.Cause<unknown>,
  request: ServerRequest
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const error = Cause.squash(cause)
  if (isApiError(error)) return Effect.succeed(envelope(error, request))
  if (isHttpServerError(error) && error.reason._tag === "RouteNotFound") {
    return Effect.succeed(envelope(noEndpoint, request))
  }
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(envelope(stopping, request))
  return Effect.as(logFault("a request failed", cause, request), envelope(broken, request))
}

/** A store that cannot do its work is answered 503 and logged; what it says is for operators only. */
export const orUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E | StoreError, R>
): Effect.Effect<A, E | Errors.ServiceUnavailable, R | HttpServerRequest> =>
  effect.pipe(
    Effect.catch((error): Effect.Effect<never, E | Errors.ServiceUnavailable, HttpServerRequest> =>
      error instanceof StoreError
        ? Effect.flatMap(current, (request) =>
            Effect.andThen(logFault("the store failed", Cause.fail(error), request), Effect.fail(unavailable))
          )
        : Effect.fail(error)
    )
  )

const logFault = (message: string, cause: Cause.Cause<unknown>, request: ServerRequest): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logError(message, cause), {
    request_id: request.requestId,
    method: request.method,
    route: request.route ?? "none"
  })

/** The envelope of an error. */
export const envelope = (error: Errors.ApiError, request: ServerRequest): HttpServerResponse.HttpServerResponse => {
  const { _tag, message } = error
  const issues = error instanceof Errors.BadRequest ? { issues: error.issues ?? [] } : {}
  return HttpServerResponse.text(JSON.stringify({ error: _tag, message, request_id: request.requestId, ...issues }), {
    status: statuses[_tag],
    contentType: "application/json"
  })
}

const status = (error: Schema.Constraint): number => Schema.resolveAnnotations(error)?.httpApiStatus ?? 500

const statuses: Readonly<Record<Errors.ErrorCode, number>> = {
  BAD_REQUEST: status(Errors.BadRequest),
  UNAUTHORIZED: status(Errors.Unauthorized),
  PAYMENT_REQUIRED: status(Errors.PaymentRequired),
  FORBIDDEN: status(Errors.Forbidden),
  NOT_FOUND: status(Errors.NotFound),
  CONFLICT: status(Errors.Conflict),
  TOO_MANY_REQUESTS: status(Errors.TooManyRequests),
  TEMPORARY_UNAVAILABLE: status(Errors.TemporaryUnavailable),
  BUSY_HERE: status(Errors.BusyHere),
  INTERNAL_SERVER_ERROR: status(Errors.InternalServerError),
  SERVICE_UNAVAILABLE: status(Errors.ServiceUnavailable),
  DECLINE: status(Errors.Decline)
}

const isApiError = (error: unknown): error is Errors.ApiError =>
  error instanceof Error &&
  Predicate.hasProperty(error, "_tag") &&
  Predicate.isString(error._tag) &&
  Object.hasOwn(statuses, error._tag)

/** No route has this path and method. */
export const noEndpoint = new Errors.NotFound({ message: "There is no such endpoint." })
/** The service takes no more requests. */
export const stopping = new Errors.ServiceUnavailable({ message: "The service is stopping; try again." })
const unavailable = new Errors.ServiceUnavailable({ message: "The service is unavailable for the moment; try again." })
const broken = new Errors.InternalServerError({ message: "The service failed to answer this request." })
