/**
 * A simulated carrier for the sandbox, with a receipt for each part.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { SmsStatus } from "@watchword/schemas/Sms"
import type { Message, Service, SmsEvent } from "@watchword/sms/SmsGateway"
import * as Schema from "effect/Schema"
import * as Texts from "./Texts.ts"

/** A carrier that lives as long as the scope. */
export const make = Texts.make<Message, SmsEvent, SmsEvent, Service>({
  product: "sms",
  words: { gateway: "carrier" },
  busy: "The sandbox's carrier is too busy to take the message.",
  targetOf: ({ delivery: id, reference, text, to }) => ({ id, to, reference, parts: text.parts.length }),
  refsOf: ({ id, parts }) => refsOf(id, parts),
  noticesOf: ({ id, parts, reference, to }, end) =>
    isE164(to)
      ? refsOf(id, parts).map((ref) => ({
          _tag: "Receipt",
          refs: [ref],
          to,
          reference: reference ?? 0,
          ...receipts[end],
          carrierError: null
        }))
      : [],
  eventOf: (receipt) => receipt,
  followers: { sent: ["delivered", "failed"] },
  gatewayOf: (network) => network
})

const isE164 = Schema.is(E164)

const refsOf = (delivery: DeliveryId, parts: number): ReadonlyArray<string> =>
  Array.from({ length: parts }, (_, index) => `sandbox-${delivery}-${index + 1}`)

interface Receipt {
  readonly status: SmsStatus
  readonly carrierStatus: string
}

const delivered: Receipt = { status: "delivered", carrierStatus: "DELIVRD" }

/** The receipts of a message's parts. No text is read. */
const receipts: Readonly<Record<Texts.End, Receipt>> = {
  delivered,
  read: delivered,
  undelivered: { status: "undelivered", carrierStatus: "UNDELIV" },
  expired: { status: "undelivered", carrierStatus: "EXPIRED" }
}
