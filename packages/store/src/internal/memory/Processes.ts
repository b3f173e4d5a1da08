import type { DeliveryId, ProcessId } from "@watchword/schemas/Ids"
import type { Delivery } from "../../Delivery.ts"
import { compare } from "../../Listing.ts"
import type { Lease } from "../ProcessStore.ts"

/** Leases of processes, and the deliveries that each process owns. */
export const make = () => {
  const leases = new Map<ProcessId, number>()
  const owners = new Map<DeliveryId, ProcessId>()

  const own = (process: ProcessId, delivery: DeliveryId): void => {
    owners.set(delivery, process)
  }

  const renewLease = (process: ProcessId, now: number, duration: number): void => {
    if (!leases.has(process)) for (const other of leases.keys()) leases.set(other, now)
    leases.set(process, now + duration)
  }

  /** Whether the owner of a delivery has no lease. */
  const isAbandoned =
    (now: number) =>
    ({ id }: Delivery): boolean => {
      const owner = owners.get(id)
      return owner === undefined || (leases.get(owner) ?? 0) <= now
    }

  const valid = (now: number): ReadonlyArray<Lease> =>
    [...leases]
      .filter(([, until]) => until > now)
      .map(([process, until]) => ({ process, until }))
      .sort((a, b) => compare(a.process, b.process))

  return { own, renewLease, valid, isAbandoned }
}
