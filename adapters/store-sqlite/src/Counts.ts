/**
 * The counts of records by partition, bucket and status, which lists take their totals from (see
 * `WIDTH` of `@watchword/store/sql`). They are added up in a transaction and written once.
 */
import type { Delivery } from "@watchword/store/Delivery"
import { FINE_WIDTH, type Partitions, WIDTH, bucketOf, firstOf } from "@watchword/store/sql"
import type { Database } from "better-sqlite3"

export interface Counts {
  /** Counts a record that is new, with null for before, that has changed, or that is deleted, with null for after. */
  readonly count: (partition: number, before: Delivery | null, after: Delivery | null) => void
  readonly write: () => void
}

/** The tables that have counts, and the width of their buckets. */
export const TABLES = [
  { name: "counts", width: WIDTH },
  { name: "fine_counts", width: FINE_WIDTH }
] as const

interface Change {
  readonly partition: number
  /** A time in the bucket. */
  readonly at: number
  readonly status: string
  n: number
}

/** Prepares the statements; the result begins the counts of a transaction. */
export const make = (db: Database, { listedAt }: Partitions): (() => Counts) => {
  const tables = TABLES.map(({ name, width }) => applyTo(db, name, width))

  return () => {
    // By narrow buckets, from which the wide ones are summed.
    const changes = new Map<string, Change>()

    const add = (partition: number, delivery: Delivery, change: number): void => {
      const bucket = bucketOf(listedAt(delivery), FINE_WIDTH)
      const status = delivery.status.name
      const key = `${partition} ${bucket} ${status}`
      const known = changes.get(key)
      if (known === undefined) changes.set(key, { partition, at: firstOf(bucket, FINE_WIDTH), status, n: change })
      else known.n += change
    }

    const count: Counts["count"] = (partition, before, after) => {
      const isSame = before?.status.name === after?.status.name
      if (before !== null && after !== null && isSame && listedAt(before) === listedAt(after)) return
      if (before !== null) add(partition, before, -1)
      if (after !== null) add(partition, after, 1)
    }

    const write = (): void => {
      for (const change of changes.values()) for (const apply of tables) apply(change)
    }

    return { count, write }
  }
}

const applyTo = (db: Database, table: string, width: number): ((change: Change) => void) => {
  const add = db
    .prepare<[number, number, string, number], number>(
      `INSERT INTO ${table} (partition, bucket, status, n) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET n = n + excluded.n RETURNING n`
    )
    .pluck()
  const remove = db.prepare(`DELETE FROM ${table} WHERE partition = ? AND bucket = ? AND status = ?`)

  return ({ at, n, partition, status }) => {
    const bucket = bucketOf(at, width)
    if (n !== 0 && add.get(partition, bucket, status, n) === 0) remove.run(partition, bucket, status)
  }
}
