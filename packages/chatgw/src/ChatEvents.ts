/**
 * What gateways say of their requests, brought to the records: in answers and in events, possibly again and
 * in any order.
 */
import { accepted } from "@watchword/send/Outcome"
import { Send } from "@watchword/send/Send"
import { about } from "@watchword/store/Reports"
import { type Report, Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { RequestStatus, Since, VerificationState } from "./ChatGateway.ts"
import * as ChatRecord from "./ChatRecord.ts"
import { status, statuses } from "./ChatStatus.ts"

export type Note = (told: RequestStatus) => Effect.Effect<void, StoreError>

/** Succeeds only when what the gateway says is stored. */
export const makeNote: Effect.Effect<Note, never, Store | Send> = Effect.gen(function* () {
  const store = yield* Store
  const { resolve } = yield* Send

  /** A send whose answer was lost is known by what it had attached to its request. */
  const recognise = Effect.fnUntraced(function* ({ of, requestId }: RequestStatus) {
    if (of === null || Option.isSome(yield* store.findByRef({ channel: "chatgw", ref: requestId }))) return
    yield* resolve(of, accepted([requestId], { request_id: requestId }), statuses)
  })

  return Effect.fnUntraced(function* (told: RequestStatus) {
    const { delivery, isRefunded, requestId, verification } = told
    const at = yield* Clock.currentTimeMillis
    const report = (says: Partial<Report>) => store.report({ ...aboutRequest(requestId, at), ...says })

    yield* recognise(told)
    if (isRefunded) {
      // What the probe cost was paid for this message.
      const probe = yield* store.findByRef({ channel: "chatgw_probe", ref: requestId })
      if (Option.isSome(probe)) yield* store.report(about(probe.value.id, at, { refund: true }))
      yield* report({ refund: true, details: ChatRecord.refunded })
    }
    if (verification !== null) yield* verify(verification, report)
    // Last: a request that is over is not revoked again, and until then what failed above can be made good by that.
    if (delivery !== null) yield* report({ status: status[delivery.status] })
  })
})

/** A wrong code may be followed by another word; any other word is the last. */
const verify = Effect.fnUntraced(function* (
  { status, updatedAt }: Since<VerificationState>,
  report: (says: Partial<Report>) => ReturnType<Store["Service"]["report"]>
) {
  const details = ChatRecord.verified(status, updatedAt)
  const first = yield* report({ when: { verification_status: null }, details })
  if (first._tag !== "Moved") yield* report({ when: { verification_status: "code_invalid" }, details })
})

const aboutRequest = (requestId: string, at: number): Report => ({
  target: { _tag: "Part", channel: "chatgw", refs: [requestId], message: { to: null, reference: null } },
  status: null,
  when: {},
  details: {},
  everyPart: false,
  refund: false,
  at
})
