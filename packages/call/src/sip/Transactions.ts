/**
 * Requests that wait for a response, and how often they are sent until it comes.
 *
 * Source: RFC 3261 §17.1.2, §17.1.3; RFC 6026.
 */
import type { Response } from "./Message.ts"
import type { TimerValues } from "./Options.ts"
import type { Timer, Timers } from "./Timers.ts"
import type { Target } from "./Hop.ts"
import type { Transport } from "./Transport.ts"

/** What requests are sent with. */
export interface Stack {
  readonly transport: Transport
  readonly timers: Timers
  readonly values: TimerValues
  readonly transactions: Transactions
}

/** Takes the responses to an INVITE. */
export interface InviteTransaction {
  readonly receive: (response: Response) => void
}

/** The transactions of a gateway by their branches; a CANCEL has that of its INVITE. */
export class Transactions {
  readonly invites = new Map<string, InviteTransaction>()
  readonly others = new Map<string, Transaction>()
  /** The Call-IDs of what is under way. */
  readonly calls = new Set<string>()
  private readonly left: () => void

  /** @param left is told when a call is under way no more */
  constructor(left: () => void) {
    this.left = left
  }

  leave(callId: string): void {
    this.calls.delete(callId)
    this.left()
  }

  /** A response that nobody waits for is dropped, as a late or repeated one is (RFC 6026 §7.2). */
  receive(response: Response): void {
    if (response.cseq.method === "INVITE") return this.invites.get(response.branch)?.receive(response)
    const other = this.others.get(response.branch)
    if (other?.method === response.cseq.method) other.receive(response)
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

class Transaction {
  private readonly stack: Stack
  private readonly request: Request
  private readonly done: (answer: Answer) => void
  private repeat: Timer | undefined
  private limit: Timer | undefined
  private isProceeding = false
  private isDone = false

  constructor(stack: Stack, request: Request, done: (answer: Answer) => void) {
    this.stack = stack
    this.request = request
    this.done = done
  }

  get method(): string {
    return this.request.method
  }

  start(): void {
    const { timers, transport, transactions, values } = this.stack
    const { branch, text, target } = this.request
    transactions.others.set(branch, this)
    // Timer F, and for UDP timer E.
    this.limit = timers.after(64 * values.t1, () => this.end(null))
    const send = (next: number): void => {
      if (target.protocol === "udp") {
        this.repeat = timers.after(this.isProceeding ? values.t2 : next, () => send(Math.min(2 * next, values.t2)))
      }
      transport.send(text, target, (reason) => this.end(reason))
    }
    send(values.t1)
  }

  receive(response: Response): void {
    if (response.status < 200) this.isProceeding = true
    else this.end(response)
  }

  private end(answer: Answer): void {
    if (this.isDone) return
    this.isDone = true
    const { timers, transactions } = this.stack
    timers.cancel(this.limit)
    timers.cancel(this.repeat)
    transactions.others.delete(this.request.branch)
    this.done(answer)
  }
}
