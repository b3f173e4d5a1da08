/**
 * Refusals of a gateway by their meaning for a composition of carriers. To a client they are a 480 like any other.
 *
 * A refusal that is neither, with 480 or 503, is the carrier's own: it certainly did not take the message, and another
 * may.
 */
import { TemporaryUnavailable } from "@watchword/schemas/Errors"
import type { Outcome } from "../Outcome.ts"

/** There was no room for the message in time, and its carrier may take it a moment later. */
export class NoRoom extends TemporaryUnavailable {}

/** The carrier asks for fewer messages, and does not promise that it has not taken this one. */
export class Unpromised extends TemporaryUnavailable {}

type Rejected = Extract<Outcome, { readonly _tag: "Rejected" }>

/** Whether another carrier may be asked to send the message of an outcome. */
export const mayHandOver = (outcome: Outcome): outcome is Rejected =>
  outcome._tag === "Rejected" &&
  !(outcome.failure instanceof Unpromised) &&
  (outcome.failure._tag === "TEMPORARY_UNAVAILABLE" || outcome.failure._tag === "SERVICE_UNAVAILABLE")
