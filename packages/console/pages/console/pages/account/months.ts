/**
 * Months of UTC, such as 2027-01.
 */

/** @param at in milliseconds since the epoch */
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7)

/** Whether the word of an address is a month. */
export const isMonth = (word: string): boolean => /^20\d\d-(0[1-9]|1[0-2])$/.test(word)

/** A month and those before it, the newest first. */
export const monthsUntil = (month: string, many: number): ReadonlyArray<string> => {
  const [year = 0, number = 1] = month.split("-").map(Number)
  return Array.from({ length: many }, (_, before) => monthOf(Date.UTC(year, number - 1 - before)))
}

/** Such as January 2027. */
export const monthName = (month: string): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString("en", { month: "long", year: "numeric", timeZone: "UTC" })
