/**
 * Things that come and go by the thousand, each with a number.
 *
 * A `Map` that changes all the time is made anew again and again, and leaves tables behind, each of which leads to the
 * next: once one of them has grown old, everything that was ever in its successors survives until the garbage collector
 * looks at all there is. This is a few arrays, whose places are used again.
 *
 * @example
 * ```ts
 * import { Register } from "@watchword/store/Register"
 *
 * const waiting = new Register<{ readonly n: number; readonly until: number }>()
 * waiting.add(1, { n: 1, until: 5_000 })
 * for (let first = waiting.oldest; first && first.until < performance.now(); first = waiting.oldest) {
 *   waiting.delete(first.n)
 * }
 * ```
 */
export class Register<Thing> {
  // By place: a thing, its key, and the places of those that came before and after it.
  #things: Array<Thing | undefined> = Array.from({ length: SMALLEST })
  #keys = new Float64Array(SMALLEST)
  #before = new Int32Array(SMALLEST)
  #after = new Int32Array(SMALLEST)
  #first = NONE
  #last = NONE
  /** The first place that nothing has; what follows it is in `#after`. */
  #free = NONE
  /** How many places have ever been taken. */
  #used = 0
  #size = 0
  /** Open addressing: a key's place is in the slot where it is at home, or in one of the next. */
  #places = new Int32Array(SMALLEST * 2).fill(NONE)

  get size(): number {
    return this.#size
  }

  /** What has been here for longest. */
  get oldest(): Thing | undefined {
    return this.#first === NONE ? undefined : this.#things[this.#first]
  }

  has(key: number): boolean {
    return this.#places[this.#slotOf(key)] !== NONE
  }

  get(key: number): Thing | undefined {
    const place = this.#places[this.#slotOf(key)] ?? NONE
    return place === NONE ? undefined : this.#things[place]
  }

  /** @param key an integer that nothing has */
  add(key: number, thing: Thing): void {
    if (this.#size === this.#keys.length) this.#grow()
    const place = this.#take()
    this.#things[place] = thing
    this.#keys[place] = key
    this.#places[this.#slotOf(key)] = place
    this.#before[place] = this.#last
    this.#after[place] = NONE
    if (this.#last === NONE) this.#first = place
    else this.#after[this.#last] = place
    this.#last = place
    this.#size += 1
  }

  delete(key: number): void {
    const slot = this.#slotOf(key)
    const place = this.#places[slot] ?? NONE
    if (place === NONE) return
    this.#empty(slot)
    const before = this.#before[place] ?? NONE
    const after = this.#after[place] ?? NONE
    if (before === NONE) this.#first = after
    else this.#after[before] = after
    if (after === NONE) this.#last = before
    else this.#before[after] = before
    this.#things[place] = undefined
    this.#after[place] = this.#free
    this.#free = place
    this.#size -= 1
  }

  clear(): void {
    this.#things.fill(undefined)
    this.#places.fill(NONE)
    this.#first = this.#last = this.#free = NONE
    this.#used = this.#size = 0
  }

  /** The things that there are at this moment, in the order in which they came. */
  all(): ReadonlyArray<Thing> {
    const all: Array<Thing> = []
    for (let place = this.#first; place !== NONE; place = this.#after[place] ?? NONE) {
      const thing = this.#things[place]
      if (thing !== undefined) all.push(thing)
    }
    return all
  }

  #take(): number {
    const place = this.#free
    if (place === NONE) return this.#used++
    this.#free = this.#after[place] ?? NONE
    return place
  }

  // Keys mostly follow one another. Side by side they would be one long run, through which every search would go; by the
  // golden ratio they lie evenly apart.
  #homeOf(key: number): number {
    return Math.imul(key, 0x9e37_79b1) >>> (Math.clz32(this.#places.length) + 1)
  }

  /** The key's slot, or the free one where it would be. */
  #slotOf(key: number): number {
    const last = this.#places.length - 1
    for (let slot = this.#homeOf(key); ; slot = (slot + 1) & last) {
      const place = this.#places[slot] ?? NONE
      if (place === NONE || this.#keys[place] === key) return slot
    }
  }

  /** Frees a slot, and moves into it what could not have it before. */
  #empty(slot: number): void {
    const last = this.#places.length - 1
    let hole = slot
    for (let next = (slot + 1) & last; ; next = (next + 1) & last) {
      const place = this.#places[next] ?? NONE
      if (place === NONE) break
      const isBehind = ((next - this.#homeOf(this.#keys[place] ?? 0)) & last) >= ((next - hole) & last)
      if (!isBehind) continue
      this.#places[hole] = place
      hole = next
    }
    this.#places[hole] = NONE
  }

  #grow(): void {
    const length = this.#keys.length * 2
    this.#keys = longer(this.#keys, new Float64Array(length))
    this.#before = longer(this.#before, new Int32Array(length))
    this.#after = longer(this.#after, new Int32Array(length))
    this.#things.length = length
    this.#places = new Int32Array(length * 2).fill(NONE)
    for (let place = this.#first; place !== NONE; place = this.#after[place] ?? NONE) {
      this.#places[this.#slotOf(this.#keys[place] ?? 0)] = place
    }
  }
}

/** A power of two, as all lengths are. */
const SMALLEST = 16

const NONE = -1

const longer = <A extends Float64Array | Int32Array>(numbers: A, room: A): A => {
  room.set(numbers)
  return room
}
