/**
 * Description of a channel: one value with everything that a service reads of a way to a phone.
 *
 * | read by | for |
 * |---|---|
 * | stores | the numbers of its products, and the time that lists go by |
 * | keys and price tables | its scopes and products, by name |
 * | the reconciler | the status of a record that is given up |
 * | the server | its HTTP group, its operations, the webhook of its gateway |
 * | the dispatcher of events | its words for changes of its deliveries |
 * | the front door | its direct calls, the option that takes its gateway |
 * | readiness checks | the health of its gateway |
 *
 * A channel's package makes its description with `make`; a service folds over a list of them.
 */
import type { GatewayHealth } from "../internal/gateway/GatewayHealth.ts"
import type { Webhook } from "../gateway/Webhook.ts"
import type { Records } from "@watchword/records/Records"
import type { ChannelEntry, ProductEntry } from "@watchword/schemas/internal/ChannelRegistry"
import type { BusyHere, Decline, Forbidden, ServiceUnavailable, Unauthorized } from "@watchword/schemas/Errors"
import type { DeliveryChanges } from "../internal/DeliveryChanges.ts"
import type { Heartbeat } from "../internal/Heartbeat.ts"
import type { Send } from "../Send.ts"
import type { Settings } from "@watchword/store/Settings"
import type { Status } from "@watchword/store/Delivery"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { HttpMethod } from "effect/http/HttpMethod"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import type { Describe } from "../internal/channel/ChannelEvents.ts"
import type { Operation, Operations } from "./Operation.ts"
import type { Network } from "../internal/channel/SandboxPhones.ts"

export interface Product extends ProductEntry {
  /** The status of a record that is given up, because its outcome was never learnt. */
  readonly failed: Status
}

/** The services that a channel is made of. */
export type Requirements = Send | Records | Settings | Store | DeliveryChanges | Heartbeat

/** The part that the services of all channels share. */
export interface Service {
  /** The connections of the live gateway; none without a gateway. */
  readonly health: Effect.Effect<ReadonlyArray<GatewayHealth>>
  /** The endpoint that the live gateway calls back to; null without a gateway, or where it does not call back. */
  readonly webhook: Webhook | null
  /** Periodic work that the service runs by itself, where it may: otherwise the host does. */
  readonly maintain?: Effect.Effect<void, StoreError>
  /** What its simulated network does for phones of the sandbox; null, or left out, where it does nothing. */
  readonly network?: Network | null
  /** Has requests answered that wait for something to come. Runs when the service begins to stop, and may run again. */
  readonly drain?: Effect.Effect<void>
}

/** A channel of a running service. */
export interface Started<out Ops extends Operations = Operations> extends Required<Service> {
  readonly operations: Ops
  /** Whether it has a gateway for live messages. */
  readonly isLive: boolean
}

/** The parts of an HTTP API group that a service reads. */
export interface Group extends HttpApiGroup.Constraint {
  readonly endpoints: Readonly<Record<string, Endpoint>>
}

export interface Endpoint extends HttpApiEndpoint.Constraint {
  readonly method: HttpMethod
  readonly path: `/${string}`
  readonly annotations: Context.Context<never>
  readonly success: ReadonlySet<Schema.Top>
  readonly error: ReadonlySet<Schema.Constraint>
}

/**
 * @typeParam Gateway identifier of the service key of its gateways; never where it has none
 * @typeParam E how the gateway may fail to open
 */
export interface Channel<
  out Name extends string = string,
  out Ops extends Operations = Operations,
  out Gateway = unknown,
  out E = never
> extends ChannelEntry {
  /** Begins its scopes and its webhook's path, and names its direct calls where the service gives them no other name. */
  readonly name: Name
  readonly products: ReadonlyArray<Product>
  readonly group: Group
  /** The events of a change of its deliveries; null for `delivery.updated` alone. */
  readonly describe: Describe | null
  /** The key of the gateway that live messages leave by; null where a channel works by means of others. */
  readonly gateway: Context.Key<Gateway, unknown> | null
  /** Starts the channel, with a live gateway where the context has one. */
  readonly start: Effect.Effect<Started<Ops>, StoreError | E, Requirements | Scope>
}

/**
 * Failures that every operation may have besides those that its endpoint declares. A store's failure is answered 503;
 * `BusyHere` and `Decline` of anything but a call are faults of its gateway.
 */
type AnyFailure = StoreError | Unauthorized | Forbidden | ServiceUnavailable | BusyHere | Decline

/** An operation for each endpoint of a group, with the answer and the failures that the endpoint declares. */
export type OperationsOf<G> = {
  readonly [E in HttpApiGroup.Endpoints<G> as HttpApiEndpoint.Identifier<E>]: Operation<
    HttpApiEndpoint.Success<E>["Type"],
    HttpApiEndpoint.Error<E>["Type"] | AnyFailure
  >
}

export const make = <
  const Name extends string,
  G extends Group,
  S extends Service,
  Ops extends Operations & OperationsOf<G>,
  Gateway = never
>(options: {
  readonly name: Name
  readonly products: ReadonlyArray<Product>
  readonly group: G
  /** Left out by a channel that works by means of its siblings (see `Siblings`). */
  readonly gateway?: Context.Key<Gateway, unknown>
  readonly actions?: ChannelEntry["actions"]
  readonly describe?: Describe
  /** The channel's service, which reads its live gateway with `Effect.serviceOption`. */
  readonly service: Effect.Effect<S, StoreError, Requirements | Scope>
  readonly operations: (service: S) => Ops
}): Channel<Name, Ops, Gateway> => {
  const { actions, describe = null, gateway = null, group, name, operations, products, service } = options
  const live = gateway === null ? Effect.succeedNone : Effect.serviceOption(gateway)
  const start = Effect.zipWith(service, live, (made, found): Started<Ops> => ({
    operations: operations(made),
    isLive: Option.isSome(found),
    health: made.health,
    webhook: made.webhook,
    maintain: made.maintain ?? Effect.void,
    network: made.network ?? null,
    drain: made.drain ?? Effect.void
  }))
  return { name, products, group, describe, gateway, start, ...(actions === undefined ? {} : { actions }) }
}

/** The same channel with a live gateway, which opens with it and closes after it. */
export const withGateway = <Name extends string, Ops extends Operations, Gateway, E, E2>(
  channel: Channel<Name, Ops, Gateway, E>,
  gateway: Layer.Layer<NoInfer<Gateway>, E2>
): Channel<Name, Ops, Gateway, E | E2> => ({
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
