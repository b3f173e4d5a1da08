/**
 * Pumping: sends that are never verified, because the numbers belong to the fraudster, who shares in their price.
 *
 * A country or a prefix is over when its sends of the window that were not verified are more than all of: the floor,
 * the share of its verified sends, and, of a country, the share of the best day of the last 14, for as long as the
 * window. Each prefix would have counters of its days for two weeks, and hardly any prefix has many users a day.
 */
import type { Counter, Tally } from "@watchword/store/Counters"
import { type PlaceOf, endingOf, orderOf } from "./CounterKeys.ts"
import { type Facts, valueOf } from "./Facts.ts"
import { DAY, toDuration } from "@watchword/schemas/Field"
import type { Key, Pumping, Threshold } from "../Rules.ts"

/** A country or a prefix to which a send goes, with its counters. */
export interface Watched {
  /** The name of its block: a country's code, or the prefix with its plus sign. */
  readonly place: string
  readonly threshold: Threshold
  readonly sent: Counter
  readonly verified: Counter
  /** Verified ones by day; null for a prefix. */
  readonly best: Counter | null
}

const REMEMBERED = 14 * DAY
const SLICES = 20

/** The ending of keys that count sends. */
const SENT = "x"

/** Whether a key belongs to a counter of sends, which is compared with the verified ones. */
export const isOfPumping = (key: string): boolean => key.endsWith(SENT)

/** The counters of a send; only `sent` counts the send itself, and the others are read where it is above the floor. */
export const watchedOf = (pumping: Pumping | undefined, facts: Facts, placeOf: PlaceOf): ReadonlyArray<Watched> => {
  const watched = (threshold: Threshold | undefined, by: Key): ReadonlyArray<Watched> => {
    const place = valueOf(facts, by)
    if (threshold === undefined || place === null) return []
    const window = toDuration(threshold.window)
    const counted = `${placeOf(orderOf([by]))}${endingOf("", window)}`
    const counter = (unit: string, window: number, slice: number) => ({
      key: counted + unit,
      window,
      slice,
      amount: 0,
      limit: null
    })
    const { floor: above } = threshold
    return [
      {
        place,
        threshold,
        sent: { ...counter(SENT, window, window / SLICES), amount: facts.requests },
        verified: { ...counter("v", window, window / SLICES), above },
        best: by === "country" ? { ...counter("b", REMEMBERED, DAY), above } : null
      }
    ]
  }
  return [...watched(pumping?.country, "country"), ...watched(pumping?.prefix, "to_prefix")]
}

/** The counters of a send that turned out to be verified. */
export const verifiedOf = (pumping: Pumping | undefined, facts: Facts, placeOf: PlaceOf): ReadonlyArray<Counter> =>
  watchedOf(pumping, facts, placeOf)
    .flatMap(({ best, verified }) => (best === null ? [verified] : [verified, best]))
    .map((counter) => ({ ...counter, amount: 1, above: Number.POSITIVE_INFINITY }))

/** Whether a send is one too many, by the counters before it. */
export const isOver = (
  { best, sent, threshold: { floor, share, window }, verified }: Watched,
  before: (counter: Counter) => Tally
): boolean => {
  const entered = before(verified).used
  const unverified = before(sent).used + sent.amount - entered
  const usual = best === null ? 0 : before(best).peak * (toDuration(window) / DAY)
  return sent.amount > 0 && unverified > Math.max(floor, share * entered, share * usual)
}
