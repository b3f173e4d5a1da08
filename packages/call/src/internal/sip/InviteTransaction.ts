/**
 * The client transaction of an INVITE. It retransmits the INVITE and acknowledges rejections.
 *
 * Source: RFC 3261 §17.1.1; RFC 6026 §7.2 (the state "accepted", Timer M).
 */
import { type Invite, ackText } from "./Invite.ts"
import type { Response } from "./Message.ts"
import { Retransmission } from "./Retransmission.ts"
import type { Receiver, Stack } from "./Transactions.ts"

export interface Handlers {
  readonly provisional: (response: Response) => void
  /** Called for every success: a forked INVITE has several, and each is retransmitted until its ACK. */
  readonly accepted: (response: Response) => void
  /** Called once; the ACK has been sent. */
  readonly rejected: (response: Response) => void
  /** Called once when no response has come; the reason is null when the INVITE timed out. */
  readonly failed: (reason: string | null) => void
}

export class InviteTransaction implements Receiver {
  state: "calling" | "proceeding" | "accepted" | "terminated" = "calling"
  private readonly stack: Stack
  private readonly invite: Invite
  private readonly handlers: Handlers
  /** Null once the INVITE has a response: its text is not kept while the phone rings. */
  private retransmission: Retransmission | null = null

  constructor(stack: Stack, invite: Invite, handlers: Handlers) {
    this.stack = stack
    this.invite = invite
    this.handlers = handlers
  }

  get sentBy(): string {
    return this.invite.route.sentBy
  }

  /** Sends the INVITE. */
  start(text: string): void {
    const { invite, stack } = this
    const failed = (reason: string | null): void => {
      if (this.state !== "calling") return
      this.terminate()
      this.handlers.failed(reason)
    }
    const handlers = { timedOut: () => failed(null), unsent: failed }
    this.open()
    this.retransmission = new Retransmission(stack, text, invite.route.endpoint, Infinity, handlers)
    this.retransmission.start()
  }

  /** Takes over an INVITE that an earlier process sent. */
  resume(): void {
    this.state = "proceeding"
    this.open()
  }

  /** Ends a transaction without a final response, and ignores a later one. */
  terminate(): void {
    this.stopRetransmission()
    if (this.state !== "accepted") this.close()
  }

  receive(response: Response): void {
    this.stopRetransmission()
    if (response.status < 200) {
      if (this.state === "calling") this.state = "proceeding"
      this.handlers.provisional(response)
    } else if (response.status < 300) {
      if (this.state !== "accepted") this.accept()
      this.handlers.accepted(response)
    } else if (this.state !== "accepted") {
      this.acknowledge(response)
      this.close()
      this.handlers.rejected(response)
    }
  }

  private open(): void {
    this.stack.transactions.add("INVITE", this.invite.branch, this)
  }

  private close(): void {
    this.state = "terminated"
    this.stack.transactions.delete("INVITE", this.invite.branch)
  }

  private stopRetransmission(): void {
    this.retransmission?.stop()
    this.retransmission = null
  }

  private accept(): void {
    const { timers, values } = this.stack
    this.state = "accepted"
    // Timer M: other branches of a forked INVITE may be answered as well.
    timers.after(64 * values.t1, () => this.close())
  }

  /** The ACK has the To of the response (RFC 3261 §17.1.1.3). */
  private acknowledge({ headers }: Response): void {
    const { branch, route, to } = this.invite
    const { transactions, transport } = this.stack
    const { endpoint } = route
    const text = ackText(this.invite, headers.first("to") ?? to)
    transport.send(text, endpoint, null)
    if (endpoint.protocol === "udp") transactions.acknowledgements.add(branch, { text, endpoint, transport })
  }
}
