/**
 * The snapshot that the step engine asks: one query a method.
 */
import type { Account } from "@watchword/schemas/Account"
import type { Mode } from "@watchword/schemas/Channel"
import type { AccountId } from "@watchword/schemas/Ids"
import type { Balance } from "@watchword/store/Account"
import type { Delivery } from "@watchword/store/Delivery"
import type { HeldClaim, Part, Snapshot, Unmatched } from "@watchword/store/step"
import type { Database } from "./Database.ts"

export const BALANCE = "json_object('posted', available + held, 'held', held, 'available', available)"
export const STATEMENT = `json_object('account', json(account), 'balance', ${BALANCE})`

export interface Statement {
  readonly account: Account
  readonly balance: Balance
}

export const tenantOf = (account: AccountId, mode: Mode): string => `${account} ${mode}`

export const snapshotOf = ({ all, one }: Database): Snapshot => ({
  account: (id) => {
    const found = one<Statement>(`SELECT ${STATEMENT} FROM accounts WHERE id = ?`, id)
    return found && { balance: found.balance, suspended: found.account.suspendedAt !== null }
  },
  delivery: (id) => one<Delivery>("SELECT record FROM deliveries WHERE id = ?", id),
  claim: (account, mode, key) =>
    one<HeldClaim>("SELECT claim FROM claims WHERE tenant = ? AND key = ?", tenantOf(account, mode), key),
  part: (channel, ref) => one<Part>("SELECT part FROM parts WHERE channel = ? AND ref = ?", channel, ref),
  referable: (channel, to, reference) =>
    all<Delivery>(
      `SELECT record FROM deliveries
       WHERE channel = ? AND recipient = ? AND reference = ? AND (phase IN ('pending', 'unknown')
         OR phase = 'accepted' AND parts > 1 AND record ->> 'named' < parts)`,
      channel,
      to,
      reference
    ),
  unmatched: (channel, refs) =>
    all<Unmatched>(
      `SELECT json_object('n', n, 'report', json(report)) FROM unmatched
       WHERE channel = ? AND EXISTS (SELECT 1 FROM json_each(report, '$.target.refs') ref
         WHERE ref.value IN (SELECT value FROM json_each(?)))
       ORDER BY n`,
      channel,
      JSON.stringify(refs)
    ),
  reporters: (delivery, status) =>
    all<string>("SELECT json_quote(part) FROM part_reports WHERE delivery = ? AND status = ?", delivery, status)
})
