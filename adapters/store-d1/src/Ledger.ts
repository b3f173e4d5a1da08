/**
 * Credits and debits, and the ledger's entries.
 */
import type { AccountId, DeliveryId, EntryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import { type Balance, type Entry, balanceOf, directionOf } from "@watchword/store/Account"
import { decide } from "@watchword/store/step"
import type { Service } from "@watchword/store/Store"
import { entryIdOf, kindCode, kindOf, placeOfEntryId } from "@watchword/store/sql"
import * as Effect from "effect/Effect"
import { type Connection, rowsOf } from "./Connection.ts"

interface MoneyRow {
  readonly available: MicroEuros
  readonly held: MicroEuros
}

interface EntryRow {
  readonly n: number
  readonly given_id: EntryId | null
  readonly delivery: DeliveryId | null
  readonly kind: number
  readonly amount: MicroEuros
  readonly reason: string | null
  readonly at: number
}

interface WrittenRow {
  readonly account: AccountId
  readonly kind: number
  readonly amount: MicroEuros
}

export const make = (connection: Connection): Pick<Service, "credit" | "debit" | "entries"> => {
  const adjust =
    (kind: "credit" | "debit"): Service["credit"] =>
    (request) => {
      const { account, amount, at, id, reason = null } = request
      const change = kind === "credit" ? amount : -amount
      return Effect.map(
        connection.run(() => [
          {
            sql: `SELECT (SELECT id FROM accounts WHERE n = e.account) AS account, e.kind, e.amount
              FROM entries e WHERE e.given_id = ?1`,
            values: [id]
          },
          { sql: "SELECT available, held FROM accounts WHERE id = ?1", values: [account] },
          {
            sql: `INSERT INTO entries (account, n, given_id, delivery, kind, amount, reason, at)
              SELECT n, entries + 1, ?1, NULL, ?2, ?3, ?4, ?5 FROM accounts
              WHERE id = ?6 AND available + ?7 >= 0 AND NOT EXISTS (SELECT 1 FROM entries WHERE given_id = ?1)`,
            values: [id, kindCode(kind), amount, reason, at, account, change]
          },
          {
            sql: `UPDATE accounts SET available = available + ?1, entries = entries + 1
              WHERE id = ?2 AND EXISTS (SELECT 1 FROM entries e WHERE e.account = accounts.n AND e.n = accounts.entries + 1)`,
            values: [change, account]
          }
        ]),
        ([written, money]) => {
          const [row] = rowsOf<WrittenRow>(written)
          const [before] = rowsOf<MoneyRow>(money)
          return decide(kind, request, before && decodeBalance(before), row && { ...row, kind: kindOf(row.kind) })
        }
      )
    }

  const entries: Service["entries"] = Effect.fnUntraced(function* ({ account, after, limit, newestFirst = false }) {
    const edge = newestFirst ? Number.MAX_SAFE_INTEGER : 0
    const place = after === null ? edge : yield* placeOf(account, after)
    if (place === undefined) return []
    const [page] = yield* connection.run(() => [
      {
        sql: `SELECT e.account, e.n, e.given_id, e.delivery, e.kind, e.amount, e.reason, e.at FROM entries e
          WHERE e.account = (SELECT n FROM accounts WHERE id = ?1) AND e.n ${newestFirst ? "<" : ">"} ?2
          ORDER BY e.n ${newestFirst ? "DESC" : "ASC"} LIMIT ?3`,
        values: [account, place, limit]
      }
    ])
    return rowsOf<EntryRow & { readonly account: number }>(page).map((row): Entry => {
      const { amount, at, delivery, n, reason } = row
      const kind = kindOf(row.kind)
      const id = row.given_id ?? entryIdOf(row.account, n, at)
      return { id, account, delivery, kind, ...directionOf[kind], amount, reason, at }
    })
  })

  /** The place of an entry in an account's ledger, if it is there. */
  const placeOf = Effect.fnUntraced(function* (account: AccountId, id: EntryId) {
    const [accounts, credits] = yield* connection.run(() => [
      { sql: "SELECT n FROM accounts WHERE id = ?1", values: [account] },
      { sql: "SELECT n, account FROM entries WHERE given_id = ?1", values: [id] }
    ])
    const [owner] = rowsOf<{ readonly n: number }>(accounts)
    const [credit] = rowsOf<{ readonly n: number; readonly account: number }>(credits)
    if (owner === undefined) return undefined
    return credit?.account === owner.n ? credit.n : placeOfEntryId(owner.n, id)
  })

  return { credit: adjust("credit"), debit: adjust("debit"), entries }
}

const decodeBalance = ({ available, held }: MoneyRow): Balance => balanceOf(available, held)
