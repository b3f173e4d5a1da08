import type { Product } from "@watchword/schemas/Channel"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { Delivery } from "../Delivery.ts"
import type { Report, Target } from "../Store.ts"
import { TextMap } from "../TextMap.ts"
import { fit } from "../Transitions.ts"

/** One of a delivery's parts. It keeps the name that it was first known by, whatever spelling it is met under. */
export interface Part {
  readonly delivery: DeliveryId
  readonly name: string
}

/** A report about a part, before anyone knows whose part that is. */
export interface Parked extends Report {
  readonly target: Extract<Target, { readonly _tag: "Part" }>
}

/** What gateways call the parts of deliveries, and what they said about each. */
export const make = () => {
  const parts = new TextMap<Part>()
  const said = new Map<string, Set<string>>()
  let parked: Array<Parked> = []

  const find = (channel: Product, ref: string): Part | undefined => parts.get(`${channel} ${ref}`)

  /** Receipts for any of these refs reach the delivery from now on. */
  const add = (channel: Product, delivery: DeliveryId, refs: ReadonlyArray<string>): void => {
    for (const ref of refs) {
      if (find(channel, ref)?.delivery !== delivery) parts.set(`${channel} ${ref}`, { delivery, name: ref })
    }
  }

  /** One part under the spelling it came with, and under its others where no part has them. */
  const addOne = (channel: Product, delivery: DeliveryId, spellings: ReadonlyArray<string>): Part => {
    const part = { delivery, name: spellings[0] ?? "" }
    for (const [index, ref] of spellings.entries()) {
      if (index === 0 || find(channel, ref) === undefined) parts.set(`${channel} ${ref}`, part)
    }
    return part
  }

  /** Notes what a part reported and answers how many parts have reported the same. */
  const note = ({ delivery, name }: Part, status: string): number => {
    const reporters = said.get(`${delivery} ${status}`) ?? new Set()
    said.set(`${delivery} ${status}`, reporters.add(name))
    return reporters.size
  }

  const park = (report: Parked): void => {
    parked.push(report)
  }

  /** Takes out the reports that were parked under any of these refs and fit the delivery, in their order. */
  const unpark = (delivery: Delivery, refs: ReadonlyArray<string>): ReadonlyArray<Parked> => {
    if (parked.length === 0) return []
    const due = ({ target }: Parked) =>
      target.channel === delivery.channel &&
      target.refs.some((ref, index) => refs.includes(ref) && fit(delivery, target.message, index === 0) !== "not")
    const found = parked.filter(due)
    if (found.length > 0) parked = parked.filter((report) => !due(report))
    return found
  }

  const sweep = (parkedBefore: number): void => {
    parked = parked.filter(({ at }) => at >= parkedBefore)
  }

  return { find, add, addOne, note, park, unpark, sweep }
}
