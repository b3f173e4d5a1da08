/**
 * Amounts of EUR as people read them: with cents, and with as many more decimals as an amount needs.
 */

/** The decimals of a micro-euro. */
const MOST = 6
const LEAST = 2

const formats = new Map<number, Intl.NumberFormat>()

/** @param decimals how many there are at least */
const formatOf = (decimals: number): Intl.NumberFormat => {
  const format =
    formats.get(decimals) ??
    new Intl.NumberFormat("en", {
      minimumFractionDigits: decimals,
      maximumFractionDigits: MOST,
      useGrouping: false,
      signDisplay: "negative"
    })
  formats.set(decimals, format)
  return format
}

const written = (euros: number, decimals = LEAST): string => formatOf(decimals).format(euros)

/** Amounts below each other, which have their points in one column where they are aligned at the right. */
const inColumn = (all: ReadonlyArray<number>): ReadonlyArray<string> => {
  const decimals = Math.max(LEAST, ...all.map((euros) => written(euros).split(".")[1]?.length ?? 0))
  return all.map((euros) => written(euros, decimals))
}

export const amounts = { inColumn, inWords: (euros: number): string => `${written(euros)} EUR` }
