/**
 * Routes of an interface, and the router of requests to them: the answer of a route, or the envelope of its failure.
 *
 * Uses the router of Effect's `HttpRouter` (find-my-way) without its layers: a request needs no scope and no services
 * of its own.
 */
import * as Effect from "effect/Effect"
import * as FindMyWay from "effect/http/FindMyWay"
import type { HttpMethod } from "effect/http/HttpMethod"
import type { ApiRequest } from "./ApiRequest.ts"
import { respond } from "./Failures.ts"
import type { HostResponse } from "../Host.ts"
import { STRICT } from "../internal/strict.ts"
import * as NoRoute from "./NoRoute.ts"

/** @typeParam R the services that an answer needs */
export interface Route<out R = never> {
  readonly method: HttpMethod
  readonly path: `/${string}`
  /** The statuses of the errors that it may answer with; all unless given. Other errors are faults of the service. */
  readonly declared?: ReadonlySet<number>
  /** @param id the value of the path's parameter; empty if the path has no parameter */
  readonly answer: (request: ApiRequest, id: string) => Effect.Effect<HostResponse, unknown, R>
}

/** Answers requests by their routes. The path of a route starts after the prefix that a mount removes. */
export const router = <R = never>(
  routes: ReadonlyArray<Route<R>>,
  failed = respond
): ((request: ApiRequest, path: string) => Effect.Effect<HostResponse, never, R>) => {
  const router = FindMyWay.make<Route<R>>(STRICT)
  for (const route of routes) router.on(route.method, route.path, route)
  const withoutRoute = NoRoute.answerOf(router, new Set(routes.map(({ method }) => method)))

  return (request, path) => {
    const found = router.find(request.method, path)
    if (found === undefined) return Effect.succeed(withoutRoute(request, path))
    const { handler, params } = found
    request.route = handler.path
    return Effect.catchCause(
      Effect.suspend(() => handler.answer(request, valueOf(params))),
      (cause) => failed(cause, request, handler.declared)
    )
  }
}

/** No path of the interface has more than one parameter. */
const valueOf = (params: Readonly<Record<string, string | undefined>>): string => {
  for (const name in params) return params[name] ?? ""
  return ""
}
