import type { DeliveryId, ProcessId } from "@watchword/schemas/Ids"
import type { Delivery } from "../../Delivery.ts"

/** Leases of processes, and the deliveries that each process owns. */
export const make = () => {
  const leases = new Map<ProcessId, number>()
  const owners = new Map<DeliveryId, ProcessId>()

  const own = (process: ProcessId, delivery: DeliveryId): void => {
    owners.set(delivery, process)
  }

  const renewLease = (process: ProcessId, at: number, until: number): void => {
    if (!leases.has(process)) for (const other of leases.keys()) leases.set(other, at)
    leases.set(process, until)
  }

  /** Whether the lease of a delivery's owner has run out at a time; true for every delivery when the time is null. */
  const isAbandoned =
    (at: number | null) =>
    ({ id }: Delivery): boolean => {
      if (at === null) return true
      const owner = owners.get(id)
      return owner === undefined || (leases.get(owner) ?? 0) <= at
    }

  return { own, renewLease, isAbandoned }
}

export type Processes = ReturnType<typeof make>
