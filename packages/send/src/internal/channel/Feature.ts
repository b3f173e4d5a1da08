/**
 * Features of a service: an HTTP group, its operations, and a life from the start of the service to its end. A channel
 * is a feature with a gateway (see `Channel`); verifications and the inbox of the sandbox are others, which work by the
 * channels.
 *
 * | read by | for |
 * |---|---|
 * | stores | the numbers of its products, and the time that lists are ordered by |
 * | keys and price tables | its scopes and products, by name |
 * | the reconciler | the status of a record that is given up |
 * | the server | its HTTP group, its operations, the webhook of its gateway, its pages for users |
 * | the dispatcher of events | types and wording of delivery changes |
 * | verifications | how it carries a code |
 * | stories of numbers | its words for a network's report |
 * | the front door | its direct calls, the option that takes its gateway |
 * | readiness checks | the health of its gateway |
 *
 * A package makes its description with `make`; a service folds over a list of them.
 */
import type { Records } from "@watchword/records/Records"
import type { BusyHere, Decline, Forbidden, ServiceUnavailable, Unauthorized } from "@watchword/schemas/Errors"
import type { OwnTypes } from "@watchword/schemas/Event"
import type { ChannelEntry, ChannelRegistry, ProductEntry } from "@watchword/schemas/ChannelRegistry"
import type { Delivery, Status } from "@watchword/store/Delivery"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import type { Prices } from "@watchword/ledger/PriceTable"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { HttpMethod } from "effect/http/HttpMethod"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import type { Visit, VisitPath } from "../../gateway/Visit.ts"
import type { Webhook } from "../../gateway/Webhook.ts"
import type { ChannelEvents } from "./ChannelEvents.ts"
import type { DeliveryChanges } from "../../pipeline/DeliveryChanges.ts"
import type { GatewayHealth } from "../../gateway/GatewayHealth.ts"
import type { Heartbeat } from "../../pipeline/Heartbeat.ts"
import type { InstallationSecret } from "../../pipeline/InstallationSecret.ts"
import type { Send } from "../../Send.ts"
import type { SendGuard } from "../../SendGuard.ts"
import type { Watchers } from "../../pipeline/Watchers.ts"
import type { CodeRules, CodeSender } from "./Codes.ts"
import type { Operation, Operations } from "../../channel/Operation.ts"

export interface Product extends ProductEntry {
  /** The status of a record that is given up, because its outcome was never learnt. */
  readonly failed: Status
}

/** The services that a channel is made from. */
export type Requirements =
  | ChannelRegistry
  | DeliveryChanges
  | Heartbeat
  | InstallationSecret
  | Prices
  | Records
  | Send
  | SendGuard
  | Settings
  | Store
  | Watchers

/** The part that the services of all features share. */
export interface Service {
  /** The connections of the live gateway; none without a gateway. */
  readonly health: Effect.Effect<ReadonlyArray<GatewayHealth>>
  /** The endpoint that the live gateway calls back to; null without a gateway, or where it does not call back. */
  readonly webhook: Webhook | null
  /** Answers the browsers that open the feature's pages; left out without pages. */
  readonly visit?: Visit
  /** Periodic work that the service runs by itself, where it may: otherwise the host does. */
  readonly maintain?: Effect.Effect<void, StoreError>
  /** Answers the requests that wait for news. Runs when the service begins to stop, and may run again. */
  readonly drain?: Effect.Effect<void>
}

