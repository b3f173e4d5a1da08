/**
 * The gateways of one channel: the sandbox's, and the live one where the service has one; the way of a send among them,
 * and their reports.
 */
import type { GatewayHealth } from "../gateway/GatewayHealth.ts"
import type { Routable } from "../routes/Routed.ts"
import { type Sending, type Way, only } from "../routes/Way.ts"
import type { Webhook } from "../gateway/Webhook.ts"
import type { Product } from "@watchword/schemas/Channel"
import { ServiceUnavailable } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import type { RequestKeys } from "../Claims.ts"
import { type Outcome, type Predetermined, accepted } from "../Outcome.ts"
import { Send } from "../Send.ts"
import type { Request, Statuses } from "../internal/Request.ts"
import { type Opening, Simulator, type Stage, stageOf } from "../internal/Simulator.ts"
import type { Settings } from "@watchword/store/Settings"
import type { Delivery, Details } from "@watchword/store/Delivery"
import { type Report, type Reported, Store, aboutPart } from "@watchword/store/Store"
import type { Rehearsal } from "../rehearsal/Rehearsal.ts"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"

/** The part that the ports of all channels share. */
export interface Gateway<in out Event> extends Routable {
  /** Gives every later event to `handle` until the scope closes; the source repeats an event that fails. */
  readonly events: (handle: Handle<Event>) => Effect.Effect<void, never, Scope>
  /** The gateway's connections, and whether they can be used. */
  readonly health: Effect.Effect<ReadonlyArray<GatewayHealth>>
  /** The endpoint that the gateway calls back to; left out, or null, where it does not call back. */
  readonly webhook?: Webhook | null
  /**
   * The carrier that all its messages leave over, which records name; left out by a gateway that has several, or none
   * by name.
   */
  readonly carrier?: string
  /** The part that rehearses with an operator's phone, for `carrier try`; left out by a gateway that does not. */
  readonly rehearsal?: Rehearsal
}

/** Brings an event to its record. Succeeds only when that is stored. */
export type Handle<Event> = (event: Event) => Effect.Effect<void, StoreError>

/** A send as it leaves: the gateway for it, and its way by that gateway. */
export interface Leaving<out G> {
  readonly gateway: G
  readonly way: Way
}

export interface Gateways<out G> {
  /** Where sandbox sends are played; null if the service plays none. */
  readonly sandbox: Stage<G> | null
  readonly live: Option.Option<G>
  /** The sandbox's, and the live one. */
  readonly all: ReadonlyArray<G>
  /**
   * The gateway and the way of a send: by the mode of its principal, the phone of its number in the sandbox, and the
   * carriers of the gateway. Live without a gateway is a 503.
   */
  readonly leaving: (
    principal: Principal,
    to: E164,
    keys: RequestKeys
  ) => Effect.Effect<Leaving<G>, ServiceUnavailable | StoreError>
  /** The gateway that has taken a message. */
  readonly ofSent: (principal: Principal, delivery: Delivery) => Effect.Effect<G, ServiceUnavailable | StoreError>
  /** The health of the live gateway. */
  readonly health: Effect.Effect<ReadonlyArray<GatewayHealth>>
  readonly webhook: Webhook | null
  /** Periodic work of the sandbox's. */
  readonly maintain: Effect.Effect<void, StoreError>
}

/**
 * Whether live gateways also take the sends of sandbox keys, except to a sandbox phone, as a test kit's gateways do.
 * Read when a channel is made.
 */
export const LiveForAll = Context.Reference<boolean>("@watchword/send/channel/Gateways/LiveForAll", {
  defaultValue: () => false
})

/** The options of a channel in addition to its key. */
export interface Options<G, R> {
  /** Where its sandbox sends are played, for a channel that the service's simulator does not know. */
  readonly sandbox?: NoInfer<Opening<G>>
  /** Has the live gateway choose among its carriers; left out by a channel whose gateways have no carriers. */
  readonly routed?: (gateway: G) => Effect.Effect<G, never, R>
}

/**
 * Takes the live gateway from the context and the sandbox's from the simulator, and has the events of both handled
 * until the scope closes.
 *
 * @param name of the channel, as people write it: `SMS`
 */
