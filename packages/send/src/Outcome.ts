/**
 * What a gateway says about one send, whatever the channel.
 */
import type { DeliveryFailure } from "@watchword/schemas/Errors"
import type { Details } from "@watchword/store/Delivery"
import * as Effect from "effect/Effect"

/**
 * - `Accepted`: the gateway took it and named its parts with `refs`.
 * - `Refunded`: the same, and it is to cost nothing.
 * - `Rejected`: it certainly did not and will not; the price is released at once.
 * - `Unknown`: bytes left and no answer can be relied on; the price stays held. `refs` are the parts
 *   that were taken for certain.
 *
 * `failure` is what the client is told.
 */
export type Outcome =
  | { readonly _tag: "Accepted"; readonly refs: ReadonlyArray<string>; readonly details: Details }
  | { readonly _tag: "Refunded"; readonly refs: ReadonlyArray<string>; readonly details: Details }
  | { readonly _tag: "Rejected"; readonly failure: DeliveryFailure; readonly details: Details }
  | {
      readonly _tag: "Unknown"
      readonly failure: DeliveryFailure
      readonly refs: ReadonlyArray<string>
      readonly details: Details
    }

/** An outcome that is known beforehand, because nobody outside is asked. */
export interface Foreseen {
  readonly outcome: Outcome
  /** Run once the outcome is on the record, and never when it is not: what the gateway tells later begins here. */
  readonly afterwards: Effect.Effect<void>
}

export const foreseen = (outcome: Outcome, afterwards: Effect.Effect<void> = Effect.void): Foreseen => ({
  outcome,
  afterwards
})

/** The same as what a gateway answers that is asked. */
export const answered = ({ afterwards, outcome }: Foreseen): Effect.Effect<Outcome> => Effect.as(afterwards, outcome)

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

export const unknown = (
  failure: DeliveryFailure,
  refs: ReadonlyArray<string> = [],
  details: Details = {}
): Outcome => ({ _tag: "Unknown", failure, refs, details })
