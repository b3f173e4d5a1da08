/**
 * A request on its way: sent at once, over UDP again and again, and given up when nothing has stopped it for long.
 *
 * Source: RFC 3261 §17.1.1.2 (timers A and B), §17.1.2.2 (timers E and F).
 */
import type { Sender, Target } from "./Hop.ts"
import type { TimerValues } from "./Options.ts"
import type { Timer, Timers } from "../Timers.ts"
import type { Transport } from "./Transport.ts"

/** What requests are sent with. */
export interface Means {
  readonly transport: Transport
  readonly timers: Timers
  readonly values: TimerValues
}

/** Whoever waits for a response. */
export interface Asker extends Sender {
  /** The request was sent for as long as the rules say. */
  readonly unanswered: () => void
}

export class Sending {
  private readonly means: Means
  private readonly text: string
  private readonly target: Target
  private readonly longest: number
  private readonly asker: Asker
  private readonly until: number
  private pause: number
  private timer: Timer | undefined

  /** @param longest the most milliseconds between two times that it is sent */
  constructor(means: Means, text: string, target: Target, longest: number, asker: Asker) {
    this.means = means
    this.text = text
    this.target = target
    this.longest = longest
    this.asker = asker
    this.until = means.timers.now() + 64 * means.values.t1
    this.pause = means.values.t1
  }

  start(): void {
    this.send(64 * this.means.values.t1)
  }

  /** The other side has it, but takes its time. */
  slowDown(): void {
    this.pause = this.longest
  }

  stop(): void {
    this.means.timers.cancel(this.timer)
  }

  /** @param left milliseconds until it is given up */
  private send(left: number): void {
    const { asker, pause, target } = this
    const { timers, transport } = this.means
    const isRepeated = target.protocol === "udp" && pause < left
    this.timer = timers.after(isRepeated ? pause : left, () => {
      if (isRepeated) this.send(this.until - timers.now())
      else asker.unanswered()
    })
    this.pause = Math.min(2 * pause, this.longest)
    transport.send(this.text, target, asker)
  }
}
