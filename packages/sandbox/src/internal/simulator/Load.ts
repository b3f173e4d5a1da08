/**
 * Sandbox sends under way, by account: from their beginning until their last event is due.
 *
 * Sandbox sends are free, so a bound on how many an account may have under way keeps them from using the memory that
 * live ones need.
 */
import type { AccountId } from "@watchword/schemas/Ids"

export interface Load {
  /** Counts a send that begins; false, and not counted, when the account has `limit` under way. */
  readonly begin: (account: AccountId, limit: number, now: number) => boolean
  /** Counts a send until a time. */
  readonly end: (account: AccountId, at: number) => void
}

/** Times are milliseconds since the epoch. */
export const make = (): Load => {
  const underWay = new Map<AccountId, number>()
  /** How many end in a second, by account. */
  const ending = new Map<number, Map<AccountId, number>>()
  let swept = 0

  const sweep = (second: number): void => {
    if (second === swept) return
    swept = second
    for (const [end, counts] of ending) {
      if (end > second) continue
      ending.delete(end)
      for (const [account, count] of counts) add(underWay, account, -count)
    }
  }

  return {
    begin: (account, limit, now) => {
      sweep(Math.floor(now / 1000))
      if ((underWay.get(account) ?? 0) >= limit) return false
      add(underWay, account, 1)
      return true
    },
    end: (account, at) => {
      const second = Math.ceil(at / 1000)
      const counts = ending.get(second) ?? new Map<AccountId, number>()
      ending.set(second, counts)
      add(counts, account, 1)
    }
  }
}

const add = (counts: Map<AccountId, number>, account: AccountId, count: number): void => {
  const sum = (counts.get(account) ?? 0) + count
  if (sum === 0) counts.delete(account)
  else counts.set(account, sum)
}
