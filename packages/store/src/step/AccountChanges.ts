/**
 * Changes of accounts by their operator.
 */
import type { Account, Originators } from "@watchword/schemas/Account"
import type { AccountId } from "@watchword/schemas/Ids"

export interface AccountChange {
  readonly account: AccountId
  /** Left out to leave it as it is. The first suspension counts until the account is resumed. */
  readonly suspended?: boolean
  /** Lists that replace the account's; omitted lists stay. */
  readonly originators?: Partial<Originators>
}

/** The account after a change at a time. */
export const changed = (account: Account, { originators, suspended }: AccountChange, at: number): Account => ({
  ...account,
  originators: { ...account.originators, ...originators },
  suspendedAt: suspended === undefined ? account.suspendedAt : suspended ? (account.suspendedAt ?? at) : null
})
