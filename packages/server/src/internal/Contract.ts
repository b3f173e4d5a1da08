/**
 * The endpoints of a feature as routes: authorize, run the operation of the same name, encode its answer.
 */
import { Access, Authorization, ErrorEnvelope } from "@watchword/api/Access"
import { REQUEST_ID } from "@watchword/api/Headers"
import type { Endpoint, Running } from "@watchword/send/channel/Features"
import type { Operation } from "@watchword/send/channel/Operation"
import { statusOf } from "@watchword/schemas/Errors"
import type { Principal } from "@watchword/schemas/Account"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import type { ApiRequest } from "../http/ApiRequest.ts"
import type { Authorize } from "./Authorization.ts"
import type { Route } from "../http/Router.ts"
import * as EventStream from "../http/EventStream.ts"
import { NO_STORE, jsonResponse } from "../http/Failures.ts"
import type { HostRequest } from "../Host.ts"
import type { Payload } from "../http/Payload.ts"
import { requestKeys } from "./RequestKeys.ts"

/** Errors of every endpoint, in addition to its declared ones. */
const errorsOfAll = [...Authorization.error, ...ErrorEnvelope.error]

/** The routes of a feature. Each endpoint of its group has an operation. */
export const routes = (
  { feature, operations }: Running,
  authorize: Authorize,
  payload: Payload
): ReadonlyArray<Route> =>
  Object.entries(feature.group.endpoints).map(([name, endpoint]) => {
    const operation = operations[name]
    if (operation === undefined) throw new Error(`the endpoint ${name} of ${feature.name} has no operation`)
    return toRoute(endpoint, operation, handlerOf(operation, payload), authorize)
  })

/** A request whose caller is authorized. */
interface HandlerContext {
  readonly request: ApiRequest
  readonly principal: Principal
  /** The record that the path names, as `:uuid` or `:messageId`; empty if a path names none. */
  readonly id: string
}

type Handler = (context: HandlerContext) => Effect.Effect<unknown, unknown>

/** An operation as the handler of its endpoint. Reading may be interrupted when the client has gone. */
const handlerOf = (operation: Operation, payload: Payload): Handler => {
  switch (operation._tag) {
    case "Send":
      return ({ principal, request }) =>
        Effect.flatMapEager(payload(request, principal.account.id), (body) =>
          Effect.flatMapEager(requestKeys(request), (keys) => operation.run(principal, body, keys))
        )
    case "Body":
      return ({ principal, request }) =>
        Effect.flatMapEager(payload(request, principal.account.id), (body) => operation.run(principal, body))
    case "List":
      return ({ principal, request }) =>
        Effect.interruptible(
          Effect.flatMapEager(payload(request, principal.account.id, {}), (body) => operation.run(principal, body))
        )
    case "Query":
    case "Follow":
      return ({ principal, request }) => Effect.interruptible(operation.runTexts(principal, parametersOf(request.host)))
    case "Command":
      return ({ principal }) => operation.run(principal)
    case "Read":
      return ({ id, principal }) => Effect.interruptible(operation.run(principal, id))
    case "Change":
      return ({ id, principal }) => operation.run(principal, id)
    case "ReadBy":
      return ({ id, principal, request }) =>
        Effect.interruptible(operation.runTexts(principal, id, parametersOf(request.host)))
    case "ChangeBy":
      return ({ id, principal, request }) => operation.runTexts(principal, id, parametersOf(request.host))
    case "Update":
      return ({ id, principal, request }) =>
        Effect.flatMapEager(payload(request, principal.account.id, {}), (body) => operation.run(principal, id, body))
  }
}

/**
 * The parameters of a request's URL; the first of several values counts. A plus sign is a plus sign (RFC 3986 §3.4), so
 * that a phone number can be written as it is.
 */
const parametersOf = ({ path }: HostRequest): Readonly<Record<string, string>> => {
  const start = path.indexOf("?")
  const query = start < 0 ? "" : path.slice(start).replaceAll("+", "%2B")
  return Object.fromEntries([...new URLSearchParams(query)].toReversed())
}

/** Whether a request is answered once there is something new. */
const isWaiting = ({ _tag }: Operation, { host }: ApiRequest): boolean =>
  (_tag === "Query" || _tag === "ReadBy") && Number(parametersOf(host)["wait"] ?? 0) > 0

const toRoute = (endpoint: Endpoint, operation: Operation, handler: Handler, authorize: Authorize): Route => {
  const access = Context.getUnsafe(endpoint.annotations, Access)
  const encode = encoderOf(endpoint)
  const stream = operation._tag === "Follow" && encode !== null ? EventStream.answerOf(operation, encode) : null
  return {
    method: endpoint.method,
    path: endpoint.path,
    declared: new Set([...endpoint.error, ...errorsOfAll].map(statusOf)),
    answer: (request, id) =>
      Effect.flatMap(authorize(request, access), (principal) => {
        if (stream === null || !EventStream.isWanted(request)) {
          // The contract has no other success than 200, and 204 without a body.
          const answered = Effect.map(handler({ request, principal, id }), (value) =>
            encode === null
              ? { status: 204, headers: { ...NO_STORE, [REQUEST_ID]: request.requestId }, body: null }
              : jsonResponse(request, 200, encode(value))
          )
          // The key may have been revoked while the request waited.
          return isWaiting(operation, request) ? Effect.tap(answered, () => authorize(request, access)) : answered
        }
        const mayGoOn = Effect.match(authorize(request, access), {
          onFailure: () => false,
          onSuccess: ({ key }) => key === principal.key
        })
        return stream(request, principal, parametersOf(request.host), mayGoOn)
      })
  }
}

/** How the answers of an endpoint are encoded; null if they have no body. */
const encoderOf = ({ path, success: successes }: Endpoint): ((value: unknown) => unknown) | null => {
  const [success = HttpApiSchema.NoContent] = successes
  if (HttpApiSchema.isNoContent(success.ast)) return null
  if (!isEncoder(success)) throw new Error(`the answer of ${path} cannot be written`)
  return Schema.encodeUnknownSync(success)
}

// Not in an endpoint's type: no schema of the contract needs a service.
const isEncoder = (schema: Schema.Top): schema is Schema.Codec<unknown> => Schema.isSchema(schema)
