/**
 * Accounts: open one, look at it, list all, suspend one, bound its originators.
 */
import type { Authenticator } from "@watchword/auth/Authenticator"
import { inEuros } from "@watchword/operator/commands/MoneyCommands"
import { Accounts, type NewAccount, type Statement } from "@watchword/ledger/Accounts"
import type { Account, Originators } from "@watchword/schemas/Account"
import type { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as AccountCommands from "@watchword/operator/commands/AccountCommands"
import type { BalanceInEuros } from "./money.ts"
import { type Run, accountId } from "./Run.ts"

/** An account with its money in EUR. */
export interface AccountInEuros extends Account, BalanceInEuros {}

export interface AccountOperator {
  /** Whether any account was ever opened. */
  readonly hasAccounts: () => Promise<boolean>
  /** Opens an account and resolves to its id. */
  readonly createAccount: (account?: NewAccount) => Promise<string>
  /** An account with its money. */
  readonly account: (account: string) => Promise<AccountInEuros>
  /** All accounts, oldest first. */
  readonly accounts: () => Promise<ReadonlyArray<AccountInEuros>>
  /**
   * Stops an account: nothing of it is sent any more, at once and in all processes, and its keys are answered 403. Calls
   * that ring may be ended.
   */
  readonly suspendAccount: (account: string) => Promise<void>
  /** Lets a suspended account send again. */
  readonly resumeAccount: (account: string) => Promise<void>
  /**
   * Bounds the senders, callers and usernames of an account's live sends: with a list they use no other, with null any.
   * Lists that are left out stay. Running processes know within seconds.
   */
  readonly allow: (account: string, originators: Partial<Originators>) => Promise<void>
}

export const make = (run: Run<Accounts | Authenticator | Store>): AccountOperator => ({
  hasAccounts: () => run(Accounts.use((accounts) => Effect.map(accounts.list, (all) => all.length > 0))),

  createAccount: (account = {}) =>
    run(Accounts.use((accounts) => Effect.map(accounts.create(account), ({ id }) => id))),

  account: (account) =>
    run(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        return accountInEuros(yield* accounts.get(yield* accountId(account)))
      })
    ),

  accounts: () => run(Accounts.use((accounts) => Effect.map(accounts.list, (all) => all.map(accountInEuros)))),

  suspendAccount: async (account) => void (await run(AccountCommands.suspend.call({ account }))),
  resumeAccount: async (account) => void (await run(AccountCommands.resume.call({ account }))),
  allow: async (account, originators) => void (await run(AccountCommands.allow.call({ ...originators, account })))
})

const accountInEuros = ({ account, balance }: Statement): AccountInEuros => ({ ...account, ...inEuros(balance) })
