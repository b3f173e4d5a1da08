/**
 * Double-entry bookkeeping of one account, as pure functions: what each step does to a balance.
 * Stores that keep balances in memory use them directly; others do the same in SQL.
 */
import { difference, type MicroEuros, sum } from "@watchword/schemas/Money"
import * as Option from "effect/Option"
import type { Balance, EntryKind, Place } from "../Account.ts"

/** Which way each kind of entry moves money. */
export const direction: { readonly [K in EntryKind]: { readonly from: Place; readonly to: Place } } = {
  credit: { from: "funding", to: "available" },
  hold: { from: "available", to: "held" },
  settle: { from: "held", to: "revenue" },
  release: { from: "held", to: "available" },
  refund: { from: "revenue", to: "available" },
  debit: { from: "available", to: "funding" }
}

/** A balance from its two independent figures. */
export const balance = (available: MicroEuros, held: MicroEuros): Balance => ({
  posted: sum(available, held),
  held,
  available
})

const moved = (place: MicroEuros, name: Place, kind: EntryKind, amount: MicroEuros): MicroEuros => {
  const { from, to } = direction[kind]
  return name === from ? difference(place, amount) : name === to ? sum(place, amount) : place
}

/**
 * The balance after an entry, or none when it would take more than there is.
 *
 * @example
 * ```ts
 * import * as Money from "@watchword/schemas/Money"
 * import * as Postings from "@watchword/store/internal/Postings"
 *
 * const empty = Postings.balance(Money.zero, Money.zero)
 * Postings.post(empty, "hold", Money.MicroEuros.make(50_000)) // Option.none()
 * ```
 */
export const post = (before: Balance, kind: EntryKind, amount: MicroEuros): Option.Option<Balance> => {
  const available = moved(before.available, "available", kind, amount)
  const held = moved(before.held, "held", kind, amount)
  return available < 0 || held < 0 ? Option.none() : Option.some(balance(available, held))
}
