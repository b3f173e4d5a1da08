/**
 * Credits and the ledger's entries.
 */
import type { AccountId, DeliveryId, EntryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Balance, Entry } from "@watchword/store/Account"
import * as Postings from "@watchword/store/Postings"
import type { Service } from "@watchword/store/Store"
import { kindCode, kindOf } from "@watchword/store-sql/Codes"
import { idOf, placeIn } from "@watchword/store-sql/EntryIds"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Connection, rowsOf } from "./Connection.ts"

interface MoneyRow {
  readonly available: MicroEuros
  readonly held: MicroEuros
}

interface EntryRow {
  readonly n: number
  readonly credit: EntryId | null
  readonly delivery: DeliveryId | null
  readonly kind: number
  readonly amount: MicroEuros
  readonly at: number
}

export const make = (connection: Connection): Pick<Service, "credit" | "entries"> => {
  const credit: Service["credit"] = ({ account, amount, at, id }) =>
    Effect.map(
      connection.run(() => [
        {
          sql: `UPDATE accounts SET available = available + ?1, entries = entries + 1
            WHERE id = ?2 AND NOT EXISTS (SELECT 1 FROM entries WHERE credit = ?3)`,
          values: [amount, account, id]
        },
        {
          sql: `INSERT INTO entries (account, n, credit, delivery, kind, amount, at)
            SELECT n, entries, ?1, NULL, ?2, ?3, ?4 FROM accounts
            WHERE id = ?5 AND NOT EXISTS (SELECT 1 FROM entries WHERE credit = ?1)`,
          values: [id, kindCode("credit"), amount, at, account]
        },
        { sql: "SELECT available, held FROM accounts WHERE id = ?1", values: [account] }
      ]),
      (results) => Option.map(Option.fromUndefinedOr(rowsOf<MoneyRow>(results.at(-1))[0]), balanceOf)
    )

  const entries: Service["entries"] = Effect.fnUntraced(function* ({ account, after, limit }) {
    const place = after === null ? 0 : yield* placeOf(account, after)
    if (place === undefined) return []
    const [page] = yield* connection.run(() => [
      {
        sql: `SELECT e.account, e.n, e.credit, e.delivery, e.kind, e.amount, e.at FROM entries e
          WHERE e.account = (SELECT n FROM accounts WHERE id = ?1) AND e.n > ?2 ORDER BY e.n LIMIT ?3`,
        values: [account, place, limit]
      }
    ])
    return rowsOf<EntryRow & { readonly account: number }>(page).map((row): Entry => {
      const { amount, at, delivery, n } = row
      const kind = kindOf(row.kind)
      const id = row.credit ?? idOf(row.account, n, at)
      return { id, account, delivery, kind, ...Postings.direction[kind], amount, at }
    })
  })

  /** The place of an entry in an account's ledger, if it is there. */
  const placeOf = Effect.fnUntraced(function* (account: AccountId, id: EntryId) {
    const [accounts, credits] = yield* connection.run(() => [
      { sql: "SELECT n FROM accounts WHERE id = ?1", values: [account] },
      { sql: "SELECT n, account FROM entries WHERE credit = ?1", values: [id] }
    ])
    const [owner] = rowsOf<{ readonly n: number }>(accounts)
    const [credit] = rowsOf<{ readonly n: number; readonly account: number }>(credits)
    if (owner === undefined) return undefined
    return credit?.account === owner.n ? credit.n : placeIn(owner.n, id)
  })

  return { credit, entries }
}

const balanceOf = ({ available, held }: MoneyRow): Balance => Postings.balance(available, held)
