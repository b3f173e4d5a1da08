/**
 * Who is asking, and whether they may: the declarations that server and client each implement.
 */
import type { Principal } from "@watchword/schemas/Principal"
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { Forbidden, InternalServerError, ServiceUnavailable, Unauthorized } from "./Errors.ts"

/** The account and key behind the request that is being answered. */
export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "@watchword/api/CurrentPrincipal"
) {}

/**
 * Checks the key and then the scope that the endpoint's `Access` demands, before the body is decoded:
 * 401 comes before 403, and both before 400. A client adds the two headers.
 */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: CurrentPrincipal }>()(
  "@watchword/api/Authorization",
  { error: [Unauthorized, Forbidden, ServiceUnavailable], requiredForClient: true }
) {}

/** Answers every failure with the error envelope, whatever failed. Outermost. */
export class ErrorEnvelope extends HttpApiMiddleware.Service<ErrorEnvelope>()("@watchword/api/ErrorEnvelope", {
  error: [InternalServerError, ServiceUnavailable]
}) {}
