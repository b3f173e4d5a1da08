/**
 * The one place where a failure becomes an answer: `{"error": CODE, "message": …, "request_id": …}`.
 */
import { REQUEST_ID } from "@watchword/api/Headers"
import * as Errors from "@watchword/schemas/Errors"
import { StoreError } from "@watchword/store/StoreError"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { ApiRequest } from "./ApiRequest.ts"
import type { HostResponse } from "../Host.ts"

/**
 * The answer to a failure. A client's mistake is named; a fault of the service is logged with the request's id and
 * answered in general words.
 *
 * @param declared the statuses that an endpoint may fail with; an error with another is a fault. All by default.
 */
export const respond = (
  cause: Cause.Cause<unknown>,
  request: ApiRequest,
  declared: ReadonlySet<number> = Errors.errorStatuses
): Effect.Effect<HostResponse> => {
  const error = Cause.squash(cause)
  if (Errors.isApiError(error) && declared.has(error.status)) return Effect.succeed(envelope(error, request))
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(envelope(stopping, request))
  // Messages of a store are for operators only.
  return error instanceof StoreError
    ? Effect.as(logFault("the store failed", cause, request), envelope(unavailable, request))
    : Effect.as(logFault("a request failed", cause, request), envelope(broken, request))
}

const logFault = (message: string, cause: Cause.Cause<unknown>, request: ApiRequest): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logError(message, cause), {
    request_id: request.requestId,
    method: request.method,
    route: request.route
  })

/** The envelope of an error. */
export const envelope = (error: Errors.ApiError, request: ApiRequest): HostResponse => {
  const { code, message, status } = error
  request.refusal = error
  const body = { error: code, message, request_id: request.requestId, ...specificsOf(error) }
  const response = jsonResponse(request, status, body)
  if (code !== "TOO_MANY_REQUESTS" || error.retryAfter === undefined) return response
  return { ...response, headers: { ...response.headers, "retry-after": String(error.retryAfter) } }
}

/** The fields of an error in addition to the common ones. */
const specificsOf = (error: Errors.ApiError): object => {
  if (error instanceof Errors.BadRequest) return { issues: error.issues ?? [] }
  if (error instanceof Errors.Forbidden && error.reason !== undefined) return { reason: error.reason }
  if (error instanceof Errors.Conflict) return { reason: error.reason }
  if (error instanceof Errors.ServiceUnavailable && error.reason !== undefined) return { reason: error.reason }
  if (error instanceof Errors.TooManyRequests) {
    return { reason: error.reason, retry_after: error.retryAfter, remaining: error.remaining }
  }
  return {}
}

/** Headers of answers that only their client may see, and no cache may keep. */
export const NO_STORE = { "cache-control": "no-store", "x-content-type-options": "nosniff" } as const

/** An answer with a body in JSON. */
export const jsonResponse = (request: ApiRequest, status: number, body: unknown): HostResponse => ({
  status,
  headers: { [REQUEST_ID]: request.requestId, "content-type": "application/json", ...NO_STORE },
  body: JSON.stringify(body)
})

/** No route has this path and method. */
export const noEndpoint = new Errors.NotFound({ message: "There is no such endpoint." })
/** The service takes no more requests. */
export const stopping = new Errors.ServiceUnavailable({ message: "The service is stopping; try again." })
const unavailable = new Errors.ServiceUnavailable({ message: "The service is unavailable for the moment; try again." })
const broken = new Errors.InternalServerError({ message: "The service failed to answer this request." })
