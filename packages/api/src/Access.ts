/**
 * Access requirement of an endpoint, as an annotation: the server checks it before it reads the body, and the OpenAPI
 * document states it.
 */
import type { Scope } from "@watchword/schemas/Channel"
import * as Context from "effect/Context"
import * as OpenApi from "effect/http-api/OpenApi"
import { describeHeaders } from "./Headers.ts"

export interface Requirement {
  /** The scope that the key must have. */
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
