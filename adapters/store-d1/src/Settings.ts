import type { AccountId } from "@watchword/schemas/Ids"
import type { Service, Setting } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { type Connection, type Statement, rowsOf } from "./Connection.ts"

/** The account whose id is `?1`, or the installation with null. None when the account does not exist. */
const OWNER = "SELECT n FROM accounts WHERE id = ?1 UNION ALL SELECT 0 WHERE ?1 IS NULL"

/** Settings of accounts and of the installation. */
export const make = (connection: Connection): Pick<Service, "settings" | "changeSetting"> => ({
  settings: (account) =>
    Effect.map(
      connection.run(() => [
        { sql: `SELECT name, value FROM settings WHERE account = (${OWNER}) ORDER BY name`, values: [account] }
      ]),
      ([result]) => rowsOf<Setting>(result)
    ),
  changeSetting: ({ account, name, value }) =>
    Effect.map(
      connection.run(() => [
        value === null ? remove(account, name) : put(account, name, value),
        { sql: OWNER, values: [account] }
      ]),
      ([, owner]) => rowsOf(owner).length === 1
    )
})

const put = (account: AccountId | null, name: string, value: string): Statement => ({
  sql: `INSERT INTO settings (account, name, value) SELECT n, ?2, ?3 FROM (${OWNER}) WHERE true
    ON CONFLICT (account, name) DO UPDATE SET value = excluded.value`,
  values: [account, name, value]
})

const remove = (account: AccountId | null, name: string): Statement => ({
  sql: `DELETE FROM settings WHERE account = (${OWNER}) AND name = ?2`,
  values: [account, name]
})
