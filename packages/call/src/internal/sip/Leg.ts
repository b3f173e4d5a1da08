/**
 * A call leg: one INVITE through a trunk, from its first transmission until its transactions and dialogs are over. It
 * can be cancelled at any moment, and every answer is acknowledged and hung up on at once.
 *
 * Source: RFC 3261 §9.1, §13.2.2, §15.1.1.
 */
import type { Timer } from "../Timers.ts"
import { type Result, sendRequest } from "./ClientTransaction.ts"
import type { Rounds } from "./Digest.ts"
import { type Endpoint, isSameHop } from "./Endpoint.ts"
import * as HeaderValue from "./HeaderValue.ts"
import { type Dialog, type Invite, byeText, cancelText, dialogAckText, dialogOf, newBranch, routing } from "./Invite.ts"
import { type Handlers, InviteTransaction } from "./InviteTransaction.ts"
import type { Response } from "./Message.ts"
import type { OpenLegs } from "./OpenLegs.ts"
import type { Peers } from "./Peers.ts"
import type { Stack } from "./Transactions.ts"
import type { Trunk } from "./Trunk.ts"

/** The most answers of a forked INVITE that are hung up on: each costs an ACK and a BYE. */
const MOST_ANSWERS = 8

/** How a leg ended. */
export type LegEnd =
  | { readonly _tag: "Rejected"; readonly response: Response }
  /** Every answer was hung up on; confirmed when the other side has acknowledged the last BYE. */
  | { readonly _tag: "Answered"; readonly isConfirmed: boolean }
  /** No final response came, although the CANCEL may have been accepted. */
  | { readonly _tag: "TimedOut"; readonly isCancelled: boolean }
  | { readonly _tag: "Unreachable"; readonly reason: string }

export interface LegListener {
  /** Called with each response as it came in, before the others; left out where no one listens. */
  readonly heard?: (response: Response) => void
  readonly provisional: (leg: Leg, response: Response) => void
  /** Called once, whatever the number of answers. */
  readonly answered: (leg: Leg) => void
  /** Called once and last. */
  readonly over: (leg: Leg, end: LegEnd) => void
}

/** A stack that counts its legs, and knows the addresses that they may be answered from. */
export interface LegStack extends Stack {
  readonly legs: OpenLegs
  readonly peers: Peers
}

export class Leg implements Handlers {
  readonly trunk: Trunk
  readonly invite: Invite
  private readonly stack: LegStack
  private readonly credentials: string
  private readonly listener: LegListener
  private readonly transaction: InviteTransaction
  private wasHeard = false
  private hasProgressed = false
  private isResumed = false
  private isCancelled = false
  private isOver = false
  /** Limits the time from the CANCEL to the final response. */
  private timer: Timer | null = null
  /** Retransmits the ACK of an answer, by its To tag. */
  private readonly answers = new Map<string, () => void>()
  /** The addresses that requests went to. */
  private readonly hops: Array<string> = []
  /** How many BYEs are unconfirmed. */
  private byes = 0
  /** The dialog of an INVITE that an earlier process sent. */
  private early: Dialog | null = null

  /** @param credentials the header lines that the INVITE carries */
  constructor(stack: LegStack, trunk: Trunk, invite: Invite, credentials: string, listener: LegListener) {
    this.stack = stack
    this.trunk = trunk
    this.invite = invite
    this.credentials = credentials
    this.listener = listener
    this.transaction = new InviteTransaction(stack, invite, this)
  }

  /** Whether a provisional response has come. */
  get isHeard(): boolean {
    return this.wasHeard
  }

  /** Whether 183 has come, which some trunks send instead of 180. */
  get isProgressing(): boolean {
    return this.hasProgressed
  }

  /** Sends the INVITE. */
  start(text: string): void {
    this.open()
    this.transaction.start(text)
  }

  /** Takes over an INVITE that an earlier process sent, to end it. */
  resume(early: Dialog | null): void {
    this.open()
    this.isResumed = true
    this.early = early
    this.transaction.resume()
    this.cancel()
  }

  /** Cancels the INVITE: not before the first provisional response (RFC 3261 §9.1), and not after an answer. */
  cancel(): void {
    if (this.isCancelled || this.isOver) return
    this.isCancelled = true
    if (this.transaction.state === "proceeding") this.sendCancel()
  }

  provisional(response: Response): void {
    this.listener.heard?.(response)
    const isFirst = !this.wasHeard && !this.isResumed
    this.wasHeard = true
    if (response.status === 183) this.hasProgressed = true
    if (this.transaction.state !== "proceeding") return
    if (isFirst && this.isCancelled) this.sendCancel()
    if (!this.isOver) this.listener.provisional(this, response)
  }

