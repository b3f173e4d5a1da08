/**
 * The front door: options in; a handler, direct calls and `dispose` out. No knowledge of Effect needed.
 */
import { type Any, Features } from "@watchword/send/channel/Features"
import { type Endpoints, type HandlePromise, Handler, endpointsOf, toPromise } from "@watchword/server/Host"
import { type Handler as EventHandler, Handlers } from "@watchword/events/Events"
import type { Event, EventPattern } from "@watchword/schemas/Event"
import type { ChannelEvents, OwnEvent } from "@watchword/send/channel/Channel"
import { type Operator, operatorOf } from "@watchword/operator/Operator"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { builtIn } from "./Channels.ts"
import * as Direct from "./Direct.ts"
import { type Groups, verifying } from "./InProcess.ts"
import { type Running, holding } from "./Inside.ts"
import { OperationsHandler } from "./Operations.ts"
import * as OwnClock from "./OwnClock.ts"
import { reading } from "./Rehearsing.ts"
import { resolved, stopped } from "./Rejections.ts"
import { spelled } from "./Spelling.ts"
import * as Logger from "./Logger.ts"
import * as Mistakes from "./Mistakes.ts"
import * as Services from "../Services.ts"

/** A gateway may fail to open with any error. */
export interface Options<Further extends FurtherChannels = FurtherChannels> extends Services.Options<unknown> {
  readonly channels?: Further
  /** The app's logger: `console`, pino and winston fit. By default warnings and errors go to the console. */
  readonly logger?: Logger.Logger
  /** A clock for tests; see `@watchword/testing`. The system's by default. */
  readonly clock?: OwnClock.Clock
  /** Loggers, tracers and other references of programs written with Effect; they go before `logger`. */
  readonly observability?: Observability
}

/** References of an Effect program, such as its loggers and its tracer: a layer that provides them. */
export interface Observability extends Layer.Layer<never> {}

type FurtherChannels = ReadonlyArray<Any<unknown>>

/** A running service. Its channels are under their names: `service.sms.send`. */
export type Watchword<Further extends FurtherChannels = []> = Groups &
  Direct.Directs<Direct.ByName<Further>> &
  Service<OwnEventOf<Further[number]>>

/** The events that a channel has of its own; never where it is not known which channel it is. */
type OwnEventOf<C> = C extends { readonly events: ChannelEvents<infer Types> | null }
  ? string extends keyof Types
    ? never
    : OwnEvent<Types>
  : never

/** The members of every service, in addition to its channels. */
export interface Service<Own extends OwnEvent = never> extends AsyncDisposable, Running {
  /** Answers a request of any host; adapters call this. */
  readonly handle: HandlePromise
  /** Answers `/healthz`, `/readyz` and `/metrics`; mount it at the root, or not at all. */
  readonly operations: HandlePromise
  /** Has `/readyz` answer 503 from now on, so that load balancers ask other servers; `handle` continues as before. */
  readonly drain: () => void
  /** The endpoints that `handle` answers, for hosts that mount it at their root. */
  readonly endpoints: Endpoints
  /**
   * Has a handler called with every event of a type, or of a pattern such as `verification.*`: at least once, after the
   * change is stored, in one of the processes that have handlers of it. A handler that throws is called again. Returns
   * a function that ends it.
   */
  readonly on: <P extends EventPattern<(Event | Own)["type"]>>(
    pattern: P,
    handler: EventHandler<P, Event | Own>
  ) => () => void
  /**
   * The commands of operators, such as `operator.account.create({ name: "Acme" })`; `operator.as("anna")` says who runs
   * them.
   */
  readonly operator: Operator
  /**
   * Finishes requests in flight, ends calls that ring, unbinds from gateways and closes the store. `await using service
   * = await createWatchword(…)` does so at the end of its block.
   */
  readonly dispose: () => Promise<void>
}

/**
 * Starts the service: opens the store, brings open sends of an earlier process to an end, connects the
 * gateways. Rejects when the store cannot be opened.
 *
 * @example
 * ```ts
 * import { createWatchword, memory } from "watchword"
 *
 * const service = await createWatchword({ store: memory() })
 * const { account_id: account } = await service.operator.account.create({ name: "Acme" })
 * await service.sms.send({ account, sandbox: true }, { to: "+4915123456789", text: "Your code is 123456" })
 * await service.dispose()
 * ```
 */
export const createWatchword = async <const Further extends FurtherChannels = []>(
  options: Options<Further>
): Promise<Watchword<Further>> => {
  Mistakes.check(options)
  const runtime = ManagedRuntime.make(Services.layer(options).pipe(Layer.provideMerge(environment(options))))
  let hasEnded = false
  const run: Run = async (effect) => {
    if (hasEnded) throw stopped()
    return resolved(await runtime.runPromiseExit(effect))
  }
  const dispose = () => {
    hasEnded = true
    return runtime.dispose()
  }
  const operator = operatorOf(reading(run))
  return { ...parts(await runtime.context(), run, options.channels), operator, dispose, [Symbol.asyncDispose]: dispose }
}

/**
 * The same functions over services of an Effect program, which also ends them; without the commands of operators.
 *
 * @param hasEnded whether it has: direct calls are then refused
 */
export const over = (
  context: Context.Context<Services.Services>,
  hasEnded: () => boolean = () => false
): Part<Watchword> => {
  const run: Run = async (effect) => {
    if (hasEnded()) throw stopped()
    return resolved(await Effect.runPromiseExitWith(context)(effect))
  }
  return parts<[]>(context, run, [])
}

/** A service that is ended by its owner, without the commands of operators, which `operatorOf` gives. */
export type Part<S> = Omit<S, keyof Pick<Service, "dispose" | "operator" | typeof Symbol.asyncDispose>>

type Run = <A, E>(effect: Effect.Effect<A, E, Services.Services>) => Promise<A>

const parts = <Further extends FurtherChannels>(
  context: Context.Context<Services.Services>,
  run: Run,
  further: Further | undefined
): Groups & Direct.Directs<Direct.ByName<Further>> & Part<Service<OwnEventOf<Further[number]>>> => {
  const running = Context.get(context, Features)
  const operations = Context.get(context, OperationsHandler)
  const directs = Direct.make(run, running, builtIn)
  const service = {
    handle: toPromise(Context.get(context, Handler), context),
    operations: toPromise(operations.handle, context),
    drain: () => Effect.runSync(operations.drain),
    endpoints: endpointsOf(running.map(({ feature }) => feature)),
    on: Context.get(context, Handlers).on,
    ...directs,
    chatgw: spelled(directs.chatgw),
    verify: verifying(directs.verify),
    ...Direct.make(run, running, Direct.byName(further))
  }
  return holding(service, { context, run })
}

/** The logger, the clock and the references that a service runs with. */
export const environment = ({
  clock,
  logger,
  observability
}: Pick<Options, "clock" | "logger" | "observability">): Layer.Layer<never> =>
  Layer.mergeAll(
    OwnClock.layer(clock),
    logger === undefined ? Logger.toConsole : Logger.layer(logger),
    observability ?? Layer.empty
  )
