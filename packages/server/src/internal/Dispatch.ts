/**
 * Dispatch of requests to routes: the answer of a route, or the envelope of its failure.
 *
 * Uses the router of Effect's `HttpRouter` (find-my-way) without its layers: a request needs no scope and no services of
 * its own.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FindMyWay from "effect/http/FindMyWay"
import type { HttpMethod } from "effect/http/HttpMethod"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { ApiRequest } from "../http/ApiRequest.ts"
import { STRICT } from "./Endpoints.ts"
import { respond } from "../http/Failures.ts"
import type { Handle, HostResponse } from "../Host.ts"
import * as Metrics from "./Metrics.ts"
import * as NoRoute from "../http/NoRoute.ts"
import * as RequestLog from "./RequestLog.ts"
import { traced } from "./Tracing.ts"

export interface Route {
  readonly method: HttpMethod
  readonly path: `/${string}`
  /** The statuses of the errors that it may answer with. Other errors are faults of the service. */
  readonly declared: ReadonlySet<number>
  /** @param id the value of the path's parameter; empty where it has none */
  readonly answer: (request: ApiRequest, id: string) => Effect.Effect<HostResponse, unknown>
}

/**
 * A handler of all routes. References in the context now, such as loggers, hold for requests too, before those that the
 * host runs a request with.
 *
 * @param keepTrace whether requests continue the traces that their headers name
 */
export const make = (
  routes: ReadonlyArray<Route>,
  { keepTrace }: { readonly keepTrace: boolean }
): Effect.Effect<Handle> =>
  Effect.map(Effect.context<never>(), (context) => {
    const router = FindMyWay.make<Route>(STRICT)
    for (const route of routes) router.on(route.method, route.path, route)
    const withoutRoute = NoRoute.answerOf(router, new Set(routes.map(({ method }) => method)))
    const countAnswer = Metrics.answerCounter(context)
    const withOwn = mergedOnce(Context.omit(Scope.Scope)(context))

    const answer = (request: ApiRequest): Effect.Effect<HostResponse> => {
      const found = router.find(request.method, request.host.path)
      if (found === undefined) return Effect.succeed(withoutRoute(request))
      const { handler: route, params } = found
      request.route = route.path
      return Effect.catchCause(
        Effect.suspend(() => route.answer(request, valueOf(params))),
        (cause) => respond(cause, request, route.declared)
      )
    }

    return (host) =>
      Effect.updateContext(
        Effect.contextWith((context: Context.Context<never>) => {
          const request = new ApiRequest(host)
          const isTraced = Context.get(context, Tracer.Tracer) !== Tracer.nativeTracer
          const answered = isTraced ? traced(request, answer(request), keepTrace) : answer(request)
          return Effect.map(RequestLog.logged(request, answered, context), (response) => {
            countAnswer(request, response.status)
            return response
          })
        }),
        withOwn
      )
  })

/** Adds the services of a context to another one. Keeps the last result: a host runs all requests with one context. */
const mergedOnce = (own: Context.Context<never>) => {
  let last = { given: Context.empty(), merged: own }
  return (given: Context.Context<never>): Context.Context<never> => {
    if (given !== last.given) last = { given, merged: Context.merge(given, own) }
    return last.merged
  }
}

/** No path of the interface has more than one parameter. */
const valueOf = (params: Readonly<Record<string, string | undefined>>): string => {
  for (const name in params) return params[name] ?? ""
  return ""
}
