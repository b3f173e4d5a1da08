/**
 * Every service of Watchword as one layer, for programs written with Effect.
 */
import * as Authenticator from "@watchword/auth/Authenticator"
import * as Keys from "@watchword/auth/Keys"
import type { NetworkError } from "@watchword/auth/Networks"
import * as BusinessChat from "@watchword/bizchat/BusinessChat"
import type { BusinessChatGateway } from "@watchword/bizchat/BusinessChatGateway"
import * as BusinessChatStatus from "@watchword/bizchat/BusinessChatStatus"
import * as Call from "@watchword/call/Call"
import type { CallGateway } from "@watchword/call/CallGateway"
import * as CallStatus from "@watchword/call/CallStatus"
import * as Chat from "@watchword/chatgw/Chat"
import type { ChatGateway } from "@watchword/chatgw/ChatGateway"
import * as ChatStatus from "@watchword/chatgw/ChatStatus"
import * as Accounts from "@watchword/ledger/Accounts"
import * as Ledger from "@watchword/ledger/Ledger"
import { Prices } from "@watchword/ledger/Prices"
import { type PriceTable, free } from "@watchword/ledger/PriceTable"
import * as Records from "@watchword/records/Records"
import type { Handler } from "@watchword/server/Host"
import * as Server from "@watchword/server/Server"
import * as Heartbeat from "@watchword/send/Heartbeat"
import * as Reconciler from "@watchword/send/Reconciler"
import * as Send from "@watchword/send/Send"
import * as Sms from "@watchword/sms/Sms"
import type { SmsGateway } from "@watchword/sms/SmsGateway"
import * as SmsStatus from "@watchword/sms/SmsStatus"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import type { HttpRouter } from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as Maintenance from "./Maintenance.ts"
import * as Operations from "./Operations.ts"

export interface Options<E = never> {
  /** Where records and money are kept. */
  readonly store: Layer.Layer<Store, StoreError>
  /** The gateway that live calls leave by. Without one live keys are answered 503. */
  readonly call?: Layer.Layer<CallGateway, E>
  /** The gateway that live text messages leave by. Without one live keys are answered 503. */
  readonly sms?: Layer.Layer<SmsGateway, E>
  /** The gateway that live codes leave by. Without one live keys are answered 503. */
  readonly chatgw?: Layer.Layer<ChatGateway, E>
  /** The gateway that live business chats leave by. Without one live keys are answered 503. */
  readonly bizchat?: Layer.Layer<BusinessChatGateway, E>
  /** What sends cost. Without a table everything is free. */
  readonly prices?: PriceTable
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: ReadonlyArray<string>
  /** The largest request body, in bytes; 65,536 by default. */
  readonly maxBodyBytes?: number
  /** Pages beside the interface, for example those of `@watchword/server/Docs`. */
  readonly pages?: Layer.Layer<never, never, HttpRouter>
  /** When open sends are given up; see `@watchword/send/Reconciler`. */
  readonly reconcile?: Omit<Reconciler.Options, "failed">
  /**
   * Whether the service may work while no request asks it to; true by default. Where it may not, as in a Worker,
   * `Maintenance.run` has to be run every minute or so, and calls cannot be ended from another process.
   */
  readonly background?: boolean
}

/** What the layer provides. */
export type Services =
  | Accounts.Accounts
  | Authenticator.Authenticator
  | BusinessChat.BusinessChat
  | Call.Call
  | Chat.Chat
  | Handler
  | Keys.Keys
  | Ledger.Ledger
  | Maintenance.Maintenance
  | Operations.OperationsHandler
  | Reconciler.Reconciler
  | Records.Records
  | Send.Send
  | Sms.Sms
  | Store

/**
 * @example
 * ```ts
 * import * as MemoryStore from "@watchword/store/MemoryStore"
 * import { Handler } from "@watchword/server/Host"
 * import * as Effect from "effect/Effect"
 * import * as Services from "watchword/Services"
 *
 * const program = Handler.use((handle) =>
 *   handle({ method: "GET", path: "/", headers: {}, body: { _tag: "Absent" }, remoteAddress: null })
 * )
 * program.pipe(Effect.provide(Services.layer({ store: MemoryStore.layer })))
 * ```
 */
export const layer = <E = never>(options: Options<E>): Layer.Layer<Services, StoreError | NetworkError | E> => {
  const operators = Layer.mergeAll(Accounts.layer, Keys.layer, Ledger.layer).pipe(
    Layer.provideMerge(Authenticator.layer)
  )
  const pipeline = Layer.mergeAll(
    Records.layer,
    Send.layer,
    Reconciler.layer({
      ...options.reconcile,
      failed: {
        call: CallStatus.statuses.failed,
        sms: SmsStatus.statuses.failed,
        chatgw: ChatStatus.statuses.failed,
        chatgw_probe: ChatStatus.probeStatuses.failed,
        bizchat: BusinessChatStatus.statuses.failed
      }
    })
  ).pipe(Layer.provide(Layer.merge(Heartbeat.layer, Layer.succeed(Prices, options.prices ?? free))))
  const call = options.call === undefined ? Call.layer : Layer.provideMerge(Call.layer, options.call)
  const sms = options.sms === undefined ? Sms.layer : Layer.provideMerge(Sms.layer, options.sms)
  const chatgw = options.chatgw === undefined ? Chat.layer : Layer.provideMerge(Chat.layer, options.chatgw)
  const bizchat =
    options.bizchat === undefined ? BusinessChat.layer : Layer.provideMerge(BusinessChat.layer, options.bizchat)
  const handler = Server.layer({
    ...(options.trustedProxies === undefined ? {} : { trustedProxies: options.trustedProxies }),
    ...(options.maxBodyBytes === undefined ? {} : { maxBodyBytes: options.maxBodyBytes })
  })
  const services = Layer.mergeAll(handler, Operations.layer(options), Maintenance.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(call, sms, chatgw, bizchat)),
    Layer.provideMerge(pipeline),
    Layer.provideMerge(operators),
    Layer.provideMerge(options.store)
  )
  return options.background === false ? Layer.provide(services, Maintenance.onlyOnRequest) : services
}
