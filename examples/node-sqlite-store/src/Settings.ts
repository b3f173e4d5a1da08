/**
 * Settings of accounts and of the installation.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import type { Setting, SettingStore } from "@watchword/store/Store"
import type { Database } from "./Database.ts"
import { transact } from "./Transaction.ts"

export const settingsOf = (database: Database): SettingStore => {
  const { all, one, run } = database
  const does = transact(database)
  // No account has the empty id: it is the installation's.
  const exists = (account: AccountId | null) =>
    account === null || one("SELECT json_quote(id) FROM accounts WHERE id = ?", account) !== undefined
  return {
    settings: (account) =>
      does(() =>
        all<Setting>(
          "SELECT json_object('name', name, 'value', value) FROM settings WHERE owner = ? ORDER BY name",
          account ?? ""
        )
      ),
    changeSetting: ({ account, name, value }) =>
      does(() => {
        if (!exists(account)) return false
        if (value === null) run("DELETE FROM settings WHERE owner = ? AND name = ?", account ?? "", name)
        else run("INSERT OR REPLACE INTO settings (owner, name, value) VALUES (?, ?, ?)", account ?? "", name, value)
        return true
      })
  }
}
