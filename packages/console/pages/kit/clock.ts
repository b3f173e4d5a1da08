/**
 * The time, which pages read to count down, and how it is written.
 */
import { signal } from "@preact/signals"

/** Milliseconds since the epoch; moves once a second while the page is seen. */
export const now = signal(Date.now())

const tick = (): void => {
  if (!document.hidden) now.value = Date.now()
}

setInterval(tick, 1000)
document.addEventListener("visibilitychange", tick)

/** A time of day such as 9:41, in the viewer's zone. */
export const timeOf = (at: number | string): string =>
  new Date(at).toLocaleTimeString([], { hour: "numeric", minute: "2-digit" })

/** The same on a phone's lock screen, which has no room for a half of the day. */
export const faceOf = (at: number): string => timeOf(at).replace(/[\s\u202f]?[AP]M/i, "")

export const dateOf = (at: number): string =>
  new Date(at).toLocaleDateString([], { weekday: "long", day: "numeric", month: "long" })

/** Seconds until a time, which count down with `now`. */
export const secondsTo = (at: string): number => {
  const passed = Math.max(now.value, Date.now())
  return Math.max(0, Math.ceil((Date.parse(at) - passed) / 1000))
}

/** Seconds as a clock shows them: 9:05. */
export const countdown = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
