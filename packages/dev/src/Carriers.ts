/**
 * The handset as a carrier: any SMPP client submits texts to it, and any SIP client calls it. What they send are sends of the
 * sandbox, whose phones decide what becomes of them.
 */
import * as SipPhone from "@watchword/call/internal/sip/SipPhone"
import { DeliveryId } from "@watchword/schemas/Ids"
import { fromDeliveryId } from "@watchword/schemas/Sms"
import * as Smsc from "@watchword/sms/internal/smpp/Smsc"
import { type Watchword, WatchwordError } from "watchword"
import type { Feed } from "./Feed.ts"

interface Parts {
  readonly service: Watchword
  readonly caller: { readonly account: string; readonly sandbox: true }
  readonly feed: Feed
}

/** Where a carrier listens. */
export interface Place {
  readonly host: string
  readonly port: number
}

export interface Carrier {
  readonly port: number
  readonly close: () => Promise<void>
}

export const smsc = async (place: Place, { caller, feed, service }: Parts): Promise<Carrier> => {
  const carrier = await Smsc.listen({
    ...place,
    take: async ({ from, text, to }) => {
      try {
        const sender = from === "" ? "Watchword" : from
        const { messageId } = await service.sms.send(caller, { to, text, from: sender })
        return { id: messageId }
      } catch (error) {
        return { status: commandStatusOf(error) }
      }
    }
  })
  feed.on((event) => {
    if (event.type !== "message" || event.message.channel !== "sms") return
    const { state } = event.message
    const id = fromDeliveryId(DeliveryId.make(event.message.id))
    if (state === "delivered") carrier.receipt(id, "delivered")
    if (state === "failed") carrier.receipt(id, "undelivered")
  })
  return carrier
}

const commandStatusOf = (error: unknown): string => {
  if (!(error instanceof WatchwordError)) return "ESME_RSYSERR"
  switch (error.code) {
    case "BAD_REQUEST":
      return "ESME_RINVDSTADR"
    case "TOO_MANY_REQUESTS":
    case "TEMPORARY_UNAVAILABLE":
      return "ESME_RTHROTTLED"
    default:
      return "ESME_RSUBMITFAIL"
  }
}

export const sip = (place: Place, { caller, feed, service }: Parts): Promise<Carrier> => {
  const ends = new Map<string, SipPhone.End>()
  feed.on((event) => {
    if (event.type !== "call" || event.call.state !== "ended") return
    const { hangup_cause: cause, id } = event.call
    ends.get(id)?.(STATUSES.get(cause ?? "") ?? 480)
    ends.delete(id)
  })
  return SipPhone.listen({
    ...place,
    ring: async ({ callee, caller: from }, end) => {
      try {
        const { uuid } = await service.call.flash(caller, { callee, caller: from, max_ring_time: LONGEST_RING })
        ends.set(uuid, end)
        return { canceled: () => void service.call.hangup(caller, uuid).catch(() => {}) }
      } catch (error) {
        return { status: statusOf(error) }
      }
    }
  })
}

/** Seconds after which a phone that nobody answers stops. */
const LONGEST_RING = 60

/** The final status of a call by its cause. */
const STATUSES: ReadonlyMap<string, number> = new Map([
  ["NORMAL_CLEARING", 200],
  ["CALL_REJECTED", 603],
  ["USER_BUSY", 486],
  ["NO_ANSWER", 480],
  ["NO_USER_RESPONSE", 480],
  ["ORIGINATOR_CANCEL", 487]
])

/** The interface's own statuses of calls are those of SIP. */
const statusOf = (error: unknown): number => {
  if (!(error instanceof WatchwordError)) return 500
  return error.status === 486 || error.status === 480 || error.status === 603 ? error.status : 404
}
