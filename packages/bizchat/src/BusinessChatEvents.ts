/**
 * What platforms tell of their messages, brought to the records: possibly again and in any order.
 */
import { accepted } from "@watchword/send/Outcome"
import { Send } from "@watchword/send/Send"
import { type Report, type Reported, Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { BusinessChatEvent } from "./BusinessChatGateway.ts"
import * as BusinessChatRecord from "./BusinessChatRecord.ts"
import { status, statuses } from "./BusinessChatStatus.ts"

export type Handle = (event: BusinessChatEvent) => Effect.Effect<void, StoreError>

/** A handler of events that succeeds only when what they say is stored. */
export const makeHandler: Effect.Effect<Handle, never, Store | Send> = Effect.gen(function* () {
  const store = yield* Store
  const { resolve } = yield* Send

  /** A send whose answer was lost is known by what it had attached to its message. */
  const recognise = Effect.fnUntraced(function* ({ of, ref }: BusinessChatEvent) {
    if (of === null || Option.isSome(yield* store.findByRef({ channel: "bizchat", ref }))) return
    yield* resolve(of, accepted([ref]), statuses)
  })

  return Effect.fnUntraced(function* (event: BusinessChatEvent) {
    const at = yield* Clock.currentTimeMillis
    const report = (says: Partial<Report>) => store.report({ ...aboutMessage(event.ref, at), ...says })

    yield* recognise(event)
    switch (event.status) {
      case "read":
        // A record that has failed keeps its word.
        if (!hasFailed(yield* report({ status: status.delivered }))) yield* report({ status: status.read })
        break
      case "failed":
        yield* report({ status: status.failed, details: BusinessChatRecord.failed(event.errorCode) })
        break
      default:
        yield* report({ status: status[event.status] })
    }
    if (event.notOnPlatform) yield* report({ refund: true, details: BusinessChatRecord.refunded })
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

const hasFailed = (reported: Reported): boolean =>
  (reported._tag === "Moved" || reported._tag === "Unchanged") && reported.delivery.status.name === status.failed.name
