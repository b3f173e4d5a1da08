/**
 * Texts in their order: sorted in small pieces while they are added, and merged while they are taken, so that nobody
 * waits for all of them to be sorted.
 */

/** How many are sorted at once. */
const LENGTH = 512

interface Run {
  readonly texts: ReadonlyArray<string>
  at: number
}

export class Runs {
  readonly #runs: Array<Run> = []
  #next: Array<string> = []

  add(text: string): void {
    this.#next.push(text)
    if (this.#next.length === LENGTH) this.#sort()
  }

  /** The first ones. What is added after the first call may come out of order. */
  take(most: number): ReadonlyArray<string> {
    if (this.#next.length > 0) this.#sort()
    const taken: Array<string> = []
    while (taken.length < most) {
      const run = this.#first()
      const text = run?.texts[run.at]
      if (run === undefined || text === undefined) break
      taken.push(text)
      run.at += 1
      if (run.at === run.texts.length) this.#runs.splice(this.#runs.indexOf(run), 1)
    }
    return taken
  }

  #sort(): void {
    this.#runs.push({ texts: this.#next.sort(), at: 0 })
    this.#next = []
  }

  /** The run that begins with the least text. */
  #first(): Run | undefined {
    let first: Run | undefined
    let least = ""
    for (const run of this.#runs) {
      const text = run.texts[run.at] ?? ""
      if (first !== undefined && text >= least) continue
      first = run
      least = text
    }
    return first
  }
}
