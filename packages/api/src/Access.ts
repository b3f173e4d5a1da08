/**
 * Access to endpoints: what each demands, as an annotation that the server checks before it reads the body and that the
 * OpenAPI document states, and the declarations of authorization that server and client each implement.
 */
import type { Scope } from "@watchword/schemas/Channel"
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as OpenApi from "effect/http-api/OpenApi"
import { Forbidden, InternalServerError, ServiceUnavailable, Unauthorized } from "./Errors.ts"
import { type RepeatsBy, describeHeaders } from "./Headers.ts"

export interface Requirement {
  /** The scope that the key must have. */
  readonly scope: Scope
  /** Whether `x-account-id` must be there. When it is sent it must match in any case. */
  readonly accountRequired: boolean
  /** Whether accounts that are suspended may use it too. */
  readonly whileSuspended: boolean
  /** The headers that identify a repeat of a request. */
  readonly repeatsBy: RepeatsBy
  /** Whether a client may repeat a request that has failed: its key makes the repeat known, or it comes to the same. */
  readonly repeatable: boolean
}

/** The annotation. Every endpoint behind `Authorization` has one. */
export class Access extends Context.Service<Access, Requirement>()("@watchword/api/Access") {}

const access = (scope: Scope, fields: Partial<Requirement> = {}) => {
  const requirement: Requirement = {
    scope,
    accountRequired: true,
    whileSuspended: false,
    repeatsBy: "nothing",
    repeatable: true,
    ...fields
  }
  return Context.make(Access, requirement).pipe(Context.add(OpenApi.Transform, describeHeaders(requirement)))
}

/** For sends, whose repeats are identified by `x-request-id` and `Idempotency-Key`. */
export const send = (scope: Scope) => access(scope, { repeatsBy: "both" })

/** For other requests, whose repeats are identified by `Idempotency-Key`. */
export const answerOnce = (scope: Scope) => access(scope, { repeatsBy: "key" })

/** For an account's queries about itself. */
export const use = (scope: Scope) => access(scope)

/** For changes that a repeat would make twice, or find made. */
export const change = (scope: Scope) => access(scope, { repeatable: false })

/** For ending work in progress, which a suspended account may still do. */
export const end = (scope: Scope, fields: Pick<Partial<Requirement>, "repeatable"> = {}) =>
  access(scope, { whileSuspended: true, ...fields })

/** For reported outcomes: the key is enough. */
export const report = (scope: Scope) => access(scope, { accountRequired: false })

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
