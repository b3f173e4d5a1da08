/**
 * ACKs of rejected INVITEs, sent again whenever the rejection is retransmitted, for as long as Timer D runs.
 *
 * Only UDP needs them: over a reliable transport Timer D is zero.
 *
 * Source: RFC 3261 §17.1.1.2 (Timer D), §17.1.1.3.
 */
import type { Endpoint } from "./Endpoint.ts"
import type { Timers } from "../Timers.ts"
import type { Transport } from "./Transport.ts"

/** The most ACKs that are kept, some 3,000 rejections a second for 32 seconds; beyond it the oldest goes early. */
const LIMIT = 100_000

export interface Acknowledgement {
  readonly text: string
  readonly endpoint: Endpoint
  readonly transport: Pick<Transport, "send">
}

interface Kept extends Acknowledgement {
  readonly expiresAt: number
}

export class Acknowledgements {
  private readonly timers: Timers
  private readonly lifetime: number
  /** By branch. A Map keeps the order of insertion, which is that of expiry. */
  private readonly kept = new Map<string, Kept>()

  /** @param lifetime the duration of Timer D in milliseconds */
  constructor(timers: Timers, lifetime: number) {
    this.timers = timers
    this.lifetime = lifetime
  }

  get size(): number {
    return this.kept.size
  }

  /** Keeps the ACK of the INVITE with this branch. */
  add(branch: string, ack: Acknowledgement): void {
    if (this.kept.size === 0) this.timers.after(this.lifetime, () => this.expire())
    if (this.kept.size >= LIMIT) this.deleteOldest()
    this.kept.set(branch, { ...ack, expiresAt: this.timers.now() + this.lifetime })
  }

  /** Acknowledges a retransmitted rejection. */
  repeat(branch: string): void {
    const ack = this.kept.get(branch)
    ack?.transport.send(ack.text, ack.endpoint, null)
  }

  private deleteOldest(): void {
    for (const branch of this.kept.keys()) {
      this.kept.delete(branch)
      return
    }
  }

  /** Deletes expired ACKs, and sets the timer for the oldest of the others. */
  private expire(): void {
    const now = this.timers.now()
    for (const [branch, { expiresAt }] of this.kept) {
      if (expiresAt > now) return void this.timers.after(expiresAt - now, () => this.expire())
      this.kept.delete(branch)
    }
  }
}
