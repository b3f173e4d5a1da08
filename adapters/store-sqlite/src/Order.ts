/**
 * Rows in the order in which a table wants them. Tens of thousands wait here for a while, so they are numbers in arrays:
 * objects would be copied by the garbage collector again and again.
 */

/** A row of a log, and the hash of its key. */
export interface Place {
  readonly seq: number
  readonly hash: number
}

/** More than there ever are: a row's number here and its order, 26 bits, share a float of 53. */
const MOST = 2 ** 27

export class Order {
  #orders = new Float64Array(1024)
  #seqs = new Float64Array(1024)
  #hashes = new Int32Array(1024)
  #size = 0
  #taken = 0

  /** How many have not been taken. */
  get size(): number {
    return this.#size - this.#taken
  }

  /** @param order 0 to 2^26 - 1. Rows with the same one stay in the order in which they came. */
  add(order: number, { hash, seq }: Place): void {
    const at = this.#size
    if (at === this.#seqs.length) this.#grow()
    this.#orders[at] = order * MOST + at
    this.#seqs[at] = seq
    this.#hashes[at] = hash
    this.#size += 1
  }

  /** To be called once, when all have come. */
  sort(): void {
    this.#orders.subarray(0, this.#size).sort()
  }

  /** The next ones, fewer only at the end. */
  take(many: number): ReadonlyArray<Place> {
    const from = this.#taken
    this.#taken = Math.min(this.#size, from + many)
    return Array.from(this.#orders.subarray(from, this.#taken), (order) => {
      const at = order % MOST
      return { seq: this.#seqs[at] ?? 0, hash: this.#hashes[at] ?? 0 }
    })
  }

  clear(): void {
    this.#size = 0
    this.#taken = 0
  }

  #grow(): void {
    const { length } = this.#seqs
    const orders = new Float64Array(length * 2)
    const seqs = new Float64Array(length * 2)
    const hashes = new Int32Array(length * 2)
    orders.set(this.#orders)
    seqs.set(this.#seqs)
    hashes.set(this.#hashes)
    this.#orders = orders
    this.#seqs = seqs
    this.#hashes = hashes
  }
}
