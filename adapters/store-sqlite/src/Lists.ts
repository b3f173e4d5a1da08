/**
 * Lists of records that follow the plans of `@watchword/store/sql`: fast lists run on the event loop, all others in
 * slices (see Slices.ts).
 */
import type { Service as ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import { type Filtered, type Partitions, type Plan, expression, planOf, recordsOf, written } from "@watchword/store/sql"
import { pageOf } from "@watchword/store/Listing"
import type { Listing, Page } from "@watchword/store/Store"
import type { Database } from "better-sqlite3"
import type { AccountNumbers } from "./AccountNumbers.ts"
import * as CountedPages from "./CountedPages.ts"
import { COLUMNS, type Deliveries, type Row } from "./Deliveries.ts"
import * as Slices from "./Slices.ts"
import * as Statements from "./Statements.ts"

export interface Lists {
  /** A page that takes a few milliseconds at most, or null if a page may take longer. */
  readonly quick: (listing: Listing) => Page | null
  /** A page that may take long; null if it was stopped. */
  readonly slow: (listing: Listing, isStopped: () => boolean) => Page | null
}

/** The maximum number of records, or index entries, that a quick page reads. */
const FEW = 10_000

/** The maximum number of records of the requested phone numbers that a quick page reads. */
const FEW_OF_RECIPIENTS = 1_000

export interface Tables {
  readonly registry: ChannelRegistry
  readonly partitions: Partitions
  readonly accounts: AccountNumbers
  readonly deliveries: Deliveries
}

export const make = (db: Database, { accounts, deliveries, partitions, registry }: Tables): Lists => {
  const reading = Statements.cached<Row>(db)
  const counting = Statements.cached<readonly [n: number]>(db)
  const counted = CountedPages.make(db, deliveries)
  const slices = Slices.make(db, deliveries, counted)

  const count = (text: string, values: ReadonlyArray<string | number>): number => {
    const [n] = counting(text).get(...values) ?? [0]
    return n
  }

  /** A page of a few records, all of which are read. */
  const pageOfFew = (rows: ReadonlyArray<Row>, listing: Listing): Page =>
    pageOf(
      rows.map((row) => deliveries.decode(row).delivery),
      listing
    )

  const byIds = (partition: number, plan: Filtered, listing: Listing): Page => {
    const { text, values } = recordsOf(plan, CountedPages.hidden(partition))
    return pageOfFew(reading(`SELECT ${COLUMNS} FROM ${text}`).all(...values), listing)
  }

  const byRecipients = (partition: number, plan: Filtered, listing: Listing): Page | null => {
    // Conditions on individual records would hide how many are read.
    const { text, values } = recordsOf({ ...plan, rest: [] }, CountedPages.hidden(partition))
    const rows = reading(`SELECT ${COLUMNS} FROM ${text} LIMIT +?`).all(...values, FEW_OF_RECIPIENTS + 1)
    return rows.length > FEW_OF_RECIPIENTS ? null : pageOfFew(rows, listing)
  }

  const bySearch = (partition: number, plan: Filtered, listing: Listing): Page | null => {
    const size = counted.cellsOf(partition, plan.window).reduce((sum, cell) => sum + cell.size, 0)
    if (size > FEW) return null
    const { text, values } = recordsOf(plan, CountedPages.hidden(partition))
    const { limit, offset, sort } = listing
    const key = expression(sort.field)
    const direction = written(sort.direction)
    const rows = reading(
      `SELECT ${COLUMNS} FROM ${text} ORDER BY ${key.text} ${direction}, id ${direction} LIMIT +? OFFSET +?`
    ).all(...values, ...key.values, limit, offset)
    return {
      total: count(`SELECT count(*) FROM ${text}`, values),
      rows: rows.map((row) => deliveries.decode(row).delivery)
    }
  }

  const planned = (listing: Listing): { readonly partition: number; readonly plan: Plan } => {
    const account = accounts.numberOf(listing.account)
    if (account === undefined) return { partition: 0, plan: { _tag: "Nothing" } }
    const { channel, mode } = listing
    return {
      partition: partitions.partitionOf(account, mode, channel),
      plan: planOf(listing, registry.listedBy(channel))
    }
  }

  const quick = (listing: Listing): Page | null => {
    const { partition, plan } = planned(listing)
    switch (plan._tag) {
      case "Nothing":
        return { total: 0, rows: [] }
      case "Ids":
        return byIds(partition, plan, listing)
      case "Recipients":
        return byRecipients(partition, plan, listing)
      case "Counted":
        return counted.page(partition, plan.window, listing, FEW)
      case "Search":
        return bySearch(partition, plan, listing)
    }
  }

  const slow: Lists["slow"] = (listing, isStopped) => {
    const { partition, plan } = planned(listing)
    switch (plan._tag) {
      case "Nothing":
        return { total: 0, rows: [] }
      case "Counted":
        return counted.page(partition, plan.window, listing, Number.POSITIVE_INFINITY)
      default:
        return slices.page(partition, plan, listing, isStopped)
    }
  }

  // The total and the rows are from the same moment, whatever other processes write.
  return { quick: db.transaction(quick), slow: db.transaction(slow) }
}
