/**
 * What a record of a send says happened to it.
 */
import { REASONS } from "@watchword/send/internal/GuardReasons"
import type { Delivery } from "@watchword/store/Delivery"
import { bizchatError, callCause, carrierError } from "./ErrorCodes.ts"

const text = ({ details }: Delivery, name: string): string | null => {
  const value = details[name]
  return typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : null
}

/** The rules by which a guard has refused a send, or would have; none where it let it through. */
export const guardReasons = (delivery: Delivery): ReadonlyArray<string> =>
  text(delivery, REASONS)
    ?.split(" ")
    .filter((reason) => reason !== "") ?? []

export const isBlocked = ({ status }: Delivery): boolean => status.name === "blocked"

/** What the carrier or the platform said after it had taken a message; null where it said nothing. */
export const receipt = (delivery: Delivery): string | null => {
  const said = [
    text(delivery, "carrier_status"),
    carrierError(text(delivery, "carrier_error")),
    bizchatError(text(delivery, "error_code")),
    callCause(text(delivery, "hangup_cause"), text(delivery, "sip_status"), text(delivery, "q850"))
  ].filter((each) => each !== null)
  return said.length === 0 ? null : said.join(", ")
}

/** The gateway's refusal; null where it refused nothing. */
export const refusal = (delivery: Delivery): string | null => text(delivery, "failure_message")

const outcome = (delivery: Delivery): string => {
  switch (delivery.phase) {
    case "pending":
      return "the gateway is being asked"
    case "unknown":
      return `the gateway did not answer; whether it was sent is not known${because(refusal(delivery))}`
    case "accepted":
      return `the gateway took it${because(refusal(delivery))}`
    case "rejected":
      return isBlocked(delivery) ? "refused before the gateway was asked" : `not sent${because(refusal(delivery))}`
    case "refunded":
      return "the gateway took it, and it costs nothing"
  }
}

const because = (reason: string | null): string => (reason === null ? "" : `: ${reason}`)

export const sendLines = (delivery: Delivery): ReadonlyArray<string> => {
  const { createdAt, details, statusAt } = delivery
  const guard = guardReasons(delivery)
  const said = receipt(delivery)
  const rangAfter = text(delivery, "pdd")
  const verified = text(delivery, "verification_status")
  const reported = text(delivery, "reported_status")
  return [
    ...(typeof details["attempt"] === "number" ? [`send ${details["attempt"] + 1} of its verification`] : []),
    ...(guard.length === 0
      ? []
      : [`${isBlocked(delivery) ? "blocked by" : "would have been blocked by"} ${guard.join(", ")}`]),
    outcome(delivery),
    ...(rangAfter === null ? [] : [`rang after ${rangAfter} s`]),
    ...(said === null ? [] : [`the network said: ${said}`]),
    ...(verified === null ? [] : [`the platform says of the code: ${verified}`]),
    ...(reported === null ? [] : [`the client reported: ${reported}`]),
    `${delivery.status.name} after ${(statusAt - createdAt) / 1000} s`
  ]
}
