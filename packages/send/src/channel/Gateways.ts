/**
 * The gateways of one channel: the sandbox's, and the live one where the service has one.
 */
import type { GatewayHealth } from "../internal/gateway/GatewayHealth.ts"
import type { Routing } from "../internal/routes/Routing.ts"
import type { Webhook } from "../gateway/Webhook.ts"
import { ServiceUnavailable } from "@watchword/schemas/Errors"
import type { PhoneSettings } from "@watchword/schemas/SandboxPhone"
import type { Principal } from "@watchword/schemas/Principal"
import type { Outcome, Predetermined } from "../Outcome.ts"
import type { Request } from "../Request.ts"
import type { Settings } from "@watchword/store/Settings"
import type { Delivery, Details } from "@watchword/store/Delivery"
import type { Rehearsal } from "../internal/rehearsal/Rehearsal.ts"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import { finder, receptionOf } from "../internal/channel/SandboxPhones.ts"

/** The part that the ports of all channels share. */
export interface Gateway<in out Event> {
  /** Gives every later event to `handle` until the scope closes; one that fails is given again by its source. */
  readonly events: (handle: Handle<Event>) => Effect.Effect<void, never, Scope>
  /** The gateway's connections, and whether they can be used. */
  readonly health: Effect.Effect<ReadonlyArray<GatewayHealth>>
  /** The endpoint that the gateway calls back to; left out, or null, where it does not call back. */
  readonly webhook?: Webhook | null
  /** The carrier that all its messages leave by, which records name; left out by a gateway that has several, or none by name. */
  readonly carrier?: string
  /** The choice among carriers, of a gateway that is composed of several; left out by others. */
  readonly routing?: Routing
  /** The part that rehearses with an operator's phone, for `carrier try`; left out by a gateway that does not. */
  readonly rehearsal?: Rehearsal
}

/** Brings an event to its record. Succeeds only when that is stored. */
export type Handle<Event> = (event: Event) => Effect.Effect<void, StoreError>

export interface Gateways<out G> {
  readonly sandbox: G
  readonly live: Option.Option<G>
  /** The sandbox's, and the live one. */
  readonly all: ReadonlyArray<G>
  /**
   * The gateway for the mode of a principal. Live without a gateway is a 503.
   *
   * @param to the number that something is sent to, whose phone in the sandbox has a say; left out for other requests
   */
  readonly of: (principal: Principal, to?: string) => Effect.Effect<G, ServiceUnavailable | StoreError>
  /** The gateway that has taken a message. */
  readonly ofSent: (principal: Principal, delivery: Delivery) => Effect.Effect<G, ServiceUnavailable | StoreError>
  /** Those of the live gateway. */
  readonly health: Effect.Effect<ReadonlyArray<GatewayHealth>>
  readonly webhook: Webhook | null
}

/**
 * Whether live gateways take the sends of sandbox keys too, as those of a test kit do, but for those to a phone. Read when a
 * channel is made.
 */
export const LiveForAll = Context.Reference<boolean>("@watchword/send/channel/Gateways/LiveForAll", {
  defaultValue: () => false
})

/** The part of a sandbox's gateway that goes by a phone. */
export interface OnPhones<out G> {
  /** The gateway for sends to a phone. */
  readonly onPhone: (phone: PhoneSettings) => G
}

/**
 * Takes the live gateway from the context, and has the events of both handled until the scope closes.
 *
 * @param name of the channel, as people write it: `SMS`
 */
export const make = Effect.fnUntraced(function* <Id, Event, G extends Gateway<Event>>(
  name: string,
  key: Context.Key<Id, G>,
  sandbox: NoInfer<G & Partial<OnPhones<G>>>,
  handle: Handle<Event>
): Effect.fn.Return<Gateways<G>, never, Settings | Scope> {
  const phoneOf = yield* finder
  const live = yield* Effect.serviceOption(key)
  const forAll = yield* LiveForAll
  const all = [sandbox, ...Option.toArray(live)]
  for (const gateway of all) yield* gateway.events(handle)
  const noGateway = new ServiceUnavailable({ message: `No ${name} gateway is configured.` })
  const inSandbox = forAll ? Option.getOrElse(live, () => sandbox) : sandbox
  const on = (phone: PhoneSettings | null): G => (phone === null ? inSandbox : (sandbox.onPhone?.(phone) ?? sandbox))

  const of: Gateways<G>["of"] = ({ account, mode }, to) => {
    if (mode === "live") return Option.isSome(live) ? Effect.succeed(live.value) : Effect.fail(noGateway)
    const phone = to === undefined ? null : phoneOf(account.id, to)
    return Effect.isEffect(phone) ? Effect.map(phone, on) : Effect.succeed(on(phone))
  }

  return {
    sandbox,
    live,
    all,
    of,
    ofSent: (principal, delivery) => (receptionOf(delivery) === null ? of(principal) : Effect.succeed(sandbox)),
    health: Option.match(live, { onNone: () => Effect.succeed([]), onSome: ({ health }) => health }),
    webhook: Option.match(live, { onNone: () => null, onSome: ({ webhook = null }) => webhook })
  }
})

/** The part of a gateway that names its carrier: the only one among those of its connections. */
export const carrierAmong = (names: ReadonlyArray<string>): { readonly carrier?: string } => {
  const [carrier, ...others] = new Set(names)
  return carrier === undefined || others.length > 0 ? {} : { carrier }
}

/** The details of a record by its gateway: the carrier, where that has one alone. */
export const carried = ({ carrier }: { readonly carrier?: string }): Details =>
  carrier === undefined ? none : { carrier }

const none: Details = {}

/** A gateway that takes messages: those of all channels but calls. */
export interface Sends<in M> {
  readonly send: (message: M) => Effect.Effect<Outcome>
  /** The outcome of `send` where it is known without asking, as a sandbox's may be. */
  readonly predetermine?: (message: M) => Predetermined
}

/** How the pipeline has a gateway send the message of a delivery. */
export const sending = <M>(
  gateway: Sends<M>,
  messageOf: (delivery: Parameters<NonNullable<Request["predetermine"]>>[0]) => M
): Pick<Request, "deliver" | "predetermine"> => {
  const { predetermine } = gateway
  return {
    deliver: (delivery) => gateway.send(messageOf(delivery)),
    predetermine: predetermine === undefined ? null : (delivery) => predetermine(messageOf(delivery))
  }
}
