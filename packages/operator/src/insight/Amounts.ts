/**
 * The money of sends: the price that the account paid, the cost that the carrier asks, and the margin between them.
 */
import { field } from "@watchword/schemas/Field"
import type { Delivery } from "@watchword/store/Delivery"
import * as Schema from "effect/Schema"
import { amounts } from "../command/Amounts.ts"
import { knownCostOf } from "./traffic/Carrier.ts"

/** In whole micro-euros. */
interface Micros {
  readonly price: number
  /** Null if no record says it. */
  readonly cost: number | null
}

/** The fields of an output. */
export const moneyFields = {
  price: field(Schema.Finite, "EUR that the account paid: 0 until the gateway has accepted, and after a refund."),
  cost: field(Schema.NullOr(Schema.Finite), "EUR that the carrier asks; null if it is not known."),
  margin: field(Schema.NullOr(Schema.Finite), "The price less the cost, in EUR.")
}

export interface Money {
  readonly price: number
  readonly cost: number | null
  readonly margin: number | null
}

type Send = Pick<Delivery, "details" | "phase" | "price">

export const microsOf = (send: Send): Micros => ({
  price: send.phase === "accepted" ? send.price : 0,
  cost: knownCostOf(send)
})

export const sumOf = (all: ReadonlyArray<Micros>): Micros => {
  const costs = all.flatMap(({ cost }) => (cost === null ? [] : [cost]))
  return {
    price: all.reduce((sum, { price }) => sum + price, 0),
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost)
  }
}

export const inEuros = ({ cost, price }: Micros): Money => ({
  price: price / 1_000_000,
  cost: cost === null ? null : cost / 1_000_000,
  margin: cost === null ? null : (price - cost) / 1_000_000
})

/** The amounts of a line in a list; empty for a send that costs no one anything. */
export const named = ({ cost, margin, price }: Money): string => {
  if (cost === null || margin === null) return price === 0 ? "" : `price ${amounts.inWords(price)}`
  if (cost === 0 && price === 0) return ""
  return `price ${amounts.inWords(price)}, cost ${amounts.inWords(cost)}, margin ${amounts.inWords(margin)}`
}

/**
 * A clause that names each amount; none for a send that costs no one anything.
 *
 * @param carriers "the carrier asks", or "the carriers ask" for several sends
 */
export const moneyLines = (micros: Micros, carriers: string): ReadonlyArray<string> => {
  const { cost, margin, price } = inEuros(micros)
  const paid = `the account paid ${amounts.inWords(price)}`
  if (cost === null || margin === null) return price === 0 ? [] : [paid]
  if (cost === 0 && price === 0) return []
  return [`${paid}, ${carriers} ${amounts.inWords(cost)}: a margin of ${amounts.inWords(margin)}`]
}
