/**
 * Records of the sandbox as their phones show them.
 */
import * as PriceTable from "@watchword/ledger/PriceTable"
import { DeliveryId } from "@watchword/schemas/Ids"
import { toEuros } from "@watchword/schemas/Money"
import {
  CallEvent,
  MessageEvent,
  MessageState,
  type PhoneCall,
  type PhoneEvent,
  type PhoneMessage
} from "@watchword/schemas/SandboxPhone"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { VerificationId } from "@watchword/schemas/Verification"
import { type Delivery, ERASED } from "@watchword/store/Delivery"
import * as Schema from "effect/Schema"
import * as Messages from "../inbox/Messages.ts"
import { type Network, receptionOf } from "../simulator/Receptions.ts"

/** A record as its phone shows it: a message, or a call; nothing if it never reached the phone. */
export type Shown = Extract<PhoneEvent, { readonly type: "message" | "call" }>

/** @param network of the record's channel; null if it has no network */
export type Show = (delivery: Delivery, network: Network | null) => Shown | null

/** @param prices of live sends */
export const make =
  (prices: PriceTable.PriceTable): Show =>
  (delivery, network) => {
    const [message] = Messages.messageOf(delivery)
    if (message === undefined || delivery.to === ERASED) return null
    const accepted = network?.accepts(delivery) ?? []
    const changed_at = new Date(delivery.statusAt).toISOString()
    const more = { ...originOf(delivery), live_price: livePrice(prices, delivery) }
    if (!isCall(network)) {
      const accepts = accepted.filter(isMessageEvent)
      const state = stateOf(delivery)
      const kept = state === "kept" ? accepts.filter((event) => event === "failed") : accepts
      return {
        type: "message",
        message: { ...message, state, changed_at, accepts: kept, ...more } satisfies PhoneMessage
      }
    }
    const { at, code, from: caller, id, to } = message
    const cause = delivery.details["hangup_cause"]
    const hangup_cause = typeof cause === "string" ? cause : null
    const state = hangup_cause === null ? "ringing" : "ended"
    const accepts = accepted.filter(isCallEvent)
    const call = { id, to, caller, code, state, at, changed_at, hangup_cause, accepts, ...more } satisfies PhoneCall
    return { type: "call", call }
  }

/** Whether a channel's deliveries are calls. */
export const isCall = (network: Network | null): boolean => network?.events.includes("answer") === true

const isMessageEvent = Schema.is(MessageEvent)
const isCallEvent = Schema.is(CallEvent)
const isState = Schema.is(MessageState)

/** Where a message is. A word of a channel that phones do not know is a message that was sent. */
const stateOf = (delivery: Delivery): MessageState => {
  const { name } = delivery.status
  if (name === "sent" && receptionOf(delivery)?.isKept === true) return "kept"
  if (name === "undelivered") return "failed"
  return isState(name) ? name : "sent"
}

const isDeliveryId = Schema.is(DeliveryId)

const originOf = ({ details: { attempt, verification } }: Delivery): Pick<PhoneMessage, "verification" | "attempt"> =>
  isDeliveryId(verification) && typeof attempt === "number"
    ? { verification: VerificationId.make(`vrf_${verification}`), attempt: attempt + 1 }
    : { verification: null, attempt: null }

const isE164 = Schema.is(E164)

const livePrice = (prices: PriceTable.PriceTable, { channel, parts, to }: Delivery): number | null => {
  const price = isE164(to) ? PriceTable.price(prices, channel, to, parts) : null
  return price === null ? null : toEuros(price)
}
