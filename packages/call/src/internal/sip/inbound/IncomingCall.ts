/**
 * One INVITE to a number of ours, from its arrival until it can be forgotten: the server's side of the transaction.
 *
 * Nothing is answered before its meaning is stored: a provisional response would have the caller stop repeating the
 * INVITE, and then a process that died here would have lost the call.
 *
 * ```
 * caller ── INVITE ──▶ heard ── stored ──▶ 486 ──▶ caller ── ACK ──▶ over
 *        ── CANCEL ──▶ 200, and 487 once stored
 * ```
 *
 * Source: RFC 3261 §9.2, §17.2.1 (Timers G and H); §17.2.3.
 */
import type { Timer, Timers } from "../../Timers.ts"
import type { Source } from "../Endpoint.ts"
import type { Request } from "../Message.ts"
import type { TimerValues } from "../Options.ts"
import { portOf, respond, responseText } from "../ResponseTo.ts"

/**
 * The refusal of a call that was heard. The caller's phone plays the busy tone, which every network has. It is the same
 * whether a verification waited for the call or not: a stranger learns nothing by calling.
 */
const BUSY = "486 Busy Here"
const TERMINATED = "487 Request Terminated"

export interface Clockwork {
  readonly timers: Timers
  readonly values: TimerValues
}

export class IncomingCall {
  /** Null once it is answered: only the answer is kept. */
  private invite: Request | null
  private readonly source: Source
  private readonly clockwork: Clockwork
  private readonly forget: () => void
  private isCancelled = false
  private answer: (() => void) | null = null
  private repeating: Timer | null = null
  private lasting: Timer | null = null

  /** @param forget called once nothing more can come of the transaction */
  constructor(invite: Request, source: Source, clockwork: Clockwork, forget: () => void) {
    this.invite = invite
    this.source = source
    this.clockwork = clockwork
    this.forget = forget
  }

  /** Whether it has been answered. */
  get isAnswered(): boolean {
    return this.answer !== null
  }

  /** Hears the INVITE again: its answer was lost, or is not there yet. */
  repeated(): void {
    this.answer?.()
  }

  /** Hears that the caller has hung up. */
  cancelled(cancel: Request, source: Source): void {
    const text = responseText(cancel, source, "200 OK")
    if (text !== null) respond(cancel, source, text)
    this.isCancelled = true
  }

  acknowledged(): void {
    this.repeating?.cancel()
  }

  /** Refuses the call, over and over until its ACK comes, and forgets it half a minute later. */
  refuse(): void {
    const { clockwork, invite, source } = this
    if (invite === null) return
    const { t1, t2 } = clockwork.values
    const text = responseText(invite, source, this.isCancelled ? TERMINATED : BUSY)
    if (text === null) return this.forget()
    const port = portOf(invite, source)
    this.answer = () => source.reply(text, port)
    this.invite = null
    this.answer()
    this.lasting = clockwork.timers.after(64 * t1, () => {
      this.drop()
      this.forget()
    })
    if (source.protocol === "udp") this.repeatAfter(t1, t2)
  }

  /** Sends nothing more. */
  drop(): void {
    this.repeating?.cancel()
    this.lasting?.cancel()
  }

  private repeatAfter(interval: number, longest: number): void {
    this.repeating = this.clockwork.timers.after(interval, () => {
      this.repeated()
      this.repeatAfter(Math.min(2 * interval, longest), longest)
    })
  }
}
