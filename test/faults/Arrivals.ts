/**
 * The messages that reached the service's peers: each message part, chat message and call, and how the peer handled it.
 */
import type { StepChannel } from "@watchword/schemas/Verification"

export interface Arrival {
  readonly channel: typeof StepChannel.Type
  /** In E.164 form. */
  readonly number: string
  /** Identifies the message to the peer: the same text means the same message. */
  readonly identity: string
  /** The delivery that it names; null if its protocol has no such name. */
  readonly delivery: string | null
  /** 1 for a message with one part, and for the first part of several. */
  readonly part: number
  readonly code: string | null
  /** Whether the peer has accepted it, so that it reaches the phone. */
  readonly taken: boolean
  /** How many reports the peer owes the service, and how many of them the service has accepted. */
  owed: number
  told: number
  readonly at: number
}

export class Arrivals {
  readonly all: Array<Arrival> = []
  private readonly watchers = new Map<string, Set<() => void>>()

  add(arrival: Omit<Arrival, "owed" | "told" | "at">): Arrival {
    const added: Arrival = { ...arrival, owed: 0, told: 0, at: Date.now() }
    this.all.push(added)
    for (const look of this.watchers.get(arrival.number) ?? []) look()
    return added
  }

  /** How many reports are still on their way to the service. */
  get owed(): number {
    return this.all.reduce((sum, { owed, told }) => sum + owed - told, 0)
  }

  /** The last code sent to a number; null if no code arrives in time. */
  code(number: string, milliseconds: number): Promise<string | null> {
    const found = (): string | null =>
      this.all.findLast((each) => each.number === number && each.taken && each.code !== null)?.code ?? null
    const code = found()
    if (code !== null) return Promise.resolve(code)
    return new Promise((resolve) => {
      const watchers = this.watchers.get(number) ?? new Set()
      this.watchers.set(number, watchers)
      const end = (): void => {
        clearTimeout(timer)
        watchers.delete(look)
        resolve(found())
      }
      const timer = setTimeout(end, milliseconds)
      const look = (): void => {
        if (found() !== null) end()
      }
      watchers.add(look)
    })
  }
}

/** A number in E.164 form, from one with or without the plus sign. */
export const e164 = (number: string): string => `+${number.replace(/\D/g, "")}`

/** The code in a text: this harness uses codes with eight digits. */
export const codeIn = (text: string): string | null => /\b\d{8}\b/.exec(text)?.[0] ?? null
