/**
 * One INVITE on its way through a trunk, from the first byte until nothing of it is left: whatever comes back, it
 * is acknowledged, and whoever answers is hung up on, for nobody is to talk.
 *
 * Source: RFC 3261 §9.1, §13.2.2, §15.1.1, §17.1.1; RFC 6026 §7.2.
 */
import * as HeaderValue from "./HeaderValue.ts"
import {
  type Dialog,
  type Invite,
  ackText,
  byeText,
  cancelText,
  dialog,
  dialogAckText,
  newBranch,
  routing
} from "./Invite.ts"
import type { Endpoint } from "./Endpoint.ts"
import type { Response } from "./Message.ts"
import { Sending } from "./Sending.ts"
import { type InviteTransaction, type Stack, request } from "./Transactions.ts"
import type { Trunk } from "./Trunk.ts"

/** How a leg ended. */
export type LegEnd =
  | { readonly _tag: "Rejected"; readonly response: Response }
  /** Somebody answered, and every answer was hung up on; confirmed when the other side said so to the last. */
  | { readonly _tag: "Answered"; readonly isConfirmed: boolean }
  /** No final response came. The CANCEL may have been accepted all the same. */
  | { readonly _tag: "TimedOut"; readonly isCancelled: boolean }
  | { readonly _tag: "Unreachable"; readonly reason: string }

/** Whom a leg tells what becomes of it. */
export interface LegListener {
  readonly provisional: (leg: Leg, response: Response) => void
  /** Said once, whatever the number of answers. */
  readonly answered: (leg: Leg) => void
  /** Said once and last. */
  readonly over: (leg: Leg, end: LegEnd) => void
}

export class Leg extends Sending<Stack> implements InviteTransaction {
  readonly callId: string
  readonly branch: string
  readonly trunk: Trunk
  readonly invite: Invite
  isOver = false
  private readonly listener: LegListener
  private readonly credentials: string
  private state: "calling" | "proceeding" | "rejected" | "answered" = "calling"
  private hasProgressed = false
  private isResumed = false
  /** What to do at the first provisional response, when it is not done. */
  private isCancelled = false
  /** How it ends when no final response comes; null while it may take its time. */
  private late: LegEnd | null = null
  /** The ACKs of those who answered, by their tags, for when they repeat themselves. */
  private answers: Map<string, () => void> | undefined
  private goodbyes = 0
  /** A dialog that is known before anybody answers. */
  private early: Dialog | null = null

  /** @param credentials the header lines that the INVITE carries */
  constructor(stack: Stack, trunk: Trunk, invite: Invite, credentials: string, listener: LegListener) {
    super(stack, invite.route.endpoint, Number.POSITIVE_INFINITY)
    this.callId = invite.callId
    this.branch = invite.branch
    this.trunk = trunk
    this.invite = invite
    this.credentials = credentials
    this.listener = listener
  }

  /** Whether a provisional response has come. */
  get isHeard(): boolean {
    return this.hasProgressed
  }

  /** Sends the INVITE until something comes back. */
  start(text: string): void {
    this.stack.transactions.enter(this)
    this.send(text)
  }

  unsent(reason: string): void {
    if (this.state === "calling") this.end({ _tag: "Unreachable", reason })
  }

  protected unanswered(): void {
    this.end({ _tag: "TimedOut", isCancelled: false })
  }

  /** The one timer has the INVITE repeated first, and later limits how long its end may take. */
  protected override expired(): void {
    if (this.state === "calling") super.expired()
    else if (this.late !== null) this.end(this.late)
  }

  /** Takes up an INVITE that an earlier process sent, to end it. */
  resume(early: Dialog | null): void {
    this.stack.transactions.enter(this)
    this.state = "proceeding"
    this.isResumed = true
    this.early = early
    this.cancel()
  }

  /** Ends what has not been answered, as soon as the rules allow it. */
  cancel(): void {
    if (this.isCancelled || this.isOver) return
    this.isCancelled = true
    if (this.state === "proceeding") this.sendCancel()
  }

  receive(response: Response): void {
    if (response.status < 200) this.provisional(response)
    else if (response.status < 300) this.success(response)
    else this.rejection(response)
  }

