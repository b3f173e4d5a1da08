/**
 * The money of accounts, in EUR.
 */
import { type Adjusted as AdjustedBalance, Ledger, type Note } from "@watchword/ledger/Ledger"
import { BadRequest } from "@watchword/schemas/Errors"
import * as Money from "@watchword/schemas/Money"
import type { Balance, Entry } from "@watchword/store/Account"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { reading } from "../Reading.ts"
import { type Run, accountId } from "./Run.ts"

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

const noted = reading(
  Schema.Struct({ id: Schema.optional(Schema.String), reason: Schema.optional(Schema.String) }).annotate({
    message: "must be an object: { id, reason }"
  })
)

export const make = (run: Run<Ledger>): MoneyOperator => ({
  credit: (account, euros, note = {}) =>
    run(
      Effect.gen(function* () {
        const ledger = yield* Ledger
        return adjusted(yield* ledger.credit(yield* accountId(account), yield* amountOf(euros), yield* noted(note)))
      })
    ),

  debit: (account, euros, note) =>
    run(
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const { id, reason } = yield* noted(note)
        const given = { id, reason: reason ?? "" }
        return adjusted(yield* ledger.debit(yield* accountId(account), yield* amountOf(euros), given))
      })
    ),

  balance: (account) =>
    run(
      Effect.gen(function* () {
        const ledger = yield* Ledger
        return inEuros(yield* ledger.balance(yield* accountId(account)))
      })
    ),

  entries: (account) =>
    run(
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const entries = yield* Stream.runCollect(ledger.entries(yield* accountId(account)))
        return entries.map(({ amount, ...entry }): EntryInEuros => ({ ...entry, euros: Money.toEuros(amount) }))
      })
    )
})

const invalidAmount = () =>
  new BadRequest({
    message: "The amount is not valid.",
    issues: [{ path: "euros", message: "must be an amount in EUR with at most six decimals" }]
  })

const amountOf = (euros: number | string) => Effect.mapError(Effect.fromOption(Money.fromEuros(euros)), invalidAmount)

const adjusted = ({ balance, repeated }: AdjustedBalance): Adjusted => ({ ...inEuros(balance), repeated })

export const inEuros = (balance: Balance): BalanceInEuros => ({
  balance: Money.toEuros(balance.posted),
  held: Money.toEuros(balance.held),
  available: Money.toEuros(balance.available)
})
