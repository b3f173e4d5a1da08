/**
 * Ids of entries, computed from their rows: only credits and debits have an id of their own.
 *
 * A ULID has 48 bits of time and 80 bits of any content: here the account's number and the entry's place in its ledger.
 */
import { EntryId } from "@watchword/schemas/Ids"

const PLACE_BITS = 48n
const ACCOUNT_BITS = 32n
const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

export const entryIdOf = (account: number, n: number, at: number): EntryId => {
  const bits = (((BigInt(at) << ACCOUNT_BITS) | BigInt(account)) << PLACE_BITS) | BigInt(n)
  const digits = [...bits.toString(32).padStart(26, "0")]
  return EntryId.make(digits.map((digit) => CROCKFORD[Number.parseInt(digit, 32)]).join(""))
}

/** The account and the place that {@link entryIdOf} wrote into an id; of another id, any numbers. */
export const partsOfEntryId = (id: EntryId): { readonly account: number; readonly place: number } => {
  const bits = [...id].reduce((sum, digit) => (sum << 5n) | BigInt(CROCKFORD.indexOf(digit)), 0n)
  return {
    account: Number(BigInt.asUintN(Number(ACCOUNT_BITS), bits >> PLACE_BITS)),
    place: Number(BigInt.asUintN(Number(PLACE_BITS), bits))
  }
}

/** The place that {@link entryIdOf} wrote into an id of this account. */
export const placeOfEntryId = (account: number, id: EntryId): number | undefined => {
  const parts = partsOfEntryId(id)
  return parts.account === account ? parts.place : undefined
}
