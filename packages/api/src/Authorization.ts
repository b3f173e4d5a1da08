/**
 * Authorization of requests: the declarations that server and client each implement.
 */
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { Forbidden, InternalServerError, ServiceUnavailable, Unauthorized } from "./Errors.ts"

/**
 * Checks the key and then the scope that the endpoint's `Access` demands, before the body is decoded:
 * 401 comes before 403, and both before 400. A client adds the two headers.
 */
export class Authorization extends HttpApiMiddleware.Service<Authorization>()("@watchword/api/Authorization", {
  error: [Unauthorized, Forbidden, ServiceUnavailable],
  requiredForClient: true
}) {}

/** Answers every failure with the error envelope, whatever failed. Outermost. */
export class ErrorEnvelope extends HttpApiMiddleware.Service<ErrorEnvelope>()("@watchword/api/ErrorEnvelope", {
  error: [InternalServerError, ServiceUnavailable]
}) {}
