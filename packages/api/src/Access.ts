/**
 * What an endpoint demands of its caller, as an annotation of the endpoint: the server checks it before
 * it looks at the body, and the OpenAPI document tells it to people.
 */
import type { Scope } from "@watchword/schemas/Channel"
import * as Context from "effect/Context"
import * as OpenApi from "effect/http-api/OpenApi"
import { describeHeaders } from "./Headers.ts"

export interface Requirement {
  /** What the key must be allowed to do. */
  readonly scope: Scope
  /** Whether `x-account-id` must be there. When it is sent it must match in any case. */
  readonly accountRequired: boolean
}

/** The annotation. Every endpoint behind `Authorization` has one. */
export class Access extends Context.Service<Access, Requirement>()("@watchword/api/Access") {}

const access = (requirement: Requirement, idempotent = false) =>
  Context.make(Access, requirement).pipe(
    Context.add(OpenApi.Transform, describeHeaders({ ...requirement, idempotent }))
  )

/** For sends: their repeats are told by `x-request-id` and `Idempotency-Key`. */
export const send = (scope: Scope) => access({ scope, accountRequired: true }, true)

/** For everything else that an account asks about itself. */
export const use = (scope: Scope) => access({ scope, accountRequired: true })

/** For reported outcomes: the key alone is enough. */
export const report = (scope: Scope) => access({ scope, accountRequired: false })
