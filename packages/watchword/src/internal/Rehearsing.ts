/**
 * Readers of the protocols that Watchword's gateways speak, with which operators' commands interpret rehearsals. Only
 * commands need them, so a Worker without commands does not bundle them.
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
