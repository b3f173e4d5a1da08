import type { AccountId } from "@watchword/schemas/Ids"
import type { Database } from "better-sqlite3"

export interface AccountNumbers {
  /** The number of an account, if there is one by that id. */
  readonly numberOf: (id: AccountId) => number | undefined
  readonly idOf: (n: number) => AccountId
  /** Empties the cache, because a transaction that may have created accounts was rolled back. */
  readonly forget: () => void
}

/** A cache of the numbers and ids of accounts: neither ever changes. */
export const make = (db: Database): AccountNumbers => {
  const selectNumber = db.prepare<[AccountId], number>("SELECT n FROM accounts WHERE id = ?").pluck()
  const selectId = db.prepare<[number], AccountId>("SELECT id FROM accounts WHERE n = ?").pluck()
  const numbers = new Map<AccountId, number>()
  const ids = new Map<number, AccountId>()

  const cache = (id: AccountId, n: number): void => {
    numbers.set(id, n)
    ids.set(n, id)
  }

  return {
    numberOf: (id) => {
      const known = numbers.get(id)
      if (known !== undefined) return known
      const n = selectNumber.get(id)
      if (n !== undefined) cache(id, n)
      return n
    },
    idOf: (n) => {
      const known = ids.get(n)
      if (known !== undefined) return known
      const id = selectId.get(n)
      if (id === undefined) throw new Error(`no account has the number ${n}`)
      cache(id, n)
      return id
    },
    forget: () => {
      numbers.clear()
      ids.clear()
    }
  }
}
