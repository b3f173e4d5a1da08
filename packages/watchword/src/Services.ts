/**
 * Every service of Watchword as one layer, for programs written with Effect, and the recurring work, for hosts that run
 * it by cron.
 */
import * as Authenticator from "@watchword/auth/Authenticator"
import * as Keys from "@watchword/auth/Keys"
import type { NetworkError } from "@watchword/auth/Networks"
import { layer as certificatesLayer } from "@watchword/send/channel/Certificates"
import * as Features from "@watchword/send/channel/Features"
import * as Receiving from "@watchword/send/channel/Receiving"
import * as Accounts from "@watchword/ledger/Accounts"
import * as Ledger from "@watchword/ledger/Ledger"
import type * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { type Rollup, retentionLayer, rollupLayer } from "@watchword/operator/jobs"
import * as Records from "@watchword/records/Records"
import {
  type InstallationSecret,
  type Reconciler,
  type ReconcilerOptions,
  heartbeatLayer,
  observedStore,
  reconcilerLayer
} from "@watchword/send/pipeline"
import { PublicUrl } from "@watchword/send/gateway"
import type { Dispatcher } from "@watchword/events/Events"
import type { Handlers } from "@watchword/events/Events"
import type { BadRequest } from "@watchword/schemas/Errors"
import * as Simulator from "@watchword/sandbox/simulator"
import * as Send from "@watchword/send/Send"
import type { Handler } from "@watchword/server/Host"
import type { Entrance } from "@watchword/server/http"
import * as Server from "@watchword/server/Server"
import * as Settings from "@watchword/store/Settings"
import type { Store, StoreProvider } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Verify from "@watchword/verify/Verify"
import * as Layer from "effect/Layer"
import type { Described } from "@watchword/send/channel/Features"
import * as Channels from "./internal/Channels.ts"
import type { Alarms } from "./internal/Alarming.ts"
import { type Maintenance, layer as maintenance, onlyOnRequest } from "./internal/Maintenance.ts"
import * as BeforeSending from "./internal/BeforeSending.ts"
import * as Eventing from "./internal/Eventing.ts"
import * as Guarding from "./internal/Guarding.ts"
import * as Operations from "./internal/Operations.ts"
import * as Pricing from "./internal/Pricing.ts"
import * as Sealed from "./internal/Sealed.ts"
import * as Secrets from "./internal/Secrets.ts"
import * as ServiceScope from "./internal/ServiceScope.ts"

export { Maintenance, onlyOnRequest } from "./internal/Maintenance.ts"

export interface Options<E = never> extends Channels.Options<E> {
  /**
   * The interface's address as others reach it, with the prefix that it is mounted at, such as
   * `https://otp.example.com/v1`. Gateways tell their providers to report there.
   */
  readonly publicUrl?: string | undefined
  /** Where records and money are kept. */
  readonly store: StoreProvider
  /**
   * Prices of live sends in EUR by product and number prefix, such as `{ sms: { "*": 0.05, "44": 0.04 } }`; the longest
   * prefix wins. A product or number without a price is refused with 400. Without prices all is free.
   */
  readonly prices?: Pricing.Pricing
  /**
   * A secret of the installation of at least 32 characters, such as 32 random bytes in hexadecimal, the same for all
   * processes on one store and kept elsewhere. Verification codes are derived from it, and request ids and bodies are
   * stored as HMACs under it. Without it they are stored as plain hashes, from which a short code could be
   * brute-forced. To replace it, put the new one before it in a list, and leave the old one out a day later: without
   * it, repeats from before are new sends, and codes from before cannot be checked.
   */
  readonly secret?: Secrets.Secrets
  /** Defaults of verifications, which settings of accounts go before. */
  readonly verify?: Verify.VerifyOptions
  /**
   * Rules against pumping and flooding of accounts without rules of their own; see `@watchword/guards/Rules`. Unless
   * given, `@watchword/guards/Rules` hold for live verifications; `"none"` guards nothing. A function is asked at each
   * send, so that rules can be replaced while the service runs.
   */
  readonly guards?: Guarding.GuardRules
  /**
   * A check of your own before each send, start of a verification and resend that the guard lets through: a look-up of
   * the number, a SIM-swap check, a risk score. It allows, denies with a reason, or prefers channels.
   */
  readonly beforeSend?: BeforeSending.BeforeSend
  /** Where problems are sent that operators should know of; nowhere by default. */
  readonly alarms?: Alarms
  /** Bounds of webhooks, whose endpoints `operator.webhook` sets. */
  readonly webhooks?: Eventing.Options
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: ReadonlyArray<string>
  /** The largest request body, in bytes; 65,536 by default. */
  readonly maxBodyBytes?: number
  /** Whether requests continue the traces that their headers name; false by default. */
  readonly trustTraceparent?: boolean
  /** Pages in addition to the interface, for example `@watchword/server/Docs`. */
  readonly pages?: Operations.Pages
  /** When open sends are given up; see `@watchword/send/pipeline`. */
  readonly reconcile?: Omit<ReconcilerOptions, "failed">
  /**
   * Whether the service may work while no request asks it to; true by default. Where it may not, as in a Worker,
   * `Maintenance.run` has to be run every minute or so, and calls cannot be ended from another process.
   */
  readonly background?: boolean
}

