/**
 * Redaction: a record without the person whom it is about. Its money, its times and its status stay.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import { type Delivery, type Details, ERASED } from "../Delivery.ts"
import { isOpen } from "./Transitions.ts"

/** The parts of a record that go. */
export interface Redaction {
  readonly id: DeliveryId
  /** Whether the number becomes {@link ERASED}. */
  readonly to: boolean
  /** Whether the sender becomes null. */
  readonly from: boolean
  /** Values that replace details of these names, where the record has them. */
  readonly details: Details
}

/** Whether a record may not be redacted or deleted yet: its outcome is open, or it is due. */
export const isUnderWay = (delivery: Delivery): boolean => isOpen(delivery) || delivery.dueAt !== null

/** The record after a redaction; the very record where nothing changes. */
export const redacted = (delivery: Delivery, { details, from, to }: Redaction): Delivery => {
  if (isUnderWay(delivery)) return delivery
  const changed = Object.entries(details).filter(
    ([name, value]) => delivery.details[name] !== undefined && delivery.details[name] !== value
  )
  const goes = (to && delivery.to !== ERASED) || (from && delivery.from !== null)
  if (!goes && changed.length === 0) return delivery
  return {
    ...delivery,
    to: to ? ERASED : delivery.to,
    from: from ? null : delivery.from,
    details: { ...delivery.details, ...Object.fromEntries(changed) }
  }
}

/** Whether a purge of deliveries older than a time may delete a delivery. */
export const isPurgeable = (delivery: Delivery, before: number): boolean =>
  !isUnderWay(delivery) && delivery.createdAt < before && delivery.statusAt < before
