/**
 * The time, which pages read to count down.
 */
import { signal } from "@preact/signals"

/** Milliseconds since the epoch; moves once a second while the page is seen. */
export const now = signal(Date.now())

setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, 1000)

/** A time of day, such as 9:41. */
export const timeOf = (at: number | string): string =>
  new Date(at).toLocaleTimeString([], { hour: "numeric", minute: "2-digit" })
