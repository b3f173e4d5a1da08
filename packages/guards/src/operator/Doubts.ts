/**
 * What rules say that their author is unlikely to mean, a sentence each.
 */
import type { Rules } from "../Rules.ts"
import { NO_COUNTRY, countedAs } from "../internal/Countries.ts"

export const doubts = ({ countries: { allow = [], deny = [] } = {} }: Rules): ReadonlyArray<string> => [
  ...allow.flatMap((country) => {
    const other = countedAs(country)
    return other === null || allow.includes(other)
      ? []
      : [
          `countries.allow has ${country}, whose mobile numbers count as numbers of ${other}: add ${other}, or they are refused.`
        ]
  }),
  ...deny.flatMap((country) => {
    const other = countedAs(country)
    return other === null || deny.includes(other)
      ? []
      : [`countries.deny has ${country}, whose mobile numbers count as numbers of ${other}: they are not refused.`]
  })
]

/** The numbers that a block of a country does not reach. */
export const doubtOfBlock = (place: string): ReadonlyArray<string> => {
  const other = countedAs(place)
  return other === null ? [] : [`Mobile numbers of ${place} count as numbers of ${other}, so this does not block them.`]
}

/**
 * Calling codes without a country whose numbers may be texted and called: satellite phones, networks, personal numbers.
 */
export const worldCodes = ["870", "878", "881", "882", "883"] as const

/** Whether rules refuse every send to the numbers of a calling code of no country. */
export const refuses = (
  { action, countries: { allow, deny = [] } = {}, for: scope, numbers: { deny_prefixes: prefixes = [] } = {} }: Rules,
  code: string
): boolean =>
  action === "deny" &&
  scope === undefined &&
  ((allow !== undefined && !allow.includes(NO_COUNTRY)) ||
    deny.includes(NO_COUNTRY) ||
    prefixes.some((prefix) => `+${code}`.startsWith(prefix)))
