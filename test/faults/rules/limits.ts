/**
 * Limits of guards: no device has more sends than its limit lets through.
 */
import type { Evidence, Violation } from "../Evidence.ts"
import { MOST_OF_DEVICE } from "../Site.ts"
import { numberOf, roundOf } from "../Load.ts"

/** Whether a number is that of the device of its round which passes its limit. */
export const isHammered = (number: string): boolean => number === numberOf(roundOf(number), 1)

export const limits = ({ arrivals, records }: Evidence): ReadonlyArray<Violation> => {
  const opened = records.filter(({ status, to }) => isHammered(to) && status.name !== "blocked")
  const arrived = arrivals.filter(({ number, part, taken }) => isHammered(number) && taken && part === 1)
  return [
    ...beyond(
      "opened",
      Map.groupBy(opened, ({ to }) => to)
    ),
    ...beyond(
      "arrived",
      Map.groupBy(arrived, ({ number }) => number)
    )
  ]
}

const beyond = (what: string, groups: ReadonlyMap<string, ReadonlyArray<unknown>>): ReadonlyArray<Violation> =>
  [...groups]
    .filter(([, { length }]) => length > MOST_OF_DEVICE)
    .map(([number, { length }]) => ({
      rule: "limit",
      number,
      what: `${length} sends ${what} under a limit of ${MOST_OF_DEVICE}`
    }))
