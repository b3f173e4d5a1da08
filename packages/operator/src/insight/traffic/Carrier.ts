/**
 * The carrier of a record and its charge, if the record says so.
 */
import { fromEuros } from "@watchword/schemas/Money"
import type { Delivery } from "@watchword/store/Delivery"
import * as Option from "effect/Option"

type Said = Pick<Delivery, "details">

/**
 * The name of the carrier that a message was given to.
 *
 * @param channel that of its gateway, whose name the carrier has where the record names none
 */
export const carrierOf = ({ details: { carrier } }: Said, channel: string): string =>
  typeof carrier === "string" ? carrier : channel

/** Whether routes had no carrier for a message, so that no gateway was asked. */
export const hadNoRoute = ({ details: { carrier, choice } }: Said): boolean =>
  choice !== undefined && carrier === undefined

/** The carrier's charge for a message, in micro-euros; 0 if it is not known. */
export const costOf = (said: Said): number => knownCostOf(said) ?? 0

/**
 * The carrier's charge for a message, in micro-euros: from its cost table, or as it reported itself in EUR. Null if the
 * record has neither.
 */
export const knownCostOf = ({
  details: { carrier_currency: currency, carrier_price: price, cost }
}: Said): number | null => {
  if (typeof cost === "number") return cost
  const said = typeof price === "string" && currency === "EUR" ? fromEuros(price) : Option.none()
  // Some providers write their charge as a negative amount.
  return Option.isSome(said) ? Math.abs(said.value) : null
}