  accepted(response: Response): void {
    this.listener.heard?.(response)
    const { answers, invite } = this
    const isFirst = answers.size === 0
    const tag = HeaderValue.tag(response.headers.first("to") ?? "")
    const acknowledge = answers.get(tag)
    if (acknowledge !== undefined) return acknowledge()
    if (answers.size >= MOST_ANSWERS) return

    const dialog = dialogOf(invite, response)
    // Until its endpoint is known, retransmissions of an answer are ignored.
    answers.set(tag, () => {})
    this.byes++
    if (isFirst) {
      this.timer?.cancel()
      this.listener.answered(this)
    }
    this.trunk.reach(routing(dialog).hop, invite.route.endpoint, (endpoint) => this.hangUpOn(dialog, tag, endpoint))
  }

  rejected(response: Response): void {
    this.listener.heard?.(response)
    this.trunk.noteUnknown(response)
    this.end({ _tag: "Rejected", response })
  }

  failed(reason: string | null): void {
    this.end(reason === null ? { _tag: "TimedOut", isCancelled: false } : { _tag: "Unreachable", reason })
  }

  private hangUpOn(dialog: Dialog, tag: string, endpoint: Endpoint): void {
    const { route } = dialog.invite
    const ack = dialogAckText(dialog, isSameHop(endpoint, route.endpoint) ? this.credentials : "")
    const acknowledge = (): void => this.stack.transport.send(ack, endpoint, null)
    this.answers.set(tag, acknowledge)
    acknowledge()
    this.sendBye(dialog, endpoint, (isConfirmed) => {
      this.byes--
      if (this.byes === 0) this.end({ _tag: "Answered", isConfirmed })
    })
  }

  private sendBye(dialog: Dialog, endpoint: Endpoint, done: (isConfirmed: boolean) => void): void {
    const { credentials } = this.trunk
    const { uri } = routing(dialog)
    const { sentBy } = dialog.invite.route
    const rounds: Rounds = new Map()
    const send = (cseq: number): void => {
      const branch = newBranch()
      const text = byeText(dialog, branch, cseq, credentials.lines("BYE", uri, endpoint))
      sendRequest(this.stack, { method: "BYE", branch, sentBy, text, endpoint }, (result) => {
        if (result._tag === "NoResponse") done(false)
        else if (credentials.challenged(result, endpoint, rounds)) send(cseq + 1)
        else done(true)
      })
    }
    this.hear(endpoint)
    send(dialog.invite.cseq + 1)
  }

  private sendCancel(): void {
    const { branch, route } = this.invite
    const { endpoint, sentBy } = route
    const cancel = { method: "CANCEL", branch, sentBy, text: cancelText(this.invite), endpoint }
    sendRequest(this.stack, cancel, (result) => this.cancelled(result))
  }

  private cancelled(result: Result): void {
    const { t1, t4 } = this.stack.values
    if (this.transaction.state !== "proceeding" || this.isOver) return
    if (result._tag === "NoResponse") return this.end({ _tag: "TimedOut", isCancelled: false })
    if (result.status === 481) return this.unknown()
    const isAccepted = result.status < 300
    // The final response to an earlier process's INVITE may be sent to that process's address.
    this.waitForEnd(isAccepted && this.isResumed ? t4 : 64 * t1, isAccepted)
  }

  /** The other side has no such INVITE: its final response is on its way, or a dialog was answered long ago. */
  private unknown(): void {
    const { early, invite, stack, trunk } = this
    this.waitForEnd(stack.values.t4, false)
    if (early === null) return
    trunk.reach(routing(early).hop, invite.route.endpoint, (endpoint) => this.sendBye(early, endpoint, () => {}))
  }

  private waitForEnd(time: number, isCancelled: boolean): void {
    this.timer = this.stack.timers.after(time, () => this.end({ _tag: "TimedOut", isCancelled }))
  }

  private end(end: LegEnd): void {
    if (this.isOver) return
    this.isOver = true
    this.timer?.cancel()
    this.transaction.terminate()
    for (const address of this.hops) this.stack.peers.release(address)
    this.stack.legs.close(this.invite.callId)
    this.listener.over(this, end)
  }

  private open(): void {
    this.stack.legs.open(this.invite.callId)
    this.hear(this.invite.route.endpoint)
  }

  /** Takes datagrams from a hop until the leg is over, or for a while when it is. */
  private hear({ address }: Endpoint): void {
    const { peers } = this.stack
    if (this.hops.includes(address)) return
    peers.add(address)
    if (this.isOver) peers.release(address)
    else this.hops.push(address)
  }
}
