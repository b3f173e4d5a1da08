/**
 * Limits of a send as counters: one for each rate of each limit that binds it.
 */
import { SPEND, limitOf } from "@watchword/send/pipeline"
import type { Counter } from "@watchword/store/Counters"
import { type PlaceOf, endingOf, orderOf } from "./CounterKeys.ts"
import { DAY } from "@watchword/schemas/Field"
import type { Facts } from "./Facts.ts"
import type { Action, Key, Limit } from "../Rules.ts"
import { type Rate, toMoney, toRate } from "./Rates.ts"

/** A counter of a limit, and the consequence of exceeding it. */
export interface Limited {
  readonly rate: CompiledRate
  readonly counter: Counter
}

/** The part that does not depend on a send. */
export interface CompiledLimit {
  readonly by: ReadonlyArray<Key>
  readonly sends: ReadonlyArray<CompiledRate>
  readonly money: ReadonlyArray<CompiledRate>
}

interface CompiledRate extends Pick<Counter, "window" | "slice" | "limit"> {
  /** `limit_` with the name of the limit, or `spend` for money. */
  readonly reason: string
  readonly action: Action
  /** As rules write it, such as `5/1h`. */
  readonly text: string
  readonly most: number
  readonly ending: string
}

/**
 * How many buckets a window has: a count ends at most a twentieth of it late. A limit that lets no more sends than that
 * through has a bucket for each, which ends in time.
 */
const SLICES = 20

export const compileLimit = ({ action = "record", by, money, name, rates = [] }: Limit): CompiledLimit => {
  const compiled =
    (reason: string) =>
    (text: string, { most, window }: Rate): CompiledRate => ({
      reason,
      action,
      text,
      most,
      // Without the most, so that a changed limit continues from the existing counts.
      ending: endingOf(name, window),
      ...(action === "deny" && most <= SLICES ? { window: window - 1, slice: 1 } : { window, slice: window / SLICES }),
      limit: action === "deny" ? most : null
    })
  return {
    by: orderOf(by),
    sends: rates.map((rate) => compiled(limitOf(name))(rate, toRate(rate))),
    money: money === undefined ? [] : [compiled(SPEND)(money, toMoney(money))]
  }
}

/**
 * A limit for excepted numbers: wider, and null if it is not by number. It bounds sends to a number whose owner got it
 * excepted: five times as much in a time, and twice as much in a day or longer.
 */
export const exceptional = ({ action, by, for: use, name, rates = [] }: Limit): Limit | null =>
  by.includes("to") && rates.length > 0
    ? {
        name,
        by,
        rates: rates.map(wider),
        ...(action === undefined ? {} : { action }),
        ...(use === undefined ? {} : { for: use })
      }
    : null

const wider = (text: string): string => {
  const { most, window } = toRate(text)
  return `${Math.min(MOST_SENDS, most * (window < DAY ? 5 : 2))}/${text.split("/")[1]}`
}

/** The most that a rate may have. */
const MOST_SENDS = 999_999_999

/** The unit of sends to numbers that are exceptions, which count apart. */
export const EXCEPTIONAL = "a"

/**
 * Counters of a send. An amount of zero, as of a send that is free, is not counted. Sends to trusted users are counted
 * apart, so that an attacker cannot use up a victim's; their money is the same.
 */
export const limitsOf = (
  limits: ReadonlyArray<CompiledLimit>,
  { price, requests, trusted }: Facts,
  placeOf: PlaceOf,
  unit = trusted ? "t" : "s"
): ReadonlyArray<Limited> => {
  const found: Array<Limited> = []
  for (const { by, money, sends } of limits) {
    if ((requests === 0 || sends.length === 0) && (price === 0 || money.length === 0)) continue
    const place = placeOf(by)
    if (place === null) continue
    const count = (rates: ReadonlyArray<CompiledRate>, unit: string, amount: number): void => {
      if (amount === 0) return
      for (const rate of rates) {
        const { ending, limit, slice, window } = rate
        found.push({ rate, counter: { key: place + ending + unit, window, slice, amount, limit } })
      }
    }
    count(sends, unit, requests)
    count(money, MONEY, price)
  }
  return found
}

const MONEY = "m"

/** Whether a key is that of a counter of money. */
export const isOfMoney = (key: string): boolean => key.endsWith(MONEY)
