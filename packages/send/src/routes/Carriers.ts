/**
 * Carriers by name, whatever their channel: their state, and the way of each message among them.
 */
import * as Prefixes from "@watchword/schemas/Prefixes"
import { type MicroEuros, multiply } from "@watchword/schemas/Money"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Delivery, Details } from "@watchword/store/Delivery"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Gateway } from "../channel/Gateways.ts"
import type { Outcome } from "../Outcome.ts"
import type { GatewayHealth } from "../gateway/GatewayHealth.ts"
import type { Rehearsal } from "../rehearsal/Rehearsal.ts"
import { Rests } from "../internal/gateway/Rests.ts"
import * as Unrecognized from "../gateway/Unrecognized.ts"
import { type Candidate, type Out, choose } from "./Choosing.ts"
import { countryNameOf } from "./Conversions.ts"
import type { Costs } from "./Costs.ts"
import type { Handed } from "./HandOver.ts"
import { NoRoom, mayHandOver } from "./Refusals.ts"
import type { Route, RouteTable } from "./RouteTable.ts"
import { type Among, type Asked, type CarrierState, type Routing, detailsOf } from "./Routing.ts"
import { noTerms } from "./Way.ts"

/** The part of a gateway that is read here. */
type Health = Pick<Gateway<never>, "health">

export interface Carrier<out G> {
  readonly name: string
  readonly gateway: G
  readonly costs: Costs | null
  readonly history: History
}

/** A carrier's answers so far. */
export interface History {
  readonly rests: Rests
  refusal: CarrierState["refusal"]
}

/** The carriers and the routes in force. A reload replaces them. */
export interface InForce<out G> {
  readonly carriers: ReadonlyMap<string, Carrier<G>>
  readonly routes: RouteTable
}

export const newHistory = (): History => ({ rests: new Rests(), refusal: null })

/** How many of a carrier's unrecognized words operators see: the most recent. */
const MOST_SHOWN = 10

/** Milliseconds that a carrier rests once it has refused the messages of several recipients in a row. */
const REST = 10_000

/** @param inForce read for each message */
export const routing = (inForce: () => InForce<Health>): Routing => ({
  way: (asked) =>
    Effect.suspend(() => {
      const { carriers, routes } = inForce()
      const route =
        (asked.own === null ? undefined : Prefixes.find(asked.own, asked.to)) ?? Prefixes.find(routes, asked.to)
      return route === undefined ? Effect.succeed(nowhere) : wayOf(route, carriers, asked)
    }),
  carriers: Effect.suspend(() => Effect.forEach(inForce().carriers.values(), stateOf))
})

const nowhere: Among = { carriers: [], terms: noTerms, details: { choice: "no route" } }

const wayOf = Effect.fnUntraced(function* (
  route: Route,
  carriers: InForce<Health>["carriers"],
  { drained, excluded, quality, to, used }: Asked
): Effect.fn.Return<Among> {
  const now = yield* Clock.currentTimeMillis
  const candidates: Array<Candidate> = []
  for (const { carrier: name, weight } of route.via) {
    const carrier = carriers.get(name)
    const cost = carrier === undefined ? null : costOf(carrier, to)
    const isDear = route.maxCost !== null && (cost === null || cost > route.maxCost)
    const out =
      carrier === undefined
        ? "is not set up"
        : excluded.has(name)
          ? "was used by an earlier step"
          : isDear
            ? "costs too much"
            : yield* outOf(carrier, drained, now)
    candidates.push({ carrier: name, weight, cost, out, isUsed: used.has(name) })
  }
  const open = candidates.flatMap(({ carrier, out }) => (out === null ? [carrier] : []))
  const ranked =
    route.choose === "best" && quality !== null
      ? quality.rank(
          route.via.map(({ carrier }) => carrier),
          open,
          countryNameOf(to),
          now
        )
      : null
  const { carriers: names, choice } = choose(route.choose, candidates, Math.random, ranked)
  return { carriers: names, terms: route.terms, details: detailsOf(route.to, choice, names) }
})

const outOf = (
  { gateway, history, name }: Carrier<Health>,
  drained: ReadonlySet<string>,
  now: number
): Effect.Effect<Out | null> => {
  if (drained.has(name)) return Effect.succeed("is drained")
  if (history.rests.isResting(now, undefined)) return Effect.succeed("rests after refusals")
  return Effect.map(gateway.health, (connections) => (isUp(connections) ? null : "is not connected"))
}

/** A gateway without named connections has no connection that could be down. */
const isUp = (connections: ReadonlyArray<GatewayHealth>): boolean =>
  connections.length === 0 || connections.some(({ up }) => up)

const costOf = ({ costs }: Pick<Carrier<Health>, "costs">, to: E164): MicroEuros | null =>
  costs === null ? null : (Prefixes.find(costs, to) ?? null)

const stateOf = ({ costs, gateway, history, name }: Carrier<Health>): Effect.Effect<CarrierState> =>
  Effect.zipWith(gateway.health, Clock.currentTimeMillis, (connections, now) => {
    const windows = connections.flatMap(({ window }) => window ?? [])
    return {
      carrier: name,
      up: isUp(connections),
      rests: history.rests.isResting(now, undefined),
      window:
        windows.length === 0
          ? null
          : windows.reduce((one, other) => ({ used: one.used + other.used, size: one.size + other.size })),
      rate: rateOf(connections.map(({ rate = null }) => rate)),
      cost: costs?.byPrefix.get(Prefixes.OTHERS) ?? null,
      refusal: history.refusal,
      unrecognized: Unrecognized.joined(connections.map(({ unrecognized = [] }) => unrecognized)).slice(0, MOST_SHOWN)
    }
  })

