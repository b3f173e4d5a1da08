/**
 * Outcome of one send, as the gateway of any channel answers it.
 */
import type { DeliveryFailure } from "@watchword/schemas/Errors"
import type { Details } from "@watchword/store/Delivery"
import * as Effect from "effect/Effect"

/**
 * - `Accepted`: the gateway took the message; `refs` are its ids of the parts. The price is settled.
 * - `Refunded`: the gateway took it, and it costs nothing.
 * - `Rejected`: the gateway certainly did not send it and will not; the price is released at once.
 * - `Incomplete`: the gateway refused a part of the message, so that it fails, and has taken another, which the price
 *   is settled for. `refs` are the parts that were certainly taken. Where none was and some may have been (`isTaken` is
 *   false), the price stays held.
 * - `Unknown`: bytes left, and no answer can be relied on; the price stays held. `refs` are the parts that were
 *   certainly taken.
 *
 * `failure` is the client's answer, `details` are merged into the record's.
 */
export type Outcome =
  | { readonly _tag: "Accepted"; readonly refs: ReadonlyArray<string>; readonly details: Details }
  | { readonly _tag: "Refunded"; readonly refs: ReadonlyArray<string>; readonly details: Details }
  | { readonly _tag: "Rejected"; readonly failure: DeliveryFailure; readonly details: Details }
  | {
      readonly _tag: "Incomplete"
      readonly failure: DeliveryFailure
      readonly refs: ReadonlyArray<string>
      readonly details: Details
      readonly isTaken: boolean
    }
  | {
      readonly _tag: "Unknown"
      readonly failure: DeliveryFailure
      readonly refs: ReadonlyArray<string>
      readonly details: Details
    }

/** An outcome that is known before the gateway is asked, as in the sandbox: opening and closing are one step then. */
export interface Predetermined {
  readonly outcome: Outcome
  /** Runs once the outcome is on the record, and only then: later events of the gateway begin here. */
  readonly afterwards: Effect.Effect<void>
}

export const predetermined = (outcome: Outcome, afterwards: Effect.Effect<void> = Effect.void): Predetermined => ({
  outcome,
  afterwards
})

/** The same as the answer of a gateway that is asked. */
export const answered = ({ afterwards, outcome }: Predetermined): Effect.Effect<Outcome> =>
  Effect.as(afterwards, outcome)

export const accepted = (refs: ReadonlyArray<string>, details: Details = {}): Outcome => ({
  _tag: "Accepted",
  refs,
  details
})

export const refunded = (refs: ReadonlyArray<string>, details: Details = {}): Outcome => ({
  _tag: "Refunded",
  refs,
  details
})

export const rejected = (failure: DeliveryFailure, details: Details = {}): Outcome => ({
  _tag: "Rejected",
  failure,
  details
})

export const incomplete = (
  failure: DeliveryFailure,
  isTaken: boolean,
  refs: ReadonlyArray<string> = [],
  details: Details = {}
): Outcome => ({ _tag: "Incomplete", failure, refs, details, isTaken })

export const unknown = (
  failure: DeliveryFailure,
  refs: ReadonlyArray<string> = [],
  details: Details = {}
): Outcome => ({ _tag: "Unknown", failure, refs, details })
