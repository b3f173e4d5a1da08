/**
 * A request on its way: sent at once, over UDP again and again, and given up when nothing has stopped it for long.
 *
 * Source: RFC 3261 §17.1.1.2 (timers A and B), §17.1.2.2 (timers E and F).
 */
import type { Endpoint } from "./Endpoint.ts"
import type { TimerValues } from "./Options.ts"
import type { Timer, Timers } from "../Timers.ts"
import type { Transport } from "./Transport.ts"

/** What requests are sent with. */
export interface Means {
  readonly transport: Transport
  readonly timers: Timers
  readonly values: TimerValues
}

/**
 * Whoever waits for a response. What is sent is one object with it, and with the timer, for there are many.
 */
export abstract class Sending<Stack extends Means> {
  protected readonly stack: Stack
  protected readonly endpoint: Endpoint
  private readonly longest: number
  private text = ""
  private timer: Timer | null = null
  private pause = 0
  /** Milliseconds that will be left until it is given up, when the timer rings. */
  private left = 0

  /** @param longest the most milliseconds between two times that it is sent */
  constructor(stack: Stack, endpoint: Endpoint, longest: number) {
    this.stack = stack
    this.endpoint = endpoint
    this.longest = longest
  }

  abstract unsent(reason: string): void

  /** The request was sent for as long as the rules say. */
  protected abstract unanswered(): void

  /** Sends it for the first time. */
  protected send(text: string): void {
    const { t1 } = this.stack.values
    this.text = text
    this.pause = t1
    this.left = 64 * t1
    this.again()
  }

  /** The other side has it, but takes its time. */
  protected slowDown(): void {
    this.pause = this.longest
  }

  /** It has arrived, and will not be sent again. */
  protected stop(): void {
    this.text = ""
    this.timer?.cancel()
  }

  /** Has `expired` called after a while, and at no other time. */
  protected expireAfter(delay: number): void {
    this.timer?.cancel()
    this.timer = this.stack.timers.after(delay, () => this.expired())
  }

  protected expired(): void {
    if (this.left > 0) this.again()
    else this.unanswered()
  }

  private again(): void {
    const { left, pause, stack, endpoint } = this
    const isRepeated = endpoint.protocol === "udp" && pause < left
    const time = isRepeated ? pause : left
    this.left = left - time
    this.pause = Math.min(2 * pause, this.longest)
    this.expireAfter(time)
    stack.transport.send(this.text, endpoint, (reason) => this.unsent(reason))
  }
}
