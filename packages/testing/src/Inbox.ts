/**
 * The inbox of a test's phones: live and sandbox messages of all channels.
 */
import * as Duration from "effect/Duration"
import { millisOf } from "./internal/millisOf.ts"
import { numberOf } from "./internal/numberOf.ts"
import * as realTimers from "./internal/realTimers.ts"
import { type ChannelName, outcomes } from "@watchword/sandbox/simulator"

/** A message, or a call, that a phone shows. */
export interface Message {
  /** The id of its delivery, which is the `uuid` of the delivery's record. */
  readonly id: string
  readonly channel: ChannelName
  readonly to: string
  /** The sender or the caller; null if the provider shows its own. */
  readonly from: string | null
  /** Null for calls, and for chats that the provider words. */
  readonly text: string | null
  /** The code of a text or a chat, or the last digits of a call's caller; empty if there is no code. */
  readonly code: string
  /** When it arrived, by the kit's clock. */
  readonly at: Date
}

export interface Expected {
  readonly channel?: ChannelName
  /** Seconds of real time to wait; 5 unless given. */
  readonly timeout?: number
}

/** Rejects `next`: no such message came. The text says what came instead. */
export class NoMessage extends Error {
  override readonly name = "NoMessage"
}

/** A send that the network did not bring to a phone, for the words of `NoMessage`. */
export interface Lost {
  readonly channel: ChannelName
  readonly to: string
  readonly outcome: string
}

interface Waiting {
  readonly wants: (message: Message) => boolean
  readonly resolve: (message: Message) => void
}

const PATIENCE = 5

/** How many messages an inbox keeps: the newest. */
const MOST = 10_000

export class Inbox {
  readonly #messages: Array<Message> = []
  readonly #lost: Array<Lost> = []
  /** Messages that `next` has given. */
  readonly #taken = new WeakSet<Message>()
  readonly #waiting = new Set<Waiting>()

  /**
   * Returns the oldest message to a number that `next` has not returned yet, and waits for one if necessary. Rejects
   * with `NoMessage` if no message comes in time.
   */
  async next(to?: string, { channel, timeout = PATIENCE }: Expected = {}): Promise<Message> {
    const number = to === undefined ? undefined : numberOf(to)
    const wants = (message: Message): boolean =>
      (number === undefined || message.to === number) && (channel === undefined || message.channel === channel)
    if (channel !== undefined && !(channel in outcomes)) throw new TypeError(`there is no channel ${channel}`)
    const found = this.#messages.find((message) => wants(message) && !this.#taken.has(message))
    const message = found ?? (await this.#wait(wants, Duration.millis(millisOf(timeout)), number, channel))
    this.#taken.add(message)
    return message
  }

  /** All messages since the start or the last `clear`, oldest first. */
  all(): ReadonlyArray<Message> {
    return [...this.#messages]
  }

  /** Forgets all messages. */
  clear(): void {
    this.#messages.length = 0
    this.#lost.length = 0
  }

  /** @internal */
  push(message: Message): void {
    this.#messages.push(message)
    if (this.#messages.length > MOST) this.#messages.shift()
    const waiting = [...this.#waiting].find(({ wants }) => wants(message))
    if (waiting === undefined) return
    this.#waiting.delete(waiting)
    this.#taken.add(message)
    waiting.resolve(message)
  }

  /** @internal */
  lose(lost: Lost): void {
    this.#lost.push(lost)
    if (this.#lost.length > MOST) this.#lost.shift()
  }

  #wait(
    wants: Waiting["wants"],
    timeout: Duration.Duration,
    to: string | undefined,
    channel: ChannelName | undefined
  ): Promise<Message> {
    return new Promise((resolve, reject) => {
      const cancel = realTimers.within(Duration.toMillis(timeout), () => {
        this.#waiting.delete(waiting)
        reject(new NoMessage(this.#explain(to, channel, Duration.format(timeout))))
      })
      const waiting: Waiting = {
        wants,
        resolve: (message) => {
          cancel()
          resolve(message)
        }
      }
      this.#waiting.add(waiting)
    })
  }

  #explain(to: string | undefined, channel: ChannelName | undefined, timeout: string): string {
    const wanted = `${channel ?? "message"} to ${to ?? "any number"}`
    const lines = [
      ...this.#messages.map(
        (message) => `  ${line(message)}${this.#taken.has(message) ? ", which next has given" : ""}`
      ),
      ...this.#lost.map((lost) => `  ${line(lost)}: ${lost.outcome}`)
    ]
    const seen = lines.length === 0 ? "Nothing was sent at all." : ["There was:", ...lines.slice(-SHOWN)].join("\n")
    return `No ${wanted} came in ${timeout}. ${seen}`
  }
}

/** How many lines an error has. */
const SHOWN = 10

const line = ({ channel, to }: { readonly channel: string; readonly to: string }): string => `${channel} to ${to}`
