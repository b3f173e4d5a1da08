/**
 * Keeps lists exact while records change that blocks have. Blocks stay as they are: the step that changes such a
 * record writes beside them what the record was like, or that there is one more; see Corrections.ts.
 */
import type { Database } from "better-sqlite3"
import type { Delivery } from "@watchword/store/Delivery"
import { listedAt } from "@watchword/store-sql/Partitions"
import type { Stored } from "../Deliveries.ts"
import { BLOCK } from "./Corrections.ts"

/** What steps change. */
export interface Amendments {
  /** Called when a record has been written. */
  readonly added: (drawer: number, n: number, delivery: Delivery) => void
  /** Called before a record is written anew. */
  readonly changing: (before: Stored, after: Delivery) => void
  /** To be called when another connection has written. */
  readonly forget: () => void
}

/** What is waiting to be summarised since: records that are new, or changes to sealed ones. */
export type Told = (drawer: number, change: "record" | "amendment") => void

export const COLUMNS = "id, recipient, sender, status, price, parts, created_at, status_at, details"

export const make = (db: Database, tell: Told): Amendments => {
  const selectLast = db
    .prepare<[number], number>("SELECT last FROM blocks WHERE drawer = +? ORDER BY block DESC LIMIT 1")
    .pluck()
  const retire = db.prepare(
    `INSERT INTO retired (drawer, block, n, ${COLUMNS}) SELECT drawer, ${BLOCK}, n, ${COLUMNS} FROM deliveries WHERE n = ?`
  )
  const insertLoose = db.prepare("INSERT INTO loose (drawer, n) VALUES (?, ?) ON CONFLICT DO NOTHING")
  const deleteLoose = db.prepare("DELETE FROM loose WHERE drawer = ? AND n = ?")

  /** Up to when each drawer is sealed. Only another connection seals. */
  const lasts = new Map<number, number>()

  const lastOf = (drawer: number): number => {
    const known = lasts.get(drawer)
    if (known !== undefined) return known
    const last = selectLast.get(drawer) ?? Number.NEGATIVE_INFINITY
    lasts.set(drawer, last)
    return last
  }

  /** Whether a record is listed where all is sealed. */
  const isSealed = (drawer: number, delivery: Delivery): boolean => listedAt(delivery) <= lastOf(drawer)

  const added = (drawer: number, n: number, delivery: Delivery): void => {
    if (isSealed(drawer, delivery)) insertLoose.run(drawer, n)
    tell(drawer, "record")
  }

  const changing = ({ delivery, drawer, n }: Stored, after: Delivery): void => {
    if (isSealed(drawer, delivery)) {
      // A record that is loose is in no block.
      if (deleteLoose.run(drawer, n).changes === 0) retire.run(n)
      tell(drawer, "amendment")
    }
    if (isSealed(drawer, after)) insertLoose.run(drawer, n)
  }

  return { added, changing, forget: () => lasts.clear() }
}
