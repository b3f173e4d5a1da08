/**
 * How many returns of one link count: with the link of one verification a stranger could otherwise have the provider
 * asked about any number of made-up codes, in the name of the app, and fill the log.
 */

/** A user who tries again and again returns less often. */
const MOST = 10

/** How many links a process remembers. */
const LINKS = 1_000

export class Tries {
  private readonly used = new Map<string, number>()

  /** Whether another return of a link counts; takes it into account. */
  isLeft(state: string): boolean {
    const used = (this.used.get(state) ?? 0) + 1
    // The link that was used last is forgotten last.
    this.used.delete(state)
    this.used.set(state, used)
    const [oldest = ""] = this.used.keys()
    if (this.used.size > LINKS) this.used.delete(oldest)
    return used <= MOST
  }
}
