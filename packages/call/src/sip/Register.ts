/**
 * Things that come and go by the thousand, each with a key.
 *
 * A `Map` that changes all the time leaves old tables behind, and what these refer to survives until the garbage
 * collector looks at everything. So the keys lead to numbers here, and the things are in an array.
 */
export class Register<A> {
  private readonly places = new Map<string, number>()
  private readonly things: Array<A | undefined> = []
  private readonly free: Array<number> = []

  get size(): number {
    return this.places.size
  }

  has(key: string): boolean {
    return this.places.has(key)
  }

  get(key: string): A | undefined {
    const place = this.places.get(key)
    return place === undefined ? undefined : this.things[place]
  }

  /** @param key one that nothing has */
  add(key: string, thing: A): void {
    const place = this.free.pop() ?? this.things.length
    this.places.set(key, place)
    this.things[place] = thing
  }

  delete(key: string): void {
    const place = this.places.get(key)
    if (place === undefined) return
    this.places.delete(key)
    this.things[place] = undefined
    this.free.push(place)
  }

  /** What there is at this moment. */
  all(): ReadonlyArray<A> {
    return this.things.filter((thing) => thing !== undefined)
  }
}
