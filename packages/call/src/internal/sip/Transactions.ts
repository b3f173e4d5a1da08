/**
 * The client transactions of a gateway, and the responses that belong to them.
 *
 * Source: RFC 3261 §17.1.3 (matching), §18.1.2, RFC 6026 §7.2 (stray responses).
 */
import type { Timers } from "../Timers.ts"
import { Acknowledgements } from "./Acknowledgements.ts"
import * as HeaderValue from "./HeaderValue.ts"
import type { Response } from "./Message.ts"
import type { TimerValues } from "./Options.ts"
import type { Network } from "./Retransmission.ts"

/** What requests are sent with, and matched with their responses by. */
export interface Stack extends Network {
  readonly transactions: Transactions
}

/** An open transaction. */
export interface Receiver {
  /** Our host and port in the Via of its request. */
  readonly sentBy: string
  readonly receive: (response: Response) => void
}

export class Transactions {
  /** The ACKs of INVITEs that were rejected over UDP. */
  readonly acknowledgements: Acknowledgements
  /** By method, then by branch: a CANCEL has the branch of its INVITE. */
  private readonly open = new Map<string, Map<string, Receiver>>()

  constructor(timers: Timers, { t1 }: TimerValues) {
    this.acknowledgements = new Acknowledgements(timers, 64 * t1)
  }

  /** Opens a transaction. */
  add(method: string, branch: string, receiver: Receiver): void {
    const transactions = this.open.get(method)
    if (transactions === undefined) this.open.set(method, new Map([[branch, receiver]]))
    else transactions.set(branch, receiver)
  }

  delete(method: string, branch: string): void {
    this.open.get(method)?.delete(branch)
  }

  /**
   * Passes a response to its transaction. A response without a transaction, or to another sender's request, is dropped.
   */
  receive(response: Response): void {
    const { branch, cseq, status, via } = response
    const receiver = this.open.get(cseq.method)?.get(branch)
    if (receiver !== undefined) {
      // RFC 3261 §18.1.2.
      if (HeaderValue.sentBy(via) === receiver.sentBy) receiver.receive(response)
    } else if (cseq.method === "INVITE" && status >= 300) this.acknowledgements.repeat(branch)
  }
}
