/**
 * Things to run, in the order of their times; one may add others.
 */
interface Entry {
  readonly at: number
  readonly run: () => Promise<unknown>
}

export class Agenda {
  private readonly entries: Array<Entry> = []

  add(at: number, run: Entry["run"]): void {
    let low = 0
    let high = this.entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.entries[middle]?.at ?? 0) > at) low = middle + 1
      else high = middle
    }
    this.entries.splice(low, 0, { at, run })
  }

  /** The next entry, which is taken out; undefined at the end. */
  next(): Entry | undefined {
    return this.entries.pop()
  }
}
