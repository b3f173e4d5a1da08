/**
 * A line of the log for each answer, where the log has the level `Debug`: method, route, status and duration.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as LogLevel from "effect/LogLevel"
import * as References from "effect/References"
import type { HostResponse } from "../Host.ts"
import type { ApiRequest } from "../http/ApiRequest.ts"

/** Lines that the answer itself logs have the id of its request. */
export const logged = (
  request: ApiRequest,
  answer: Effect.Effect<HostResponse>,
  context: Context.Context<never>
): Effect.Effect<HostResponse> => {
  if (LogLevel.isGreaterThan(Context.get(context, References.MinimumLogLevel), "Debug")) return answer
  const clock = Context.get(context, Clock.Clock)
  const began = clock.monotonicTimeNanosUnsafe()
  const { method, requestId } = request
  return Effect.annotateLogs(
    Effect.tap(answer, ({ status }) => {
      const duration = Number((clock.monotonicTimeNanosUnsafe() - began) / 1_000n) / 1_000
      return Effect.logDebug(`${method} ${request.route} ${status}`, {
        method,
        route: request.route,
        status,
        duration_ms: duration
      })
    }),
    { request_id: requestId }
  )
}
