/**
 * A step of `close` or `report`, or of an open that closes too, taken on what was read of the database. What it changes
 * is kept as a list of changes, for Writing.ts.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { EntryKind } from "@watchword/store/Account"
import type { Delivery } from "@watchword/store/Delivery"
import type { Close, Report, Reported } from "@watchword/store/Store"
import * as Transitions from "@watchword/store/Transitions"
import type { Facts, Parked, ParkedReport, Part } from "./Reading.ts"
import type { Stored } from "./Records.ts"

export interface Posting {
  readonly drawer: number
  readonly kind: EntryKind
  readonly delivery: Delivery
  readonly at: number
}

export interface Changes {
  /** Records before and after. */
  readonly records: ReadonlyArray<readonly [Stored, Stored]>
  readonly postings: ReadonlyArray<Posting>
  readonly parts: ReadonlyArray<readonly [channel: Product, ref: string, part: Part]>
  readonly said: Facts["said"]
  /** The parts of these have all reported a status. */
  readonly complete: ReadonlyArray<readonly [delivery: DeliveryId, status: string]>
  readonly parked: ReadonlyArray<ParkedReport>
  readonly unparked: ReadonlyArray<Parked>
}

/** How a `close` ended, without the money. */
export type Ended =
  | { readonly _tag: "Closed"; readonly delivery: Delivery }
  | { readonly _tag: "Unchanged"; readonly delivery: Delivery }
  | { readonly _tag: "Missing" }

export type World = ReturnType<typeof make>

export const make = (facts: Facts) => {
  const records = new Map(facts.deliveries.map((stored) => [stored.delivery.id, stored]))
  const parts = new Map(facts.parts)
  const said = new Set(facts.said.map(([delivery, status, part]) => JSON.stringify([delivery, status, part])))
  const postings: Array<Posting> = []
  const newParts = new Map<string, readonly [Product, string, Part]>()
  const newSaid: Array<Facts["said"][number]> = []
  const complete: Array<Changes["complete"][number]> = []
  const parked: Array<ParkedReport> = []
  let unparked: ReadonlyArray<Parked> = []

  const get = (id: DeliveryId): Delivery | undefined => records.get(id)?.delivery

  const close = (request: Close): Ended => {
    const { at, id, refs } = request
    const before = get(id)
    if (before === undefined) return { _tag: "Missing" }
    const after = write(Transitions.closed(before, request), at)
    for (const ref of refs) if (parts.get(ref)?.delivery !== id) name(before.channel, ref, { delivery: id, name: ref })
    unparked = facts.parked.filter(({ report }) => isDue(before, refs, report))
    for (const { report } of unparked) reportOnPart(report)
    return { _tag: after === before ? "Unchanged" : "Closed", delivery: get(id) ?? after }
  }

  const report = (request: Report): Reported => {
    const { at, target } = request
    if (target._tag === "Part") {
      const reported = reportOnPart({ ...request, target })
      if (reported._tag === "Unmatched") parked.push({ ...request, target })
      return reported
    }
    const before = get(target.id)
    if (before === undefined) return { _tag: "Missing" }
    return moved(before, Transitions.advanced(write(Transitions.paid(before, request), at), request))
  }

  const reportOnPart = (report: ParkedReport): Reported => {
    const { at, everyPart, status } = report
    const part = meant(report.target)
    const before = part && get(part.delivery)
    if (part === undefined || before === undefined) return { _tag: "Unmatched" }
    const paid = write(Transitions.paid(before, report), at)
    const advanced = Transitions.advanced(paid, report)
    const waits = everyPart && status !== null && advanced !== paid && !isComplete(part, status.name, paid.parts)
    return moved(before, waits ? paid : advanced)
  }

  /** The part that a report is about. */
  const meant = (target: ParkedReport["target"]): Part | undefined => {
    let perhaps: Part | undefined
    for (const [index, ref] of target.refs.entries()) {
      const part = parts.get(ref)
      const delivery = part && get(part.delivery)
      const fit = delivery ? Transitions.fit(delivery, target.message, index === 0) : "not"
      if (fit === "exactly") return part
      if (fit === "perhaps") perhaps ??= part
    }
    return openPart(target) ?? perhaps
  }

  /** The part of the one open delivery to the number and with the reference that the report names. */
  const openPart = ({ channel, message, refs }: ParkedReport["target"]): Part | undefined => {
    const { reference, to } = message
    if (to === null || reference === null) return undefined
    const [only, ...others] = [...records.values()].filter(
      ({ delivery }) =>
        Transitions.isOpen(delivery) &&
        delivery.channel === channel &&
        delivery.to === to &&
        delivery.reference === reference
    )
    if (only === undefined || others.length > 0) return undefined
    const part = { delivery: only.delivery.id, name: refs[0] ?? "" }
    for (const [index, ref] of refs.entries()) if (index === 0 || !parts.has(ref)) name(channel, ref, part)
    return part
  }

  const name = (channel: Product, ref: string, part: Part): void => {
    parts.set(ref, part)
    newParts.set(ref, [channel, ref, part])
  }

  /** Notes what a part of several reported; true when all have reported the same. */
  const isComplete = ({ delivery, name }: Part, status: string, of: number): boolean => {
    if (of <= 1) return true
    const note = JSON.stringify([delivery, status, name])
    if (!said.has(note)) newSaid.push([delivery, status, name])
    said.add(note)
    const prefix = JSON.stringify([delivery, status]).slice(0, -1)
    if ([...said].filter((each) => each.startsWith(`${prefix},`)).length < of) return false
    complete.push([delivery, status])
    return true
  }

  /** Puts down what a step makes of a record, and of its price. */
  const write = ({ delivery, posting }: Transitions.Transition, at: number): Delivery => {
    const before = records.get(delivery.id)
    if (before === undefined || before.delivery === delivery) return delivery
    records.set(delivery.id, { ...before, delivery })
    if (posting !== null && delivery.price > 0) postings.push({ drawer: before.drawer, kind: posting, delivery, at })
    return delivery
  }

  const moved = (before: Delivery, after: Delivery): Reported => {
    write({ delivery: after, posting: null }, 0)
    return { _tag: Transitions.isMoved(before, after) ? "Moved" : "Unchanged", delivery: after }
  }

  const changes = (): Changes => ({
    records: facts.deliveries.flatMap((before) => {
      const after = records.get(before.delivery.id) ?? before
      return after === before ? [] : [[before, after] as const]
    }),
    postings,
    parts: [...newParts.values()],
    said: newSaid,
    complete,
    parked,
    unparked
  })

  return { close, report, changes }
}

/** Whether a parked report was waiting for one of a delivery's refs, and fits it. */
const isDue = (delivery: Delivery, refs: ReadonlyArray<string>, { target }: ParkedReport): boolean =>
  target.refs.some(
    (ref, index) => refs.includes(ref) && Transitions.fit(delivery, target.message, index === 0) !== "not"
  )