/** The services of the layer. */
export type Services =
  | Accounts.Accounts
  | Authenticator.Authenticator
  | ChannelRegistry.ChannelRegistry
  | Described
  | Features.Features
  | Dispatcher
  | Entrance
  | Handler
  | Handlers
  | InstallationSecret
  | Keys.Keys
  | Ledger.Ledger
  | Maintenance
  | Operations.OperationsHandler
  | Reconciler
  | Records.Records
  | Rollup
  | Send.Send
  | ServiceScope.ServiceScope
  | Settings.Settings
  | Store

/**
 * @example
 * ```ts
 * import { memory } from "@watchword/store/MemoryStore"
 * import { Handler } from "@watchword/server/Host"
 * import * as Effect from "effect/Effect"
 * import * as Services from "watchword/Services"
 *
 * const program = Handler.use((handle) =>
 *   handle({ method: "GET", path: "/", headers: {}, body: { _tag: "Absent" }, remoteAddress: null })
 * )
 * program.pipe(Effect.provide(Services.layer({ store: memory() })))
 * ```
 */
export const layer = <E = never>(
  options: Options<E>
): Layer.Layer<Services, StoreError | NetworkError | BadRequest | E> => {
  const channels = Channels.all(options)
  const operators = Layer.mergeAll(Accounts.layer, Keys.layer, Ledger.layer, Settings.layer).pipe(
    Layer.provideMerge(Authenticator.layer)
  )
  const pipeline = Layer.mergeAll(Records.layer, Send.layer, retentionLayer).pipe(
    Layer.provideMerge(heartbeatLayer),
    Layer.provideMerge(Pricing.layer(options.prices, channels)),
    Layer.provideMerge(Layer.provide(BeforeSending.layer(options.beforeSend), Guarding.layer(options.guards)))
  )
  const handler = Server.layer({
    ...(options.trustedProxies === undefined ? {} : { trustedProxies: options.trustedProxies }),
    ...(options.maxBodyBytes === undefined ? {} : { maxBodyBytes: options.maxBodyBytes }),
    ...(options.trustTraceparent === undefined ? {} : { trustTraceparent: options.trustTraceparent })
  })
  const services = Layer.mergeAll(
    handler,
    Operations.layer(options),
    ServiceScope.layer,
    maintenance,
    Pricing.warning(options.prices),
    Guarding.warning(options.guards),
    certificatesLayer
  ).pipe(
    // It begins after the channels, which hear of what its first pass closes.
    Layer.provideMerge(reconcilerLayer({ ...options.reconcile, failed: Features.failedStatuses(channels) })),
    Layer.provideMerge(Layer.provide(Features.layer(channels), Layer.succeed(Verify.Options, options.verify ?? {}))),
    Layer.provideMerge(pipeline),
    Layer.provideMerge(options.alarms ?? Layer.empty),
    // It ends after the pipeline, whose last events it sends.
    Layer.provideMerge(Eventing.layer(options.webhooks, channels)),
    // It ends after the pipeline, whose last steps it counts.
    Layer.provideMerge(rollupLayer),
    // It ends after the handlers, whose last refusals it writes.
    Layer.provideMerge(Server.refusedLogLayer),
    Layer.provideMerge(Sealed.layer),
    Layer.provideMerge(operators),
    Layer.provideMerge(Secrets.layer(options.secret)),
    Layer.provideMerge(Simulator.layer),
    Layer.provideMerge(Layer.provide(observedStore, options.store)),
    // Among the services, because the operator's part reads it whenever it is asked.
    Layer.provideMerge(Channels.layer(channels))
  )
  const reached = services.pipe(
    Layer.provideMerge(Receiving.layer),
    Layer.provide(Layer.succeed(PublicUrl, options.publicUrl))
  )
  return options.background === false ? Layer.provide(reached, onlyOnRequest) : reached
}
