/**
 * The state of one call, from its first INVITE to its end. The callee, the trunk, the service and the clock may each
 * end it: the first one decides the cause, and the end is published once.
 */
import type { Call, Cause, Dialled, Ended, HangupReason } from "../../CallGateway.ts"
import type { Timer, Timers } from "../Timers.ts"
import type { Endpoint } from "./Endpoint.ts"
import { type Dialog, type Invite, dialogOf } from "./Invite.ts"
import type { Leg, LegEnd, LegListener } from "./Leg.ts"
import type { Response } from "./Message.ts"
import { PreparedCall } from "./PreparedCall.ts"
import { causeOf, causeWith, isDecided, isRinging } from "./Status.ts"
import * as StoredDialog from "./StoredDialog.ts"
import type { Trunk } from "./Trunk.ts"

/** The result of one attempt to make the phone ring. */
export type AttemptResult =
  | Extract<Dialled, { readonly _tag: "Ringing" }>
  | LegEnd
  /** The trunk has not responded at all, and another one is left to try. */
  | { readonly _tag: "Silent" }
  /** The time for setting up the call is over. */
  | { readonly _tag: "Late" }
  | { readonly _tag: "HungUp" }

export interface Owner {
  readonly timers: Timers
  /** Milliseconds since the epoch, by a clock that runs evenly. */
  readonly time: () => number
  /** How long a call may take to ring, in milliseconds. */
  readonly setup: number
  readonly ended: (event: Ended) => void
  /** Called last, once the end has been published. */
  readonly forget: (call: SipCall) => void
}

/** How much longer than asked for a phone may ring before the gateway itself hangs up, in milliseconds. */
const BACKSTOP = 2000

export class SipCall implements LegListener {
  readonly order: Call
  private readonly owner: Owner
  private readonly listener: ((response: Response) => void) | null
  private readonly startedAt: number
  private state: "placing" | "ringing" | "over" = "placing"
  private reason: HangupReason | null = null
  /** The leg of the latest attempt. */
  private leg: Leg | null = null
  /** Every leg that is not over. */
  private live: ReadonlyArray<Leg> = []
  private prepared: PreparedCall | null
  private resume: ((result: AttemptResult) => void) | null = null
  /** Limits an attempt first, and later the ringing. */
  private timer: Timer | null = null
  /** Whether another trunk is tried unless this one responds soon. */
  private isImpatient = false
  private invitedAt: number | null = null
  private answeredAt: number | null = null
  private hungUpAt: number | null = null

  /** @param listener hears each response to an INVITE */
  constructor(
    { callee, caller, delivery, maxRing, prepared }: Call,
    owner: Owner,
    listener: ((response: Response) => void) | null = null
  ) {
    this.listener = listener
    this.order = { delivery, caller, callee, maxRing }
    this.prepared = prepared instanceof PreparedCall ? prepared : null
    this.owner = owner
    this.startedAt = owner.timers.now()
  }

  /** How long the phone may still take to ring, in milliseconds. */
  get left(): number {
    return this.startedAt + this.owner.setup - this.owner.timers.now()
  }

  /** The dialogs to store before an INVITE is sent: its own, and the dialogs of legs that are not over. */
  dialogWith(invite: Invite): string {
    return encode(invite, null, this.live)
  }

  /** The prepared INVITE, for the first attempt only and if it suits the endpoint. */
  takePrepared(trunk: Trunk, endpoint: Endpoint): Invite | null {
    const { prepared } = this
    this.prepared = null
    return prepared?.suits(trunk, endpoint) === true ? prepared.invite : null
  }

  /**
   * Sends an INVITE.
   *
   * @param silence how many milliseconds the trunk may take to respond at all; null for the time that is left
   * @param resume is called once
   */
  attempt(leg: Leg, text: string, silence: number | null, resume: (result: AttemptResult) => void): void {
    if (this.reason !== null) return resume({ _tag: "HungUp" })
    this.invitedAt ??= this.owner.timers.now()
    this.leg = leg
    this.live = this.live.concat(leg)
    this.resume = resume
    const { left } = this
    this.isImpatient = silence !== null && silence < left
    this.giveUpAfter(Math.min(silence ?? left, left), { _tag: this.isImpatient ? "Silent" : "Late" })
    leg.start(text)
  }

