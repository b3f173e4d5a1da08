/**
 * Rows of the traffic roll-up: amounts by hour, account, mode, channel, carrier and country.
 *
 * An amount is a sum over records, and so is its change: rows of several processes add up. Amounts are in one list,
 * whose places {@link COUNTS} and {@link DELAYS} name.
 */
import type { Mode, Product } from "@watchword/schemas/Channel"
import type { AccountId } from "@watchword/schemas/Ids"
import { compare } from "./Listing.ts"

export const HOUR = 3_600_000

/** How long rows are kept, in hours. */
const KEPT = 400 * 24

/** The first amounts of a row. `cost` and `price` are micro-euros. */
export const COUNTS = ["sent", "delivered", "failed", "approved", "expired", "blocked", "cost", "price"] as const
export type Count = (typeof COUNTS)[number]

/**
 * The upper bounds of the receipt delays that the other amounts count, in seconds; the last amount has the delays above
 * all of them.
 */
export const DELAYS = [1, 2.5, 5, 10, 20, 30, 60, 120, 300, 1800] as const

/** How many amounts a row has. */
export const AMOUNTS: number = COUNTS.length + DELAYS.length + 1

export const DIMENSIONS = ["hour", "account", "mode", "channel", "carrier", "country"] as const
export type Dimension = (typeof DIMENSIONS)[number]

export interface TrafficKey {
  /** Whole hours since the epoch: when the record was opened. */
  readonly hour: number
  readonly account: AccountId
  readonly mode: Mode
  readonly channel: Product
  /** Empty for a record that no carrier was asked for. */
  readonly carrier: string
  /** ISO 3166-1 alpha-2; empty for a number without a country, and for an erased one. */
  readonly country: string
}

export interface TrafficRow {
  readonly key: TrafficKey
  /** Whole numbers, {@link AMOUNTS} of them, negative where something is taken back. */
  readonly amounts: ReadonlyArray<number>
}

export interface TrafficQuery {
  /** Hours since the epoch, from the first to the second, which is left out. */
  readonly since: number
  readonly until: number
  /** Null for all. */
  readonly account: AccountId | null
  /** The dimensions that rows keep apart; rows are summed over the others. */
  readonly by: ReadonlyArray<Dimension>
}

export interface TrafficSum {
  /** The dimensions of the query, and no others. */
  readonly key: Partial<TrafficKey>
  readonly amounts: ReadonlyArray<number>
}

/** The place of a delay among the amounts. */
export const placeOfDelay = (milliseconds: number): number => {
  const place = DELAYS.findIndex((bound) => milliseconds <= bound * 1000)
  return COUNTS.length + (place === -1 ? DELAYS.length : place)
}

/** The hour that a time in milliseconds lies in. */
export const hourOf = (at: number): number => Math.floor(at / HOUR)

/** The first hour whose rows are kept at a time. */
export const keptSince = (at: number): number => hourOf(at) - KEPT

/** A key, or some of its dimensions, as one text. */
export const nameOf = (key: TrafficKey, by: ReadonlyArray<Dimension> = DIMENSIONS): string =>
  JSON.stringify(by.map((dimension) => key[dimension]))

/** The sum of two rows. */
export const addedTraffic = (before: TrafficRow | undefined, { amounts, key }: TrafficRow): TrafficRow => ({
  key,
  amounts: sum(before?.amounts, amounts)
})

/** The answer to a query from rows, for stores that do not sum by themselves. */
export const sumsOfTraffic = (
  rows: Iterable<TrafficRow>,
  { account, by, since, until }: TrafficQuery
): ReadonlyArray<TrafficSum> => {
  const sums = new Map<string, TrafficSum>()
  const apart = DIMENSIONS.filter((dimension) => by.includes(dimension))
  for (const { amounts, key } of rows) {
    if (key.hour < since || key.hour >= until || (account !== null && key.account !== account)) continue
    const name = nameOf(key, apart)
    const picked: TrafficSum["key"] = Object.fromEntries(apart.map((dimension) => [dimension, key[dimension]]))
    sums.set(name, { key: picked, amounts: sum(sums.get(name)?.amounts, amounts) })
  }
  return [...sums.values()].sort(({ key: a }, { key: b }) => {
    const place = apart.find((dimension) => a[dimension] !== b[dimension])
    return place === undefined ? 0 : compare(a[place] ?? null, b[place] ?? null)
  })
}

const sum = (one: ReadonlyArray<number> = [], other: ReadonlyArray<number>): ReadonlyArray<number> =>
  other.map((amount, place) => amount + (one[place] ?? 0))
