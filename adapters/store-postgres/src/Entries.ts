/**
 * Pages of an account's ledger.
 */
import type { AccountId, DeliveryId, EntryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import { type Entry, directionOf } from "@watchword/store/Account"
import { entryIdOf, kindOf, partsOfEntryId } from "@watchword/store/sql"
import type { EntryPage } from "@watchword/store/Store"
import type { Values } from "./Pools.ts"

export type EntryRow = [
  account: number,
  n: number,
  givenId: EntryId | null,
  delivery: DeliveryId | null,
  kind: number,
  amount: MicroEuros,
  reason: string | null,
  at: number
]

/** The query for a page of an account's ledger; its rows go to {@link entriesOf}. */
export const queryOf = (
  schema: string,
  { account, after, limit, newestFirst = false }: EntryPage
): { readonly text: string; readonly values: Values } => {
  const behind = after === null ? { account: null, place: null } : partsOfEntryId(after)
  return {
    text: `SELECT e.account, e.n, e.given_id, e.delivery, e.kind, e.amount, e.reason, e.at
      FROM ${schema}.accounts a JOIN ${schema}.entries e ON e.account = a.n
      WHERE a.id = $1 AND e.n ${newestFirst ? "<" : ">"} CASE
        WHEN $2::text IS NULL THEN ${newestFirst ? `(SELECT max(c.n) + 1 FROM ${schema}.entries c WHERE c.account = a.n)` : "0"}
        ELSE coalesce(
          (SELECT c.n FROM ${schema}.entries c WHERE c.given_id = $2 AND c.account = a.n),
          CASE WHEN a.n = $3::bigint THEN $4::bigint END
        )
      END
      ORDER BY e.n ${newestFirst ? "DESC" : "ASC"} LIMIT $5`,
    values: [account, after, behind.account, behind.place, limit]
  }
}

export const entriesOf = (id: AccountId, rows: ReadonlyArray<EntryRow>): ReadonlyArray<Entry> =>
  rows.map(([account, n, givenId, delivery, code, amount, reason, at]) => {
    const kind = kindOf(code)
    const entry = givenId ?? entryIdOf(account, n, at)
    return { id: entry, account: id, delivery, kind, ...directionOf[kind], amount, reason, at }
  })