  private provisional(response: Response): void {
    this.hasProgressed = true
    if (this.state === "calling") {
      this.state = "proceeding"
      this.stop()
      if (this.isCancelled) this.sendCancel()
    }
    if (this.state === "proceeding" && !this.isOver) this.listener.provisional(this, response)
  }

  private rejection(response: Response): void {
    if (this.state === "rejected" || this.state === "answered" || this.isOver) return
    const { invite, stack, endpoint } = this
    const { transactions, transport } = stack
    this.state = "rejected"
    // The ACK's To is that of the response (RFC 3261 §17.1.1.3).
    const text = ackText(invite, response.headers.first("to") ?? invite.to)
    transport.send(text, endpoint, null)
    if (endpoint.protocol === "udp") transactions.acknowledgements.add(invite.branch, { text, endpoint, transport })
    this.end({ _tag: "Rejected", response })
  }

  private success(response: Response): void {
    const isFirst = this.answers === undefined
    const answers = (this.answers ??= new Map())
    const tag = HeaderValue.tag(response.headers.first("to") ?? "")
    const repeated = answers.get(tag)
    if (repeated !== undefined) return repeated()

    const { stack, invite, trunk } = this
    if (isFirst) {
      this.state = "answered"
      this.stop()
      // Timer M: who else answers is hung up on too, while the trunk may still say so.
      stack.timers.after(64 * stack.values.t1, () => stack.transactions.invites.delete(this.branch))
    }
    const made = dialog(invite, response)
    answers.set(tag, () => {})
    this.goodbyes++
    if (isFirst) this.listener.answered(this)
    trunk.reach(routing(made).hop, this.endpoint, (endpoint) => {
      const ack = dialogAckText(made, this.credentials)
      const acknowledge = (): void => stack.transport.send(ack, endpoint, null)
      answers.set(tag, acknowledge)
      acknowledge()
      this.bye(made, endpoint, (isConfirmed) => {
        this.goodbyes--
        if (this.goodbyes === 0) this.end({ _tag: "Answered", isConfirmed })
      })
    })
  }

  private bye(made: Dialog, endpoint: Endpoint, done: (isConfirmed: boolean) => void): void {
    const { trunk } = this
    const { uri } = routing(made)
    const answered = new Set<string>()
    const send = (cseq: number): void => {
      const branch = newBranch()
      const text = byeText(made, branch, cseq, trunk.credentials.lines("BYE", uri))
      request(this.stack, { method: "BYE", branch, text, endpoint }, (answer) => {
        if (answer === null || typeof answer === "string") return done(false)
        const isAsked = [401, 407].includes(answer.status)
        if (isAsked && trunk.credentials.challenged(answer, answered)) send(cseq + 1)
        else done(true)
      })
    }
    send(made.invite.cseq + 1)
  }

  private sendCancel(): void {
    const { branch, invite, stack, endpoint } = this
    request(stack, { method: "CANCEL", branch, text: cancelText(invite), endpoint }, (answer) => {
      if (this.state !== "proceeding" || this.isOver) return
      if (answer === null || typeof answer === "string") return this.end({ _tag: "TimedOut", isCancelled: false })
      if (answer.status === 481) return this.unknown()
      const isAccepted = answer.status < 300
      // The last word on an earlier process's INVITE may go to where that process was.
      this.waitForEnd(isAccepted && this.isResumed ? stack.values.t4 : 64 * stack.values.t1, isAccepted)
    })
  }

  /** The other side knows no such INVITE: it is over, and the last word on its way; or somebody has answered it. */
  private unknown(): void {
    const { early, stack, endpoint, trunk } = this
    this.waitForEnd(stack.values.t4, false)
    if (early === null) return
    trunk.reach(routing(early).hop, endpoint, (hop) => this.bye(early, hop, () => {}))
  }

  private waitForEnd(time: number, isCancelled: boolean): void {
    this.late = { _tag: "TimedOut", isCancelled }
    this.expireAfter(time)
  }

  private end(end: LegEnd): void {
    if (this.isOver) return
    const { transactions } = this.stack
    this.isOver = true
    this.stop()
    if (this.state !== "answered") transactions.invites.delete(this.branch)
    transactions.leave(this)
    this.listener.over(this, end)
  }
}
