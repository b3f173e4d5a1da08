/**
 * Things that come and go by the thousand, each with a key.
 *
 * A `Map` or `Set` that changes all the time leaves tables behind, each of which leads to the next. Once one of them has
 * grown old, everything that was ever in its successors survives until the garbage collector looks at all there is. So
 * the keys lead to numbers here, and the things are in an array.
 *
 * @example
 * ```ts
 * import { Register } from "@watchword/store/Register"
 *
 * const waiting = new Register<number, { readonly until: number }>()
 * waiting.add(1, { until: 5_000 })
 * for (const [key, { until }] of waiting.entries()) if (until < performance.now()) waiting.delete(key)
 * ```
 */
export class Register<Key extends string | number, Thing> {
  private readonly places = new Map<Key, number>()
  private readonly things: Array<Thing | undefined> = []
  private readonly free: Array<number> = []

  get size(): number {
    return this.places.size
  }

  has(key: Key): boolean {
    return this.places.has(key)
  }

  get(key: Key): Thing | undefined {
    const place = this.places.get(key)
    return place === undefined ? undefined : this.things[place]
  }

  /** @param key one that nothing has */
  add(key: Key, thing: Thing): void {
    const place = this.free.pop() ?? this.things.length
    this.places.set(key, place)
    this.things[place] = thing
  }

  delete(key: Key): void {
    const place = this.places.get(key)
    if (place === undefined) return
    this.places.delete(key)
    this.things[place] = undefined
    this.free.push(place)
  }

  clear(): void {
    for (const key of this.places.keys()) this.delete(key)
  }

  /** What there is, in the order in which it was added. Things may come and go meanwhile. */
  *entries(): Generator<[key: Key, thing: Thing], void, void> {
    for (const [key, place] of this.places) {
      const thing = this.things[place]
      if (thing !== undefined) yield [key, thing]
    }
  }

  /** The things that there are at this moment, in the same order. */
  all(): ReadonlyArray<Thing> {
    return Array.from(this.entries(), ([, thing]) => thing)
  }
}
