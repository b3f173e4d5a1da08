/**
 * The sums of a statement, added up entry by entry, in whole micro-euros.
 */
import type { Entry, Place } from "@watchword/store/Account"
import type { Span } from "../Month.ts"

/** The channel and the country of a send. Both are empty if its record was deleted. */
export interface Kind {
  /** The product that was sold, such as `sms`. */
  readonly channel: string
  /** ISO 3166-1 alpha-2; empty if the number belongs to no country, and for an erased one. */
  readonly country: string
}

interface Line extends Kind {
  readonly count: number
  readonly micros: number
}

export interface Sums {
  /** The balance before the month, and after it. */
  readonly opening: number
  readonly closing: number
  /** Credits and debits in the order of the ledger, as many as are listed. */
  readonly adjustments: ReadonlyArray<Entry>
  /** How many there are, and their sum, which is negative for debits. */
  readonly credits: { readonly count: number; readonly micros: number }
  readonly debits: { readonly count: number; readonly micros: number }
  /** By channel and country; sends and refunds of earlier ones. */
  readonly sends: ReadonlyArray<Line>
  readonly refunds: ReadonlyArray<Line>
}

/** The most credits and debits that a statement lists. */
export const LISTED = 1_000

/** The change of a balance by an entry, from the places that it names: money that is held belongs to the balance. */
const changeOf = ({ amount, from, to }: Pick<Entry, "amount" | "from" | "to">): number =>
  (isInside(to) ? amount : 0) - (isInside(from) ? amount : 0)

const isInside = (place: Place): boolean => place === "available" || place === "held"

/** Entries of one account, in any order. */
export class Summing {
  readonly #span: Span
  readonly #adjustments: Array<Entry> = []
  readonly #lines = {
    settle: new Map<string, Line>(),
    refund: new Map<string, Line>(),
    credit: { count: 0, micros: 0 },
    debit: { count: 0, micros: 0 }
  }
  #opening = 0
  #change = 0

  constructor(span: Span) {
    this.#span = span
  }

  /** Whether a statement names the channel and the country of an entry's send. */
  isNamed({ at, kind }: Entry): boolean {
    return this.#isOfMonth(at) && (kind === "settle" || kind === "refund")
  }

  add(entry: Entry, sent: Kind): void {
    const { at, kind } = entry
    const change = changeOf(entry)
    if (at < this.#span.since) this.#opening += change
    if (!this.#isOfMonth(at)) return
    this.#change += change
    if (kind === "settle" || kind === "refund") {
      const name = JSON.stringify([sent.channel, sent.country])
      const { count, micros } = this.#lines[kind].get(name) ?? { count: 0, micros: 0 }
      this.#lines[kind].set(name, { ...sent, count: count + 1, micros: micros + change })
    }
    if (kind === "credit" || kind === "debit") {
      const { count, micros } = this.#lines[kind]
      this.#lines[kind] = { count: count + 1, micros: micros + change }
      if (this.#adjustments.length < LISTED) this.#adjustments.push(entry)
    }
  }

  get sums(): Sums {
    const { credit, debit, refund, settle } = this.#lines
    return {
      opening: this.#opening,
      closing: this.#opening + this.#change,
      adjustments: this.#adjustments,
      credits: credit,
      debits: debit,
      sends: inOrder(settle),
      refunds: inOrder(refund)
    }
  }

  #isOfMonth(at: number): boolean {
    return at >= this.#span.since && at < this.#span.until
  }
}

const inOrder = (lines: ReadonlyMap<string, Line>): ReadonlyArray<Line> =>
  [...lines].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line)
