import type { AccountId } from "@watchword/schemas/Ids"
import type { Setting } from "@watchword/store/Store"
import type { Database } from "better-sqlite3"
import type { AccountNumbers } from "./AccountNumbers.ts"

/** The owner of the installation's settings: accounts are numbered from 1. */
const INSTALLATION = 0

/** Settings of accounts and of the installation. */
export const make = (db: Database, accounts: AccountNumbers) => {
  const select = db.prepare<[number], Setting>("SELECT name, value FROM settings WHERE account = ? ORDER BY name")
  const insertOrReplace = db.prepare("INSERT OR REPLACE INTO settings (account, name, value) VALUES (?, ?, ?)")
  const remove = db.prepare("DELETE FROM settings WHERE account = ? AND name = ?")

  const ownerOf = (account: AccountId | null): number | undefined =>
    account === null ? INSTALLATION : accounts.numberOf(account)

  const list = (account: AccountId | null): ReadonlyArray<Setting> => {
    const owner = ownerOf(account)
    return owner === undefined ? [] : select.all(owner)
  }

  const change = (account: AccountId | null, name: string, value: string | null): boolean => {
    const owner = ownerOf(account)
    if (owner === undefined) return false
    if (value === null) remove.run(owner, name)
    else insertOrReplace.run(owner, name, value)
    return true
  }

  return { list, change }
}
