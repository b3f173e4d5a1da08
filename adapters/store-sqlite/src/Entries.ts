/**
 * The ledger's rows, and the ids of those that the store wrote by itself.
 */
import type { AccountId, DeliveryId, EntryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Entry } from "@watchword/store/Account"
import * as Postings from "@watchword/store/Postings"
import { kindOf } from "@watchword/store/sql/Codes"
import { idOf, placeIn } from "@watchword/store/sql/EntryIds"
import type { Database } from "better-sqlite3"
import type { AccountNumbers } from "./AccountNumbers.ts"

type Row = readonly [
  n: number,
  credit: EntryId | null,
  delivery: DeliveryId | null,
  kind: number,
  amount: MicroEuros,
  at: number
]

export const make = (db: Database, accounts: AccountNumbers) => {
  const selectPage = db
    .prepare<[number, number, number], Row>(
      `SELECT n, credit, delivery, kind, amount, at FROM entries
       WHERE account = ? AND n > ? ORDER BY n LIMIT ?`
    )
    .raw()
  const selectCredit = db
    .prepare<[EntryId, number], number>("SELECT n FROM entries WHERE credit = ? AND account = ?")
    .pluck()

  const placeOf = (account: number, id: EntryId): number | undefined =>
    selectCredit.get(id, account) ?? placeIn(account, id)

  return (id: AccountId, after: EntryId | null, limit: number): ReadonlyArray<Entry> => {
    const account = accounts.numberOf(id)
    const place = account === undefined ? undefined : after === null ? 0 : placeOf(account, after)
    if (account === undefined || place === undefined) return []
    return selectPage.all(account, place, limit).map(([n, credit, delivery, code, amount, at]) => {
      const kind = kindOf(code)
      const entry = credit ?? idOf(account, n, at)
      return { id: entry, account: id, delivery, kind, ...Postings.direction[kind], amount, at }
    })
  }
}
