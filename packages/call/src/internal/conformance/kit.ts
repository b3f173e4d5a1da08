/**
 * Calls to dial, and their ends.
 */
import { type CaseOf, Violation, collect, eventually, holds, same } from "@watchword/store/checks"
import type { Handle } from "@watchword/send/channel/Gateways"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Effect from "effect/Effect"
import type { Call, Ended, Service } from "../../CallGateway.ts"
import type { Network, Started } from "./Harness.ts"

export type CallCase = CaseOf<Started>

export const newCall = (): Call => ({
  delivery: nextDeliveryId(Date.now()),
  caller: E164.make("+4930901820123"),
  callee: E164.make("+4915123456789"),
  maxRing: 30
})

/** Dials without storing the dialog. */
export const dial = (gateway: Service, call = newCall()) => gateway.dial(call, () => Effect.void)

/** Dials a phone that must ring. */
export const ring = Effect.fnUntraced(function* (gateway: Service, call = newCall()) {
  const dialled = yield* dial(gateway, call)
  if (dialled._tag === "Ringing") return dialled
  return yield* new Violation({ message: `a phone that rings was reported as ${dialled.cause.hangupCause}` })
})

/** The failure code of a call that must not ring. */
export const failed = Effect.fnUntraced(function* (gateway: Service, call = newCall()) {
  const dialled = yield* dial(gateway, call)
  holds("the phone must not ring", dialled._tag !== "Ringing")
  return dialled
})

/** Subscribes to ends of calls. */
export const listen = Effect.fnUntraced(function* (gateway: Service) {
  const ends = yield* collect((handle: Handle<Ended>) =>
    gateway.events((event) => (event._tag === "Ended" ? handle(event) : Effect.void))
  )
  return {
    ends,
    until: (count: number) =>
      eventually(
        `${count} ends`,
        Effect.sync(() => ends.length >= count)
      )
  }
})

/** Waits until the network has no call left. */
export const nothingOpen = (network: Network) =>
  eventually(
    "the network to be free of calls",
    Effect.map(network.open, (open) => open === 0)
  )

/** Waits for events that must not come. */
export const quiet = Effect.sleep("20 millis")

export const endedBy = (end: Ended | undefined, hangupCause: string): void =>
  same("hangup cause", end?.cause.hangupCause, hangupCause)
