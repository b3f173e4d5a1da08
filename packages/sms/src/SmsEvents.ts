/**
 * Records the events of SMS gateways: receipts, and outcomes of sends that were unknown.
 */
import { Send } from "@watchword/send/Send"
import type { Details } from "@watchword/store/Delivery"
import { type Report, Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SmsEvent } from "./SmsGateway.ts"
import { status, statuses } from "./SmsStatus.ts"

/** Makes a handler that succeeds once the event is stored. */
export const makeHandler: Effect.Effect<(event: SmsEvent) => Effect.Effect<void, StoreError>, never, Store | Send> =
  Effect.gen(function* () {
    const store = yield* Store
    const { resolve } = yield* Send

    return (event) =>
      event._tag === "LateOutcome"
        ? resolve(event.delivery, event.outcome, statuses)
        : Clock.clockWith((clock) => Effect.asVoid(store.report(toReport(event, clock.currentTimeMillisUnsafe()))))
  })

const always: Details = {}

/** A message is delivered when every part is, and undelivered as soon as one part is. */
const toReport = (receipt: Extract<SmsEvent, { readonly _tag: "Receipt" }>, at: number): Report => ({
  target: {
    _tag: "Part",
    channel: "sms",
    refs: receipt.refs,
    message: { to: receipt.to, reference: receipt.reference }
  },
  status: status[receipt.status],
  when: always,
  everyPart: receipt.status === "delivered",
  refund: false,
  details: { carrier_status: receipt.carrierStatus, carrier_error: receipt.carrierError },
  at
})
