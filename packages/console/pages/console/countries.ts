/**
 * Names of countries, as the browser has them.
 */
const names = new Intl.DisplayNames("en", { type: "region", fallback: "code" })

/** @param code ISO 3166-1 alpha-2; any other text means numbers of no country */
export const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : "No country")
