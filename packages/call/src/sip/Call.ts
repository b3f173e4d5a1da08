/**
 * One call, from the first INVITE to its end. Whatever wants to end it comes here: the phone's owner, the trunk,
 * the service, the clock. The first to come decides, and the end is said once.
 */
import type { Cause, Dialled, Ended, HangupReason, Call as Order } from "../CallGateway.ts"
import { Draft } from "./Draft.ts"
import type { Endpoint } from "./Endpoint.ts"
import { type Dialog, type Invite, dialog } from "./Invite.ts"
import type { Leg, LegEnd, LegListener } from "./Leg.ts"
import type { Response } from "./Message.ts"
import { causeOf, causeWith, isByCallee } from "./Status.ts"
import * as StoredDialog from "./StoredDialog.ts"
import type { Timer, Timers } from "../Timers.ts"
import type { Trunk } from "./Trunk.ts"

/** What an attempt to make the phone ring came to. */
export type Step =
  | Extract<Dialled, { readonly _tag: "Ringing" }>
  | LegEnd
  /** The trunk has said nothing at all, and another one waits. */
  | { readonly _tag: "Silent" }
  /** The whole call has taken too long. */
  | { readonly _tag: "Late" }
  | { readonly _tag: "HungUp" }

export interface Owner {
  readonly timers: Timers
  /** Milliseconds since the epoch. */
  readonly wallClock: () => number
  /** How long a call may take to ring, in milliseconds. */
  readonly setup: number
  readonly ended: (event: Ended) => void
  /** The call is no concern any more. */
  readonly forget: (call: Call) => void
}

/** How much longer than asked for a phone may ring before the gateway itself hangs up, in milliseconds. */
const BACKSTOP = 2000

const SILENT: Step = { _tag: "Silent" }
const LATE: Step = { _tag: "Late" }

export class Call implements LegListener {
  readonly order: Order
  private readonly owner: Owner
  private readonly startedAt: number
  private state: "placing" | "ringing" | "over" = "placing"
  private reason: HangupReason | null = null
  private leg: Leg | null = null
  /** Not kept any longer than it is needed: thousands of calls may ring. */
  private draft: Draft | null
  /** Every INVITE that the other side may still work on. */
  private live: ReadonlyArray<Leg> = []
  private resume: ((step: Step) => void) | null = null
  private invitedAt: number | null = null
  private answeredAt: number | null = null
  /** Limits an attempt first, and later the ringing. */
  private timer: Timer | null = null
  private hungUpAt: number | null = null

  constructor({ callee, caller, delivery, draft, maxRing }: Order, owner: Owner) {
    this.order = { delivery, caller, callee, maxRing }
    this.draft = draft instanceof Draft ? draft : null
    this.owner = owner
    this.startedAt = owner.timers.now()
  }

  /** How long the phone may still take to ring, in milliseconds. */
  get left(): number {
    return this.startedAt + this.owner.setup - this.owner.timers.now()
  }

  /** The dialogs to store before an INVITE leaves, with those that are not over. */
  dialogWith(invite: Invite): string {
    return this.allStored(invite, null, this.live)
  }

  /** What was drafted, if that is how the call begins: its dialog is stored already. Null for any later INVITE. */
  drafted(trunk: Trunk, endpoint: Endpoint): Draft | null {
    const { draft } = this
    this.draft = null
    return draft?.suits(trunk, endpoint) === true ? draft : null
  }

  /**
   * Sends an INVITE.
   *
   * @param silence after how many milliseconds without a word another trunk is to be tried; null for never
   * @param resume is called once
   */
  place(leg: Leg, text: string, silence: number | null, resume: (step: Step) => void): void {
    if (this.reason !== null) return resume({ _tag: "HungUp" })
    this.invitedAt ??= this.owner.timers.now()
    this.leg = leg
    this.live = [...this.live, leg]
    this.resume = resume
    const { left } = this
    if (silence !== null && silence < left) this.wait(silence, SILENT)
    else this.wait(left, LATE)
    leg.start(text)
  }

