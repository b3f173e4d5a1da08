/**
 * The ledger's rows, and the ids of those that the store wrote by itself.
 */
import type { AccountId, DeliveryId, EntryId as EntryIdType } from "@watchword/schemas/Ids"
import { EntryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Entry, EntryKind } from "@watchword/store/Account"
import * as Postings from "@watchword/store/Postings"
import type { Database } from "better-sqlite3"
import type { AccountNumbers } from "./AccountNumbers.ts"

const kinds = ["credit", "hold", "settle", "release", "refund"] as const satisfies ReadonlyArray<EntryKind>

export const kindCode = (kind: EntryKind): number => kinds.indexOf(kind)

type Row = readonly [
  n: number,
  credit: EntryIdType | null,
  delivery: DeliveryId | null,
  kind: number,
  amount: MicroEuros,
  at: number
]

export const make = (db: Database, accounts: AccountNumbers) => {
  const selectPage = db
    .prepare<[number, number, number], Row>(
      `SELECT n, credit, delivery, kind, amount, at FROM entries
       WHERE account = ? AND n > ? ORDER BY n LIMIT ?`
    )
    .raw()
  const selectCredit = db
    .prepare<[EntryIdType, number], number>("SELECT n FROM entries WHERE credit = ? AND account = ?")
    .pluck()

  const placeOf = (account: number, id: EntryIdType): number | undefined =>
    selectCredit.get(id, account) ?? placeIn(account, id)

  return (id: AccountId, after: EntryIdType | null, limit: number): ReadonlyArray<Entry> => {
    const account = accounts.numberOf(id)
    const place = account === undefined ? undefined : after === null ? 0 : placeOf(account, after)
    if (account === undefined || place === undefined) return []
    return selectPage.all(account, place, limit).map(([n, credit, delivery, code, amount, at]) => {
      const kind = kinds[code] ?? "credit"
      const entry = credit ?? idOf(account, n, at)
      return { id: entry, account: id, delivery, kind, ...Postings.direction[kind], amount, at }
    })
  }
}

// A ULID is 48 bits of time and 80 of anything: here the account's number and the entry's place.
const PLACE_BITS = 48n
const ACCOUNT_BITS = 32n
const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const idOf = (account: number, n: number, at: number): EntryIdType => {
  const bits = (((BigInt(at) << ACCOUNT_BITS) | BigInt(account)) << PLACE_BITS) | BigInt(n)
  const digits = [...bits.toString(32).padStart(26, "0")]
  return EntryId.make(digits.map((digit) => CROCKFORD[Number.parseInt(digit, 32)]).join(""))
}

/** The place that {@link idOf} wrote into an id of this account. */
const placeIn = (account: number, id: EntryIdType): number | undefined => {
  const bits = [...id].reduce((sum, digit) => (sum << 5n) | BigInt(CROCKFORD.indexOf(digit)), 0n)
  const owner = BigInt.asUintN(Number(ACCOUNT_BITS), bits >> PLACE_BITS)
  return owner === BigInt(account) ? Number(BigInt.asUintN(Number(PLACE_BITS), bits)) : undefined
}
