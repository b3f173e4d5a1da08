/**
 * Description of a channel: one value with everything that a service needs to know of a way to a phone. It is a feature
 * with products and a gateway, and usually carries verification codes.
 *
 * A channel's package makes its description with `make`; a service folds over a list of them.
 */
import type { Delivery } from "@watchword/store/Delivery"
import type { OwnTypes } from "@watchword/schemas/Event"
import type { ChannelEntry } from "@watchword/schemas/ChannelRegistry"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import type { ChannelEvents } from "../internal/channel/ChannelEvents.ts"
import { type Codes, rulesOf } from "../internal/channel/Codes.ts"
import {
  type Description,
  type Feature,
  type Group,
  type OperationsOf,
  type Product,
  type Requirements,
  type Service,
  type Started,
  startedOf
} from "../internal/channel/Feature.ts"
import type { Operations } from "./Operation.ts"

export {
  type Change,
  type ChannelEvents,
  type Described,
  type OwnEvent,
  refusal,
  updates,
  updatesAnd
} from "../internal/channel/ChannelEvents.ts"
export {
  type Arrival,
  type CodeError,
  type CodeMessage,
  type CodeRules,
  type CodeSender,
  NoAccount
} from "../internal/channel/Codes.ts"
export type { Endpoint, Group, Product, Requirements, Service, Started } from "../internal/channel/Feature.ts"

/** A feature with a gateway. */
export type Channel<
  Name extends string = string,
  Ops extends Operations = Operations,
  Gateway = unknown,
  E = never,
  Types extends OwnTypes = OwnTypes
> = Feature<Name, Ops, Gateway, E, Requirements, Types>

export const make = <
  const Name extends string,
  G extends Group,
  S extends Service,
  Ops extends Operations & OperationsOf<G>,
  Gateway,
  Types extends OwnTypes = {}
>(
  // The service reads its live gateway with `Effect.serviceOption`.
  options: Description<Name, G, S, Ops, Requirements> & {
    readonly products: ReadonlyArray<Product>
    readonly gateway: Context.Key<Gateway, unknown>
    /** The events about its deliveries; the events of any message unless given. */
    readonly events?: ChannelEvents<Types>
    /** How it carries the code of a verification; left out by a channel that verifications do not use. */
    readonly code?: Codes<S>
    /** Puts the network's report on a delivery into words; null if there is no report. */
    readonly said?: (delivery: Delivery) => string | null
  }
): Channel<Name, Ops, Gateway, never, Types> => {
  const { actions, code, events = null, gateway, group, name, operations, products, said = () => null } = options
  const start = Effect.zipWith(options.service, Effect.serviceOption(gateway), (made, live): Started<Ops> => ({
    ...startedOf(made, operations(made)),
    isLive: Option.isSome(live),
    codes:
      code === undefined
        ? null
        : {
            send: (message) => code.send(made, message),
            withdraw: (principal, delivery) => code.withdraw?.(made, principal, delivery) ?? Effect.void
          }
  }))
  return {
    name,
    products: products.map((product) => ({ ...product, carriesCodes: code !== undefined && product.name === name })),
    group,
    events,
    code: code === undefined ? null : rulesOf(code),
    said,
    gateway,
    start,
    ...(actions === undefined ? {} : { actions })
  }
}

/** The same channel with a live gateway, which opens with it and closes after it. */
export const withGateway = <Name extends string, Ops extends Operations, Gateway, E, E2, Types extends OwnTypes>(
  channel: Channel<Name, Ops, Gateway, E, Types>,
  gateway: Layer.Layer<NoInfer<Gateway>, E2>
): Channel<Name, Ops, Gateway, E | E2, Types> => ({
  ...channel,
  start: startThrough(channel.start, gateway)
})

/** Starts a channel with the gateway of a layer in its context. */
export const startThrough = <A, E, R, E2>(
  start: Effect.Effect<A, E, R>,
  gateway: Layer.Layer<never, E2>
): Effect.Effect<A, E | E2, R | Scope> =>
  Effect.flatMap(Layer.build(gateway), (context) => Effect.provideContext(start, context))

/** The path below the service's base address that the gateway of a channel calls back to. */
export const webhookPath = ({ name }: Pick<ChannelEntry, "name">): `/${string}` => `/${name}/events`
