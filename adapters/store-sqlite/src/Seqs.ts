/**
 * Where rows are in a log, by the hashes of their keys. Tens of thousands of texts in a Map that comes and goes would
 * give the garbage collector more to do than looking at them; this is two arrays of numbers, which are used again.
 *
 * Two keys may have one hash: whoever looks for one says which of the rows has it.
 */
export class Seqs {
  #hashes = new Int32Array(SMALLEST)
  /** 0 where a slot is free. */
  #seqs = new Float64Array(SMALLEST)
  #size = 0

  find(hash: number, isIt: (seq: number) => boolean): number | undefined {
    const seq = this.#seqs[this.#slotOf(hash, isIt)] ?? 0
    return seq === 0 ? undefined : seq
  }

  /** Whether a row has been set, and no other has taken its place. */
  has(hash: number, seq: number): boolean {
    return this.find(hash, (other) => other === seq) !== undefined
  }

  /** Sets a row, in the place of the one that `isIt` says has the same key. */
  set(hash: number, seq: number, isIt: (seq: number) => boolean): void {
    if (this.#size * 2 >= this.#seqs.length) this.#grow()
    const slot = this.#slotOf(hash, isIt)
    if (this.#seqs[slot] === 0) this.#size += 1
    this.#hashes[slot] = hash
    this.#seqs[slot] = seq
  }

  clear(): void {
    this.#seqs.fill(0)
    this.#size = 0
  }

  /** The row's slot, or the free one where it would be. */
  #slotOf(hash: number, isIt: (seq: number) => boolean): number {
    const last = this.#seqs.length - 1
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const seq = this.#seqs[slot] ?? 0
      if (seq === 0 || (this.#hashes[slot] === hash && isIt(seq))) return slot
    }
  }

  #grow(): void {
    const hashes = this.#hashes
    const seqs = this.#seqs
    this.#hashes = new Int32Array(hashes.length * 2)
    this.#seqs = new Float64Array(seqs.length * 2)
    for (let slot = 0; slot < seqs.length; slot++) {
      const hash = hashes[slot] ?? 0
      const seq = seqs[slot] ?? 0
      if (seq === 0) continue
      const free = this.#slotOf(hash, never)
      this.#hashes[free] = hash
      this.#seqs[free] = seq
    }
  }
}

/** A power of two, as all lengths are. */
const SMALLEST = 1024

const never = (): boolean => false
