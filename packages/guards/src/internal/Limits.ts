/**
 * Limits of a send as counters: one for each rate of each limit that binds it.
 */
import type { Counter } from "@watchword/store/Counters"
import type { CounterKey } from "../CounterKeys.ts"
import { type Facts, valueOf } from "../Facts.ts"
import { type Rate, toMoney, toRate } from "./Rates.ts"
import type { Action, Limit, Rules } from "../Rules.ts"

/** A counter of a limit, and what it means when it is over. */
export interface Limited {
  /** `limit_` with the name of the limit, or `spend` for money. */
  readonly reason: string
  readonly action: Action
  readonly most: number
  readonly counter: Counter
}

/** How many buckets a window has: what is counted ends at most a twentieth of it late. */
const SLICES = 20

/** Counters of a send. An amount of zero, as of a send that is free, is not counted. */
export const limitsOf = (
  { action = "record", limits = [] }: Rules,
  facts: Facts,
  key: CounterKey
): ReadonlyArray<Limited> =>
  limits.flatMap((limit) => {
    const values = limit.by.map((by) => valueOf(facts, by))
    if (values.includes(null)) return []
    const limited = (unit: "sends" | "money", reason: string, amount: number, { most, window }: Rate): Limited => ({
      reason,
      action: limit.action ?? action,
      most,
      counter: {
        // Without the most, so that a limit that is changed goes on from what was counted.
        key: key(
          facts.account,
          facts.mode,
          limit.name,
          unit,
          window,
          bucketOf(unit, facts),
          ...limit.by,
          ...values.map(String)
        ),
        window,
        slice: window / SLICES,
        amount,
        limit: (limit.action ?? action) === "deny" ? most : null
      }
    })
    return [
      ...(facts.requests === 0 ? [] : ratesOf(limit).map((rate) => limited("sends", `limit_${limit.name}`, 1, rate))),
      ...(facts.price === 0 ? [] : moneyOf(limit).map((rate) => limited("money", "spend", facts.price, rate)))
    ]
  })

/** Sends to trusted users are counted apart, so that an attacker cannot use up a victim's; their money is the same. */
const bucketOf = (unit: "sends" | "money", { trusted }: Facts): string =>
  unit === "sends" && trusted ? "trusted" : "all"

const ratesOf = ({ rates = [] }: Limit): ReadonlyArray<Rate> => rates.map(toRate)
const moneyOf = ({ money }: Limit): ReadonlyArray<Rate> => (money === undefined ? [] : [toMoney(money)])
