/**
 * Effects that do their work in one transaction, and the clock of the database.
 */
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { Database } from "./Database.ts"

/** Fails because nothing of the work happened. */
export const transact =
  ({ transaction }: Database) =>
  <A>(work: () => A): Effect.Effect<A, StoreError> =>
    Effect.try({
      try: () => transaction(work),
      catch: (error) => new StoreError({ reason: "Unavailable", message: `The database failed: ${String(error)}` })
    })

/** The time in milliseconds, in SQL. */
export const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"

export const now = ({ one }: Database): number => one<number>(`SELECT ${NOW}`) ?? 0
