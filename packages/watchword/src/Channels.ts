/**
 * The list of channels that come with Watchword. A channel for everybody is added here, and nowhere else.
 */
import { bizchat } from "@watchword/bizchat/BusinessChat"
import { call } from "@watchword/call/Call"
import { type Channel, startThrough } from "@watchword/channel/Channel"
import type { Any } from "@watchword/channel/Channels"
import { chatgw } from "@watchword/chatgw/Chat"
import { sandbox } from "@watchword/sandbox/Sandbox"
import { sms } from "@watchword/sms/Sms"
import type * as Layer from "effect/Layer"

export const channels = [call, sms, chatgw, bizchat, sandbox] as const

export type BuiltIn = typeof channels

type GatewayOf<C> = C extends Channel<infer _Name, infer _Operations, infer Gateway, infer _E> ? Gateway : never

/** The gateways that live messages leave by, each under the name of its channel. */
export type Gateways<E> = {
  /** Without this gateway, live keys are answered 503 on the channel. */
  readonly [C in BuiltIn[number] as [GatewayOf<C>] extends [never] ? never : C["name"]]?: Layer.Layer<GatewayOf<C>, E>
}

export interface Options<E> extends Gateways<E> {
  /** Further channels, each with its gateway: `Channel.withGateway(voice, gateway)`. */
  readonly channels?: ReadonlyArray<Any<E>>
}

/** The channels of a service: these with the gateways that the options name, and the further ones. */
export const all = <E>(options: Options<E>): ReadonlyArray<Any<E>> => [
  ...channels.map((channel) => (isOption(channel.name) ? through<E>(channel, options[channel.name]) : channel)),
  ...(options.channels ?? [])
]

type Option = keyof Gateways<never>

/** Whether a channel has a gateway that an option takes. */
const isOption = (name: BuiltIn[number]["name"]): name is Option =>
  channels.some((channel) => channel.name === name && channel.gateway !== null)

const through = <E>(channel: Any, gateway: Layer.Layer<never, E> | undefined): Any<E> =>
  gateway === undefined ? channel : { ...channel, start: startThrough(channel.start, gateway) }
