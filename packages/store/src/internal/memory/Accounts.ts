import type { Account } from "@watchword/schemas/Account"
import type { AccountId, DeliveryId, EntryId } from "@watchword/schemas/Ids"
import { type MicroEuros, zero } from "@watchword/schemas/Money"
import * as Option from "effect/Option"
import { type Balance, type Entry, type EntryKind, balanceOf, directionOf, posted } from "../../Account.ts"
import { type AccountChange, changed } from "../../step/AccountChanges.ts"
import { type Adjusted, type Adjustment, decide } from "../../step/Adjustments.ts"
import type { EntryPage } from "../AccountStore.ts"
import type { AccountState } from "../../step/Snapshot.ts"

interface Row {
  account: Account
  changedAt: number
  balance: Balance
  readonly entries: Array<Entry>
}

/**
 * Accounts with their money and their ledgers.
 *
 * @param nextEntryId makes the id of an entry that came with none, by its time
 */
export const make = (nextEntryId: (at: number) => EntryId) => {
  const rows = new Map<AccountId, Row>()
  const adjustments = new Map<EntryId, Entry>()

  const create = (account: Account): void => {
    if (rows.has(account.id)) return
    rows.set(account.id, { account, changedAt: -Infinity, balance: balanceOf(zero, zero), entries: [] })
  }

  const change = (change: AccountChange, at: number): Option.Option<Account> => {
    const row = rows.get(change.account)
    if (row === undefined) return Option.none()
    row.account = changed(row.account, change, at)
    row.changedAt = Math.max(row.changedAt, at)
    return Option.some(row.account)
  }

  const changedSince = (at: number): ReadonlySet<AccountId> =>
    new Set([...rows.values()].filter(({ changedAt }) => changedAt >= at).map(({ account }) => account.id))

  const find = (id: AccountId) => Option.map(Option.fromUndefinedOr(rows.get(id)), statement)

  const list = () => [...rows.values()].map(statement).sort((a, b) => a.account.createdAt - b.account.createdAt)

  const balance = (id: AccountId): Balance | undefined => rows.get(id)?.balance

  const state = (id: AccountId): AccountState | undefined => {
    const row = rows.get(id)
    return row && { balance: row.balance, suspended: row.account.suspendedAt !== null }
  }

  /** Moves money that is there, and writes the entry. */
  const post = (
    account: AccountId,
    entry: {
      readonly id?: EntryId
      readonly kind: EntryKind
      readonly amount: MicroEuros
      readonly delivery: DeliveryId | null
      readonly reason?: string | null
      readonly at: number
    }
  ): Entry => {
    const { amount, at, delivery, id = nextEntryId(at), kind, reason = null } = entry
    const row = rows.get(account)
    const after = row && Option.getOrUndefined(posted(row.balance, kind, amount))
    if (row === undefined || after === undefined) throw new Error(`the account ${account} has too little for a ${kind}`)
    row.balance = after
    const written: Entry = { id, account, delivery, kind, ...directionOf[kind], amount, reason, at }
    row.entries.push(written)
    return written
  }

  const adjust = (kind: "credit" | "debit", request: Adjustment): Adjusted => {
    const { account, id } = request
    const answer = decide(kind, request, balance(account), adjustments.get(id))
    if (answer._tag === "Adjusted") adjustments.set(id, post(account, { ...request, kind, delivery: null }))
    return answer
  }

  const entries = ({ account, after, limit, newestFirst = false }: EntryPage): ReadonlyArray<Entry> => {
    const written = rows.get(account)?.entries ?? []
    const all = newestFirst ? written.toReversed() : written
    const start = after === null ? 0 : all.findIndex((entry) => entry.id === after) + 1
    return all.slice(start, start + limit)
  }

  return { create, find, list, change, changedSince, balance, state, post, adjust, entries }
}

const statement = ({ account, balance }: Row) => ({ account, balance })
