/**
 * Requests that wait for a response, and how often they are sent until it comes.
 *
 * Source: RFC 3261 §17.1.2, §17.1.3; RFC 6026.
 */
import { Acknowledgements } from "./Acknowledgements.ts"
import type { Endpoint } from "./Endpoint.ts"
import type { Response } from "./Message.ts"
import type { TimerValues } from "./Options.ts"
import { type Means, Sending } from "./Sending.ts"
import type { Timers } from "../Timers.ts"

/** What requests are sent with, and who waits for the answers. */
export interface Stack extends Means {
  readonly transactions: Transactions
}

/** Takes the responses to an INVITE. */
export interface InviteTransaction {
  readonly branch: string
  /** The INVITEs of one call to one trunk share it. */
  readonly callId: string
  readonly receive: (response: Response) => void
}

/** The client transactions of a gateway. */
export class Transactions {
  /** By their branches, as RFC 3261 §17.1.3 matches responses. */
  readonly invites = new Map<string, InviteTransaction>()
  /** Likewise; a CANCEL has the branch of its INVITE. */
  readonly others = new Map<string, Transaction>()
  /** The ACKs of INVITEs that were rejected over UDP. */
  readonly acknowledgements: Acknowledgements
  private readonly left: () => void
  /** How many INVITEs of a Call-ID are under way. */
  private readonly open = new Map<string, number>()

  /** @param left is called when no INVITE is under way any more */
  constructor(timers: Timers, { t1 }: TimerValues, left: () => void) {
    this.acknowledgements = new Acknowledgements(timers, 64 * t1)
    this.left = left
  }

  /** Whether no INVITE is under way. */
  get isIdle(): boolean {
    return this.open.size === 0
  }

  /** Whether an INVITE with this Call-ID is under way. */
  has(callId: string): boolean {
    return this.open.has(callId)
  }

  /** An INVITE is under way. */
  enter(invite: InviteTransaction): void {
    this.invites.set(invite.branch, invite)
    this.open.set(invite.callId, (this.open.get(invite.callId) ?? 0) + 1)
  }

  /** It is no more, although it may still be among `invites`. */
  leave({ callId }: InviteTransaction): void {
    const others = (this.open.get(callId) ?? 0) - 1
    if (others > 0) this.open.set(callId, others)
    else this.open.delete(callId)
    if (this.isIdle) this.left()
  }

  /** A response that nobody waits for is dropped, as a late or repeated one is (RFC 6026 §7.2). */
  receive(response: Response): void {
    const { branch, cseq } = response
    if (cseq.method === "INVITE") {
      const invite = this.invites.get(branch)
      if (invite !== undefined) return invite.receive(response)
      if (response.status >= 300) this.acknowledgements.repeat(branch)
      return
    }
    const other = this.others.get(branch)
    if (other?.method === cseq.method) other.receive(response)
  }
}

/** A final response; null when none came in time; or why the request could not be sent. */
export type Answer = Response | null | string

/** A request other than INVITE. */
export interface Request {
  readonly method: string
  readonly branch: string
  readonly text: string
  readonly endpoint: Endpoint
}

/** Sends a request; `done` is called once. */
export const request = (
  stack: Stack,
  { branch, method, endpoint, text }: Request,
  done: (answer: Answer) => void
): void => new Transaction(stack, method, branch, endpoint, done).start(text)

/** A transaction of a request other than INVITE. */
class Transaction extends Sending<Stack> {
  readonly branch: string
  readonly method: string
  private readonly done: (answer: Answer) => void
  private isDone = false

  constructor(stack: Stack, method: string, branch: string, endpoint: Endpoint, done: (answer: Answer) => void) {
    super(stack, endpoint, stack.values.t2)
    this.branch = branch
    this.method = method
    this.done = done
  }

  start(text: string): void {
    this.stack.transactions.others.set(this.branch, this)
    this.send(text)
  }

  receive(response: Response): void {
    if (response.status < 200) this.slowDown()
    else this.end(response)
  }

  unsent(reason: string): void {
    this.end(reason)
  }

  protected unanswered(): void {
    this.end(null)
  }

  private end(answer: Answer): void {
    if (this.isDone) return
    this.isDone = true
    this.stop()
    this.stack.transactions.others.delete(this.branch)
    this.done(answer)
  }
}
