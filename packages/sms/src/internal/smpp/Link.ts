/**
 * A configured bind with a carrier, which outlives the sessions that are opened for it.
 *
 * It holds everything that survives a reconnect: options, the rate limiter, the carrier's message ids. The outbox
 * asks it whether a submit_sm can be written: the session is bound, the window has room and the rate allows it.
 */
import { RateLimiter } from "@watchword/send/gateway"
import * as Duration from "effect/Duration"
import type { EncodedText } from "../../EncodedText.ts"
import type { Failure } from "./Backoff.ts"
import { dataCodingOf } from "./Alphabet.ts"
import type { Connection, SubmitResult } from "./Connection.ts"
import type { MessageIds } from "./MessageIds.ts"
import type { LinkOptions } from "./Options.ts"
import { statusName } from "./Pdu.ts"

/**
 * Milliseconds for which messages wait for a session that the carrier still holds. Its time-outs are of half a minute
 * to one.
 */
const LONGEST_HELD = 120_000

/** Recipients whose queues are full, after which it is the carrier's own that is. */
const SEVERAL = 3

export class Link {
  /** For logs and metrics: `system_id@host:port`. */
  readonly name: string
  readonly options: LinkOptions
  readonly ids: MessageIds
  /** How long a submit_sm may go unanswered, in milliseconds. */
  readonly timeout: number
  /** Whether submit_sm carries user_message_reference: until the carrier takes a message only without it. */
  takesReference = true
  /** When the carrier's certificate ends, in milliseconds since the epoch; null before TLS has shown one. */
  certificateEnds: number | null = null
  private readonly limiter: RateLimiter
  /** Recipients whose queues were full, since the last other answer. */
  private readonly full = new Set<string>()
  private bound: Connection | undefined
  private downSince: number
  /** Why the last session ended, or did not begin. */
  private failure: Failure = "lost"

  /** @param now milliseconds of a clock that never goes back, as are all times here */
  constructor(name: string, options: LinkOptions, ids: MessageIds, now: number) {
    this.name = name
    this.options = options
    this.ids = ids
    this.timeout = Duration.toMillis(options.timeout)
    this.limiter = new RateLimiter(options.rate, options.window)
    this.downSince = now
  }

  /** The session, while it is bound. */
  get connection(): Connection | undefined {
    return this.bound
  }

  /** Whether the carrier has taken a message in this session. */
  get hasTaken(): boolean {
    return this.bound?.hasTaken ?? false
  }

  get isUp(): boolean {
    return this.bound?.isOpen ?? false
  }

  /** How many submit_sm are unanswered, and how many may be. */
  get window(): { readonly used: number; readonly size: number } {
    return { used: this.bound?.outstanding ?? 0, size: this.options.window }
  }

  /** Whether a submit_sm can be written now. */
  isReady(now: number): boolean {
    return this.hasRoom && this.limiter.availableAt(now) <= now
  }

  /** Whether the carrier's alphabet has all characters of a text. */
  carries(text: EncodedText): boolean {
    return dataCodingOf(text, this.options.alphabet) !== null
  }

  /** When the rate limit allows the next submit_sm; infinity for a link that waits for anything else. */
  readyAt(now: number): number {
    return this.hasRoom ? this.limiter.availableAt(now) : Number.POSITIVE_INFINITY
  }

  /**
   * Whether waiting is in vain: the carrier refused the bind, or the link has been down for too long. A carrier that
   * still holds a session that was lost lets go of it in a while.
   */
  isHopeless(now: number, patience: number): boolean {
    const longest = this.failure === "held" ? Math.max(patience, LONGEST_HELD) : patience
    return !this.isUp && (this.failure === "refused" || now - this.downSince > longest)
  }

  /** Writes a submit_sm; only while the link is ready. */
  submit(frame: (sequence: number) => Buffer, now: number, onResult: (result: SubmitResult) => void): void {
    this.limiter.take(now)
    this.bound?.submit(frame, now + this.timeout, onResult)
  }

  /** The rate that ESME_RTHROTTLED has taught; null while it is not below that of the options. */
  get learnedRate(): number | null {
    return this.limiter.learned
  }

  /** The carrier answered, and not that it is asked too fast. */
  answered(now: number): void {
    this.limiter.accepted(now)
    this.full.clear()
  }

  /** Slows down. @returns whether it does: a burst of ESME_RTHROTTLED counts once */
  throttled(now: number): boolean {
    return this.limiter.throttled(now)
  }

  /**
   * ESME_RMSGQFUL, which is about one recipient. From several in a row, without another answer in between, it is the
   * carrier's word for throttling.
   *
   * @returns whether the link slows down
   */
  queueFull(to: string, now: number): boolean {
    if (this.full.size < SEVERAL) this.full.add(to)
    return this.full.size >= SEVERAL && this.limiter.throttled(now)
  }

  up(connection: Connection): void {
    this.bound = connection
    this.failure = "lost"
  }

  /** The carrier does not know the bind any more, by its answer to a submit_sm. */
  forgotten(status: number): void {
    this.bound?.forgotten(`it answered a submit_sm with ${statusName(status)}`)
  }

  /**
   * The carrier has unbound, or forgotten the bind: from now on messages wait for the next session, as after a lost
   * connection.
   */
  leaving(now: number): void {
    this.downSince = now
  }

  down(now: number, failure: Failure): void {
    if (this.bound !== undefined) this.downSince = now
    this.bound = undefined
    this.failure = failure
  }

  private get hasRoom(): boolean {
    return this.bound !== undefined && this.bound.isWritable && this.bound.outstanding < this.options.window
  }
}