export const make = Effect.fnUntraced(function* <Id, Event, G extends Gateway<Event>, R = never>(
  name: string,
  key: Context.Key<Id, G>,
  handle: Handle<Event>,
  { routed = Effect.succeed, sandbox }: Options<G, R> = {}
): Effect.fn.Return<Gateways<G>, never, R | Settings | Store | Scope> {
  const simulator = yield* Simulator
  const known = simulator === null ? Option.none() : Context.getOption(simulator.stages, stageOf(key))
  const opening = sandbox ?? Option.getOrNull(known)
  const stage = opening === null ? null : yield* opening
  const found = yield* Effect.serviceOption(key)
  const live = Option.isSome(found) ? Option.some(yield* routed(found.value)) : found
  const forAll = yield* LiveForAll
  const played = stage === null ? Option.none<G>() : Option.some(stage.gateway)
  const all = [...Option.toArray(played), ...Option.toArray(live)]
  for (const gateway of all) yield* gateway.events(handle)
  const maintain = stage === null ? Effect.void : yield* stage.begin
  const noGateway = Effect.fail(new ServiceUnavailable({ message: `No ${name} gateway is configured.` }))
  const inSandbox = forAll ? Option.orElse(live, () => played) : played
  type Leave = (sending: Sending) => Effect.Effect<Leaving<G>, ServiceUnavailable | StoreError>
  const leavingLive: Leave = Option.isSome(live) ? leavingBy(live.value) : () => noGateway
  const leavingSandbox: Leave = Option.isSome(inSandbox) ? leavingBy(inSandbox.value) : () => noGateway

  const leaving: Gateways<G>["leaving"] = (principal, to, keys) => {
    const sending = { principal, to, keys }
    if (principal.mode === "live") return leavingLive(sending)
    if (stage === null) return leavingSandbox(sending)
    return Effect.flatMapEager(stage.onPhone(principal.account.id, to), (gateway) =>
      gateway === null ? leavingSandbox(sending) : leavingBy(gateway)(sending)
    )
  }

  const ofSent: Gateways<G>["ofSent"] = ({ mode }, delivery) => {
    if (stage?.isOnPhone(delivery) === true) return Effect.succeed(stage.gateway)
    const gateway = mode === "sandbox" ? inSandbox : live
    return Option.isSome(gateway) ? Effect.succeed(gateway.value) : noGateway
  }

  return {
    sandbox: stage,
    live,
    all,
    leaving,
    ofSent,
    health: Option.match(live, { onNone: () => Effect.succeed([]), onSome: ({ health }) => health }),
    webhook: Option.match(live, { onNone: () => null, onSome: ({ webhook = null }) => webhook }),
    maintain
  }
})

/** Sends by a gateway: each has a way of its own where the gateway is routed, and otherwise all have the same. */
const leavingBy = <G extends Pick<Gateway<never>, "carrier" | "way">>(
  gateway: G
): ((sending: Sending) => Effect.Effect<Leaving<G>, StoreError>) => {
  if (gateway.way !== undefined) {
    const wayOf = gateway.way
    return (sending) => Effect.map(wayOf(sending), (way) => ({ gateway, way }))
  }
  const leaving = Effect.succeed({ gateway, way: only(gateway) })
  return () => leaving
}

/** The part of a gateway that names its carrier: the only carrier among its connections. */
export const carrierAmong = (names: ReadonlyArray<string>): { readonly carrier?: string } => {
  const [carrier, ...others] = new Set(names)
  return carrier === undefined || others.length > 0 ? {} : { carrier }
}

/** A gateway that takes messages: every channel's except the call channel's. */
export interface Sends<in M> {
  readonly send: (message: M) => Effect.Effect<Outcome>
  /** The outcome of `send` where it is known without asking, as a sandbox's may be. */
  readonly predetermine?: (message: M) => Predetermined
}

/** How the pipeline has the message of a delivery sent by the gateway that it leaves over. */
export const sending = <M>(
  { gateway, way }: Leaving<Sends<M>>,
  messageOf: (delivery: Parameters<NonNullable<Request["predetermine"]>>[0]) => M
): Pick<Request, "way" | "deliver" | "predetermine"> => {
  const { predetermine } = gateway
  return {
    way,
    deliver: (delivery) => gateway.send(messageOf(delivery)),
    predetermine: predetermine === undefined ? null : (delivery) => predetermine(messageOf(delivery))
  }
}

/** Reports of a gateway about its messages, by the ids (refs) that it has given them. */
export interface RefReports {
  readonly report: (ref: string, says: Partial<Omit<Report, "target" | "at">>) => Effect.Effect<Reported, StoreError>
  /**
   * Closes a delivery as accepted under a ref that no delivery has yet: the answer to its send was lost, and the
   * gateway names the delivery in its event. Null, or a ref that is known, changes nothing.
   */
  readonly recognise: (delivery: DeliveryId | null, ref: string, details?: Details) => Effect.Effect<void, StoreError>
}

export const refReports = (product: Product, statuses: Statuses): Effect.Effect<RefReports, never, Store | Send> =>
  Effect.gen(function* () {
    const store = yield* Store
    const { resolve } = yield* Send

    const recognise = Effect.fnUntraced(function* (delivery: DeliveryId | null, ref: string, details: Details = {}) {
      if (delivery === null || Option.isSome(yield* store.findByRef({ channel: product, ref }))) return
      yield* resolve(delivery, accepted([ref], details), statuses)
    })

    return {
      report: (ref, says) =>
        Effect.flatMap(Clock.currentTimeMillis, (at) => store.report(aboutPart(product, [ref], at, says))),
      recognise
    }
  })