  /** False when the call is over. */
  hangup(reason: HangupReason): boolean {
    if (this.state === "over") return false
    if (this.reason !== null) return true
    this.reason = reason
    this.hungUpAt = this.owner.time()
    for (const leg of this.live) leg.cancel()
    this.finishAttempt({ _tag: "HungUp" })
    return true
  }

  /** Ends a call that has failed, or whose dial was interrupted. */
  leave(): void {
    if (this.state !== "placing") return void this.hangup("ORIGINATOR_CANCEL")
    this.state = "over"
    this.timer?.cancel()
    for (const leg of this.live) leg.cancel()
    this.owner.forget(this)
  }

  /** Publishes the end of a call at once, because the gateway closes. */
  abandon(): void {
    if (this.state === "ringing") this.end({ _tag: "TimedOut", isCancelled: false })
  }

  heard(response: Response): void {
    this.listener?.(response)
  }

  provisional(leg: Leg, response: Response): void {
    if (leg !== this.leg || this.state !== "placing" || this.resume === null) return
    leg.trunk.heard(response)
    leg.trunk.noteUnknown(response)
    if (isRinging(response.status, leg.trunk.options.ringing)) this.rang(leg, dialogOf(leg.invite, response))
    else if (this.isImpatient) {
      this.isImpatient = false
      this.giveUpAfter(this.left, { _tag: "Late" })
    }
  }

  answered(leg: Leg): void {
    if (leg !== this.leg || this.state === "over") return
    if (this.state === "placing" && this.resume === null) return
    this.answeredAt = this.owner.time()
    if (this.state === "placing") this.rang(leg, null)
  }

  over(leg: Leg, end: LegEnd): void {
    this.live = this.live.filter((other) => other !== leg)
    if (leg !== this.leg) return
    if (this.state === "placing") this.finishAttempt(end)
    else if (this.state === "ringing") this.end(end)
  }

  private rang(leg: Leg, dialog: Dialog | null): void {
    const { timers } = this.owner
    const others = this.live.filter((other) => other !== leg)
    this.state = "ringing"
    this.timer?.cancel()
    this.timer = timers.after(this.order.maxRing * 1000 + BACKSTOP, () => this.hangup("NO_ANSWER"))
    this.finishAttempt({
      _tag: "Ringing",
      postDialDelay: timers.now() - (this.invitedAt ?? this.startedAt),
      dialog: encode(leg.invite, dialog, others)
    })
  }

  private giveUpAfter(time: number, result: AttemptResult): void {
    this.timer?.cancel()
    this.timer = this.owner.timers.after(time, () => {
      this.leg?.cancel()
      this.finishAttempt(result)
    })
  }

  private finishAttempt(result: AttemptResult): void {
    const { resume } = this
    if (resume === null) return
    this.resume = null
    if (this.state === "placing") this.timer?.cancel()
    resume(result)
  }

  private end(end: LegEnd): void {
    this.state = "over"
    this.timer?.cancel()
    this.owner.ended({
      _tag: "Ended",
      delivery: this.order.delivery,
      cause: this.causeOf(end),
      answeredAt: this.answeredAt,
      endedAt: this.endOf(end) ?? this.owner.time()
    })
    this.owner.forget(this)
  }

  /** Without a final response, a call lasts until it was hung up; null for now. */
  private endOf(end: LegEnd): number | null {
    if (end._tag === "TimedOut") return this.hungUpAt
    return end._tag === "Answered" && !end.isConfirmed ? this.answeredAt : null
  }

  private causeOf(end: LegEnd): Cause {
    if (this.answeredAt !== null) return { hangupCause: "NORMAL_CLEARING", sipStatus: 200, q850: null }
    if (end._tag !== "Rejected") return causeWith(this.reason ?? "RECOVERY_ON_TIMER_EXPIRE", null)
    const { response } = end
    return this.reason === null || isDecided(response) ? causeOf(response) : causeWith(this.reason, response)
  }
}

/** One INVITE with its dialog, after the dialogs of earlier attempts. */
const encode = (invite: Invite, dialog: Dialog | null, earlier: ReadonlyArray<Leg>): string =>
  StoredDialog.join([...earlier.map((leg) => StoredDialog.encode(leg.invite)), StoredDialog.encode(invite, dialog)])
