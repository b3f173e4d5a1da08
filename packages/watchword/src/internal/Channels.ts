/**
 * The list of channels that come with Watchword. A channel for everybody is added here, and nowhere else.
 */
import type { Gateway } from "@watchword/send/gateway"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { bizchat } from "@watchword/bizchat/Bizchat"
import { call } from "@watchword/call/Call"
import { type Channel, startThrough } from "@watchword/send/channel/Channel"
import { type Any, Described } from "@watchword/send/channel/Features"
import { chatgw } from "@watchword/chatgw/Chatgw"
import { sandbox } from "@watchword/sandbox/Sandbox"
import { requests } from "@watchword/server/Server"
import { sms } from "@watchword/sms/Sms"
import { verify } from "@watchword/verify/Verify"
import * as Layer from "effect/Layer"

/** The channels, each under the property of its option and of its direct calls: `service.bizchat.send`. */
export const builtIn = { call, sms, chatgw, bizchat, verify, sandbox, requests } as const

export type BuiltIn = typeof builtIn

export const channels: ReadonlyArray<Any> = Object.values(builtIn)

/** What readers of records know of a service's channels: their descriptions, and the numbers of their products. */
export const layer = <E>(all: ReadonlyArray<Any<E>>): Layer.Layer<ChannelRegistry.ChannelRegistry | Described> =>
  Layer.merge(ChannelRegistry.layer(all), Layer.succeed(Described, all))

/** The same of the channels that come with Watchword, for programs that work on a database without gateways. */
export const layerBuiltIn = layer(channels)

type GatewayOf<C> = C extends Channel<infer _Name, infer _Operations, infer Gateway, infer _E> ? Gateway : never

/** The gateways that live messages leave over. */
export type Gateways<E> = {
  /** Without this gateway, live keys are answered 503 on the channel. */
  readonly [P in keyof BuiltIn as [GatewayOf<BuiltIn[P]>] extends [never] ? never : P]?: Gateway<
    GatewayOf<BuiltIn[P]>,
    E
  >
}

export interface Options<E> extends Gateways<E> {
  /**
   * Has users prove their number by signing in with Telegram: `telegramLogin({ … })` of `watchword/telegramLogin`. It
   * needs `publicUrl`.
   */
  readonly telegramLogin?: Any<E>
  /** Further channels, each with its gateway: `Channel.withGateway(voice, gateway)`. */
  readonly channels?: ReadonlyArray<Any<E>>
}

/** The channels of a service: these with the gateways that the options name, and the further ones. */
export const all = <E>(options: Options<E>): ReadonlyArray<Any<E>> => [
  through<E>(call, options.call),
  through<E>(sms, options.sms),
  through<E>(chatgw, options.chatgw),
  through<E>(bizchat, options.bizchat),
  verify,
  sandbox,
  requests,
  ...(options.telegramLogin === undefined ? [] : [options.telegramLogin]),
  ...(options.channels ?? []).map(checked)
]

/**
 * The numbers below are kept for channels that may come with Watchword one day: their records would be taken for these.
 */
const FIRST_OWN = 64

/** Checks that a channel's products and events cannot be confused with another channel's. */
const checked = <C extends Any<unknown>>(channel: C): C => {
  for (const type of Object.keys(channel.events?.own ?? {})) {
    if (!type.startsWith(`${channel.name}.`)) {
      throw new RangeError(`the event ${type} must begin with the name of its channel: ${channel.name}.${type}`)
    }
  }
  for (const { name, number } of channel.products) {
    if (number < FIRST_OWN) {
      throw new RangeError(`the product ${name} must have a number from ${FIRST_OWN} to 127, but has ${number}`)
    }
  }
  return channel
}

const through = <E>(channel: Any, gateway: Layer.Layer<never, E> | undefined): Any<E> =>
  gateway === undefined ? channel : { ...channel, start: startThrough(channel.start, gateway) }
