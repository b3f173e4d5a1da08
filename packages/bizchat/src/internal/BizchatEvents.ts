/**
 * Events of a business messaging platform, possibly repeated and in any order: statuses are brought to the records, and
 * texts of users to whom they concern.
 */
import { type Handle, refReports } from "@watchword/send/channel/Gateways"
import { Receiving } from "@watchword/send/channel/Receiving"
import type { Send } from "@watchword/send/Send"
import type { Details, Status } from "@watchword/store/Delivery"
import type { Reported, Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { BizchatEvent, MessageStatus, UserText } from "../BizchatGateway.ts"
import * as BizchatRecord from "./BizchatRecord.ts"
import { status, statuses } from "./BizchatStatus.ts"

/** A handler of events that succeeds only when an event is stored. */
export const makeHandler: Effect.Effect<Handle<BizchatEvent>, never, Store | Send> = Effect.gen(function* () {
  const ofStatus = yield* makeStatusHandler
  const { offer } = yield* Receiving
  // The platform has verified the number of each account.
  const ofText = ({ from, text }: UserText) =>
    offer({
      _tag: "Wrote",
      by: "bizchat",
      mode: "live",
      account: null,
      from,
      text: Redacted.value(text),
      assurance: "account"
    })
  return (event) => (event._tag === "Text" ? Effect.asVoid(ofText(event)) : ofStatus(event))
})

const makeStatusHandler: Effect.Effect<Handle<MessageStatus>, never, Store | Send> = Effect.map(
  refReports("bizchat", statuses),
  ({ recognise, report }) =>
    Effect.fnUntraced(function* (event: MessageStatus) {
      const { errorCode, isDropped = false, notOnPlatform, of, ref } = event
      const { sent } = BizchatRecord
      yield* recognise(of, ref)
      switch (event.status) {
        case "read":
          // A record whose account has reported it as failed stays so.
          if (!hasFailed(yield* report(ref, { status: status.delivered, details: sent }))) {
            yield* report(ref, { status: status.read, details: sent })
          }
          break
        case "failed": {
          const failed = { status: status.failed, details: BizchatRecord.failed(errorCode) }
          yield* report(ref, neverSent(failed))
          yield* report(ref, failed)
          break
        }
        default:
          yield* report(ref, { status: status[event.status], details: sent })
      }
      if (notOnPlatform || isDropped) yield* report(ref, { refund: true, details: BizchatRecord.refunded })
    })
)

/** The failure of a text that the platform has held back to the end: it was never sent, and costs nothing. */
const neverSent = ({ details, status }: { readonly status: Status; readonly details: Details }) => ({
  when: BizchatRecord.held,
  refund: true,
  status,
  details: { ...details, ...BizchatRecord.refunded, ...BizchatRecord.sent }
})

const hasFailed = (reported: Reported): boolean =>
  (reported._tag === "Moved" || reported._tag === "Unchanged") && reported.delivery.status.name === status.failed.name
