/**
 * One of the gateway's links as the outbox sees it: whether it may be written to now, later, or not at all.
 */
import { RateLimiter } from "@watchword/gateway/RateLimiter"
import * as Duration from "effect/Duration"
import type { Connection, Submission } from "./Connection.ts"
import type { MessageIds } from "./MessageIds.ts"
import type { LinkOptions } from "./Options.ts"

export class Link {
  /** For people; it holds no password. */
  readonly name: string
  readonly options: LinkOptions
  readonly ids: MessageIds
  /** How long the carrier may take to answer, in milliseconds. */
  readonly timeout: number
  /** Whether the carrier takes user_message_reference, as far as is known. */
  takesReference = true
  private readonly limiter: RateLimiter
  private bound: Connection | undefined
  private downSince: number
  private isRefused = false

  /** @param now milliseconds, as everywhere, from a clock that never goes back */
  constructor(name: string, options: LinkOptions, ids: MessageIds, now: number) {
    this.name = name
    this.options = options
    this.ids = ids
    this.timeout = Duration.toMillis(options.timeout)
    this.limiter = new RateLimiter(options.rate)
    this.downSince = now
  }

  /** The bound connection. */
  get connection(): Connection | undefined {
    return this.bound
  }

  get isUp(): boolean {
    return this.bound?.isOpen ?? false
  }

  /** Whether a message can be written now. */
  isReady(now: number): boolean {
    return this.hasRoom && this.limiter.availableAt(now) <= now
  }

  /** When a link that is held back by its pace alone is ready; never for one that waits for something else. */
  readyAt(now: number): number {
    return this.hasRoom ? this.limiter.availableAt(now) : Number.POSITIVE_INFINITY
  }

  /** Whether waiting for this link is in vain: the carrier does not want us, or it has been away for too long. */
  isHopeless(now: number, patience: number): boolean {
    return !this.isUp && (this.isRefused || now - this.downSince > patience)
  }

  /** Writes a message; only while the link is ready. */
  submit(frame: (sequence: number) => Buffer, submission: Submission, now: number): void {
    this.limiter.take(now)
    this.bound?.submit(frame, submission, now + this.timeout)
  }

  /** @returns whether the link was not slowing down for this already */
  throttled(now: number): boolean {
    return this.limiter.throttled(now)
  }

  up(connection: Connection): void {
    this.bound = connection
    this.isRefused = false
  }

  down(now: number, refused: boolean): void {
    if (this.bound !== undefined) this.downSince = now
    this.bound = undefined
    this.isRefused = refused
  }

  private get hasRoom(): boolean {
    return this.bound !== undefined && this.bound.isWritable && this.bound.outstanding < this.options.window
  }
}
