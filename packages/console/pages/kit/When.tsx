/**
 * Times in the viewer's zone, with the time in UTC behind them.
 */
import { computed } from "@preact/signals"
import { now } from "./clock.ts"

/** A time such as 14:32:07, with its day where that is not today. */
export const When = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={utcOf(at)}>
    {written(at)}
  </time>
)

/** How long ago a time was, or how long it is until it comes. */
export const Ago = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={utcOf(at)}>
    {distance(Date.parse(at), quarter.value)}
  </time>
)

/** Moves every 15 seconds, so that long lists are not drawn each second. */
const quarter = computed(() => Math.max(now.value - (now.value % 15_000), opened))

const opened = Date.now()

const utcOf = (at: string): string => `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`

const written = (at: string): string => {
  const date = new Date(at)
  const isToday = date.toDateString() === new Date().toDateString()
  const isThisYear = date.getFullYear() === new Date().getFullYear()
  const day = date.toLocaleDateString([], {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" as const })
  })
  const time = date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" })
  return isToday ? time : `${day}, ${time}`
}

const UNITS = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"]
] as const

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "short" })

/** In milliseconds: how far ahead the server's clock may be. */
const LEEWAY = 2_000

const distance = (at: number, now: number): string => {
  const milliseconds = at - now
  for (const [length, unit] of UNITS) {
    if (Math.abs(milliseconds) >= length) return relative.format(Math.round(milliseconds / length), unit)
  }
  // An event of this moment may be later than the last move of the clock above, and than the clock of this machine.
  return at > Date.now() + LEEWAY ? "in less than a minute" : "just now"
}
