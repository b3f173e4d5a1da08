/**
 * Times as rules and operators write them: `30s`, `10m`, `12h`, `1d`.
 */
const SECOND = 1000
export const DAY = 86_400 * SECOND

/** The longest time that may be written, in milliseconds: 30 days. */
export const LONGEST = 30 * DAY

const units: Readonly<Record<string, number>> = { s: SECOND, m: 60 * SECOND, h: 3600 * SECOND, d: DAY }

const DURATION = /^([1-9][0-9]{0,6})([smhd])$/

/** Milliseconds of a time; NaN for a text that is none. */
export const toDuration = (text: string): number => {
  const [, count, unit = ""] = DURATION.exec(text) ?? []
  return Number(count) * (units[unit] ?? Number.NaN)
}

/** Whether a text is a time of at most 30 days. */
export const isDuration = (text: string): boolean => toDuration(text) <= LONGEST
