/**
 * Credits and debits: an operator adds money to an account's balance, or takes it away. Decided here as a pure
 * function, which stores call in the transaction that looks the facts up and writes the entry.
 */
import type { AccountId, EntryId } from "@watchword/schemas/Ids"
import type { PositiveMicroEuros } from "@watchword/schemas/Money"
import * as Option from "effect/Option"
import { type Balance, type Entry, posted } from "../Account.ts"

export interface Adjustment {
  /** The id of the entry, by which a repeat is recognised. */
  readonly id: EntryId
  readonly account: AccountId
  readonly amount: PositiveMicroEuros
  /** Null, or left out, for none. */
  readonly reason?: string | null
  readonly at: number
}

export type Adjusted =
  /** The entry is written. */
  | { readonly _tag: "Adjusted"; readonly balance: Balance }
  /** The entry was written before: by an earlier call, or by a try of this one whose answer was lost. */
  | { readonly _tag: "Repeated"; readonly balance: Balance }
  /** An entry with this id is of another account, kind or amount. Nothing changed. */
  | { readonly _tag: "Contradicted" }
  /** The available balance is smaller than the amount of the debit. Nothing changed. */
  | { readonly _tag: "Insufficient"; readonly balance: Balance }
  /** No such account. Nothing changed. */
  | { readonly _tag: "NoAccount" }

/**
 * @param balance of the account, undefined if the account does not exist
 * @param written the entry that has the id, undefined if none has
 */
export const decide = (
  kind: "credit" | "debit",
  { account, amount }: Adjustment,
  balance: Balance | undefined,
  written: Pick<Entry, "account" | "kind" | "amount"> | undefined
): Adjusted => {
  if (balance === undefined) return { _tag: "NoAccount" }
  if (written !== undefined) {
    const isSame = written.account === account && written.kind === kind && written.amount === amount
    return isSame ? { _tag: "Repeated", balance } : { _tag: "Contradicted" }
  }
  return Option.match(posted(balance, kind, amount), {
    onNone: () => ({ _tag: "Insufficient", balance }),
    onSome: (after) => ({ _tag: "Adjusted", balance: after })
  })
}
