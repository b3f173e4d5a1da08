/**
 * The times at which an event is tried again: 5 s, 1 min, 5 min, 30 min, 2 h, 5 h and 10 h after the attempt before,
 * and never later than 24 h after the event.
 */
import * as Duration from "effect/Duration"

const DELAYS: ReadonlyArray<Duration.Input> = [
  "5 seconds",
  "1 minute",
  "5 minutes",
  "30 minutes",
  "2 hours",
  "5 hours",
  "10 hours"
]

const MOST_AGE = Duration.toMillis("24 hours")

/** How long an endpoint may fail before it is disabled, in milliseconds. */
export const DISABLED_AFTER = Duration.toMillis("5 days")

/** Attempts at one event. Times are milliseconds since the epoch. */
export interface Attempts {
  /** How many there were, all without success; 1 or more. */
  readonly count: number
  /** When the event happened. */
  readonly createdAt: number
  readonly now: number
}

/** The time of the next attempt; null if there is no further attempt. */
export const next = ({ count, createdAt, now }: Attempts): number | null => {
  const delay = DELAYS[count - 1]
  if (delay === undefined) return null
  const at = now + Duration.toMillis(delay)
  return at - createdAt > MOST_AGE ? null : at
}

/**
 * The same without a count: the first time of the schedule, begun when the event happened, that is still to come. For
 * attempts that processes make which cannot tell whether the event was tried.
 */
export const nextByAge = ({ createdAt, now }: Omit<Attempts, "count">): number | null => {
  let at = createdAt
  for (const delay of DELAYS) {
    at += Duration.toMillis(delay)
    if (at > now) return at
  }
  return null
}

/** Whether an endpoint that has answered nothing with success since a time is to be disabled. */
export const isDisabled = (failingSince: number, now: number): boolean => now - failingSince >= DISABLED_AFTER
