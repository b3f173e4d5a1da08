import type { Phase } from "@watchword/store/Delivery"
import type { EntryRow } from "@watchword/store/Snapshots"
import type { Group } from "./Merge.ts"
import { type Violation, violation } from "./Violation.ts"

/** The entries that a priced delivery of a phase may have. */
const entriesIn: Readonly<Record<Phase, ReadonlyArray<string>>> = {
  pending: ["hold"],
  unknown: ["hold"],
  accepted: ["hold, settle"],
  rejected: ["hold, release"],
  refunded: ["hold, release", "hold, settle, refund"]
}

export const placeOfEntry = ({ delivery, id, kind }: EntryRow): ReadonlyArray<Violation> => {
  const isAdjustment = kind === "credit" || kind === "debit"
  if (isAdjustment === (delivery === null)) return []
  return [violation("entry-place", id, `a ${kind} ${delivery === null ? "without a delivery" : "with a delivery"}`)]
}

/** The entries of a priced delivery that may have been deleted since. */
const entriesAtEnd: ReadonlySet<string> = new Set([...entriesIn.accepted, ...entriesIn.rejected, ...entriesIn.refunded])

export const entriesOfDelivery = ({ delivery, entries, id }: Group, purgedBefore: number): ReadonlyArray<Violation> => {
  if (delivery === null) {
    const [first] = entries
    return first !== undefined && first.at < purgedBefore
      ? entriesOfPurged(id, first, entries)
      : entries.map((entry) =>
          violation("entry-delivery", entry.id, `a ${entry.kind} of delivery ${id}, which does not exist`)
        )
  }
  const { account, phase, price } = delivery
  const kinds = kindsOf(entries)
  const isRight = price === 0 ? kinds === "" : entriesIn[phase].includes(kinds)
  return [
    ...(isRight
      ? []
      : [violation("entries-of-phase", id, `${phase} at a price of ${price}, with the entries: ${kinds || "none"}`)]),
    ...entries.flatMap((entry) => [
      ...(entry.amount === price
        ? []
        : [violation("entry-amount", entry.id, `a ${entry.kind} of ${entry.amount} for delivery ${id} at ${price}`)]),
      ...(entry.account === account
        ? []
        : [violation("entry-delivery", entry.id, `of ${entry.account}, but delivery ${id} is of ${account}`)])
    ])
  ]
}

const kindsOf = (entries: ReadonlyArray<EntryRow>): string => entries.map(({ kind }) => kind).join(", ")

/** The entries of a deleted delivery are the entries of an ended one. */
const entriesOfPurged = (id: string, first: EntryRow, entries: ReadonlyArray<EntryRow>): ReadonlyArray<Violation> => [
  ...(entriesAtEnd.has(kindsOf(entries))
    ? []
    : [violation("entries-of-phase", id, `deleted, with the entries: ${kindsOf(entries)}`)]),
  ...entries
    .filter(({ amount }) => amount !== first.amount)
    .map((entry) =>
      violation("entry-amount", entry.id, `a ${entry.kind} of ${entry.amount} for delivery ${id} at ${first.amount}`)
    ),
  ...entries
    .filter(({ account }) => account !== first.account)
    .map((entry) =>
      violation("entry-delivery", entry.id, `of ${entry.account}, but delivery ${id} was of ${first.account}`)
    )
]

export const refsOfDelivery = ({ delivery, id, refs }: Group): ReadonlyArray<Violation> =>
  refs
    .filter(({ channel }) => channel !== delivery?.channel)
    .map(({ channel }) =>
      violation(
        "ref-delivery",
        id,
        delivery === null ? `a ref of ${channel}, but no delivery` : `a ref of ${channel} for a ${delivery.channel}`
      )
    )
