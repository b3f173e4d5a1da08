/**
 * The part of a rehearsal that a receipt is of: even if no live message would be found by it, which is part of the
 * dialect.
 */
import type { Address, DeliverSm } from "../DeliverSm.ts"
import type { Link } from "../Link.ts"
import { canonical, readingsOf } from "../MessageIds.ts"
import type * as Receipt from "../Receipt.ts"
import { decoded } from "../ReceiptText.ts"
import { type Sample, samples } from "./Samples.ts"

/** A part that the carrier has taken. */
export interface Taken {
  readonly sample: Sample
  readonly part: number
  /** As it came in. */
  readonly id: string
  readonly link: Link
  hasEnded: boolean
}

export interface Found {
  /** Null if it may be of any part. */
  readonly taken: Taken | null
  readonly sample: Sample
  readonly by: string
}

/** How a receipt of a live message finds it too. */
export const MATCHING: ReadonlySet<string> = new Set(["literal", "in another case", "to-hexadecimal", "to-decimal"])

/** The phone and the texts of a rehearsal. */
export interface Sought {
  readonly to: string
  /** The user_message_reference of the text with a number. */
  readonly referenceOf: (number: number) => number
  readonly taken: ReadonlyArray<Taken>
}

/** The address of a receipt that is the phone's: not all carriers swap the two. */
export const numberIn = ({ destination, source }: DeliverSm, to: string): Address | undefined =>
  [source, destination].find(({ address }) => isSameNumber(address, to))

/** The text of a receipt; null if it is not of this rehearsal. */
export const find = (
  link: Link,
  message: DeliverSm,
  receipt: Receipt.Receipt,
  { referenceOf, taken: all, to }: Sought
): Found | null => {
  const isToPhone = numberIn(message, to) !== undefined
  const ids = readingsOf(canonical(receipt.id))
  const ofLink = all.filter((taken) => taken.link.ids === link.ids)
  for (const [reading, id] of ids) {
    const taken = ofLink.find((each) => canonical(each.id) === id)
    if (taken !== undefined && (isToPhone || receipt.to === null)) return { taken, sample: taken.sample, by: reading }
  }
  if (!isToPhone) return null
  const inCase = ofLink.find(({ id }) => isSameFolded(id, receipt.id))
  if (inCase !== undefined) return { taken: inCase, sample: inCase.sample, by: "in another case" }
  const containing = ofLink.find(({ id }) => isWithin(canonical(id), canonical(receipt.id)))
  if (containing !== undefined) return { taken: containing, sample: containing.sample, by: "in part" }
  const text = decoded(message.octets, message.dataCoding)
  const sample =
    samples.find(({ number }) => receipt.reference === referenceOf(number)) ??
    samples.find(({ beginning }) => text.includes(beginning))
  if (sample === undefined) return null
  const taken = ofLink.find((each) => each.sample === sample && !each.hasEnded) ?? null
  return { taken, sample, by: receipt.reference === null ? "text" : "reference" }
}

/** An id that the carrier writes with more before or behind it. Short ones are within many. */
const isWithin = (id: string, other: string): boolean =>
  Math.min(id.length, other.length) >= 6 && (other.includes(id) || id.includes(other))

const isSameFolded = (id: string, other: string): boolean =>
  id !== "" && canonical(id).toLowerCase() === canonical(other).toLowerCase()

/** Receipts may have the number in its national form. */
const isSameNumber = (one: string, other: string): boolean => one.length >= 7 && one.slice(-7) === other.slice(-7)
