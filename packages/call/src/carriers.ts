/**
 * Several carriers by name behind the port of call gateways, with routes that choose among them, and their replacement
 * while they run.
 *
 * @example
 * ```ts
 * import { make } from "@watchword/call/carriers"
 * import { sip } from "@watchword/call/sip"
 * import { routesInOrder } from "@watchword/send/routes"
 *
 * const trunk = (name: string) =>
 *   [name, { gateway: sip({ url: `sip:${name}.example` }), costs: null, connection: name }] as const
 * const carriers = make({ carriers: new Map([trunk("acme"), trunk("bell")]), routes: routesInOrder(["acme", "bell"]) })
 * ```
 */
export { type Composition, type Opening, type Setup, make } from "./internal/carriers/Composition.ts"
/** Interprets a trunk for rehearsals, without Node. */
export { reader as sipReader } from "./internal/sip/rehearsal/Dialect.ts"
