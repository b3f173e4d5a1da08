/**
 * Limits of a send as counters: one for each rate of each limit that binds it.
 */
import { SPEND, limitOf } from "@watchword/send/GuardReasons"
import type { Counter } from "@watchword/store/Counters"
import type { CounterKey } from "../CounterKeys.ts"
import { type Facts, valueOf } from "../Facts.ts"
import { type Rate, toMoney, toRate } from "./Rates.ts"
import { type Action, type Limit, type Rules, holdsFor } from "../Rules.ts"

/** A counter of a limit, and what it means when it is over. */
export interface Limited {
  /** `limit_` with the name of the limit, or `spend` for money. */
  readonly reason: string
  readonly action: Action
  readonly most: number
  readonly counter: Counter
}

/**
 * How many buckets a window has: what is counted ends at most a twentieth of it late. A limit that lets no more sends than
 * that through has a bucket for each, which ends in time.
 */
const SLICES = 20

/** Counters of a send. An amount of zero, as of a send that is free, is not counted. */
export const limitsOf = (rules: Rules, facts: Facts, key: CounterKey): ReadonlyArray<Limited> =>
  (rules.limits ?? []).flatMap((limit) => {
    const { action = rules.action ?? "record", by, name } = limit
    if (!holdsFor(limit.for ?? rules.for, facts.use)) return []
    const values = by.map((each) => valueOf(facts, each))
    if (values.includes(null)) return []
    const { money, sends } = ratesOf(limit)
    const counted = key(facts.account, facts.mode, name, ...by, ...values.map(String))
    const limited = (unit: string, reason: string, amount: number, { most, window }: Rate): Limited => ({
      reason,
      action,
      most,
      // Without the most, so that a limit that is changed goes on from what was counted.
      counter: {
        key: `${counted}.${window}${unit}`,
        ...(action === "deny" && most <= SLICES
          ? { window: window - 1, slice: 1 }
          : { window, slice: window / SLICES }),
        amount,
        limit: action === "deny" ? most : null
      }
    })
    // Sends to trusted users are counted apart, so that an attacker cannot use up a victim's; their money is the same.
    const unit = facts.trusted ? "trusted" : "sends"
    return [
      ...(facts.requests === 0 ? [] : sends.map((rate) => limited(unit, limitOf(name), 1, rate))),
      ...(facts.price === 0 ? [] : money.map((rate) => limited("money", SPEND, facts.price, rate)))
    ]
  })

interface Rates {
  readonly sends: ReadonlyArray<Rate>
  readonly money: ReadonlyArray<Rate>
}

/** Rates of limits that were read before: rules are the same for many sends. */
const known = new WeakMap<Limit, Rates>()

const ratesOf = (limit: Limit): Rates => {
  const before = known.get(limit)
  if (before !== undefined) return before
  const { money, rates = [] } = limit
  const read = { sends: rates.map(toRate), money: money === undefined ? [] : [toMoney(money)] }
  known.set(limit, read)
  return read
}
