/**
 * The rows of ledgers. Only credits and debits have an id; the ids of other entries are made of their rows.
 */
import type { AccountId, DeliveryId, EntryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Entry } from "@watchword/store/Account"
import * as Postings from "@watchword/store/internal/Postings"
import { kindOf } from "@watchword/store/internal/sql/Codes"
import { idOf, placeIn } from "@watchword/store/internal/sql/EntryIds"
import type { Database } from "better-sqlite3"
import type { AccountNumbers } from "./AccountNumbers.ts"

type Row = readonly [
  n: number,
  givenId: EntryId | null,
  delivery: DeliveryId | null,
  kind: number,
  amount: MicroEuros,
  reason: string | null,
  at: number
]

export const make = (db: Database, accounts: AccountNumbers) => {
  const selectPage = db
    .prepare<[{ account: number; after: number; limit: number }], Row>(
      `SELECT place & (1 << 40) - 1, given_id, (SELECT id FROM deliveries WHERE n = delivery), kind, amount, reason, at
       FROM entries WHERE place > (@account << 40 | @after) AND place < (@account + 1 << 40) ORDER BY place LIMIT +@limit`
    )
    .raw()
  const selectGiven = db
    .prepare<[EntryId, number], number>(
      "SELECT place & (1 << 40) - 1 FROM entries WHERE given_id = ? AND place >> 40 = ?"
    )
    .pluck()

  const placeOf = (account: number, id: EntryId): number | undefined =>
    selectGiven.get(id, account) ?? placeIn(account, id)

  return (id: AccountId, after: EntryId | null, limit: number): ReadonlyArray<Entry> => {
    const account = accounts.numberOf(id)
    const place = account === undefined ? undefined : after === null ? 0 : placeOf(account, after)
    if (account === undefined || place === undefined) return []
    return selectPage.all({ account, after: place, limit }).map(([n, givenId, delivery, code, amount, reason, at]) => {
      const kind = kindOf(code)
      const entry = givenId ?? idOf(account, n, at)
      return { id: entry, account: id, delivery, kind, ...Postings.direction[kind], amount, reason, at }
    })
  }
}
