/**
 * Whole texts out of their parts, and the receipts that are owed for them.
 */
import { type Content, type Fate, wantsReceipt } from "./Submit.ts"

/** Parts of texts that are not whole yet, and texts whose receipts are to come; the oldest go first. */
const MOST_KEPT = 10_000

/** A part that its centre has given an id. */
export interface Part extends Content {
  readonly id: string
  readonly systemId: string
}

export class Texts<in out P extends Part> {
  /** Parts by their text, until it is whole. */
  private readonly partial = new Map<string, ReadonlyArray<P>>()
  private readonly taken = new Map<string, ReadonlyArray<P>>()

  /** All parts of the text that a part completes, in their order; null while some are missing. */
  wholeWith(part: P): ReadonlyArray<P> | null {
    if (part.part === null) return [part]
    const [reference, total] = part.part
    const key = `${part.systemId} ${part.from} ${part.to} ${reference} ${total}`
    const parts = [...(this.partial.get(key) ?? []).filter((other) => numberOf(other) !== numberOf(part)), part]
    this.partial.delete(key)
    if (parts.length >= total) return parts.toSorted((one, other) => numberOf(one) - numberOf(other))
    keep(this.partial, key, parts)
    return null
  }

  /** Remembers the parts of a text under an id, for its receipts. */
  remember(id: string, parts: ReadonlyArray<P>): void {
    keep(this.taken, id, parts)
  }

  /** The parts that a receipt is owed for, once. */
  owed(id: string, fate: Fate): ReadonlyArray<P> {
    const parts = this.taken.get(id) ?? []
    this.taken.delete(id)
    return parts.filter((part) => wantsReceipt(part, fate))
  }
}

const numberOf = ({ part }: Part): number => part?.[2] ?? 0

const keep = <V>(kept: Map<string, V>, key: string, value: V): void => {
  const [oldest] = kept.keys()
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  kept.set(key, value)
}
