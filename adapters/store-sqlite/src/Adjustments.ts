import type { EntryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import { type Adjusted, type Adjustment, decide } from "@watchword/store/step"
import { kindOf } from "@watchword/store/sql"
import type { Database } from "better-sqlite3"
import type { AccountNumbers } from "./AccountNumbers.ts"
import type { Batch } from "./Batch.ts"

interface WrittenRow {
  readonly account: number
  readonly kind: number
  readonly amount: MicroEuros
}

/** Credits and debits, once for each id. */
export const make = (db: Database, numbers: AccountNumbers) => {
  const selectWritten = db.prepare<[EntryId], WrittenRow>(
    "SELECT place >> 40 AS account, kind, amount FROM entries WHERE given_id = ?"
  )

  return (batch: Batch, kind: "credit" | "debit", request: Adjustment): Adjusted => {
    const { amount, at, id, reason = null } = request
    const account = numbers.numberOf(request.account)
    if (account === undefined) return { _tag: "NoAccount" }
    const row = selectWritten.get(id)
    const written = row && { account: numbers.idOf(row.account), kind: kindOf(row.kind), amount: row.amount }
    const answer = decide(kind, request, batch.account(account).balance, written)
    if (answer._tag === "Adjusted") batch.post({ account, kind, amount, delivery: null, id, reason, at })
    return answer
  }
}
