/**
 * Dispatch of customers' requests to their routes, with the traces of each request that operators see: a span, a log
 * line, a count, a row if it is refused.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { ApiRequest } from "../http/ApiRequest.ts"
import type { Handle, HostResponse } from "../Host.ts"
import * as Metrics from "./Metrics.ts"
import * as RequestLog from "./RequestLog.ts"
import { traced } from "./Tracing.ts"

/** Notes an answer; it must not wait. */
export type Note = (request: ApiRequest, status: number) => void

/** Answers a request, whose `route` it sets. */
export type Answer = (request: ApiRequest, path: string) => Effect.Effect<HostResponse>

/**
 * A handler of requests. References that are in the context now, such as loggers, also apply to requests, and take
 * precedence over the references that the host runs a request with.
 *
 * @param keepTrace whether requests continue the traces that their headers name
 */
export const make = (answer: Answer, keepTrace: boolean, note: Note): Effect.Effect<Handle> =>
  Effect.map(Effect.context<never>(), (context) => {
    const countAnswer = Metrics.answerCounter(context)
    const withOwn = mergedOnce(Context.omit(Scope.Scope)(context))

    return (host) =>
      Effect.updateContext(
        Effect.contextWith((context: Context.Context<never>) => {
          const request = new ApiRequest(host)
          const isTraced = Context.get(context, Tracer.Tracer) !== Tracer.nativeTracer
          const own = answer(request, host.path)
          const answered = isTraced ? traced(request, own, keepTrace) : own
          return Effect.map(RequestLog.logged(request, answered, context), (response) => {
            countAnswer(request, response.status)
            note(request, response.status)
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
