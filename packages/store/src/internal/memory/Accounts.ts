import type { Account } from "@watchword/schemas/Account"
import { type AccountId, type DeliveryId, type EntryId, nextEntryId } from "@watchword/schemas/Ids"
import { type MicroEuros, zero } from "@watchword/schemas/Money"
import * as Option from "effect/Option"
import type { Balance, Entry, EntryKind } from "../../Account.ts"
import * as Postings from "../../Postings.ts"

interface Row {
  readonly account: Account
  balance: Balance
  readonly entries: Array<Entry>
}

/** Accounts with their money and their ledgers. */
export const make = () => {
  const rows = new Map<AccountId, Row>()
  const credits = new Set<EntryId>()

  const create = (account: Account): void => {
    if (!rows.has(account.id)) rows.set(account.id, { account, balance: Postings.balance(zero, zero), entries: [] })
  }

  const find = (id: AccountId) => Option.map(Option.fromUndefinedOr(rows.get(id)), statement)

  const list = () => [...rows.values()].map(statement).sort((a, b) => a.account.createdAt - b.account.createdAt)

  const balance = (id: AccountId): Balance | undefined => rows.get(id)?.balance

  /** Moves money that is there, and writes the entry. */
  const post = (
    account: AccountId,
    entry: {
      readonly id?: EntryId
      readonly kind: EntryKind
      readonly amount: MicroEuros
      readonly delivery: DeliveryId | null
      readonly at: number
    }
  ): void => {
    const { amount, at, delivery, id = nextEntryId(at), kind } = entry
    const row = rows.get(account)
    const after = row && Option.getOrUndefined(Postings.post(row.balance, kind, amount))
    if (row === undefined || after === undefined) throw new Error(`the account ${account} has too little for a ${kind}`)
    row.balance = after
    row.entries.push({ id, account, delivery, kind, ...Postings.direction[kind], amount, at })
  }

  const credit = (credit: {
    readonly id: EntryId
    readonly account: AccountId
    readonly amount: MicroEuros
    readonly at: number
  }): Option.Option<Balance> => {
    const { account, amount, at, id } = credit
    if (rows.has(account) && !credits.has(id)) {
      post(account, { id, kind: "credit", amount, delivery: null, at })
      credits.add(id)
    }
    return Option.fromUndefinedOr(balance(account))
  }

  const entries = (account: AccountId, after: EntryId | null, limit: number): ReadonlyArray<Entry> => {
    const all = rows.get(account)?.entries ?? []
    const start = after === null ? 0 : all.findIndex((entry) => entry.id === after) + 1
    return all.slice(start, start + limit)
  }

  return { create, find, list, balance, post, credit, entries }
}

export type Accounts = ReturnType<typeof make>

const statement = ({ account, balance }: Row) => ({ account, balance })
