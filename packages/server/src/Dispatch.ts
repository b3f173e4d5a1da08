/**
 * Finds the route that a request is for, and answers: with what the route says, or with the envelope of what went
 * wrong.
 *
 * The interface's own, rather than Effect's router: a request runs with the context as it is. To give each one a scope
 * and services of its own would copy the context several times.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FindMyWay from "effect/http/FindMyWay"
import type { HttpMethod } from "effect/http/HttpMethod"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { ApiRequest } from "./ApiRequest.ts"
import { STRICT } from "./Endpoints.ts"
import { envelope, noEndpoint, respond } from "./Failures.ts"
import type { Handle, HostResponse } from "./Host.ts"
import * as Metrics from "./Metrics.ts"
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
 * A handler of all routes. What is in the context now holds for requests too, before what their hosts run them with:
 * loggers, for example.
 */
export const make = (routes: ReadonlyArray<Route>): Effect.Effect<Handle> =>
  Effect.map(Effect.context<never>(), (context) => {
    const router = FindMyWay.make<Route>(STRICT)
    for (const route of routes) router.on(route.method, route.path, route)
    const environmentIn = environments(Context.omit(Scope.Scope)(context))

    const answer = (request: ApiRequest): Effect.Effect<HostResponse> => {
      const found = router.find(request.method, request.host.path)
      if (found === undefined) return Effect.succeed(envelope(noEndpoint, request))
      const { handler: route, params } = found
      request.route = route.path
      return Effect.catchCause(
        Effect.suspend(() => route.answer(request, valueOf(params))),
        (cause) => respond(cause, request, route.declared)
      )
    }

    return (host) =>
      Effect.withFiber((fiber) => {
        const { context, isTraced } = environmentIn(fiber.context)
        const request = new ApiRequest(host)
        const answered = Effect.map(isTraced ? traced(request, answer(request)) : answer(request), (response) => {
          Metrics.countAnswer(request, response.status, context)
          return response
        })
        return context === fiber.context ? answered : Effect.setContext(answered, context)
      })
  })

/** No path of the interface has more than one parameter. */
const valueOf = (params: Readonly<Record<string, string | undefined>>): string => {
  for (const name in params) return params[name] ?? ""
  return ""
}

interface Environment {
  readonly context: Context.Context<never>
  readonly isTraced: boolean
}

/** What requests run with, found once for each context that a host runs them with. */
const environments = (own: Context.Context<never>): ((given: Context.Context<never>) => Environment) => {
  const known = new WeakMap<Context.Context<never>, Environment>()
  return (given) => {
    let environment = known.get(given)
    if (environment === undefined) {
      const context = has(given, own) ? given : Context.merge(given, own)
      environment = { context, isTraced: Context.get(context, Tracer.Tracer) !== Tracer.nativeTracer }
      known.set(given, environment)
    }
    return environment
  }
}

const has = (given: Context.Context<never>, own: Context.Context<never>): boolean => {
  for (const [key, value] of own.mapUnsafe) if (given.mapUnsafe.get(key) !== value) return false
  return true
}
