/**
 * Times in requests.
 */
import * as Option from "effect/Option"

const TIME =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/

/**
 * Milliseconds since the epoch of a date, which means its beginning in UTC, or of a date and time with its zone. A time
 * without a zone would mean something else on every machine, so it is not valid; neither is a day that its month does
 * not have. Digits behind the milliseconds are dropped.
 *
 * Source: RFC 3339 §5.6, without leap seconds.
 */
export const parseTime = (text: string): Option.Option<number> => {
  const match = TIME.exec(text)
  if (match === null) return Option.none()
  const [, date = "", clock = "00:00:00", fraction = "", zone = "Z"] = match
  return isDay(date)
    ? Option.some(Date.parse(`${date}T${clock}.${fraction.slice(0, 3).padEnd(3, "0")}${zone}`))
    : Option.none()
}

// Engines either refuse 30 February or take it for 2 March.
const isDay = (date: string): boolean => {
  const start = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(date)
}
