/**
 * What the operators' commands of a service read rehearsals by: the protocols that gateways of Watchword speak. Only
 * commands need it, so that a Worker without them is without it too.
 */
import { sipReader } from "@watchword/call/carriers"
import { Readers } from "@watchword/send/rehearsal"
import { smppReader } from "@watchword/sms/carriers"
import * as Effect from "effect/Effect"

export const readers: Readers = { smpp: smppReader, sip: sipReader }

/** Has commands run with the readers. */
export const reading =
  <R>(run: <A, E>(effect: Effect.Effect<A, E, R>) => Promise<A>) =>
  <A, E>(effect: Effect.Effect<A, E, R>): Promise<A> =>
    run(Effect.provideService(effect, Readers, readers))
