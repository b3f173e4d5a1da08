/**
 * The rows of ledgers. Only credits and debits have an id; the ids of other entries are computed from their rows.
 */
import type { DeliveryId, EntryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import { type Entry, directionOf } from "@watchword/store/Account"
import { entryIdOf, kindOf, placeOfEntryId } from "@watchword/store/sql"
import type { EntryPage } from "@watchword/store/Store"
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

/** More than any place in the ledger of an account. */
const END = 2 ** 40

export const make = (db: Database, accounts: AccountNumbers) => {
  const selectPage = (where: string) =>
    db
      .prepare<[{ account: number; after: number; limit: number }], Row>(
        `SELECT place & (1 << 40) - 1, given_id, (SELECT id FROM deliveries WHERE n = delivery), kind, amount, reason, at
         FROM entries WHERE ${where} LIMIT +@limit`
      )
      .raw()
  const selectOldest = selectPage("place > (@account << 40 | @after) AND place < (@account + 1 << 40) ORDER BY place")
  const selectNewest = selectPage("place > (@account << 40) AND place < (@account << 40) + @after ORDER BY place DESC")
  const selectGiven = db
    .prepare<[EntryId, number], number>(
      "SELECT place & (1 << 40) - 1 FROM entries WHERE given_id = ? AND place >> 40 = ?"
    )
    .pluck()

  const placeOf = (account: number, id: EntryId): number | undefined =>
    selectGiven.get(id, account) ?? placeOfEntryId(account, id)

  return ({ account: id, after, limit, newestFirst = false }: EntryPage): ReadonlyArray<Entry> => {
    const account = accounts.numberOf(id)
    const edge = newestFirst ? END : 0
    const place = account === undefined ? undefined : after === null ? edge : placeOf(account, after)
    if (account === undefined || place === undefined) return []
    const select = newestFirst ? selectNewest : selectOldest
    return select.all({ account, after: place, limit }).map(([n, givenId, delivery, code, amount, reason, at]) => {
      const kind = kindOf(code)
      const entry = givenId ?? entryIdOf(account, n, at)
      return { id: entry, account: id, delivery, kind, ...directionOf[kind], amount, reason, at }
    })
  }
}
