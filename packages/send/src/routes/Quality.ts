/**
 * Quality of carriers: which one of a route is the best in a country, by the codes that were entered.
 *
 * The score of a carrier is the lower bound of Wilson's interval of approved codes among its messages of the last hour.
 * The last ten minutes bound it from both sides, or more minutes where these have too few samples, so that a failing
 * carrier is left, and a recovered one is noticed. Where no code of the country was approved by any of them, receipts
 * take the place of approvals. The last two minutes do not count, because their users are still typing. Where this
 * process has sent too few, figures from all servers are used.
 *
 * Given the same figures, times and draws, it decides the same.
 */
import type { Counts, Figures } from "./Figures.ts"
import type { SharedFigures } from "./SharedFigures.ts"
import { interval } from "./Wilson.ts"

/** Samples without which no figure is believed. */
const FLOOR = 30

/** Ages in minutes: of messages that are too new to count, of the newest that count, and of the oldest. */
const NEW = 2
const RECENT = [12, 20, 30, 40, 50]
const HOUR = 60

/** Milliseconds for which a carrier that has become the best stays it. */
export const HYSTERESIS = 600_000

/** The share of messages that leave over other carriers first, so that a recovered carrier is noticed. */
export const TRIED = 0.05

/** How many bests are remembered, and how many standings. */
const CAPACITY = 10_000

export interface Ranking {
  /** The best first, or a carrier on trial. */
  readonly carriers: ReadonlyArray<string>
  /** The figures in words, such as `in DE: acme 78 % of 812, tw too few (12)`. */
  readonly said: string
}

interface Best {
  readonly carrier: string
  readonly since: number
}

/** A carrier's score, null if there are too few samples, and its figures in words. */
interface Score {
  readonly carrier: string
  readonly score: number | null
  readonly said: string
}

/** How the carriers of a country stood a moment ago. */
interface Standing {
  readonly at: number
  /** Best first; carriers with equal scores are in the order of the route. */
  readonly scores: ReadonlyArray<Score>
  readonly said: string
}

/** Milliseconds for which a standing is used. */
const STANDS = 5_000

export class Quality {
  readonly #figures: Figures
  readonly #draw: () => number
  readonly #shared: SharedFigures
  readonly #bests = new Map<string, Best>()
  readonly #standings = new Map<string, Standing>()

  /** @param draw a number from 0 to 1, evenly distributed */
  constructor(figures: Figures, draw: () => number, shared: SharedFigures) {
    this.#figures = figures
    this.#draw = draw
    this.#shared = shared
  }

  /**
   * @param via the carriers of the route, in its order
   * @param open the carriers that may be asked
   */
  rank(via: ReadonlyArray<string>, open: ReadonlyArray<string>, country: string, now: number): Ranking {
    const { said, scores } = this.#standing(open, country, now)
    const best = this.#best(`${country} ${via.join(" ")}`, scores, now)
    const others = scores.flatMap(({ carrier }) => (carrier === best ? [] : [carrier]))
    const isTry = others.length > 0 && this.#draw() < TRIED
    const tried = isTry ? others[Math.floor(this.#draw() * others.length)] : undefined
    return {
      carriers: [...new Set([tried, best, ...others].flatMap((carrier) => carrier ?? []))],
      said: tried === undefined ? said : `${said}; ${tried} is tried`
    }
  }

  /**
   * The best carrier, until another has been better for long enough. A carrier that is briefly out remains the best.
   */
  #best(key: string, scores: ReadonlyArray<Score>, now: number): string | undefined {
    const [first] = scores
    if (first === undefined) return undefined
    const before = this.#bests.get(key)
    if (before !== undefined) {
      const held = scores.find(({ carrier }) => carrier === before.carrier)
      if (held === undefined) return first.carrier
      if (valueOf(first) <= valueOf(held) || now - before.since < HYSTERESIS) return held.carrier
    }
    remember(this.#bests, key, { carrier: first.carrier, since: now })
    return first.carrier
  }

  #standing(open: ReadonlyArray<string>, country: string, now: number): Standing {
    const key = `${country} ${open.join(" ")}`
    const before = this.#standings.get(key)
    if (before !== undefined && now >= before.at && now - before.at < STANDS) return before
    const scores = this.#scores(open, country, now)
    const standing: Standing = {
      at: now,
      scores: scores.toSorted((one, other) => valueOf(other) - valueOf(one)),
      said: `in ${country}: ${scores.map(({ said }) => said).join(", ")}`
    }
    remember(this.#standings, key, standing)
    return standing
  }

  #scores(open: ReadonlyArray<string>, country: string, now: number): ReadonlyArray<Score> {
    const back = (minutes: number) => (carrier: string) => this.#figures.of(carrier, country, now, NEW, minutes)
    const hours = open.map((carrier) => {
      const own = back(HOUR)(carrier)
      const shared = own.sent < FLOOR ? this.#shared(carrier, country) : undefined
      return shared !== undefined && shared.sent > own.sent
        ? { carrier, counts: shared, by: " over all servers" }
        : { carrier, counts: own, by: "" }
    })
    const samplesOf = hours.some(({ counts }) => counts.approved > 0) ? ofCodes : ofReceipts
    return hours.map(({ by, carrier, counts }) => {
      const { good, of, word } = samplesOf(counts)
      if (of < FLOOR) return { carrier, score: null, said: `${carrier} too few (${of})` }
      const newest = RECENT.map((minutes) => samplesOf(back(minutes)(carrier))).find((samples) => samples.of >= FLOOR)
      const said = `${carrier} ${Math.round((100 * good) / of)} % of ${of}${word}${by}`
      return { carrier, score: bounded(interval(good, of).lower, newest), said }
    })
  }
}

/** Beyond the capacity all are forgotten: the routes of accounts come from outside. */
const remember = <A>(all: Map<string, A>, key: string, value: A): void => {
  if (all.size >= CAPACITY) all.clear()
  all.set(key, value)
}

const valueOf = ({ score }: Score): number => score ?? -1

interface Samples {
  readonly good: number
  readonly of: number
  readonly word: string
}

const ofCodes = ({ approved, sent }: Counts): Samples => ({ good: approved, of: sent, word: "" })

const ofReceipts = ({ delivered, lost }: Counts): Samples => ({
  good: delivered,
  of: delivered + lost,
  word: " receipts"
})

const bounded = (score: number, newest: Samples | undefined): number => {
  if (newest === undefined) return score
  const { good, of } = newest
  const { lower, upper } = interval(good, of)
  return Math.min(Math.max(score, lower), upper)
}
