/**
 * Numbers that are kept by the hundred thousand, to be told whether one was among them. Nothing here is an object of
 * its own that the garbage collector would look at.
 */
export class Prints {
  size = 0
  // Open addressing: a number is in the slot that its lower bits say, or in one of the next, before the first 0.
  #slots = new Float64Array(SMALLEST)

  /** @param print a whole number from 1 to 2^53 - 1, its lower bits much like random ones */
  add(print: number): void {
    if (this.size * 2 >= this.#slots.length) this.#grow()
    const slot = this.#slotOf(print)
    if (this.#slots[slot] === 0) this.size += 1
    this.#slots[slot] = print
  }

  has(print: number): boolean {
    return this.#slots[this.#slotOf(print)] === print
  }

  #slotOf(print: number): number {
    const last = this.#slots.length - 1
    for (let slot = print & last; ; slot = (slot + 1) & last) {
      const there = this.#slots[slot]
      if (there === 0 || there === print) return slot
    }
  }

  #grow(): void {
    const prints = this.#slots
    this.#slots = new Float64Array(prints.length * 2)
    for (const print of prints) if (print !== 0) this.#slots[this.#slotOf(print)] = print
  }
}

/** A power of two, as all lengths are. */
const SMALLEST = 64
