/**
 * What the tests of the SIP gateway share.
 */
import { it } from "@effect/vitest"
import type { Call, Dialled, Ended, Service } from "@watchword/call/CallGateway"
import { type Options, type SipOptionsError, fromUrls, make } from "@watchword/call/sip"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type { Scope } from "effect/Scope"
import { type Behaviour, type StartOptions, TestTrunk } from "./TestTrunk.ts"

/** A trunk that stops with the test. */
export const startTrunk = (behaviour?: Partial<Behaviour>, options?: StartOptions) =>
  Effect.acquireRelease(
    Effect.promise(() => TestTrunk.start(behaviour, options)),
    (trunk) => Effect.promise(() => trunk.stop())
  )

/** RFC 3261's timers at a twenty-fifth of their length: what takes 32 seconds takes 1.3. */
export const quick = { t1: 20, t2: 160, t4: 200 }

/** A gateway that closes with the test. */
export const startGateway = (
  urls: string,
  options: Partial<Options> = {}
): Effect.Effect<Service, SipOptionsError, Scope> =>
  Effect.flatMap(Effect.fromResult(fromUrls(urls)), (read) =>
    make({ silence: "300 millis", drain: "2 seconds", ...read, ...options })
  )

export const caller = E164.make("+4930901820123")
export const callee = E164.make("+4915123456789")

/** A call to place; each is another delivery. */
export const order = (fields: Partial<Call> = {}): Call => ({
  delivery: nextDeliveryId(Date.now()),
  caller,
  callee,
  maxRing: 30,
  ...fields
})

export const dial = (gateway: Service, call = order()) => gateway.dial(call, () => Effect.void)

/** What a client would be told, in short. */
export const told = (dialled: Dialled): string =>
  dialled._tag === "Ringing" ? "Ringing" : `${dialled.failure._tag} ${dialled.cause.hangupCause}`

/** The ends of a gateway's calls, as they come. */
export const collectEnds = Effect.fnUntraced(function* (
  gateway: Service,
  handle: (event: Ended) => Effect.Effect<void, StoreError> = () => Effect.void
) {
  const ends: Array<Ended> = []
  yield* gateway.events((event) => {
    ends.push(event)
    return handle(event)
  })
  const count = (n: number) => eventually(Effect.sync(() => ends.length >= n))
  return { ends, count }
})

/** Asks again until it is so. */
export const eventually = (condition: Effect.Effect<boolean>): Effect.Effect<void> =>
  Effect.asVoid(Effect.repeat(Effect.tap(condition, moment(2)), { until: (holds) => holds }))

/** In real time, whatever the test's clock says. */
export const moment = (milliseconds: number) =>
  Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)))

export const until = (trunk: TestTrunk, condition: () => boolean): Effect.Effect<void> =>
  Effect.promise(() => trunk.until(condition))

/** Everything that is logged while the effect runs, as one text. */
export const logged = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<readonly [A, string], E, R> =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
    return Effect.map(Effect.provide(effect, Logger.layer([logger])), (value) => [value, lines.join("\n")] as const)
  })

/** A test in real time, without logs; what it starts ends with it. */
export const test = <A, E>(name: string, effect: () => Effect.Effect<A, E, Scope>): void =>
  it.live(name, () => Effect.provide(Effect.suspend(effect), Logger.layer([])))

/** The same on a clock that stands still until the test adjusts it. */
export const timed = <A, E>(name: string, effect: () => Effect.Effect<A, E, Scope>): void =>
  it.effect(name, () => Effect.provide(Effect.suspend(effect), Logger.layer([])))
