/**
 * What texts of verifications read like, so that an operator sees the name in them before a user does.
 */
import { Accounts } from "@watchword/ledger/Accounts"
import type { Account } from "@watchword/schemas/Account"
import * as Defaults from "./Defaults.ts"
import * as Templates from "./Templates.ts"
import * as Effect from "effect/Effect"

/** How many accounts are looked at. */
const MOST = 10

/** One line for each account, the newest first. */
export const checks = Effect.fnUntraced(function* () {
  const accounts = yield* Accounts.use(({ list }) => list)
  return yield* Effect.forEach(accounts.slice(-MOST).toReversed(), ({ account }) => check(account))
})

/** A text of an account, and what to do where it names the product. */
export const check = Effect.fnUntraced(function* ({ id, name }: Pick<Account, "id" | "name">) {
  const [own, all] = [yield* Defaults.get(id), yield* Defaults.get(null)]
  const locale = own.locale ?? all.locale ?? "en"
  const { brand, example } = yield* Templates.preview(id, { name: "default", locale })
  const message = `Texts of ${name} (${id}) read "${example}"`
  return brand === null
    ? { result: "warning" as const, message: `${message}; name it by: account verify ${id} --brand NAME` }
    : { result: "ok" as const, message }
})
