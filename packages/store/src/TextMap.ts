/**
 * Values by texts that are seen a few times and never again, as ids of messages.
 *
 * V8's `Map` makes every text that it is asked for one of the process's unique ones first. That takes longer than all
 * the rest, and what it makes stays until the garbage collector looks at all there is.
 *
 * @example
 * ```ts
 * import { TextMap } from "@watchword/store/TextMap"
 *
 * const recipients = new TextMap<string>()
 * recipients.set("7F3A09", "+4915123456789")
 * console.log(recipients.get("7F3A09")) // +4915123456789
 * ```
 */
export class TextMap<Value> {
  // Open addressing: a text lies in the slot that its hash says, or in one of the next, before the first free one.
  #hashes = new Int32Array(SMALLEST)
  #texts = free<string>(SMALLEST)
  #values = free<Value>(SMALLEST)
  #size = 0

  get size(): number {
    return this.#size
  }

  get(text: string): Value | undefined {
    return this.#values[this.#slotOf(text, hashOf(text, SEED))]
  }

  set(text: string, value: Value): void {
    if (this.#size * 2 >= this.#texts.length) this.#grow()
    const hash = hashOf(text, SEED)
    const slot = this.#slotOf(text, hash)
    if (this.#texts[slot] === undefined) this.#size += 1
    this.#hashes[slot] = hash
    this.#texts[slot] = text
    this.#values[slot] = value
  }

  delete(text: string): void {
    const slot = this.#slotOf(text, hashOf(text, SEED))
    if (this.#texts[slot] === undefined) return
    this.#size -= 1
    this.#empty(slot)
  }

  /** Takes everything out, and keeps the room for as much again. */
  clear(): void {
    this.#texts.fill(undefined)
    this.#values.fill(undefined)
    this.#size = 0
  }

  /** The text's slot, or the free one where it would be. */
  #slotOf(text: string, hash: number): number {
    const last = this.#texts.length - 1
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const there = this.#texts[slot]
      if (there === undefined || (this.#hashes[slot] === hash && there === text)) return slot
    }
  }

  /** Frees a slot, and moves into it what could not have it before. */
  #empty(slot: number): void {
    const last = this.#texts.length - 1
    let hole = slot
    for (let next = (slot + 1) & last; this.#texts[next] !== undefined; next = (next + 1) & last) {
      const hash = this.#hashes[next] ?? 0
      const isBehind = ((next - hash) & last) >= ((next - hole) & last)
      if (!isBehind) continue
      this.#hashes[hole] = hash
      this.#texts[hole] = this.#texts[next]
      this.#values[hole] = this.#values[next]
      hole = next
    }
    this.#texts[hole] = undefined
    this.#values[hole] = undefined
  }

  #grow(): void {
    const hashes = this.#hashes
    const texts = this.#texts
    const values = this.#values
    this.#hashes = new Int32Array(hashes.length * 2)
    this.#texts = free(texts.length * 2)
    this.#values = free(values.length * 2)
    for (const [slot, text] of texts.entries()) {
      if (text === undefined) continue
      const hash = hashes[slot] ?? 0
      const roomier = this.#slotOf(text, hash)
      this.#hashes[roomier] = hash
      this.#texts[roomier] = text
      this.#values[roomier] = values[slot]
    }
  }
}

/** A power of two, as all lengths are. */
const SMALLEST = 16

const free = <A>(length: number): Array<A | undefined> => Array.from({ length })

// Another one in each process, so that nobody knows which texts would share a slot.
const SEED = Math.floor(Math.random() * 2 ** 32)

/** Spreads texts over the 32-bit integers, for each seed in another way: FNV-1a, and the end of MurmurHash3. */
export const hashOf = (text: string, seed: number): number => {
  let hash = 0x811c9dc5 ^ seed
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return hash ^ (hash >>> 13)
}
