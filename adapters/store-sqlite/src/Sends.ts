/**
 * The three steps of a send: open, close, report. Each runs within a transaction that the batch belongs
 * to, and either does all of its work or throws.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { Delivery } from "@watchword/store/Delivery"
import type { Close, Closed, Open, Opened, Report, Reported } from "@watchword/store/Store"
import * as Transitions from "@watchword/store/Transitions"
import type { AccountNumbers } from "./AccountNumbers.ts"
import type { Batch } from "./Batch.ts"
import { type Claims, nameOf } from "./Claims.ts"
import type { Deliveries, Stored } from "./Deliveries.ts"
import { accountIn, drawerOf, realmOf } from "@watchword/store/sql/Drawers"
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
  readonly claims: Claims
  readonly parts: Parts
  readonly parked: Parked
}) => {
  const { accounts, claims, deliveries, parked, parts } = tables

  const open = (batch: Batch, request: Open): Opened => {
    const { at, claims: wanted, delivery } = request
    const { id, mode, price } = delivery
    const account = accounts.numberOf(delivery.account)
    if (account === undefined) return repeated(batch, request) ?? { _tag: "NoAccount" }
    const realm = realmOf(account, mode)
    const names = wanted.map(nameOf)
    for (const name of names) {
      const holder = claims.holder(realm, name, at)
      if (holder === undefined) continue
      const by = deliveries.byNumber(holder.delivery)?.delivery
      if (by === undefined || (by.phase === "rejected" && holder.retryAfterRejection)) continue
      return (
        repeated(batch, request) ?? {
          _tag: "Claimed",
          claim: name.claim,
          sameFingerprint: holder.sameFingerprint,
          by
        }
      )
    }
    const { available } = batch.balance(account)
    if (available < price) return repeated(batch, request) ?? { _tag: "Insufficient", available }
    const opened = Transitions.opened(request)
    const drawer = drawerOf(account, mode, delivery.channel)
    const n = deliveries.insert(drawer, opened, request.owner)
    if (n === undefined) return repeated(batch, request) ?? neither(id)
    for (const name of names) claims.take(realm, name, n)
    batch.post({ account, kind: "hold", amount: price, delivery: n, credit: null, at })
    batch.count(drawer, null, opened)
    return { _tag: "Opened", delivery: opened, available: batch.balance(account).available }
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
    const { channel } = before.delivery
    const after = write(batch, before, Transitions.closed(before.delivery, request), at)
    parts.add(channel, before.n, refs)
    const now = parked
      .unpark(after.delivery, refs)
      .reduce((current, report) => applyParked(batch, current, report), after)
    return {
      _tag: after === before ? "Unchanged" : "Closed",
      delivery: now.delivery,
      available: availableTo(batch, now)
    }
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
      return { _tag: "Parked" }
    }
    return reported(met.stored, applyToPart(batch, met.stored, met.part, { ...request, target }))
  }

  /** The part that a report is about. */
  const meant = (target: ParkedReport["target"]): Met | undefined => {
    const { channel, message, refs } = target
    let perhaps: Met | undefined
    for (const [index, ref] of refs.entries()) {
      const part = parts.find(channel, ref)
      const stored = part && deliveries.byNumber(part.delivery)
      if (part === undefined || stored === undefined) continue
      const fit = Transitions.fit(stored.delivery, message, index === 0)
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

  const applyToPart = (batch: Batch, before: Stored, part: Part, report: ParkedReport): Stored => {
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
    const { drawer, n } = before
    deliveries.update(before, delivery)
    if (delivery.status !== before.delivery.status) batch.count(drawer, before.delivery, delivery)
    if (posting !== null) {
      const account = accountIn(drawer)
      batch.post({ account, kind: posting, amount: delivery.price, delivery: n, credit: null, at })
    }
    return { n, drawer, delivery }
  }

  return { open, close, report }
}

const reported = ({ delivery: before }: Stored, { delivery }: Stored): Reported => ({
  _tag: Transitions.isMoved(before, delivery) ? "Moved" : "Unchanged",
  delivery
})

const neither = (id: DeliveryId): never => {
  throw new Error(`the delivery ${id} is neither new nor there`)
}

const availableTo = (batch: Batch, { drawer }: Stored): Delivery["price"] => batch.balance(accountIn(drawer)).available
