/**
 * Things that come and go by the thousand, by their names: deliveries, Call-IDs, branches. All that a name costs is a
 * few of its characters and a link from one thing to the next, where a `Map` reads the whole name and copies itself
 * from time to time.
 *
 * The last characters of a name must be random, or counted, as they are in those that we make ourselves. Whoever makes
 * names that end alike gets a table that is slow, not a wrong one.
 */

/** What a table can hold; it may be in one table at a time. */
export interface Named<Thing> {
  readonly name: string
  /** The table's own: what else is at its place. */
  next: Thing | null
}

const SMALLEST = 64

export class Table<Thing extends Named<Thing>> {
  size = 0
  private places: Array<Thing | null> = Array.from({ length: SMALLEST }, () => null)

  /** The thing of a name, the latest first where several have it. */
  get(name: string): Thing | undefined {
    return named(this.places[this.placeOf(name)] ?? null, name)
  }

  add(thing: Thing): void {
    if (this.size >= this.places.length) this.grow()
    this.size++
    this.put(thing)
  }

  /** False when it is not there. */
  delete(thing: Thing): boolean {
    const place = this.placeOf(thing.name)
    let before: Thing | null = null
    for (let other = this.places[place] ?? null; other !== null; other = other.next) {
      if (other === thing) {
        if (before === null) this.places[place] = thing.next
        else before.next = thing.next
        // What is old and gone would keep what is young alive.
        thing.next = null
        this.size--
        return true
      }
      before = other
    }
    return false
  }

  /** The things that there are at this moment. */
  all(): ReadonlyArray<Thing> {
    const things: Array<Thing> = []
    for (const first of this.places) for (let thing = first; thing !== null; thing = thing.next) things.push(thing)
    return things
  }

  private put(thing: Thing): void {
    const place = this.placeOf(thing.name)
    thing.next = this.places[place] ?? null
    this.places[place] = thing
  }

  private grow(): void {
    const things = this.all()
    this.places = Array.from({ length: 2 * this.places.length }, () => null)
    for (const thing of things.toReversed()) this.put(thing)
  }

  private placeOf(name: string): number {
    let hash = 0
    for (let index = Math.max(0, name.length - 8); index < name.length; index++) {
      hash = (Math.imul(hash, 31) + name.charCodeAt(index)) | 0
    }
    return (hash ^ (hash >>> 15)) & (this.places.length - 1)
  }
}

/** The first of some linked things that has a name; what is behind one of `get` may have the same. */
export const named = <Thing extends Named<Thing>>(first: Thing | null, name: string): Thing | undefined => {
  for (let thing = first; thing !== null; thing = thing.next) if (thing.name === name) return thing
  return undefined
}
