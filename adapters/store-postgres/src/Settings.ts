/**
 * Settings of accounts and of the installation, a row each.
 */
import type { Service } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import type { Connections } from "./Connections.ts"
import { writable } from "./Rows.ts"

type Verbs = Pick<Service, "settings" | "changeSetting">

export const make = ({ ask }: Connections, s: string): Verbs => {
  /** The number of the account $1: 0 for the installation, null when there is no such account. */
  const number = `(SELECT CASE WHEN $1::text IS NULL THEN 0 ELSE (SELECT n FROM ${s}.accounts WHERE id = $1) END)`

  const write = `INSERT INTO ${s}.settings SELECT n, $2, $3 FROM owner
    ON CONFLICT (account, name) DO UPDATE SET value = excluded.value`
  const remove = `DELETE FROM ${s}.settings t USING owner o WHERE t.account = o.n AND t.name = $2`

  /** Runs a change for the account `owner`, and answers whether there is such an account. */
  const change = (text: string, account: string | null, ...values: ReadonlyArray<string>) =>
    Effect.map(
      ask(
        `WITH owner AS (SELECT n FROM ${number} a(n) WHERE n IS NOT NULL), changed AS (${text}) SELECT n FROM owner`,
        [account, ...values.map(writable)]
      ),
      ({ length }) => length === 1
    )

  return {
    settings: (account) =>
      Effect.map(
        ask<[name: string, value: string]>(
          `SELECT name, value FROM ${s}.settings WHERE account = ${number} ORDER BY name`,
          [account]
        ),
        (rows) => rows.map(([name, value]) => ({ name, value }))
      ),

    changeSetting: ({ account, name, value }) =>
      value === null ? change(remove, account, name) : change(write, account, name, value)
  }
}
