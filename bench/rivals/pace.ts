/**
 * Counterparts of the rate limiter of links: the rule of releases up to 2026-11, and a fixed rate.
 */
import type { Limiter } from "../../test/pacing.ts"

const PAUSE = 1000

/** Halves what left in the last second, pauses for a second, and grows by a tenth a second, used or not. */
export const halving = (): Limiter => {
  const left: Array<number> = []
  let rate = Number.POSITIVE_INFINITY
  let due = Number.NEGATIVE_INFINITY
  let pausedUntil = Number.NEGATIVE_INFINITY
  let growsAt = Number.POSITIVE_INFINITY
  return {
    availableAt: (now) => {
      for (; now >= growsAt; growsAt += 1000) rate = rate * 1.1 >= 10_000 ? Number.POSITIVE_INFINITY : rate * 1.1
      return Math.max(pausedUntil, due - 20)
    },
    take: (now) => {
      left.push(now)
      while ((left[0] ?? now) <= now - 1000) left.shift()
      due = Math.max(due, now) + 1000 / rate
    },
    accepted: () => {},
    throttled: (now) => {
      if (now < pausedUntil) return
      rate = Math.max(1, (Number.isFinite(rate) ? rate : left.length) / 2)
      pausedUntil = now + PAUSE
      growsAt = pausedUntil + 1000
    }
  }
}

/** So many a second, evenly, with a pause of a second after a throttled answer. */
export const fixed = (rate: number): Limiter => {
  let due = Number.NEGATIVE_INFINITY
  let pausedUntil = Number.NEGATIVE_INFINITY
  return {
    availableAt: () => Math.max(pausedUntil, due - 20),
    take: (now) => void (due = Math.max(due, now) + 1000 / rate),
    accepted: () => {},
    throttled: (now) => void (pausedUntil = now + PAUSE)
  }
}
