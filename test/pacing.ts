/**
 * A link and its carrier on a simulated clock: texts arrive, leave through a rate limiter, and are taken or throttled.
 */

/** Decides when a link may send a message: `RateLimiter`, or an alternative. */
export interface Limiter {
  readonly availableAt: (now: number) => number
  readonly take: (now: number) => void
  readonly accepted: (now: number) => void
  readonly throttled: (now: number) => unknown
}

/** Whether a carrier takes a message that arrives at a time. */
export type Carrier = (now: number) => boolean

/** Takes `rate` messages in each second of the carrier's clock, whose seconds may begin at any offset. */
export const bySecond = (rate: number, offset = 0): Carrier => {
  let second = Number.NaN
  let taken = 0
  return (now) => {
    const current = Math.floor((now + offset) / 1000)
    if (current !== second) [second, taken] = [current, 0]
    return ++taken <= rate
  }
}

/** Takes `rate` messages within any second. */
export const bySlidingSecond = (rate: number): Carrier => {
  const taken: Array<number> = []
  return (now) => {
    while (taken[0] !== undefined && taken[0] <= now - 1000) taken.shift()
    if (taken.length >= rate) return false
    taken.push(now)
    return true
  }
}

/** Takes a message for each token in a bucket, to which tokens are added evenly. */
export const byBucket = (rate: number, capacity: number): Carrier => {
  let tokens = capacity
  let at = 0
  return (now) => {
    tokens = Math.min(capacity, tokens + ((now - at) * rate) / 1000)
    at = now
    if (tokens < 1) return false
    tokens--
    return true
  }
}

export interface Run {
  readonly limiter: Limiter
  readonly carrier: Carrier
  /** The times at which texts arrive, in milliseconds, in order. */
  readonly arrivals: ReadonlyArray<number>
  readonly window?: number
  /** Milliseconds until the answer arrives. */
  readonly latency?: number
}

export interface Text {
  readonly came: number
  /** When the carrier took the text; null if it did not within the ten seconds that a text waits. */
  readonly taken: number | null
}

export interface Ran {
  readonly texts: ReadonlyArray<Text>
  /** The times of all answers, and whether they throttled. */
  readonly answers: ReadonlyArray<{ readonly at: number; readonly throttled: boolean }>
}

const DEADLINE = 10_000

export const run = ({ arrivals, carrier, latency = 50, limiter, window = 100 }: Run): Ran => {
  const texts: Array<Text> = []
  const answers: Array<{ at: number; throttled: boolean }> = []
  const waiting: Array<number> = []
  const underWay: Array<{ readonly came: number; readonly at: number; readonly isTaken: boolean }> = []
  const coming = [...arrivals].toReversed()
  for (let now = 0; coming.length + waiting.length + underWay.length > 0; now++) {
    while ((coming.at(-1) ?? Number.POSITIVE_INFINITY) <= now) waiting.push(coming.pop() ?? now)
    while ((underWay[0]?.at ?? Number.POSITIVE_INFINITY) <= now) {
      const answer = underWay.shift()
      if (answer === undefined) break
      answers.push({ at: now, throttled: !answer.isTaken })
      if (answer.isTaken) limiter.accepted(now)
      else limiter.throttled(now)
      if (answer.isTaken) texts.push({ came: answer.came, taken: now })
      else waiting.unshift(answer.came)
    }
    for (let index = waiting.length; index-- > 0;) {
      const came = waiting[index] ?? 0
      if (came + DEADLINE <= now) texts.push({ came: waiting.splice(index, 1)[0] ?? came, taken: null })
    }
    while (waiting.length > 0 && underWay.length < window && limiter.availableAt(now) <= now) {
      limiter.take(now)
      underWay.push({ came: waiting.shift() ?? now, at: now + latency, isTaken: carrier(now + latency / 2) })
    }
  }
  return { texts, answers }
}

/** A text every five seconds, and a burst of `size` texts at the beginning of each minute but the first. */
export const bursts = (minutes: number, size: number): ReadonlyArray<number> => {
  const arrivals: Array<number> = []
  for (let at = 0; at < minutes * 60_000; at += 5000) {
    arrivals.push(at)
    if (at > 0 && at % 60_000 === 0) for (let index = 1; index < size; index++) arrivals.push(at)
  }
  return arrivals
}

/** The share of throttling answers from a time on. */
export const throttledShare = ({ answers }: Ran, from: number): number => {
  const counted = answers.filter(({ at }) => at >= from)
  return counted.filter(({ throttled }) => throttled).length / Math.max(1, counted.length)
}

export const lost = ({ texts }: Ran): number => texts.filter(({ taken }) => taken === null).length

/** Milliseconds until the carrier has taken this share of the texts. */
export const delay = ({ texts }: Ran, part: number): number => {
  const delays = texts.map(({ came, taken }) => (taken ?? came + DEADLINE) - came).toSorted((one, other) => one - other)
  return delays[Math.min(delays.length - 1, Math.floor(delays.length * part))] ?? 0
}
