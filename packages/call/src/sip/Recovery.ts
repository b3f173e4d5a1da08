/**
 * Ends calls that an earlier process left ringing.
 *
 * Source: RFC 3261 §9.1: a CANCEL needs the words of its INVITE, not the process that sent it.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import * as HeaderValue from "./HeaderValue.ts"
import type { Cause, Ended } from "../CallGateway.ts"
import type { Dialog, Invite } from "./Invite.ts"
import { Leg, type LegEnd, type LegListener } from "./Leg.ts"
import type { StoredInvite } from "./StoredDialog.ts"
import { causeWith } from "./Status.ts"
import type { Stack } from "./Transactions.ts"
import type { Trunk } from "./Trunk.ts"

/** An INVITE of an earlier process, and what it is ended with. */
export interface Remainder {
  readonly stored: StoredInvite
  readonly stack: Stack
  readonly trunk: Trunk
}

/** A call of an earlier process until nothing of it is left. */
export class Recovered implements LegListener {
  private readonly delivery: DeliveryId
  private readonly wallClock: () => number
  private readonly done: (event: Ended) => void
  private left = 0
  private answeredAt: number | null = null
  private cause: Cause = { hangupCause: "NORMAL_UNSPECIFIED", sipStatus: null, q850: null }

  /** @param done is called once, with the end of the call */
  constructor(delivery: DeliveryId, wallClock: () => number, done: (event: Ended) => void) {
    this.delivery = delivery
    this.wallClock = wallClock
    this.done = done
  }

  /** Ends what is left of the call. */
  start(remainders: ReadonlyArray<Remainder>): void {
    this.left = remainders.length
    if (remainders.length === 0) this.finish()
    for (const { stored, stack, trunk } of remainders) {
      const invite = inviteOf(stored, trunk)
      const early: Dialog | null = stored.dialog === undefined ? null : { invite, ...stored.dialog }
      new Leg(stack, trunk, invite, "", this).resume(early)
    }
  }

  provisional(): void {}

  answered(): void {
    this.answeredAt ??= this.wallClock()
  }

  over(_leg: Leg, end: LegEnd): void {
    if (end._tag === "Rejected") this.cause = causeWith("ORIGINATOR_CANCEL", end.response)
    else if (end._tag === "TimedOut" && end.isCancelled) this.cause = causeWith("ORIGINATOR_CANCEL", null)
    this.left--
    if (this.left === 0) this.finish()
  }

  private finish(): void {
    const { delivery, answeredAt, cause } = this
    const clearing = { hangupCause: "NORMAL_CLEARING", sipStatus: 200, q850: null }
    const endedAt = this.wallClock()
    this.done({ _tag: "Ended", delivery, cause: answeredAt === null ? cause : clearing, answeredAt, endedAt })
  }
}

const inviteOf = (stored: StoredInvite, { name, options }: Trunk): Invite => {
  const { protocol, address, port, sentBy, uri, from, to, proxy, branch, callId, cseq } = stored
  const endpoint = { protocol, address, port, tls: options.tls }
  return { route: { trunk: name, endpoint, sentBy, proxy }, uri, from, to, branch, callId, cseq }
}

/** The address that an INVITE was sent from, as its Via says. */
export const origin = ({ sentBy }: StoredInvite): { readonly host: string; readonly port: number } | null => {
  const address = HeaderValue.sentBy(`SIP/2.0/UDP ${sentBy}`)
  return address === undefined || address.port === null ? null : { host: address.host, port: address.port }
}
