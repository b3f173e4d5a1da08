/**
 * Explains the fate of a send from its record.
 */
import { isVerified } from "@watchword/records/Records"
import { REASONS } from "@watchword/send/pipeline"
import type { Delivery } from "@watchword/store/Delivery"
import { textOf as text } from "@watchword/send/channel/ChannelRecords"
import { microsOf, moneyLines } from "../Amounts.ts"
import type { Words } from "./Words.ts"

/** The rules by which a guard has refused a send, or would have; none if it let it through. */
export const guardReasons = (delivery: Delivery): ReadonlyArray<string> =>
  text(delivery, REASONS)
    ?.split(" ")
    .filter((reason) => reason !== "") ?? []

export const isBlocked = ({ status }: Delivery): boolean => status.name === "blocked"

/** The gateway's refusal; null if it refused nothing. */
export const refusal = (delivery: Delivery): string | null => text(delivery, "failure_message")

const outcome = (delivery: Delivery): string => {
  switch (delivery.phase) {
    case "pending":
      return "the gateway is being asked"
    case "unknown":
      return `the gateway did not answer; it is unknown whether it was sent${because(refusal(delivery))}`
    case "accepted":
      return `the gateway accepted it${because(refusal(delivery))}`
    case "rejected":
      return isBlocked(delivery) ? "refused before the gateway was asked" : `not sent${because(refusal(delivery))}`
    case "refunded":
      return "the gateway accepted it, and it costs nothing"
  }
}

const because = (reason: string | null): string => (reason === null ? "" : `: ${reason}`)

export const sendLines = (delivery: Delivery, { said: saidOf }: Words): ReadonlyArray<string> => {
  const { createdAt, details, statusAt } = delivery
  const guard = guardReasons(delivery)
  const said = saidOf(delivery)
  const rangAfter = text(delivery, "pdd")
  const verified = text(delivery, "verification_status")
  const reported = text(delivery, "reported_status")
  return [
    ...(typeof details["attempt"] === "number" ? [`send ${details["attempt"] + 1} of its verification`] : []),
    ...(guard.length === 0
      ? []
      : [`${isBlocked(delivery) ? "blocked by" : "would have been blocked by"} ${guard.join(", ")}`]),
    ...carrierLines(delivery),
    outcome(delivery),
    ...moneyLines(microsOf(delivery), "the carrier asks"),
    ...(rangAfter === null ? [] : [`rang after ${rangAfter} s`]),
    ...(said === null ? [] : [`the network said: ${said}`]),
    ...(verified === null ? [] : [`the platform reports about the code: ${verified}`]),
    ...(reported === null ? [] : [`the client reported: ${reported}`]),
    ...(isVerified(delivery) ? ["the client reported that its user entered the code"] : []),
    `${delivery.status.name} after ${(statusAt - createdAt) / 1000} s`
  ]
}

/** The carrier of a send, and how it was chosen where its gateway is composed of carriers. */
const carrierLines = (delivery: Delivery): ReadonlyArray<string> => {
  const choice = text(delivery, "choice")
  const carrier = text(delivery, "carrier")
  if (choice === null) return carrier === null || isBlocked(delivery) ? [] : [`by carrier ${carrier}`]
  const route = text(delivery, "route")
  const refusedBy = text(delivery, "refused_by")
  const possible = isOpen(delivery) ? (text(delivery, "carriers")?.split(" ") ?? []) : []
  return [
    `${carrier === null ? "by no carrier" : `by carrier ${carrier}`}${route === null ? "" : `, route ${route}`} (${choice})`,
    ...(refusedBy === null ? [] : [`refused before by ${refusedBy.split(" ").join(", ")}`]),
    ...(possible.length < 2 ? [] : [`may have been sent through ${possible.join(" or ")}`])
  ]
}

const isOpen = ({ phase }: Delivery): boolean => phase === "pending" || phase === "unknown"
