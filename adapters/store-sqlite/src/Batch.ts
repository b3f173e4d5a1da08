/**
 * The state that the steps of one transaction share: balances are read once, and written once before the transaction
 * commits, and so are the counts.
 */
import type { EntryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import { type Balance, type EntryKind, balanceOf, posted } from "@watchword/store/Account"
import type { AccountState } from "@watchword/store/step"
import type { Database } from "better-sqlite3"
import * as Option from "effect/Option"
import * as Counts from "./Counts.ts"
import { type Partitions, kindCode } from "@watchword/store/sql"

export interface Posting {
  readonly account: number
  readonly kind: EntryKind
  readonly amount: MicroEuros
  /** The number of the delivery that is paid for. */
  readonly delivery: number | null
  /** The id and the reason of a credit or a debit. */
  readonly id: EntryId | null
  readonly reason: string | null
  readonly at: number
}

export interface Batch {
  readonly account: (n: number) => AccountState
  /** Moves money that is there, and writes the entry; none for an amount of zero. */
  readonly post: (posting: Posting) => void
  readonly count: Counts.Counts["count"]
  /** Writes the balances and the counts. */
  readonly write: () => void
}

interface Money {
  balance: Balance
  readonly suspended: boolean
  entries: number
  changed: boolean
}

/** Prepares the statements; the result begins a batch. */
export const make = (db: Database, partitions: Partitions): (() => Batch) => {
  const selectMoney = db
    .prepare<[number], readonly [available: MicroEuros, held: MicroEuros, entries: number, suspended: number]>(
      "SELECT available, held, entries, suspended_at IS NOT NULL FROM accounts WHERE n = ?"
    )
    .raw()
  const updateMoney = db.prepare("UPDATE accounts SET available = ?, held = ?, entries = ? WHERE n = ?")
  const insertEntry = db.prepare(
    "INSERT INTO entries (place, given_id, delivery, kind, amount, reason, at) VALUES (? << 40 | ?, ?, ?, ?, ?, ?, ?)"
  )
  const beginCounts = Counts.make(db, partitions)

  const readMoney = (account: number): Money => {
    const row = selectMoney.get(account)
    if (row === undefined) throw new Error(`no account has the number ${account}`)
    const [available, held, entries, suspended] = row
    return { balance: balanceOf(available, held), suspended: suspended === 1, entries, changed: false }
  }

  return () => {
    const accounts = new Map<number, Money>()
    const counts = beginCounts()

    const moneyOf = (account: number): Money => {
      const known = accounts.get(account)
      if (known !== undefined) return known
      const money = readMoney(account)
      accounts.set(account, money)
      return money
    }

    const post = ({ account, amount, at, delivery, id, kind, reason }: Posting): void => {
      if (amount === 0) return
      const money = moneyOf(account)
      const after = posted(money.balance, kind, amount)
      if (Option.isNone(after)) throw new Error(`account ${account} has too little for a ${kind}`)
      money.balance = after.value
      money.entries += 1
      money.changed = true
      insertEntry.run(account, money.entries, id, delivery, kindCode(kind), amount, reason, at)
    }

    const write = (): void => {
      for (const [account, { balance, changed, entries }] of accounts) {
        if (changed) updateMoney.run(balance.available, balance.held, entries, account)
      }
      counts.write()
    }

    return { account: moneyOf, post, count: counts.count, write }
  }
}
