/**
 * A trunk and a gateway for tests of calls to us.
 */
import type { Called } from "@watchword/call/CallGateway"
import { type Options, type SipOptionsError, fromUrls, make } from "@watchword/call/sip"
import type { CallOptions, Script, Trunk, TrunkOptions } from "@watchword/sandbox/trunk"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { selfSigned } from "../../../../../test/certificate.ts"
import { freePort } from "../../../../../test/freePort.ts"
import { order, quick, startTrunk } from "../fixture.ts"

export const OURS = "+493023125000"
export const OTHER_OF_OURS = "+493023125001"
export const CALLER = "+4915123456789"

export interface Listening {
  readonly trunk: Trunk
  readonly port: number
  readonly heard: ReadonlyArray<Called>
  /** Has a phone of the trunk call. */
  readonly call: (options?: Partial<CallOptions>) => Effect.Effect<Awaited<ReturnType<Trunk["call"]>>>
}

export interface Given {
  readonly protocol?: "udp" | "tcp" | "tls"
  /** Parameters of the trunk's URL. */
  readonly parameters?: string
  readonly script?: Partial<Script>
  readonly trunk?: TrunkOptions
  readonly options?: Partial<Options>
  /** The certificate that the trunk is known by over TLS; the gateway's own unless given. */
  readonly ca?: string
  /** What becomes of a call before it may be refused. */
  readonly hear?: (call: Called, nth: number) => Effect.Effect<void, StoreError>
}

export const unavailable = new StoreError({ reason: "Unavailable", message: "The database is away." })

/** A trunk, and a gateway that listens for its calls, until the test ends. */
export const listening = Effect.fnUntraced(function* (
  given: Given = {}
): Effect.fn.Return<Listening, SipOptionsError | StoreError, Scope> {
  const { protocol = "udp", script } = given
  const certificate = selfSigned()
  const tls = protocol === "tls" ? { tls: { ...certificate, ca: certificate.cert } } : {}
  const trunk = yield* startTrunk(script, { protocol, t1: 20, ...tls, ...given.trunk })
  const port = yield* Effect.promise(freePort)
  return yield* gatewayOf(trunk, port, { ...given, options: { certificate, ...given.options } })
})

/** A gateway that listens at a port for the calls of a trunk. */
export const gatewayOf = Effect.fnUntraced(function* (
  trunk: Trunk,
  port: number,
  given: Given
): Effect.fn.Return<Listening, SipOptionsError | StoreError, Scope> {
  const { hear = () => Effect.void, options, parameters = `receives=${OURS},${OTHER_OF_OURS}` } = given
  const read = yield* Effect.fromResult(fromUrls(trunk.url(`keepalive=0${parameters === "" ? "" : `;${parameters}`}`)))
  const listen = { host: "127.0.0.1", port }
  const trusted = { ca: given.ca ?? String(options?.certificate?.cert) }
  const trunks = read.trunks.map((each) => (each.protocol === "tls" ? { ...each, tls: trusted } : each))
  const gateway = yield* make({ drain: "2 seconds", timers: quick, listen, ...options, trunks })
  const heard: Array<Called> = []
  yield* gateway.events((event) => {
    if (event._tag !== "Called") return Effect.void
    heard.push(event)
    return hear(event, heard.length)
  })
  // The trunk's name is resolved by its first use.
  yield* gateway.dial(order(), () => Effect.void)
  const call = (more: Partial<CallOptions> = {}) =>
    Effect.promise(() => trunk.call({ from: CALLER, to: OURS, at: { host: "127.0.0.1", port }, ...more }))
  return { trunk, port, heard, call }
})
