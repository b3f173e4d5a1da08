/**
 * The three steps of a send: open, close, report. Each runs within a transaction that the batch belongs
 * to, and either does all of its work or throws.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { EntryKind } from "@watchword/store/Account"
import type { Delivery } from "@watchword/store/Delivery"
import type { Close, Closed, Open, Opened, Report, Reported } from "@watchword/store/Store"
import * as Transitions from "@watchword/store/Transitions"
import type { AccountNumbers } from "./AccountNumbers.ts"
import type { Batch } from "./Batch.ts"
import { type Claims, type Name, nameOf } from "./Claims.ts"
import type { Deliveries, Stored } from "./Deliveries.ts"
import { bucketOf } from "@watchword/store-sql/Buckets"
import { accountIn, partitionOf, listedAt, tenantOf } from "@watchword/store-sql/Partitions"
import type { Parked, ParkedReport } from "./Parked.ts"
import type { Part, Parts } from "./Parts.ts"

/** A part, and the delivery it belongs to. */
interface Met {
  readonly part: Part
  readonly stored: Stored
}

export const make = (tables: {
  readonly accounts: AccountNumbers
  readonly deliveries: Deliveries
  readonly parts: Parts
  readonly claims: Claims
  readonly parked: Parked
}) => {
  const { accounts, claims, deliveries, parked, parts } = tables

  const open = (batch: Batch, request: Open): Opened => {
    const { delivery } = request
    const account = accounts.numberOf(delivery.account)
    if (account === undefined) return repeated(batch, request) ?? { _tag: "NoAccount" }
    const realm = tenantOf(account, delivery.mode)
    const names = request.claims.map(nameOf)
    const begun = Transitions.begun(request)
    const { available } = batch.balance(account)
    // Most names are free: they are taken first, and looked at only when that does not succeed.
    if (available >= delivery.price) {
      const stored = insert(request, begun, account)
      if (stored === undefined) return repeated(batch, request) ?? neither(delivery.id)
      if (claims.takeFree(realm, names, stored.n)) return opened(batch, stored, begun, request)
      deliveries.remove(stored)
    }
    const claimed = claimedBy(realm, names, request.at)
    if (claimed !== undefined) return repeated(batch, request) ?? claimed
    if (available < delivery.price) return repeated(batch, request) ?? { _tag: "Insufficient", available }
    const stored = insert(request, begun, account) ?? neither(delivery.id)
    for (const name of names) claims.take(realm, name, stored.n)
    return opened(batch, stored, begun, request)
  }

  /** Writes a record once, as all of the step makes it. */
  const insert = ({ owner }: Open, { delivery }: Transitions.Transition, account: number): Stored | undefined =>
    deliveries.insert(partitionOf(account, delivery.mode, delivery.channel), delivery, owner)

  /** Who holds the first of the names that is not free. */
  const claimedBy = (realm: number, names: ReadonlyArray<Name>, at: number): Opened | undefined => {
    for (const name of names) {
      const holder = claims.holder(realm, name, at)
      const by = holder && deliveries.byNumber(holder.delivery)?.delivery
      if (holder === undefined || by === undefined) continue
      if (by.phase === "rejected" && holder.retryAfterRejection) continue
      return { _tag: "Claimed", claim: name.claim, sameFingerprint: holder.sameFingerprint, by }
    }
    return undefined
  }

  /** Moves the price of a new record, counts it, and gives its parts their names if it is closed already. */
  const opened = (batch: Batch, stored: Stored, { posting }: Transitions.Transition, { at, close }: Open): Opened => {
    const { delivery, drawer } = stored
    pay(batch, stored, "hold", at)
    if (posting !== null) pay(batch, stored, posting, at)
    batch.count(drawer, null, delivery)
    const now = close === undefined ? stored : named(batch, stored, close.refs)
    return { _tag: "Opened", delivery: now.delivery, available: availableTo(batch, now) }
  }

  /** The answer to an open whose record is there already. */
  const repeated = (batch: Batch, { delivery: { id } }: Open): Opened | undefined => {
    const stored = deliveries.byId(id)
    if (stored === undefined) return undefined
    return { _tag: "Opened", delivery: stored.delivery, available: availableTo(batch, stored) }
  }

  const close = (batch: Batch, request: Close): Closed => {
    const { at, id, refs } = request
    const before = deliveries.byId(id)
    if (before === undefined) return { _tag: "Missing" }
    const after = write(batch, before, Transitions.closed(before.delivery, request), at)
    const now = named(batch, after, refs)
    return {
      _tag: after === before ? "Unchanged" : "Closed",
      delivery: now.delivery,
      available: availableTo(batch, now)
    }
  }

  /** Names the parts of a delivery, and applies the reports that were parked under these names. */
  const named = (batch: Batch, stored: Stored, refs: ReadonlyArray<string>): Stored => {
    for (const ref of refs) parts.add(stored.delivery.channel, stored.n, ref)
    let now = stored
    for (const report of parked.unpark(stored.delivery, refs)) now = applyParked(batch, now, report)
    return now
  }

  const report = (batch: Batch, request: Report): Reported => {
    const { at, target } = request
    if (target._tag === "Delivery") {
      const before = deliveries.byId(target.id)
      if (before === undefined) return { _tag: "Missing" }
      const { delivery, posting } = Transitions.paid(before.delivery, request)
      return reported(before, write(batch, before, { delivery: Transitions.advanced(delivery, request), posting }, at))
    }
    const met = meant(target)
    if (met === undefined) {
      parked.park({ ...request, target })
      return { _tag: "Unmatched" }
    }
    const after = applyToPart(batch, met.stored, met.part, request)
    return reported(met.stored, after)
  }

  /** The part that a report is about. */
  const meant = (target: ParkedReport["target"]): Met | undefined => {
    const { channel, message, refs } = target
    let perhaps: Met | undefined
    for (const ref of refs) {
      const part = parts.find(channel, ref)
      const stored = part && deliveries.byNumber(part.delivery)
      if (part === undefined || stored === undefined) continue
      const fit = Transitions.fit(stored.delivery, message, ref === refs[0])
      if (fit === "exactly") return { part, stored }
      if (fit === "perhaps") perhaps ??= { part, stored }
    }
    return openPart(target) ?? perhaps
  }

  /** The part of the one open delivery to the number and with the reference that the report names. */
  const openPart = ({ channel, message, refs }: ParkedReport["target"]): Met | undefined => {
    const { reference, to } = message
    const stored = to !== null && reference !== null ? deliveries.onlyOpen(channel, to, reference) : undefined
    return stored && { part: parts.addOne(channel, stored.n, refs), stored }
  }

  /** Applies a report that was parked for the delivery of this step, or for another's part known since. */
  const applyParked = (batch: Batch, current: Stored, report: ParkedReport): Stored => {
    const met = meant(report.target)
    if (met === undefined) return current
    if (met.stored.n === current.n) return applyToPart(batch, current, met.part, report)
    applyToPart(batch, met.stored, met.part, report)
    return current
  }

  const applyToPart = (batch: Batch, before: Stored, part: Part, report: Report): Stored => {
    const { at, everyPart, status } = report
    const { delivery, posting } = Transitions.paid(before.delivery, report)
    const advanced = Transitions.advanced(delivery, report)
    const waits =
      everyPart && status !== null && advanced !== delivery && !parts.complete(part, status.name, delivery.parts)
    return write(batch, before, { delivery: waits ? delivery : advanced, posting }, at)
  }

  /** Writes what a step makes of a record, moves its price, and counts it anew. */
  const write = (batch: Batch, before: Stored, { delivery, posting }: Transitions.Transition, at: number): Stored => {
    if (delivery === before.delivery) return before
    const after = deliveries.update(before, delivery)
    if (isCountedElsewhere(before.delivery, delivery)) batch.count(before.drawer, before.delivery, delivery)
    if (posting !== null) pay(batch, after, posting, at)
    return after
  }

  return { open, close, report }
}

/** Moves the price of a delivery. */
const pay = (batch: Batch, { delivery, drawer, n }: Stored, kind: EntryKind, at: number): void =>
  batch.post({ account: accountIn(drawer), kind, amount: delivery.price, delivery: n, credit: null, at })

const reported = ({ delivery: before }: Stored, { delivery }: Stored): Reported => ({
  _tag: Transitions.isMoved(before, delivery) ? "Moved" : "Unchanged",
  delivery
})

const isCountedElsewhere = (before: Delivery, after: Delivery): boolean =>
  after.status.name !== before.status.name || bucketOf(listedAt(after)) !== bucketOf(listedAt(before))

const neither = (id: DeliveryId): never => {
  throw new Error(`the delivery ${id} is neither new nor there`)
}

const availableTo = (batch: Batch, { drawer }: Stored): Delivery["price"] => batch.balance(accountIn(drawer)).available
