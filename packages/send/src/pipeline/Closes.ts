/**
 * Outcomes of sends as the store closes with them, and the failures that records keep for repeats.
 */
import { BadRequest, type DeliveryFailure, ServiceUnavailable, deliveryFailure } from "@watchword/schemas/Errors"
import type { Delivery, Details } from "@watchword/store/Delivery"
import type { Close } from "@watchword/store/Store"
import * as Option from "effect/Option"
import type { Outcome } from "../Outcome.ts"
import type { Statuses } from "../internal/Request.ts"

/** The detail of a record whose message the gateway took in part. */
export const INCOMPLETE = "incomplete"

/** An outcome as the store closes with it. */
export const closing = (id: Delivery["id"], outcome: Outcome, statuses: Statuses, at: number): Close => ({
  id,
  at,
  ...ending(outcome, statuses)
})

/** The same without the delivery. A failure is kept, so that a repeat is answered the same. */
export const ending = (outcome: Outcome, statuses: Statuses): Omit<Close, "id" | "at"> => {
  switch (outcome._tag) {
    case "Accepted":
      return { outcome: "accepted", status: statuses.accepted, refs: outcome.refs, details: outcome.details }
    case "Refunded":
      return { outcome: "refunded", status: statuses.failed, refs: outcome.refs, details: outcome.details }
    case "Rejected":
      return {
        outcome: "rejected",
        status: statuses.failed,
        refs: [],
        details: { ...outcome.details, ...failureDetails(outcome.failure) }
      }
    case "Incomplete":
      return {
        outcome: outcome.isTaken ? "accepted" : "unknown",
        status: statuses.failed,
        refs: outcome.refs,
        details: { ...outcome.details, ...failureDetails(outcome.failure), [INCOMPLETE]: true }
      }
    case "Unknown":
      return {
        outcome: "unknown",
        status: statuses.pending,
        refs: outcome.refs,
        details: { ...outcome.details, ...failureDetails(outcome.failure) }
      }
  }
}

/** The failure of a record, for repeats. */
export const failureDetails = (failure: Pick<DeliveryFailure, "message"> & { readonly _tag: string }): Details => ({
  failure: failure._tag,
  failure_message: failure.message,
  ...(failure instanceof ServiceUnavailable && failure.reason !== undefined ? { failure_reason: failure.reason } : {}),
  ...(failure instanceof BadRequest && failure.issues?.[0] !== undefined
    ? { failure_field: failure.issues[0].path }
    : {})
})

/** The failure that the client is answered with; null if the message was taken. */
export const failureOf = (outcome: Outcome): DeliveryFailure | null =>
  outcome._tag === "Accepted" || outcome._tag === "Refunded" ? null : outcome.failure

/** The failure of a record, for a repeat. */
export const storedFailure = ({ details }: Delivery): DeliveryFailure =>
  Option.getOrElse(
    deliveryFailure(String(details["failure"]), String(details["failure_message"]), reasonOf(details)),
    () => new ServiceUnavailable({ message: "The first request with this Idempotency-Key failed." })
  )

const reasonOf = ({ failure_reason: reason }: Details): string | undefined =>
  typeof reason === "string" ? reason : undefined
