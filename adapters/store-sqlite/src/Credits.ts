import type { AccountId, EntryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Balance } from "@watchword/store/Account"
import type { Database } from "better-sqlite3"
import type { AccountNumbers } from "./AccountNumbers.ts"
import type { Batch } from "./Batch.ts"

export interface Credit {
  readonly id: EntryId
  readonly account: AccountId
  readonly amount: MicroEuros
  readonly at: number
}

/** Adds money to accounts, once for each id. */
export const make = (db: Database, numbers: AccountNumbers) => {
  const selectCredit = db.prepare<[EntryId], number>("SELECT 1 FROM entries WHERE credit = ?").pluck()

  return (batch: Batch, { account: owner, amount, at, id }: Credit): Balance | undefined => {
    const account = numbers.numberOf(owner)
    if (account === undefined) return undefined
    const repeated = selectCredit.get(id) !== undefined
    if (!repeated) batch.post({ account, kind: "credit", amount, delivery: null, credit: id, at })
    return batch.balance(account)
  }
}
