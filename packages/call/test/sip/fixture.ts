/**
 * Shared parts of the SIP gateway's tests.
 */
import type { Call, Dialled, Ended, Service } from "@watchword/call/CallGateway"
import { type Options, type SipOptionsError, fromUrls, make } from "@watchword/call/sip"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { eventually } from "../../../../test/live.ts"
import { type Script, type TrunkOptions, trunk as listen, type Trunk } from "@watchword/sandbox/trunk"

/** A trunk that stops with the test. */
export const startTrunk = (behaviour?: Partial<Script>, options?: TrunkOptions) =>
  Effect.acquireRelease(
    Effect.promise(() => listen({ script: behaviour, ...options })),
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

/** A client's answer, in short. */
export const resultOf = (dialled: Dialled): string =>
  dialled._tag === "Ringing" ? "Ringing" : `${dialled.failure._tag} ${dialled.cause.hangupCause}`

/** The ends of a gateway's calls, as they come. */
export const collectEnds = Effect.fnUntraced(function* (
  gateway: Service,
  handle: (event: Ended) => Effect.Effect<void, StoreError> = () => Effect.void
) {
  const ends: Array<Ended> = []
  yield* gateway.events((event) => {
    if (event._tag === "Called") return Effect.void
    ends.push(event)
    return handle(event)
  })
  const count = (n: number) => eventually(Effect.sync(() => ends.length >= n))
  return { ends, count }
})

export const until = (trunk: Trunk, condition: () => boolean): Effect.Effect<void> =>
  Effect.promise(() => trunk.until(condition))