/**
 * The rates of several connections or processes together, to a tenth; null if no limiter has learned from throttling.
 */
export const rateOf = (rates: ReadonlyArray<number | null>): number | null => {
  const learned = rates.filter((rate) => rate !== null)
  return learned.length === 0 ? null : Math.round(10 * learned.reduce((sum, rate) => sum + rate)) / 10
}

/** Records a carrier's answer to a message. */
export const answered = ({ history }: Carrier<unknown>, to: E164, outcome: Outcome): Effect.Effect<Outcome> => {
  if (!mayHandOver(outcome)) {
    history.rests.answered()
    return Effect.succeed(outcome)
  }
  const { failure } = outcome
  if (failure instanceof NoRoom) return Effect.succeed(outcome)
  return Effect.map(Clock.currentTimeMillis, (at) => {
    history.rests.asked(at, REST, to)
    history.refusal = { at, message: failure.message }
    return outcome
  })
}

/**
 * The outcome of a message as its record has it: with its carrier, and ids that are the carrier's own.
 *
 * @param message `isOnlyOne` where no other carrier might have been asked
 */
export const recorded = (
  { carrier: name, outcome, refused }: Handed,
  { carriers }: InForce<unknown>,
  { isOnlyOne, to, units }: { readonly to: E164; readonly units: number; readonly isOnlyOne: boolean }
): Outcome => {
  const carrier = name === null ? undefined : carriers.get(name)
  if (carrier === undefined || name === null) return outcome
  const before = refused.filter((each) => each !== name)
  const details: Details = {
    ...outcome.details,
    carrier: name,
    ...(isOnlyOne ? {} : { carriers: name }),
    ...(before.length === 0 ? {} : { refused_by: before.join(" ") }),
    ...costDetails(costOf(carrier, to), outcome, units)
  }
  return named(name, { ...outcome, details })
}

const costDetails = (cost: MicroEuros | null, outcome: Outcome, units: number): Details => {
  if (cost === null || outcome._tag === "Rejected") return {}
  return { cost: multiply(cost, outcome._tag === "Incomplete" && outcome.isTaken ? outcome.refs.length : units) }
}

/**
 * The details that a message's record lacks about the carrier that is proven to have it: its process may have died
 * before it knew.
 */
export const proven = (name: string, costs: Costs | null, { details, parts, phase, to }: Delivery): Details => {
  if (phase !== "accepted") return {}
  const isNamed = details["carrier"] === name
  const isPriced = isNamed && (details["cost"] ?? null) !== null
  const cost = isPriced || !isNumber(to) ? null : costOf({ costs }, to)
  const mayHave = details["carriers"] ?? name
  return {
    ...(isNamed ? {} : { carrier: name }),
    ...(mayHave === name ? {} : { carriers: name }),
    ...(cost === null ? {} : { cost: multiply(cost, parts) })
  }
}

/** An erased record has no number. */
const isNumber = Schema.is(E164)

/** A late outcome with the ids of its carrier. A message that it did not take after all costs nothing. */
export const settled = <O extends Outcome>(name: string, outcome: O): O =>
  outcome._tag === "Rejected" ? { ...outcome, details: { ...outcome.details, cost: 0 } } : named(name, outcome)

const named = <O extends Outcome>(name: string, outcome: O): O =>
  "refs" in outcome ? { ...outcome, refs: outcome.refs.map((ref) => refOf(name, ref)) } : outcome

/** An id of a carrier as records have it. A gateway may have put the name before it already. */
export const refOf = (name: string, ref: string): string => (ref.startsWith(`${name}:`) ? ref : `${name}:${ref}`)

/** Rehearsals with the carriers in force, each by its name and by its own connections. */
export const rehearsal = (inForce: () => InForce<Pick<Gateway<never>, "rehearsal">>): Rehearsal => ({
  carriers: Effect.suspend(() =>
    Effect.forEach(inForce().carriers.values(), ({ gateway, name }) =>
      Effect.map(gateway.rehearsal?.carriers ?? Effect.succeed([]), ([first]) => ({ name, by: first?.by ?? null }))
    )
  ),
  run: (trial, hear) =>
    Effect.suspend(() => {
      const own = inForce().carriers.get(trial.carrier)?.gateway.rehearsal
      if (own === undefined) return Effect.void
      return Effect.flatMap(own.carriers, ([first]) =>
        first === undefined ? Effect.void : own.run({ ...trial, carrier: first.name }, hear)
      )
    })
})

/** The health of all carriers, whose connections have names of their own. */
export const health = (inForce: () => InForce<Health>): Effect.Effect<ReadonlyArray<GatewayHealth>> =>
  Effect.suspend(() =>
    Effect.map(
      Effect.forEach(inForce().carriers.values(), ({ gateway, name }) =>
        Effect.map(gateway.health, (connections) =>
          connections.map((each) => ({ ...each, name: `${name}/${each.name}` }))
        )
      ),
      (all) => all.flat()
    )
  )