  /** False when the call is over. */
  hangup(reason: HangupReason): boolean {
    if (this.state === "over") return false
    if (this.reason !== null) return true
    this.reason = reason
    this.hungUpAt = this.owner.wallClock()
    for (const leg of this.live) leg.cancel()
    this.step({ _tag: "HungUp" })
    return true
  }

  /** Nobody waits for the call's first ringing any more: it has failed, or was interrupted. */
  leave(): void {
    if (this.state !== "placing") return void this.hangup("ORIGINATOR_CANCEL")
    this.state = "over"
    this.timer?.cancel()
    for (const leg of this.live) leg.cancel()
    this.owner.forget(this)
  }

  /** Nobody waits for the call's end any more, so this is it. */
  abandon(): void {
    if (this.state === "ringing") this.finish({ _tag: "TimedOut", isCancelled: false })
  }

  provisional(leg: Leg, response: Response): void {
    if (leg !== this.leg || this.state !== "placing" || this.resume === null) return
    leg.trunk.heard(response)
    if (response.status >= 180 && response.status < 190) this.rang(leg, response)
    else this.wait(this.left, LATE)
  }

  answered(leg: Leg): void {
    if (leg !== this.leg || this.state === "over") return
    if (this.state === "placing" && this.resume === null) return
    this.answeredAt = this.owner.wallClock()
    if (this.state === "placing") this.rang(leg, null)
  }

  over(leg: Leg, end: LegEnd): void {
    this.live = this.live.filter((other) => other !== leg)
    if (leg !== this.leg) return
    if (this.state === "placing") this.step(end)
    else if (this.state === "ringing") this.finish(end)
  }

  private rang(leg: Leg, response: Response | null): void {
    this.state = "ringing"
    const { timers } = this.owner
    this.timer?.cancel()
    this.timer = timers.after(this.order.maxRing * 1000 + BACKSTOP, () => this.hangup("NO_ANSWER"))
    const made = response === null ? null : dialog(leg.invite, response)
    const others = this.live.filter((other) => other !== leg)
    this.step({
      _tag: "Ringing",
      postDialDelay: timers.now() - (this.invitedAt ?? this.startedAt),
      dialog: this.allStored(leg.invite, made, others)
    })
  }

  /** Gives the attempt up after a while. */
  private wait(time: number, late: Step): void {
    this.timer?.cancel()
    this.timer = this.owner.timers.after(time, () => {
      this.leg?.cancel()
      this.step(late)
    })
  }

  private allStored(invite: Invite, made: Dialog | null, others: ReadonlyArray<Leg>): string {
    const earlier = others.map((leg) => StoredDialog.storedInvite(leg.invite, null))
    return StoredDialog.encode([...earlier, StoredDialog.storedInvite(invite, made)])
  }

  private step(step: Step): void {
    const { resume } = this
    if (resume === null) return
    this.resume = null
    if (this.state === "placing") this.timer?.cancel()
    resume(step)
  }

  private finish(end: LegEnd): void {
    this.state = "over"
    this.timer?.cancel()
    const now = this.owner.wallClock()
    this.owner.ended({
      _tag: "Ended",
      delivery: this.order.delivery,
      cause: this.causeOf(end),
      answeredAt: this.answeredAt,
      endedAt: this.endOf(end) ?? now
    })
    // Only now: whoever waits for the last call to be gone may then count on its end having been told.
    this.owner.forget(this)
  }

  /** Without a last word from the trunk, a call has lasted until we hung up, as far as we know. */
  private endOf(end: LegEnd): number | null {
    if (end._tag === "TimedOut") return this.hungUpAt
    return end._tag === "Answered" && !end.isConfirmed ? this.answeredAt : null
  }

  private causeOf(end: LegEnd): Cause {
    if (this.answeredAt !== null) return { hangupCause: "NORMAL_CLEARING", sipStatus: 200, q850: null }
    if (end._tag !== "Rejected") return causeWith(this.reason ?? "RECOVERY_ON_TIMER_EXPIRE", null)
    const { response } = end
    return this.reason === null || isByCallee(response.status) ? causeOf(response) : causeWith(this.reason, response)
  }
}
