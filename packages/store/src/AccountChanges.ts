/**
 * Changes of accounts by their operator.
 */
import type { Account, Originators } from "@watchword/schemas/Account"
import type { AccountId } from "@watchword/schemas/Ids"

export interface AccountChange {
  readonly account: AccountId
  /** Left out to leave it as it is. The first suspension counts until the account is resumed. */
  readonly suspended?: boolean
  /** Lists that replace the account's; those that are left out stay. */
  readonly originators?: Partial<Originators>
  readonly at: number
}

/** The account after a change. */
export const changed = (account: Account, { at, originators, suspended }: AccountChange): Account => ({
  ...account,
  originators: { ...account.originators, ...originators },
  suspendedAt: suspended === undefined ? account.suspendedAt : suspended ? (account.suspendedAt ?? at) : null
})
