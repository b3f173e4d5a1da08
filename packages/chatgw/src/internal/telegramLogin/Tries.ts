/**
 * How often the returns of one link have the provider asked: with a link of one verification a stranger could otherwise
 * send any number of made-up codes there, in the name of the app.
 */

/** Codes of a user who tries again and again are fewer. */
const MOST = 10

/** How many links a process remembers. */
const LINKS = 1_000

export class Tries {
  private readonly used = new Map<string, number>()

  /** Whether another code of a link may be exchanged; counts it. */
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