/** A feature of a running service. */
export interface Started<out Ops extends Operations = Operations>
  extends Required<Omit<Service, "visit">>, Pick<Service, "visit"> {
  readonly operations: Ops
  /** Whether it has a gateway for live messages. */
  readonly isLive: boolean
  /** Sends codes and takes them back; null for features that carry none. */
  readonly codes: CodeSender | null
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
 * @typeParam Gateway identifier of the service key of its gateways; never without gateways
 * @typeParam E how the gateway may fail to open
 * @typeParam R its requirements at the start
 * @typeParam Types the events that it has of its own
 */
export interface Feature<
  out Name extends string = string,
  out Ops extends Operations = Operations,
  out Gateway = unknown,
  out E = never,
  out R = Requirements,
  out Types extends OwnTypes = OwnTypes
> extends ChannelEntry {
  /**
   * Begins its scopes and its webhook's path, and names its direct calls where the service gives them no other name.
   */
  readonly name: Name
  readonly products: ReadonlyArray<Product>
  readonly group: Group
  /** The pages that users' browsers open; none unless given. */
  readonly visits?: ReadonlyArray<VisitPath>
  /** The events about its deliveries; null if they are the same as for any message. */
  readonly events: ChannelEvents<Types> | null
  /** The carriage of codes; null if verifications do not use it. */
  readonly code: CodeRules | null
  /** Puts the network's report on a delivery into words; null if there is no report. */
  readonly said: (delivery: Delivery) => string | null
  /** The key of the gateway that live messages leave over; null if the feature is not a channel. */
  readonly gateway: Context.Key<Gateway, unknown> | null
  readonly start: Effect.Effect<Started<Ops>, StoreError | E, R | Scope>
}

/** Any feature, whose gateway may fail to open with `E`. */
export type Any<E = never> = Feature<string, Operations, unknown, E, Requirements | Channels>

export interface Running extends Started {
  readonly feature: Any<unknown>
}

/** The running features that a feature depends on: the channels, and the features before it. */
export class Channels extends Context.Service<Channels, ReadonlyArray<Running>>()(
  "@watchword/send/internal/channel/Feature/Channels"
) {}

/**
 * Failures that every operation may have in addition to its endpoint's declared ones. A store's failure is answered
 * 503; `BusyHere` and `Decline` of anything but a call are faults of its gateway.
 */
type AnyFailure = StoreError | Unauthorized | Forbidden | ServiceUnavailable | BusyHere | Decline

/** An operation for each endpoint of a group, with the answer and the failures that the endpoint declares. */
export type OperationsOf<G> = {
  readonly [E in HttpApiGroup.Endpoints<G> as HttpApiEndpoint.Identifier<E>]: Operation<
    HttpApiEndpoint.Success<E>["Type"],
    HttpApiEndpoint.Error<E>["Type"] | AnyFailure
  >
}

/** The fields of every feature's description. */
export interface Description<Name extends string, G extends Group, S extends Service, Ops extends Operations, R> {
  readonly name: Name
  readonly group: G
  readonly actions?: ChannelEntry["actions"]
  readonly service: Effect.Effect<S, StoreError, R | Scope>
  readonly operations: (service: S) => Ops
}

/** A feature that works by the channels of the service. */
export const make = <
  const Name extends string,
  G extends Group,
  S extends Service,
  Ops extends Operations & OperationsOf<G>
>(
  options: Description<Name, G, S, Ops, Requirements | Channels> & {
    readonly products?: ReadonlyArray<Product>
    readonly events?: ChannelEvents
    readonly visits?: ReadonlyArray<VisitPath>
  }
): Feature<Name, Ops, never, never, Requirements | Channels> => {
  const { actions, events = null, group, name, operations, products = [], service, visits = [] } = options
  const start = Effect.map(service, (made) => startedOf(made, operations(made)))
  const silent = { code: null, gateway: null, said: () => null }
  return { name, products, group, visits, events, ...silent, start, ...(actions === undefined ? {} : { actions }) }
}

/** A feature that runs, before it has a gateway. */
export const startedOf = <S extends Service, Ops extends Operations>(made: S, operations: Ops): Started<Ops> => ({
  operations,
  isLive: false,
  codes: null,
  health: made.health,
  webhook: made.webhook,
  maintain: made.maintain ?? Effect.void,
  drain: made.drain ?? Effect.void,
  ...(made.visit === undefined ? {} : { visit: made.visit })
})
