/**
 * Routes: carriers by name behind the gateway of a channel, and the way of each send among them.
 *
 * A composition of carriers keeps them in a fleet, asks one after the other with `handOver`, and says by its `routing`
 * which may take a message. `routed` gives such a gateway the ways of its sends, by the settings of their accounts.
 *
 * | part | for |
 * |---|---|
 * | `parseRoutes`, `routesInOrder`, `parseCosts` | tables of routes and costs, as a file or a program has them |
 * | `makeFleet` | the gateways of carriers, which a reload replaces |
 * | `carriersRouting`, `carriersHealth`, `carriersRehearsal` | a composed gateway's answers for all carriers |
 * | `carrierAnswered`, `recordedOutcome`, `settledOutcome`, `provenDetails`, `carrierRef` | a carrier's answers on the record |
 * | `routed` | a gateway that knows the way of each send |
 * | `listCarriers`, `drainCarrier`, `setRoutes` and others | operators |
 *
 * @example
 * ```ts
 * import { parseCosts, routesInOrder } from "@watchword/send/routes"
 *
 * const routes = routesInOrder(["acme", "bell"])
 * const costs = parseCosts({ "49": 0.061, "*": 0.07 }, "carriers.acme.cost")
 * ```
 */
export { seen as seenCarriers } from "./CarrierStates.ts"
export {
  type Carrier,
  type InForce,
  answered as carrierAnswered,
  health as carriersHealth,
  proven as provenDetails,
  recorded as recordedOutcome,
  refOf as carrierRef,
  rehearsal as carriersRehearsal,
  routing as carriersRouting,
  settled as settledOutcome
} from "./Carriers.ts"
export { type Costs, type CostsInEuros, parse as parseCosts } from "./Costs.ts"
export { type Fleet, type Opening, type Setup, make as makeFleet } from "./Fleet.ts"
export { handOver } from "./HandOver.ts"
export { NoRoom, Unpromised } from "./Refusals.ts"
export {
  type Shown as ShownCarrier,
  drain as drainCarrier,
  drainOf,
  list as listCarriers,
  names as carrierNames,
  removeRoutes,
  resume as resumeCarrier,
  routesOf,
  setRoutes
} from "./RouteAdmin.ts"
export { drains as drainSettings, routes as routeSettings } from "./RouteSettings.ts"
export {
  CARRIER_NAME_MUST,
  RouteInput,
  type RouteTable,
  inOrder as routesInOrder,
  isCarrierName,
  parse as parseRoutes
} from "./RouteTable.ts"
export { routed } from "./Routed.ts"
export { RoutesError, fault } from "./RoutesError.ts"
export { noRoute, ofNoAccount } from "./Routing.ts"
export { type Terms, noTerms } from "./Way.ts"
