/**
 * Retransmission of a request: at doubling intervals over UDP, and over any transport until it times out.
 *
 * Source: RFC 3261 §17.1.1.2 (timers A and B), §17.1.2.2 (timers E and F).
 */
import type { Timer, Timers } from "../Timers.ts"
import type { Endpoint, OnUnsent } from "./Endpoint.ts"
import type { TimerValues } from "./Options.ts"
import type { Transport } from "./Transport.ts"

/** What requests are sent with. */
export interface Network {
  readonly transport: Transport
  readonly timers: Timers
  readonly values: TimerValues
}

export interface Handlers {
  /** Called when no response has come after 64 times T1. */
  readonly timedOut: () => void
  readonly unsent: OnUnsent
}

export class Retransmission {
  private readonly network: Network
  private readonly text: string
  private readonly endpoint: Endpoint
  private readonly longest: number
  private readonly handlers: Handlers
  private interval: number
  /** Milliseconds from the next expiry of the timer to the timeout. */
  private left: number
  private timer: Timer | null = null

  /** @param longest the longest interval in milliseconds */
  constructor(network: Network, text: string, endpoint: Endpoint, longest: number, handlers: Handlers) {
    const { t1 } = network.values
    this.network = network
    this.text = text
    this.endpoint = endpoint
    this.longest = longest
    this.handlers = handlers
    this.interval = t1
    this.left = 64 * t1
  }

  /** Sends the request for the first time. */
  start(): void {
    const { endpoint, interval, left, network } = this
    const delay = endpoint.protocol === "udp" && interval < left ? interval : left
    this.left = left - delay
    this.interval = Math.min(2 * interval, this.longest)
    this.timer = network.timers.after(delay, () => {
      if (this.left > 0) this.start()
      else this.handlers.timedOut()
    })
    network.transport.send(this.text, endpoint, this.handlers.unsent)
  }

  /** Continues at the longest interval, after a provisional response. */
  slowDown(): void {
    this.interval = this.longest
  }

  stop(): void {
    this.timer?.cancel()
  }
}
