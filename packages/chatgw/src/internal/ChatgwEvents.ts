/**
 * Statuses of requests, brought to the records: from answers and from events, possibly repeated and in any order.
 */
import { type Handle, refReports } from "@watchword/send/channel/Gateways"
import type { Send } from "@watchword/send/Send"
import { Store, about } from "@watchword/store/Store"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { RequestStatus, Since, VerificationState } from "../ChatgwGateway.ts"
import * as ChatgwRecord from "./ChatgwRecord.ts"
import { status, statuses } from "./ChatgwStatus.ts"

/** A handler of statuses that succeeds only when a status is stored. */
export const makeHandler: Effect.Effect<Handle<RequestStatus>, never, Store | Send> = Effect.gen(function* () {
  const store = yield* Store
  const { recognise, report } = yield* refReports("chatgw", statuses)

  /** A wrong code may be followed by another result; any other result is final. */
  const verify = Effect.fnUntraced(function* (requestId: string, { status, updatedAt }: Since<VerificationState>) {
    const details = ChatgwRecord.verified(status, updatedAt)
    const first = yield* report(requestId, { when: { verification_status: null }, details })
    if (first._tag !== "Moved") yield* report(requestId, { when: { verification_status: "code_invalid" }, details })
  })

  return Effect.fnUntraced(function* ({ delivery, isRefunded, of, requestId, verification }: RequestStatus) {
    yield* recognise(of, requestId, { request_id: requestId })
    if (isRefunded) {
      // The price of the probe was paid for this message.
      const probe = yield* store.findByRef({ channel: "chatgw_probe", ref: requestId })
      if (Option.isSome(probe)) {
        yield* store.report(about(probe.value.id, yield* Clock.currentTimeMillis, { refund: true }))
      }
      yield* report(requestId, { refund: true, details: ChatgwRecord.refunded })
    }
    if (verification !== null) yield* verify(requestId, verification)
    // Last: until the status is final, another revocation repeats the steps above if one of them has failed.
    if (delivery !== null) yield* report(requestId, { status: status[delivery.status] })
  })
})
