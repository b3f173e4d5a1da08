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
import type { Target } from "./Hop.ts"
import type { Response } from "./Message.ts"
import { type Asker, Sending } from "./Sending.ts"
import type { Timer } from "../Timers.ts"
import { type InviteTransaction, type Stack, request } from "./Transactions.ts"
import type { Transport } from "./Transport.ts"
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

export class Leg implements Asker, InviteTransaction {
  readonly trunk: Trunk
  readonly invite: Invite
  private readonly stack: Stack
  private readonly listener: LegListener
  private readonly credentials: string
  private state: "calling" | "proceeding" | "rejected" | "answered" = "calling"
  private hasProgressed = false
  private isOver = false
  private isResumed = false
  /** What to do at the first provisional response, when it is not done. */
  private isCancelled = false
  private sending: Sending | undefined
  private limit: Timer | undefined
  /** The ACKs of those who answered, by their tags, for when they repeat themselves. */
  private answers: Map<string, () => void> | undefined
  private goodbyes = 0
  /** A dialog that is known before anybody answers. */
  private early: Dialog | null = null

  /** @param credentials the header lines that the INVITE carries */
  constructor(stack: Stack, trunk: Trunk, invite: Invite, credentials: string, listener: LegListener) {
    this.stack = stack
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
    this.enter()
    this.sending = new Sending(this.stack, text, this.invite.target, Number.POSITIVE_INFINITY, this)
    this.sending.start()
  }

  unsent(reason: string): void {
    if (this.state === "calling") this.end({ _tag: "Unreachable", reason })
  }

  unanswered(): void {
    this.end({ _tag: "TimedOut", isCancelled: false })
  }

  /** Takes up an INVITE that an earlier process sent, to end it. */
  resume(early: Dialog | null): void {
    this.enter()
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
      this.stopTimers()
      if (this.isCancelled) this.sendCancel()
    }
    if (this.state === "proceeding" && !this.isOver) this.listener.provisional(this, response)
  }

  private rejection(response: Response): void {
    if (this.state === "rejected" || this.state === "answered" || this.isOver) return
    const { stack, invite } = this
    const { target } = invite
    this.state = "rejected"
    const ack = ackText(invite, response.headers.first("to") ?? invite.to)
    stack.transport.send(ack, target, null)
    this.end({ _tag: "Rejected", response })
    if (target.protocol === "udp") {
      stack.transactions.past.keep(invite.branch, new Acknowledged(stack.transport, ack, target))
    }
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
      this.stopTimers()
      // Timer M: who else answers is hung up on too, while the trunk may still say so.
      stack.timers.after(64 * stack.values.t1, () => stack.transactions.invites.delete(invite.branch))
    }
    const made = dialog(invite, response)
    answers.set(tag, () => {})
    this.goodbyes++
    if (isFirst) this.listener.answered(this)
    trunk.reach(routing(made).hop, invite.target, (target) => {
      const ack = dialogAckText(made, this.credentials)
      const acknowledge = (): void => stack.transport.send(ack, target, null)
      answers.set(tag, acknowledge)
      acknowledge()
      this.bye(made, target, (isConfirmed) => {
        this.goodbyes--
        if (this.goodbyes === 0) this.end({ _tag: "Answered", isConfirmed })
      })
    })
  }

  private bye(made: Dialog, target: Target, done: (isConfirmed: boolean) => void): void {
    const { trunk } = this
    const { uri } = routing(made)
    const answered = new Set<string>()
    const send = (cseq: number): void => {
      const branch = newBranch()
      const text = byeText(made, branch, cseq, trunk.credentials.lines("BYE", uri))
      request(this.stack, { method: "BYE", branch, text, target }, (answer) => {
        if (answer === null || typeof answer === "string") return done(false)
        const isAsked = [401, 407].includes(answer.status)
        if (isAsked && trunk.credentials.challenged(answer, answered)) send(cseq + 1)
        else done(true)
      })
    }
    send(made.invite.cseq + 1)
  }

  private sendCancel(): void {
    const { stack, invite } = this
    const words = { method: "CANCEL", branch: invite.branch, text: cancelText(invite), target: invite.target }
    request(stack, words, (answer) => {
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
    const { early, stack, trunk, invite } = this
    this.waitForEnd(stack.values.t4, false)
    if (early === null) return
    trunk.reach(routing(early).hop, invite.target, (target) => this.bye(early, target, () => {}))
  }

  private waitForEnd(time: number, isCancelled: boolean): void {
    const { timers } = this.stack
    timers.cancel(this.limit)
    this.limit = timers.after(time, () => this.end({ _tag: "TimedOut", isCancelled }))
  }

  private enter(): void {
    this.stack.transactions.invites.add(this.invite.branch, this)
    this.stack.transactions.calls.add(this.invite.callId)
  }

  private end(end: LegEnd): void {
    if (this.isOver) return
    this.isOver = true
    this.stopTimers()
    if (this.state !== "answered") this.stack.transactions.invites.delete(this.invite.branch)
    this.stack.transactions.leave(this.invite.callId)
    this.listener.over(this, end)
  }

  private stopTimers(): void {
    this.sending?.stop()
    this.sending = undefined
    this.stack.timers.cancel(this.limit)
  }
}

/** What is left of an INVITE that was rejected: its ACK, for when the rejection is said again (Timer D). */
class Acknowledged implements InviteTransaction {
  private readonly transport: Transport
  private readonly text: string
  private readonly target: Target

  constructor(transport: Transport, text: string, target: Target) {
    this.transport = transport
    // In one piece: as it was put together, its many pieces would be kept.
    this.text = Buffer.from(text, "latin1").toString("latin1")
    this.target = target
  }

  receive({ status }: Response): void {
    if (status >= 300) this.transport.send(this.text, this.target, null)
  }
}
