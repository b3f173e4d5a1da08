/**
 * The handset as a carrier: any SMPP client submits texts to it, and any SIP client calls it. Their messages are
 * sandbox sends, whose phones decide the outcome.
 */
import { smsc as startSmsc } from "@watchword/sandbox/smsc"
import { STATUS } from "@watchword/sandbox/smsc"
import { type TrunkCall, trunk as startTrunk } from "@watchword/sandbox/trunk"
import { DeliveryId } from "@watchword/schemas/Ids"
import { fromDeliveryId } from "@watchword/schemas/Sms"
import { BadRequest, type Watchword, WatchwordError } from "watchword"
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

/** How many messages a carrier keeps: it may run for days. */
const KEEP = 1_000

/** Milliseconds after which a receipt that its client refused is sent again. */
const RETRY = 5_000

export const smsc = async (place: Place, { caller, feed, service }: Parts): Promise<Carrier> => {
  const carrier = await startSmsc({
    ...place,
    keep: KEEP,
    retry: RETRY,
    script: {
      take: async ({ from, text, to }) => {
        if (text === "") return { status: STATUS.RINVMSGLEN }
        try {
          const sender = from === "" ? "Watchword" : from
          const { messageId } = await service.sms.send(caller, { to, text, from: sender })
          return { id: messageId }
        } catch (error) {
          return { status: commandStatusOf(error) }
        }
      }
    }
  })
  feed.on((event) => {
    if (event.type !== "message" || event.message.channel !== "sms") return
    const { state } = event.message
    const id = fromDeliveryId(DeliveryId.make(event.message.id))
    if (state === "delivered") carrier.report(id, "delivered")
    if (state === "failed") carrier.report(id, "undelivered")
  })
  return { port: carrier.port, close: () => carrier.stop() }
}

const commandStatusOf = (error: unknown): number => {
  if (!(error instanceof WatchwordError)) return STATUS.RSYSERR
  switch (error.code) {
    case "BAD_REQUEST":
      return statusOfField(error instanceof BadRequest ? (error.issues?.[0]?.path ?? "") : "")
    case "TOO_MANY_REQUESTS":
    case "TEMPORARY_UNAVAILABLE":
      return STATUS.RTHROTTLED
    default:
      return STATUS.RSUBMITFAIL
  }
}

/** The command status for a wrong field. */
const statusOfField = (path: string): number => {
  if (path === "from") return STATUS.RINVSRCADR
  return path === "text" ? STATUS.RINVMSGLEN : STATUS.RINVDSTADR
}

/** How long a person who answers a call talks, in milliseconds, unless the caller hangs up first. */
const TALK = 3_000

/** The protocol's T1, in milliseconds. */
const T1 = 500

export const sip = async (place: Place, { caller, feed, service }: Parts): Promise<Carrier> => {
  const calls = new Map<string, TrunkCall>()
  const idOf = (call: TrunkCall) => [...calls].find(([, ringing]) => ringing === call)?.[0]
  feed.on((event) => {
    if (event.type !== "call" || event.call.state !== "ended") return
    const { hangup_cause: cause, id } = event.call
    const call = calls.get(id)
    calls.delete(id)
    if (call !== undefined) end(call, STATUSES.get(cause ?? "") ?? 480)
  })
  const hangUp = (id: string) => void service.call.hangup(caller, id).catch(() => {})

  const invite = async (call: TrunkCall): Promise<void> => {
    call.respond(100)
    if (!NUMBER.test(call.from)) return call.respond(403, { phrase: "The Caller Is Not a Phone Number" })
    try {
      const { uuid } = await service.call.flash(caller, {
        callee: call.to,
        caller: call.from,
        max_ring_time: LONGEST_RING
      })
      if (call.finalStatus !== 0) return hangUp(uuid)
      calls.set(uuid, call)
      call.ring()
    } catch (error) {
      const refusal = refusalOf(error)
      if (call.finalStatus === 0) call.respond(refusal.status, refusal)
    }
  }

  const phones = await startTrunk({
    ...place,
    keep: KEEP,
    t1: T1,
    script: {
      invite: (call) => void invite(call),
      canceled: (call) => {
        const id = idOf(call)
        if (id !== undefined) hangUp(id)
      }
    }
  })
  return { port: phones.port, close: () => phones.stop() }
}

const NUMBER = /^\+[1-9]\d{5,14}$/

/** Ends a ringing call: with a final status, or with an answer and a short talk. */
const end = (call: TrunkCall, status: number): void => {
  if (call.finalStatus !== 0) return
  if (status !== 200) return call.respond(status)
  call.accept()
  setTimeout(() => call.hangUp(), TALK).unref()
}

/** Seconds after which an unanswered phone stops ringing. */
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

interface Refusal {
  readonly status: number
  readonly phrase?: string
}

/** The interface's own call statuses are SIP statuses. */
const refusalOf = (error: unknown): Refusal => {
  if (!(error instanceof WatchwordError)) return { status: 500 }
  if (error.status === 486 || error.status === 480 || error.status === 603) return { status: error.status }
  const [issue] = error instanceof BadRequest ? (error.issues ?? []) : []
  return issue?.path === "caller" ? { status: 403, phrase: "No Call Can Have This Caller" } : { status: 404 }
}
