/**
 * INVITEs that were refused a moment ago: a CANCEL of one of them is answered 200, because its transaction was there.
 *
 * Source: RFC 3261 §9.2, §17.2.1 (Timer H).
 */
import type { Timers } from "../Timers.ts"
import * as HeaderValue from "./HeaderValue.ts"
import type { Request } from "./Message.ts"

/** The most that are remembered; beyond it the oldest goes early. */
const LIMIT = 10_000

export class RefusedInvites {
  private readonly timers: Pick<Timers, "now">
  private readonly lifetime: number
  /** When each is forgotten. A Map keeps the order of insertion, which is that of expiry. */
  private readonly kept = new Map<string, number>()

  /** @param lifetime the duration of Timer H in milliseconds */
  constructor(timers: Pick<Timers, "now">, lifetime: number) {
    this.timers = timers
    this.lifetime = lifetime
  }

  add(invite: Request): void {
    const now = this.timers.now()
    for (const [key, until] of this.kept) {
      if (until > now && this.kept.size < LIMIT) break
      this.kept.delete(key)
    }
    this.kept.set(keyOf(invite), now + this.lifetime)
  }

  /** Whether a CANCEL is of one of them. */
  has(cancel: Request): boolean {
    return (this.kept.get(keyOf(cancel)) ?? 0) > this.timers.now()
  }
}

/**
 * The transaction of an INVITE: its CANCEL, and the ACK of its refusal, repeat its branch, sender, Call-ID and number
 * (RFC 3261 §9.1, §17.1.1.3, §17.2.3).
 */
export const keyOf = ({ branch, callId, cseq, via }: Request): string =>
  `${cseq.number} ${branch} ${HeaderValue.sentBy(via) ?? ""} ${callId}`
