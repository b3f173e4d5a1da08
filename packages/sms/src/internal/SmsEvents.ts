/**
 * Records the events of SMS gateways: receipts, texts of users, and outcomes of sends that were unknown.
 */
import type { Handle } from "@watchword/send/channel/Gateways"
import { accepted } from "@watchword/send/Outcome"
import type { DeliveryId } from "@watchword/schemas/Ids"
import { Send } from "@watchword/send/Send"
import { type Report, type Reported, Store, about, aboutPart } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import type { Receipt, SmsEvent } from "../SmsGateway.ts"
import { status, statuses } from "./SmsStatus.ts"
import * as Receiving from "./texts/WritingForm.ts"
import * as UnmatchedReceipts from "./UnmatchedReceipts.ts"

/** Makes a handler that succeeds once the event is stored. */
export const makeHandler: Effect.Effect<Handle<SmsEvent>, never, Store | Send | Scope> = Effect.gen(function* () {
  const store = yield* Store
  const { resolve } = yield* Send
  const unmatched = yield* UnmatchedReceipts.make
  const written = yield* Receiving.bring

  // Where the process dies in between, the carrier sends the receipt again.
  const named = (receipt: Receipt, reported: Reported, at: number): Effect.Effect<void, StoreError> => {
    if (reported._tag === "Unmatched") return unmatched(receipt)
    if (reported._tag === "Missing" || receipt.ofCarrier === undefined) return Effect.void
    const details = receipt.ofCarrier(reported.delivery)
    return Object.keys(details).length === 0
      ? Effect.void
      : Effect.asVoid(store.report(about(reported.delivery.id, at, { details })))
  }

  const received = (receipt: Receipt): Effect.Effect<void, StoreError> =>
    Clock.clockWith((clock) => {
      const at = clock.currentTimeMillisUnsafe()
      const report = Effect.flatMap(store.report(toReport(receipt, at)), (reported) => named(receipt, reported, at))
      const { of = null } = receipt
      return of === null ? report : Effect.andThen(recognise(of, receipt), report)
    })

  /** Closes a delivery whose answer was lost under the id that its first receipt has. */
  const recognise = (of: DeliveryId, { refs }: Receipt): Effect.Effect<void, StoreError> => {
    const [ref] = refs
    return ref === undefined
      ? Effect.void
      : Effect.flatMap(store.findByRef({ channel: "sms", ref }), (known) =>
          Option.isSome(known) ? Effect.void : resolve(of, accepted([ref]), statuses)
        )
  }

  return (event) => {
    switch (event._tag) {
      case "Receipt":
        return received(event)
      case "Text":
        return written(event)
      case "LateOutcome":
        return resolve(event.delivery, event.outcome, statuses)
    }
  }
})

/** A message is delivered when every part is, and undelivered as soon as one part is. */
const toReport = (receipt: Receipt, at: number): Report =>
  aboutPart("sms", receipt.refs, at, says(receipt), { to: receipt.to, reference: receipt.reference })

const says = ({
  carrierError,
  carrierStatus,
  details,
  isOfAllParts,
  status: reported
}: Receipt): Pick<Report, "status" | "when" | "everyPart" | "details"> => {
  const said = { ...details, carrier_status: carrierStatus, carrier_error: carrierError }
  // Words that are not understood are kept where the carrier has said nothing yet: they never replace the words of a
  // final state.
  if (reported === null && (carrierStatus ?? carrierError) !== null) {
    return { status: null, when: { carrier_status: null, carrier_error: null }, everyPart: false, details: said }
  }
  const everyPart = reported === "delivered" && isOfAllParts !== true
  return { status: status[reported ?? "sent"], when: {}, everyPart, details: said }
}
