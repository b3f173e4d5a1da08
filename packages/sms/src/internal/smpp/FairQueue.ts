/**
 * A queue that serves its keys in turn: one item of each, in the order of arrival within a key.
 *
 * Items that are not wanted any more are left where they are, and dropped when they come to the front.
 */
import * as MutableList from "effect/MutableList"

export class FairQueue<in out Key, in out Item> {
  readonly #isWanted: (item: Item) => boolean
  /** The items by key. The first key is next. */
  readonly #lists = new Map<Key, MutableList.MutableList<Item>>()
  #size = 0

  constructor(isWanted: (item: Item) => boolean) {
    this.#isWanted = isWanted
  }

  /** How many items are queued, including items that will be dropped. */
  get size(): number {
    return this.#size
  }

  /** How many items of a key are queued, including items that will be dropped. */
  sizeOf(key: Key): number {
    return this.#lists.get(key)?.length ?? 0
  }

  /** Adds an item behind the others of its key. */
  append(key: Key, item: Item): void {
    MutableList.append(this.#listOf(key), item)
    this.#size++
  }

  /** Adds an item before the others of its key. */
  prepend(key: Key, item: Item): void {
    MutableList.prepend(this.#listOf(key), item)
    this.#size++
  }

  /** The item that is next. */
  peek(): Item | undefined {
    for (const [key, list] of this.#lists) {
      const head = this.#headOf(key, list)
      if (head !== undefined) return head
    }
    return undefined
  }

  /** Removes the item that is next. The turn of its key comes again after all others'. */
  take(): Item | undefined {
    const item = this.peek()
    if (item === undefined) return undefined
    for (const [key, list] of this.#lists) {
      this.#drop(key, list)
      if (this.#lists.size > 1 && this.#lists.delete(key)) this.#lists.set(key, list)
      break
    }
    return item
  }

  /** The first item of each key, in the order of their turns. */
  *heads(): Generator<Item> {
    for (const [key, list] of this.#lists) {
      const head = this.#headOf(key, list)
      if (head !== undefined) yield head
    }
  }

  /** The first wanted item of a key. Those before it are dropped. */
  #headOf(key: Key, list: MutableList.MutableList<Item>): Item | undefined {
    let head = first(list)
    while (head !== undefined && !this.#isWanted(head)) {
      this.#drop(key, list)
      head = first(list)
    }
    return head
  }

  #listOf(key: Key): MutableList.MutableList<Item> {
    const known = this.#lists.get(key)
    if (known !== undefined) return known
    const list = MutableList.make<Item>()
    this.#lists.set(key, list)
    return list
  }

  #drop(key: Key, list: MutableList.MutableList<Item>): void {
    MutableList.take(list)
    this.#size--
    if (list.length === 0) this.#lists.delete(key)
  }
}

const first = <Item>({ head }: MutableList.MutableList<Item>): Item | undefined => head?.array[head.offset]
