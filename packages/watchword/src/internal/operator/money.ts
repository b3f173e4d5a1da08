/**
 * The money of accounts, in EUR.
 */
import { Ledger, type Note } from "@watchword/ledger/Ledger"
import { credit, debit, inEuros } from "@watchword/operator/commands/MoneyCommands"
import { toEuros } from "@watchword/schemas/Money"
import type { Entry } from "@watchword/store/Account"
import type { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import { type Run, accountId, withOptions } from "./Run.ts"

/** Money in EUR, exact to six decimals. */
export interface BalanceInEuros {
  /** What was credited, less what was spent. */
  readonly balance: number
  /** What sends under way hold of it. */
  readonly held: number
  /** What is left for sends: the balance less what is held. */
  readonly available: number
}

/** The balance after a credit or a debit. */
export interface Adjusted extends BalanceInEuros {
  /** Whether it was made before, so that this time nothing changed. */
  readonly repeated: boolean
}

/** An entry of a ledger: `euros` went from one place to the other. */
export interface EntryInEuros extends Omit<Entry, "amount"> {
  readonly euros: number
}

export interface MoneyOperator {
  /**
   * Adds money, in EUR: a number or a decimal text with at most six decimals. The same credit again under the `id` of a
   * note changes nothing; another under that id is a conflict.
   */
  readonly credit: (account: string, euros: number | string, note?: Note) => Promise<Adjusted>
  /** Takes money that is available, for a reason. Repeats are told as those of credits. */
  readonly debit: (
    account: string,
    euros: number | string,
    note: Note & { readonly reason: string }
  ) => Promise<Adjusted>
  /** The money of an account. */
  readonly balance: (account: string) => Promise<BalanceInEuros>
  /** The ledger of an account, oldest entry first. */
  readonly entries: (account: string) => Promise<ReadonlyArray<EntryInEuros>>
}

export const make = (run: Run<Ledger | Store>): MoneyOperator => ({
  credit: async (account, euros, note = {}) =>
    adjusted(await run(Effect.flatMap(withOptions(credit, { account, euros }, note), credit.call))),
  debit: async (account, euros, note) =>
    adjusted(await run(Effect.flatMap(withOptions(debit, { account, euros }, note), debit.call))),
  balance: (account) =>
    run(Ledger.use((ledger) => Effect.map(Effect.flatMap(accountId(account), ledger.balance), inEuros))),
  entries: (account) =>
    run(
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const entries = yield* Stream.runCollect(ledger.entries(yield* accountId(account)))
        return entries.map(({ amount, ...entry }): EntryInEuros => ({ ...entry, euros: toEuros(amount) }))
      })
    )
})

const adjusted = (money: Adjusted & { readonly account: string }): Adjusted => Struct.omit(money, ["account"])
