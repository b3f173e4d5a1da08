/**
 * Requests that wait for a response, and how often they are sent until it comes.
 *
 * Source: RFC 3261 §17.1.2, §17.1.3; RFC 6026.
 */
import { Register } from "@watchword/store/Register"
import type { Target } from "./Hop.ts"
import { Lingering } from "./Lingering.ts"
import type { Response } from "./Message.ts"
import type { TimerValues } from "./Options.ts"
import { type Asker, type Means, Sending } from "./Sending.ts"
import type { Timers } from "../Timers.ts"

/** What requests are sent with, and who waits for the answers. */
export interface Stack extends Means {
  readonly transactions: Transactions
}

/** Takes the responses to an INVITE. */
export interface InviteTransaction {
  readonly receive: (response: Response) => void
}

/** The transactions of a gateway by their branches; a CANCEL has that of its INVITE. */
export class Transactions {
  readonly invites = new Register<string, InviteTransaction>()
  readonly others = new Register<string, Transaction>()
  /** Those that are over but for what is said again (Timer D). */
  readonly past: Lingering<InviteTransaction>
  /** The Call-IDs of what is under way. */
  readonly calls = new Set<string>()
  private readonly left: () => void

  /** @param left is told when a call is under way no more */
  constructor(timers: Timers, { t1 }: TimerValues, left: () => void) {
    this.past = new Lingering(timers, 64 * t1)
    this.left = left
  }

  leave(callId: string): void {
    this.calls.delete(callId)
    this.left()
  }

  /** A response that nobody waits for is dropped, as a late or repeated one is (RFC 6026 §7.2). */
  receive(response: Response): void {
    const { branch, cseq } = response
    if (cseq.method === "INVITE") {
      const invite = this.invites.get(branch) ?? this.past.get(branch)
      return invite?.receive(response)
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
  readonly target: Target
}

/** Sends a request; `done` is called once. */
export const request = (stack: Stack, request: Request, done: (answer: Answer) => void): void =>
  new Transaction(stack, request, done).start()

class Transaction implements Asker {
  readonly method: string
  private readonly branch: string
  private readonly transactions: Transactions
  private readonly sending: Sending
  private readonly done: (answer: Answer) => void
  private isDone = false

  constructor(stack: Stack, { branch, method, target, text }: Request, done: (answer: Answer) => void) {
    this.method = method
    this.branch = branch
    this.transactions = stack.transactions
    this.sending = new Sending(stack, text, target, stack.values.t2, this)
    this.done = done
  }

  start(): void {
    this.transactions.others.add(this.branch, this)
    this.sending.start()
  }

  receive(response: Response): void {
    if (response.status < 200) this.sending.slowDown()
    else this.end(response)
  }

  unsent(reason: string): void {
    this.end(reason)
  }

  unanswered(): void {
    this.end(null)
  }

  private end(answer: Answer): void {
    if (this.isDone) return
    this.isDone = true
    this.sending.stop()
    this.transactions.others.delete(this.branch)
    this.done(answer)
  }
}
