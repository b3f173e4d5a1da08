/**
 * What platforms tell of their messages, brought to the records: possibly again and in any order.
 */
import { type Report, Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { BusinessChatEvent } from "./BusinessChatGateway.ts"
import * as BusinessChatRecord from "./BusinessChatRecord.ts"
import { status } from "./BusinessChatStatus.ts"

export type Handle = (event: BusinessChatEvent) => Effect.Effect<void, StoreError>

/** A handler of events that succeeds only when what they say is stored. */
export const makeHandler: Effect.Effect<Handle, never, Store> = Effect.gen(function* () {
  const store = yield* Store

  return Effect.fnUntraced(function* (event: BusinessChatEvent) {
    const report = aboutMessage(event.ref, yield* Clock.currentTimeMillis)
    const details = event.status === "failed" ? BusinessChatRecord.failed(event.errorCode) : {}
    yield* store.report({ ...report, status: status[event.status], details })
    if (event.notOnPlatform) yield* store.report({ ...report, refund: true, details: BusinessChatRecord.refunded })
  })
})

const aboutMessage = (ref: string, at: number): Report => ({
  target: { _tag: "Part", channel: "bizchat", refs: [ref], message: { to: null, reference: null } },
  status: null,
  when: {},
  details: {},
  everyPart: false,
  refund: false,
  at
})
