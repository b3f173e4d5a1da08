/**
 * The phones of all users: the messages and calls that reached each number, with the codes in them.
 */
export const CHANNELS = ["sms", "call", "chatgw", "bizchat"] as const

export type Channel = (typeof CHANNELS)[number]

export interface Arrival {
  readonly channel: Channel
  /** Null if the message contains no code. */
  readonly code: string | null
}

export class Phones {
  private readonly arrivals = new Map<string, Array<Arrival>>()
  private readonly watchers = new Map<string, () => void>()

  /** @param number in E.164 form, with or without the plus sign */
  show(number: string, arrival: Arrival): void {
    const to = `+${number.replace(/\D/g, "")}`
    const before = this.arrivals.get(to)
    if (before === undefined) this.arrivals.set(to, [arrival])
    else before.push(arrival)
    this.watchers.get(to)?.()
  }

  /** Everything that reached a number, in order. */
  at(number: string): ReadonlyArray<Arrival> {
    return this.arrivals.get(number) ?? []
  }

  get numbers(): Iterable<string> {
    return this.arrivals.keys()
  }

  /** The first code that reaches a number; null if no code arrives in time. */
  code(number: string, milliseconds: number): Promise<string | null> {
    const found = (): string | null => this.at(number).find(({ code }) => code !== null)?.code ?? null
    const code = found()
    if (code !== null) return Promise.resolve(code)
    return new Promise((resolve) => {
      const end = (code: string | null): void => {
        clearTimeout(timer)
        this.watchers.delete(number)
        resolve(code)
      }
      const timer = setTimeout(() => end(null), milliseconds)
      this.watchers.set(number, () => {
        const code = found()
        if (code !== null) end(code)
      })
    })
  }
}
