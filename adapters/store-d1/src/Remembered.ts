import type { DeliveryId } from "@watchword/schemas/Ids"

/** What `open` wrote last, so that the `close` that follows need not read it. */
export interface Remembered {
  readonly put: (id: DeliveryId, record: string) => void
  readonly take: (id: DeliveryId) => string | undefined
}

const MANY = 1_000

export const make = (): Remembered => {
  const records = new Map<DeliveryId, string>()
  return {
    put: (id, record) => {
      records.set(id, record)
      if (records.size <= MANY) return
      for (const oldest of records.keys()) {
        records.delete(oldest)
        return
      }
    },
    take: (id) => {
      const record = records.get(id)
      records.delete(id)
      return record
    }
  }
}
