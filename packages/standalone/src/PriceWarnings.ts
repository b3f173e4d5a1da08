/**
 * Warnings about prices whose prefix sells more than its author is likely to mean.
 */
import { countedAs } from "@watchword/guards/operator"
import { refuses, worldCodes } from "@watchword/guards/operator"
import type * as Rules from "@watchword/guards/Rules"
import type * as PriceTable from "@watchword/ledger/PriceTable"
import { OTHERS } from "@watchword/schemas/Prefixes"
import { metadata } from "@watchword/schemas/phone"

/**
 * @param products that live gateways sell
 * @param rules of the installation; null if it has no rules
 */
export const priceWarnings = (
  { byProduct }: PriceTable.PriceTable,
  products: ReadonlyArray<string>,
  rules: Rules.Rules | null
): ReadonlyArray<string> => {
  const sold = [...byProduct].filter(([product]) => products.includes(product))
  const having = (prefix: string): ReadonlyArray<string> =>
    sold.filter(([, { byPrefix }]) => byPrefix.has(prefix)).map(([product]) => product)
  return [...shared(having, rules), ...world(sold, rules)]
}

/**
 * Calling codes of several countries. A country whose mobile numbers count as another country's is not counted.
 */
const shared = (
  having: (prefix: string) => ReadonlyArray<string>,
  rules: Rules.Rules | null
): ReadonlyArray<string> => {
  if (rules?.action === "deny" && rules.for === undefined && rules.countries?.allow !== undefined) return []
  return Object.entries(metadata.country_calling_codes).flatMap(([code, all]) => {
    const countries = all.filter((country) => countedAs(country) === null)
    const products = having(code)
    return countries.length < 2 || products.length === 0
      ? []
      : [
          `PRICES, ${code} (${products.join(", ")}): the price of all countries of +${code}, and of their premium numbers: ` +
            `${countries.join(", ")}. Longer prefixes have prices of their own; countries.allow in GUARDS says which you serve.`
        ]
  })
}

/** Numbers of no country that `*` is the price of. */
const world = (
  sold: ReadonlyArray<readonly [string, { readonly byPrefix: ReadonlyMap<string, unknown> }]>,
  rules: Rules.Rules | null
): ReadonlyArray<string> => {
  const codes = worldCodes.filter((code) => rules === null || !refuses(rules, code))
  const products = sold
    .filter(([, { byPrefix }]) => byPrefix.has(OTHERS) && codes.some((code) => !byPrefix.has(code)))
    .map(([product]) => product)
  return products.length === 0 || codes.length === 0
    ? []
    : [
        `PRICES, * (${products.join(", ")}): also the price of numbers of no country, which cost far more: satellite phones and ` +
          `international networks (${codes.map((code) => `+${code}`).join(", ")}). Give these prefixes prices of their own, or ` +
          'GUARDS "countries": {"deny": ["001"]}.'
      ]
}
