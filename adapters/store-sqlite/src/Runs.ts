/**
 * Rows in the order of their keys: sorted in small pieces while they are added, and merged while they are taken, so that
 * nobody waits for all of them to be sorted.
 */

export interface Keyed {
  readonly key: string
  readonly seq: number
}

/** How many are sorted at once. */
const LENGTH = 1024

interface Run {
  readonly rows: ReadonlyArray<Keyed>
  at: number
}

export class Runs {
  readonly #runs: Array<Run> = []
  #next: Array<Keyed> = []

  /** How many have not been taken. */
  size = 0

  add(row: Keyed): void {
    this.size += 1
    this.#next.push(row)
    if (this.#next.length === LENGTH) this.#sort()
  }

  /** The first ones, fewer only at the end. Nothing is added after this. */
  take(many: number): ReadonlyArray<Keyed> {
    if (this.#next.length > 0) this.#sort()
    const taken: Array<Keyed> = []
    while (taken.length < many) {
      const run = this.#first()
      const row = run?.rows[run.at]
      if (run === undefined || row === undefined) break
      taken.push(row)
      run.at += 1
      if (run.at === run.rows.length) this.#runs.splice(this.#runs.indexOf(run), 1)
    }
    this.size -= taken.length
    return taken
  }

  #sort(): void {
    this.#runs.push({ rows: this.#next.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)), at: 0 })
    this.#next = []
  }

  /** The run whose next row has the least key. */
  #first(): Run | undefined {
    let first: Run | undefined
    let least = ""
    for (const run of this.#runs) {
      const key = run.rows[run.at]?.key ?? ""
      if (first !== undefined && key >= least) continue
      first = run
      least = key
    }
    return first
  }
}
