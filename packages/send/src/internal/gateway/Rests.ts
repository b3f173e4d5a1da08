/**
 * Rests that a gateway asks for: of the recipient whose request brought one about first, and of everything once several
 * recipients in a row have.
 *
 * A gateway does not say whether it is one recipient or the whole account that is asked for too often, and a customer
 * can bring a rest about by texting one number again and again.
 */

/** Recipients in a row, without an answer to any other in between, after which everything rests. */
const SEVERAL = 3
/** Milliseconds that everything rests at most. The next request then shows whether the gateway still wants it. */
const LONGEST_OF_ALL = 10_000
const LONGEST_OF_ONE = 60 * 60 * 1000
/** How many recipients may rest at a time. Beyond it the oldest one is forgotten. */
const CAPACITY = 10_000

export class Rests {
  readonly #untilByRecipient = new Map<string, number>()
  readonly #inARow = new Set<string>()
  #untilOfAll = 0

  isResting(now: number, about: string | undefined): boolean {
    return now < this.#untilOfAll || (about !== undefined && now < (this.#untilByRecipient.get(about) ?? 0))
  }

  /** A request was answered as usual. */
  answered(): void {
    this.#inARow.clear()
  }

  /** A request was answered by asking for a rest. A request without a recipient rests everything. */
  asked(now: number, milliseconds: number, about: string | undefined): void {
    if (about !== undefined) {
      this.#untilByRecipient.delete(about)
      this.#untilByRecipient.set(about, now + Math.min(milliseconds, LONGEST_OF_ONE))
      for (const oldest of this.#untilByRecipient.keys()) {
        if (this.#untilByRecipient.size <= CAPACITY) break
        this.#untilByRecipient.delete(oldest)
      }
      if (this.#inARow.size < SEVERAL) this.#inARow.add(about)
      if (this.#inARow.size < SEVERAL) return
    }
    this.#untilOfAll = Math.max(this.#untilOfAll, now + Math.min(milliseconds, LONGEST_OF_ALL))
  }
}
