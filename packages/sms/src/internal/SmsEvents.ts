/**
 * Records the events of SMS gateways: receipts, and outcomes of sends that were unknown.
 */
import type { Handle } from "@watchword/send/channel/Gateways"
import { Send } from "@watchword/send/Send"
import { aboutPart } from "@watchword/store/internal/Reports"
import { type Report, Store } from "@watchword/store/Store"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Receipt, SmsEvent } from "../SmsGateway.ts"
import { status, statuses } from "./SmsStatus.ts"

/** Makes a handler that succeeds once the event is stored. */
export const makeHandler: Effect.Effect<Handle<SmsEvent>, never, Store | Send> = Effect.gen(function* () {
  const store = yield* Store
  const { resolve } = yield* Send

  return (event) =>
    event._tag === "LateOutcome"
      ? resolve(event.delivery, event.outcome, statuses)
      : Clock.clockWith((clock) => Effect.asVoid(store.report(toReport(event, clock.currentTimeMillisUnsafe()))))
})

/** A message is delivered when every part is, and undelivered as soon as one part is. */
const toReport = (receipt: Receipt, at: number): Report =>
  aboutPart(
    "sms",
    receipt.refs,
    at,
    {
      status: status[receipt.status],
      everyPart: receipt.status === "delivered" && receipt.isOfAllParts !== true,
      details: { ...receipt.details, carrier_status: receipt.carrierStatus, carrier_error: receipt.carrierError }
    },
    { to: receipt.to, reference: receipt.reference }
  )
