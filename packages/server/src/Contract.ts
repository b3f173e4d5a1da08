/**
 * The contract's endpoints as routes: who asks and whether they may, then the handler, then its answer as the contract
 * writes it.
 */
import { Access } from "@watchword/api/Access"
import { Authorization, ErrorEnvelope } from "@watchword/api/Authorization"
import { REQUEST_ID } from "@watchword/api/Headers"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import type { ApiRequest } from "./ApiRequest.ts"
import type { Authorize } from "./Authorization.ts"
import type { Route } from "./Dispatch.ts"
import { jsonResponse, statusOf } from "./Failures.ts"
import type { EndpointHandler } from "./Handlers.ts"
import type { HostResponse } from "./Host.ts"

/** What is needed of an endpoint of the contract. */
interface Endpoint extends Pick<Route, "method" | "path"> {
  readonly annotations: Context.Context<never>
  readonly success: ReadonlySet<Schema.Top>
  readonly error: ReadonlySet<Schema.Constraint>
}

interface Group {
  readonly endpoints: Readonly<Record<string, Endpoint>>
}

/** What an endpoint may fail with besides what it declares. */
const ofAll = [...Authorization.error, ...ErrorEnvelope.error]

/** The routes of a group. Each of its endpoints has a handler. */
export const routes = (
  { endpoints }: Group,
  handlers: Readonly<Record<string, EndpointHandler<unknown, unknown>>>,
  authorize: Authorize
): ReadonlyArray<Route> =>
  Object.entries(endpoints).map(([name, endpoint]) => {
    const handler = handlers[name]
    if (handler === undefined) throw new Error(`the endpoint ${name} has no handler`)
    return toRoute(endpoint, handler, authorize)
  })

const toRoute = (endpoint: Endpoint, handler: EndpointHandler<unknown, unknown>, authorize: Authorize): Route => {
  const access = Context.getUnsafe(endpoint.annotations, Access)
  const answer = writer(endpoint)
  return {
    method: endpoint.method,
    path: endpoint.path,
    declared: new Set([...endpoint.error, ...ofAll].map(statusOf)),
    answer: (request, id) =>
      Effect.map(
        Effect.flatMap(authorize(request.host, access), (principal) => handler({ request, principal, id })),
        (value) => answer(request, value)
      )
  }
}

/** Writes what a handler answered: with 200, or without a body with 204. The contract has no other success. */
const writer = (endpoint: Endpoint): ((request: ApiRequest, value: unknown) => HostResponse) => {
  const [success = HttpApiSchema.NoContent] = endpoint.success
  if (HttpApiSchema.isNoContent(success.ast)) return noContent
  if (!isEncoder(success)) throw new Error(`what ${endpoint.path} answers cannot be written`)
  const encode = Schema.encodeUnknownSync(success)
  return (request, value) => jsonResponse(request, 200, encode(value))
}

// An endpoint's type does not tell, but no schema of the contract needs a service.
const isEncoder = (schema: Schema.Top): schema is Schema.Codec<unknown> => Schema.isSchema(schema)

const noContent = (request: ApiRequest): HostResponse => ({
  status: 204,
  headers: { [REQUEST_ID]: request.requestId },
  body: null
})
