/**
 * The front door: options in; a handler, direct calls and `dispose` out. No knowledge of Effect needed.
 */
import { Handler, type HandlePromise, toPromise } from "@watchword/server/Host"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as References from "effect/References"
import * as DirectBusinessChat from "./DirectBusinessChat.ts"
import * as DirectCall from "./DirectCall.ts"
import * as DirectChat from "./DirectChat.ts"
import * as DirectSms from "./DirectSms.ts"
import { OperationsHandler } from "./Operations.ts"
import * as Operator from "./Operator.ts"
import * as Services from "./Services.ts"

/** Gateways may fail to open in ways of their own, each in another one. */
export interface Options extends Services.Options<unknown> {
  /** Loggers, tracers and other references. By default warnings and errors go to the console. */
  readonly observability?: Layer.Layer<never>
}

/** A running service. */
export interface Watchword {
  /** Answers a request of any host; adapters call this. */
  readonly handle: HandlePromise
  /** Answers `/healthz`, `/readyz` and `/metrics`; mount it at the root, or not at all. */
  readonly operations: HandlePromise
  /** The call channel, in-process. */
  readonly call: DirectCall.DirectCall
  /** The SMS channel, in-process. */
  readonly sms: DirectSms.DirectSms
  /** The chat-gateway channel, in-process. */
  readonly chatgw: DirectChat.DirectChat
  /** The business-chat channel, in-process. */
  readonly bizchat: DirectBusinessChat.DirectBusinessChat
  /** Accounts, credits and keys, for those who run the service. */
  readonly operator: Operator.Operator
  /** Finishes what is in flight, ends calls that ring, unbinds from gateways and closes the store. */
  readonly dispose: () => Promise<void>
}

/**
 * Starts the service: opens the store, brings open sends of an earlier process to an end, connects the
 * gateways. Rejects when the store cannot be opened.
 *
 * @example
 * ```ts
 * import { createWatchword } from "watchword"
 * import * as MemoryStore from "@watchword/store/MemoryStore"
 *
 * const service = await createWatchword({ store: MemoryStore.layer })
 * const account = await service.operator.createAccount({ name: "Acme" })
 * await service.sms.send({ account, sandbox: true }, { to: "+4915123456789", text: "Your code is 123456" })
 * await service.dispose()
 * ```
 */
export const createWatchword = async (options: Options): Promise<Watchword> => {
  const runtime = ManagedRuntime.make(Services.layer(options).pipe(Layer.provideMerge(options.observability ?? quiet)))
  // Rejects once the service has ended.
  const run: Run = (effect) => runtime.runPromise(effect)
  return { ...parts(await runtime.context(), run), dispose: () => runtime.dispose() }
}

/** The service for those who do not speak Effect, over services that somebody else has made and will end. */
export const over = (context: Context.Context<Services.Services>): Omit<Watchword, "dispose"> =>
  parts(context, Effect.runPromiseWith(context))

type Run = <A, E>(effect: Effect.Effect<A, E, Services.Services>) => Promise<A>

const parts = (context: Context.Context<Services.Services>, run: Run): Omit<Watchword, "dispose"> => ({
  handle: toPromise(Context.get(context, Handler), context),
  operations: toPromise(Context.get(context, OperationsHandler), context),
  call: DirectCall.make(run),
  sms: DirectSms.make(run),
  chatgw: DirectChat.make(run),
  bizchat: DirectBusinessChat.make(run),
  operator: Operator.make(run)
})

const quiet = Layer.succeed(References.MinimumLogLevel, "Warn")
