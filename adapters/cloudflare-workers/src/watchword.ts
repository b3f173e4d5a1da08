/**
 * The service in a Cloudflare Worker.
 *
 * Each isolate makes the services once, while the first request waits, and shares them between all requests, but it
 * shares nothing that runs. So nothing starts by itself: work that a request leaves running lives as long as
 * `waitUntil` allows, and `scheduled` does the periodic work.
 */
import { WaitUntil } from "@watchword/send/pipeline"
import { Handler, toPromise } from "@watchword/server/Host"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scheduler from "effect/Scheduler"
import * as Scope from "effect/Scope"
import * as Services from "watchword/Services"
import { Maintenance } from "watchword/Services"
import * as Watchword from "watchword/Hosting"
import { ended } from "./ended.ts"
import { type Options as FetchOptions, watchword as mounted } from "@watchword/fetch"

/** Options of the service. Their layers must all build synchronously. */
export type Options = Omit<Watchword.Options, "background">

/** The part of Cloudflare's `ExecutionContext` that a Worker uses. */
export interface ExecutionContext {
  readonly waitUntil: (promise: Promise<unknown>) => void
}

export interface HostOptions extends Omit<FetchOptions, "remoteAddress"> {
  /**
   * Trusts the header `cf-connecting-ip`. Set it only if every request comes through Cloudflare's proxy, as it does on
   * a Worker's own address and routes; other Workers that call this one can set the header to any value.
   */
  readonly trustConnectingIp?: boolean
}

/** The handlers of a Worker. */
export interface Worker<Env> {
  readonly fetch: (request: Request, env: Env, context: ExecutionContext) => Promise<Response>
  /** Call it every minute from a cron trigger: it ends sends that no request waits for any more. */
  readonly scheduled: (event: unknown, env: Env, context: ExecutionContext) => Promise<void>
  /**
   * Direct calls for other parts of the same Worker, without the operator commands, which `operatorOf` of `watchword`
   * provides. Their results belong to the request that made them.
   */
  readonly service: (env: Env, context: ExecutionContext) => Watchword.Part<Watchword.Watchword>
}

/**
 * Makes a Worker. `options` is called once for each environment, at its first request.
 *
 * @example
 * ```ts
 * import { watchword } from "@watchword/cloudflare-workers"
 * import { telegram } from "@watchword/chatgw/telegram"
 * import { type D1Database, d1 } from "@watchword/store-d1"
 *
 * interface Env {
 *   readonly DB: D1Database
 *   readonly CHATGW_TOKEN: string
 * }
 *
 * export default watchword(
 *   (env: Env) => ({ store: d1(env.DB), chatgw: telegram({ token: env.CHATGW_TOKEN }) }),
 *   { basePath: "/v1", trustConnectingIp: true }
 * )
 * ```
 */
export const watchword = <Env extends object>(
  options: (env: Env) => Options,
  { trustConnectingIp = false, ...host }: HostOptions = {}
): Worker<Env> => {
  const made = new WeakMap<Env, Context.Context<Services.Services>>()

  const servicesOf = (env: Env): Context.Context<Services.Services> => {
    const known = made.get(env)
    if (known !== undefined) return known
    const services = build(options(env))
    made.set(env, services)
    return services
  }

  /** The services for one request, which stays alive until the work that it leaves running has ended. */
  const within = (env: Env, execution: ExecutionContext): Context.Context<Services.Services> =>
    Context.add(servicesOf(env), WaitUntil, (fiber) => execution.waitUntil(ended(fiber)))

  const remoteAddress = trustConnectingIp ? (request: Request) => request.headers.get("cf-connecting-ip") : () => null

  return {
    fetch: (request, env, execution) => {
      const context = within(env, execution)
      const service = { handle: toPromise(Context.get(context, Handler), context) }
      const answer = mounted(service, { ...host, remoteAddress })(request)
      // Finished even if the client hangs up.
      execution.waitUntil(answer)
      return answer
    },
    scheduled: (_event, env, execution) => {
      const context = within(env, execution)
      return Effect.runPromiseWith(context)(Context.get(context, Maintenance).run)
    },
    service: (env, execution) => Watchword.over(within(env, execution))
  }
}

/** An effect of one request must not resume in the turn of another: see `MixedScheduler`. */
const inTurn = Layer.succeed(Scheduler.Scheduler, new Scheduler.MixedScheduler("sync"))

const build = (options: Watchword.Options): Context.Context<Services.Services> => {
  const layer = Services.layer({ ...options, background: false }).pipe(
    Layer.provideMerge(Layer.merge(Watchword.environment(options), inTurn))
  )
  // Isolates end without notice, so nothing is ever closed.
  const made = Effect.runSyncExit(Layer.buildWithScope(layer, Scope.makeUnsafe()))
  if (Exit.isSuccess(made)) return made.value
  const cause = Cause.squash(made.cause)
  throw cause instanceof Cause.AsyncFiberError ? new TypeError(WAITS, { cause }) : cause
}

const WAITS = "A Worker makes its services while a request waits for them: no layer among its options may wait itself."
