/**
 * A map that forgets, so that it never holds more than a given number of entries.
 *
 * It keeps two generations. When the young one is full the old one is dropped and the young one takes
 * its place; what is read from the old one becomes young again. So what was used among the last
 * `capacity / 2` additions is kept, and nothing is done entry by entry.
 */
export class BoundedCache<Key, Value extends NonNullable<unknown>> {
  readonly #generation: number
  #young = new Map<Key, Value>()
  #old = new Map<Key, Value>()

  /** @param capacity the most entries it ever holds, at least 2 */
  constructor(capacity: number) {
    this.#generation = Math.max(1, Math.floor(capacity / 2))
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: Key, value: Value): void {
    this.#old.delete(key)
    if (this.#young.size >= this.#generation && !this.#young.has(key)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  /** Forgets every entry whose value meets the condition. */
  deleteWhere(condition: (value: Value) => boolean): void {
    for (const generation of [this.#young, this.#old]) {
      for (const [key, value] of generation) if (condition(value)) generation.delete(key)
    }
  }
}
