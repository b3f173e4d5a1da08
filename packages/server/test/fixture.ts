import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import * as Authenticator from "@watchword/auth/Authenticator"
import * as Keys from "@watchword/auth/Keys"
import { bizchat as bizchatChannel } from "@watchword/bizchat/Bizchat"
import { BizchatGateway } from "@watchword/bizchat/BizchatGateway"
import { call } from "@watchword/call/Call"
import { CallGateway } from "@watchword/call/CallGateway"
import { startThrough } from "@watchword/send/channel/Channel"
import * as Features from "@watchword/send/channel/Features"
import { chatgw as chatgwChannel } from "@watchword/chatgw/Chatgw"
import { ChatgwGateway } from "@watchword/chatgw/ChatgwGateway"
import type { Webhook } from "@watchword/send/gateway"
import * as Accounts from "@watchword/ledger/Accounts"
import * as Records from "@watchword/records/Records"
import type { Mode } from "@watchword/schemas/Channel"
import type { AccountId } from "@watchword/schemas/Ids"
import { heartbeatLayer, observedStore } from "@watchword/send/pipeline"
import * as Send from "@watchword/send/Send"
import * as Settings from "@watchword/store/Settings"
import { sms } from "@watchword/sms/Sms"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import { memory } from "@watchword/store/MemoryStore"
import type { Store } from "@watchword/store/Store"
import { layerFree } from "@watchword/ledger/PriceTable"
import { whatIsSet } from "../../../test/whatIsSet.ts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import {
  type HostHeaders,
  type HostResponse,
  type HostRequest,
  Handler,
  absent,
  bytes,
  isStream
} from "@watchword/server/Host"
import * as Server from "../src/internal/Server.ts"
import { sandbox } from "@watchword/sandbox/Sandbox"
import { verify } from "@watchword/verify/Verify"

export interface Options extends Server.Options {
  readonly store?: Layer.Layer<Store>
  readonly callGateway?: Layer.Layer<CallGateway> | Layer.Layer<never>
  readonly gateway?: Layer.Layer<SmsGateway> | Layer.Layer<never>
  readonly chatgw?: Layer.Layer<ChatgwGateway> | Layer.Layer<never>
  readonly bizchat?: Layer.Layer<BizchatGateway> | Layer.Layer<never>
}

/** The whole service on a store in memory, as its parts are wired in production. */
export const service = ({
  store = memory(),
  callGateway = Layer.empty,
  gateway = Layer.empty,
  chatgw = Layer.empty,
  bizchat = Layer.empty,
  ...options
}: Options = {}) =>
  Server.layer(options).pipe(
    Layer.provideMerge(
      Features.layer([
        { ...call, start: startThrough(call.start, callGateway) },
        { ...sms, start: startThrough(sms.start, gateway) },
        { ...chatgwChannel, start: startThrough(chatgwChannel.start, chatgw) },
        { ...bizchatChannel, start: startThrough(bizchatChannel.start, bizchat) },
        verify,
        sandbox
      ])
    ),
    Layer.provide([Send.layer, Records.layer, Settings.layer]),
    Layer.provide([heartbeatLayer, layerFree, whatIsSet]),
    Layer.provideMerge(Layer.provideMerge(Layer.merge(Accounts.layer, Keys.layer), Authenticator.layer)),
    Layer.provide(Layer.merge(Layer.provide(observedStore, store), ChannelRegistry.layerBuiltIn))
  )

const unused = () => Effect.die("not asked")

/** Gateways that call back. */
export const callingBack = (webhook: Webhook) => {
  const both = { events: () => Effect.void, health: Effect.succeed([]), webhook }
  return {
    callGateway: Layer.succeed(CallGateway, {
      ...both,
      dial: unused,
      hangup: unused,
      recover: unused,
      drain: Effect.void
    }),
    gateway: Layer.succeed(SmsGateway, { ...both, send: unused }),
    chatgw: Layer.succeed(ChatgwGateway, {
      ...both,
      send: unused,
      checkSendAbility: unused,
      checkVerificationStatus: unused,
      revoke: unused
    }),
    bizchat: Layer.succeed(BizchatGateway, { ...both, check: unused, send: unused })
  }
}

/** A new account. */
export const openAccount = Accounts.Accounts.use((accounts) => accounts.create({ name: "Acme" }))

/** A key of an account, as its owner sees it. */
export const createKey = (
  account: AccountId,
  more: { readonly mode?: Mode; readonly scopes?: ReadonlyArray<string>; readonly allow?: ReadonlyArray<string> } = {}
) =>
  Effect.map(
    Keys.Keys.use((keys) => keys.create({ account, mode: "sandbox", ...more })),
    ({ secret }) => Redacted.value(secret)
  )

export interface Asking {
  readonly method?: string
  readonly path: string
  readonly headers?: HostHeaders
  readonly body?: HostRequest["body"] | string
  readonly remoteAddress?: string | null
  readonly clientAddress?: string | null
}

/** Asks the handler as a host would. */
export const ask = ({
  method = "POST",
  path,
  headers = {},
  body = absent,
  remoteAddress = "127.0.0.1",
  ...found
}: Asking) =>
  Handler.use((handle) =>
    handle({
      ...found,
      method,
      path,
      headers,
      body: typeof body === "string" ? bytes(new TextEncoder().encode(body)) : body,
      remoteAddress
    })
  )

/** The JSON of an answer. */
export const json = ({ body }: HostResponse): unknown => {
  if (body === null || isStream(body)) return null
  return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body))
}
