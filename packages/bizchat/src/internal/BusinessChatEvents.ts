/**
 * Events of a business messaging platform, brought to the records: possibly repeated, and in any order.
 */
import type { Handle } from "@watchword/send/channel/Gateways"
import * as RefReports from "@watchword/send/channel/RefReports"
import type { Send } from "@watchword/send/Send"
import type { Reported, Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import type { BusinessChatEvent } from "../BusinessChatGateway.ts"
import * as BusinessChatRecord from "./BusinessChatRecord.ts"
import { status, statuses } from "./BusinessChatStatus.ts"

/** A handler of events that succeeds only when an event is stored. */
export const makeHandler: Effect.Effect<Handle<BusinessChatEvent>, never, Store | Send> = Effect.map(
  RefReports.make("bizchat", statuses),
  ({ recognise, report }) =>
    Effect.fnUntraced(function* ({ errorCode, notOnPlatform, of, ref, ...event }: BusinessChatEvent) {
      yield* recognise(of, ref)
      switch (event.status) {
        case "read":
          // A record that has failed stays failed.
          if (!hasFailed(yield* report(ref, { status: status.delivered }))) yield* report(ref, { status: status.read })
          break
        case "failed":
          yield* report(ref, { status: status.failed, details: BusinessChatRecord.failed(errorCode) })
          break
        default:
          yield* report(ref, { status: status[event.status] })
      }
      if (notOnPlatform) yield* report(ref, { refund: true, details: BusinessChatRecord.refunded })
    })
)

const hasFailed = (reported: Reported): boolean =>
  (reported._tag === "Moved" || reported._tag === "Unchanged") && reported.delivery.status.name === status.failed.name
