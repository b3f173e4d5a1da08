/**
 * A delivery's amounts in money limits, noted on its record: its price may come back hours later, and in another
 * process.
 */
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Counted } from "@watchword/send/SendGuard"
import type { Added } from "@watchword/store/Counters"
import type { Details } from "@watchword/store/Delivery"
import { isOfMoney } from "./Limits.ts"

/** The detail of a record: the counters and the ends of their buckets, such as `key until key until`. */
export const DETAIL = "guard_spent"

/** The added counts, split into requests and money. */
export const parted = (added: ReadonlyArray<Added>): Counted => ({
  requests: added.filter(({ key }) => !isOfMoney(key)),
  money: added.filter(({ key }) => isOfMoney(key))
})

/** Each amount is the price of the record. */
export const noted = ({ money }: Counted): Details =>
  money.length === 0 ? {} : { [DETAIL]: money.map(({ key, until }) => `${key} ${until}`).join(" ") }

export const read = (text: string, amount: MicroEuros): ReadonlyArray<Added> =>
  [...text.matchAll(/(\S+) (\d+)/g)].map(([, key = "", until]) => ({ key, until: Number(until), amount }))
