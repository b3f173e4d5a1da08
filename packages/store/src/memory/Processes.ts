import type { DeliveryId, ProcessId } from "@watchword/schemas/Ids"
import type { Delivery } from "../Delivery.ts"

/** Which processes live, and which deliveries are whose. */
export const make = () => {
  const lives = new Map<ProcessId, number>()
  const owners = new Map<DeliveryId, ProcessId>()

  const own = (process: ProcessId, delivery: DeliveryId): void => {
    owners.set(delivery, process)
  }

  const alive = (process: ProcessId, at: number, until: number): void => {
    if (!lives.has(process)) for (const other of lives.keys()) lives.set(other, at)
    lives.set(process, until)
  }

  /** Whether nobody who lives at a time has a delivery; with null, of any. */
  const isAbandoned =
    (at: number | null) =>
    ({ id }: Delivery): boolean => {
      if (at === null) return true
      const owner = owners.get(id)
      return owner === undefined || (lives.get(owner) ?? 0) <= at
    }

  return { own, alive, isAbandoned }
}
