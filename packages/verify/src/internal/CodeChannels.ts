/**
 * The channels for verifications, as they run in the service.
 */
import type { Product } from "@watchword/schemas/Channel"
import { type BadRequest, invalid } from "@watchword/schemas/Errors"
import type { CodeRules, CodeSender } from "@watchword/send/channel/Channel"
import { Channels } from "@watchword/send/channel/Features"
import type { GatewayHealth } from "@watchword/send/gateway"
import * as Effect from "effect/Effect"

export interface CodeChannel extends CodeRules, CodeSender {
  readonly name: string
  /** The products that are charged for on it. */
  readonly products: ReadonlyArray<Product>
  /** Whether it has a gateway for live messages. */
  readonly isLive: boolean
  /** The connections of that gateway. */
  readonly health: Effect.Effect<ReadonlyArray<GatewayHealth>>
}

export interface CodeChannels {
  readonly all: ReadonlyArray<CodeChannel>
  /** Undefined for a channel that the service does not have, as records of an earlier one may name. */
  readonly named: (name: string) => CodeChannel | undefined
  /** The refusal of an unknown channel; null for a known one. */
  readonly refusal: (path: string, name: string) => BadRequest | null
}

export const make: Effect.Effect<CodeChannels, never, Channels> = Effect.map(Channels, (channels) => {
  const all = channels.flatMap(({ codes, feature: { code, name, products }, health, isLive }): Array<CodeChannel> =>
    code === null || codes === null
      ? []
      : [{ ...code, ...codes, name, products: products.map((product) => product.name), isLive, health }]
  )
  const byName = new Map(all.map((channel) => [channel.name, channel]))
  const names = all.map(({ name }) => name).join(", ")
  return {
    all,
    named: (name) => byName.get(name),
    refusal: (path, name) => (byName.has(name) ? null : invalid([{ path, message: `must be one of ${names}` }]))
  }
})
