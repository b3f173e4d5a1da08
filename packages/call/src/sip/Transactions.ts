/**
 * Requests that wait for a response, and how often they are sent until it comes.
 *
 * Source: RFC 3261 §17.1.2, §17.1.3; RFC 6026.
 */
import type { Target } from "./Hop.ts"
import type { Response } from "./Message.ts"
import type { TimerValues } from "./Options.ts"
import { Rejections } from "./Rejections.ts"
import { type Means, Sending } from "./Sending.ts"
import { type Named, Table, named } from "../Table.ts"
import type { Timers } from "../Timers.ts"

/** What requests are sent with, and who waits for the answers. */
export interface Stack extends Means {
  readonly transactions: Transactions
}

/** Takes the responses to an INVITE. Its name is the Call-ID, which the INVITEs of one call share. */
export interface InviteTransaction extends Named<InviteTransaction> {
  readonly branch: string
  /** Whether only what comes late or again is left of it. */
  readonly isOver: boolean
  readonly receive: (response: Response) => void
}

/** The transactions of a gateway. */
export class Transactions {
  readonly invites = new Table<InviteTransaction>()
  /** By their branches; a CANCEL has that of its INVITE. */
  readonly others = new Table<Transaction>()
  /** What is left of INVITEs that were rejected. */
  readonly rejections: Rejections
  private readonly left: () => void
  /** How many INVITEs are under way. */
  private count = 0

  /** @param left is told when no INVITE is under way any more */
  constructor(timers: Timers, { t1 }: TimerValues, left: () => void) {
    this.rejections = new Rejections(timers, 64 * t1)
    this.left = left
  }

  get underWay(): number {
    return this.count
  }

  /** Whether an INVITE with this Call-ID is under way. */
  has(callId: string): boolean {
    let invite = this.invites.get(callId)
    while (invite?.isOver === true) invite = named(invite.next, callId)
    return invite !== undefined
  }

  /** An INVITE is under way. */
  enter(invite: InviteTransaction): void {
    this.invites.add(invite)
    this.count++
  }

  /** It is no more, although it may still be among `invites`. */
  leave(): void {
    this.count--
    if (this.count === 0) this.left()
  }

  /** A response that nobody waits for is dropped, as a late or repeated one is (RFC 6026 §7.2). */
  receive(response: Response): void {
    const { branch, cseq } = response
    if (cseq.method === "INVITE") {
      const invite = this.answered(response)
      return invite === undefined ? this.rejections.receive(response) : invite.receive(response)
    }
    const other = this.others.get(branch)
    if (other?.method === cseq.method) other.receive(response)
  }

  private answered({ branch, callId }: Response): InviteTransaction | undefined {
    let found = this.invites.get(callId)
    while (found !== undefined && found.branch !== branch) found = named(found.next, callId)
    return found
  }
}

/** A final response; null when none came in time; or why the request could not be sent. */
export type Answer = Response | null | string

/** A request other than INVITE. */
export interface Request {
  readonly method: string
  readonly branch: string
  readonly text: string
  readonly target: Target
}

/** Sends a request; `done` is called once. */
export const request = (
  stack: Stack,
  { branch, method, target, text }: Request,
  done: (answer: Answer) => void
): void => new Transaction(stack, method, branch, target, done).start(text)

/** A transaction of a request other than INVITE. */
class Transaction extends Sending<Stack> implements Named<Transaction> {
  readonly name: string
  next: Transaction | null = null
  readonly method: string
  private readonly done: (answer: Answer) => void
  private isDone = false

  constructor(stack: Stack, method: string, branch: string, target: Target, done: (answer: Answer) => void) {
    super(stack, target, stack.values.t2)
    this.name = branch
    this.method = method
    this.done = done
  }

  start(text: string): void {
    this.stack.transactions.others.add(this)
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
    this.stack.transactions.others.delete(this)
    this.done(answer)
  }
}
