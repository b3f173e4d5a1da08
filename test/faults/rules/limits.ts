/**
 * Limits of guards: no device has more sends than its limit allows.
 */
import type { Evidence, Violation } from "../Evidence.ts"
import { MOST_OF_DEVICE } from "../Site.ts"
import { numberOf, roundOf } from "../Load.ts"

/** Whether a number belongs to the device in its round that exceeds its limit. */
export const isHammered = (number: string): boolean => number === numberOf(roundOf(number), 1)

/** Logged when a guard could not query the database and let a send through, as docs/attacks.md says. */
const BLIND = "a guard could not read its rules or counters"

export const limits = ({ arrivals, printed, records }: Evidence): ReadonlyArray<Violation> => {
  // A message that was not sent does not count.
  const sent = records.filter(({ phase, to }) => isHammered(to) && phase !== "rejected")
  const arrived = arrivals.filter(({ number, part, taken }) => isHammered(number) && taken && part === 1)
  const most = MOST_OF_DEVICE + printed.reduce((sum, { text }) => sum + text.split(BLIND).length - 1, 0)
  return [
    ...beyond(
      most,
      "were taken",
      Map.groupBy(sent, ({ to }) => to)
    ),
    ...beyond(
      most,
      "arrived",
      Map.groupBy(arrived, ({ number }) => number)
    )
  ]
}

const beyond = (
  most: number,
  what: string,
  groups: ReadonlyMap<string, ReadonlyArray<unknown>>
): ReadonlyArray<Violation> =>
  [...groups]
    .filter(([, { length }]) => length > most)
    .map(([number, { length }]) => ({
      rule: "limit",
      number,
      what: `${length} sends ${what} under a limit of ${MOST_OF_DEVICE}, and guards let ${most - MOST_OF_DEVICE} through blindly`
    }))
