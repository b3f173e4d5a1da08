/**
 * Writes the ends of calls into their records; repeated events change nothing.
 */
import { INTERRUPTED } from "@watchword/schemas/Call"
import { TemporaryUnavailable } from "@watchword/schemas/Errors"
import { accepted, rejected } from "@watchword/send/Outcome"
import { Send } from "@watchword/send/Send"
import type { Details } from "@watchword/store/Delivery"
import { Store, about } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Ended } from "../CallGateway.ts"
import * as CallRecord from "./CallRecord.ts"
import type { Ringing, Service as ActiveCalls } from "./ActiveCalls.ts"
import { status } from "./CallStatus.ts"

export type Handle = (event: Ended) => Effect.Effect<void, StoreError>

/** A handler of ends that succeeds only when the end is stored. */
export const makeHandler = Effect.fnUntraced(function* (
  active: ActiveCalls
): Effect.fn.Return<Handle, never, Store | Send> {
  const store = yield* Store
  const clock = yield* Clock.Clock
  const { resolve } = yield* Send

  const record = (event: Ended, ringing: Ringing | null): Effect.Effect<void, StoreError> => {
    const { answeredAt, cause, delivery, endedAt } = event
    const rangAt = ringing?.rangAt ?? (event.record === undefined ? endedAt : CallRecord.rangAt(event.record))
    const details = CallRecord.ended(cause, { rangAt, answeredAt, endedAt })
    const stored = Effect.suspend(() => {
      const at = clock.currentTimeMillisUnsafe()
      const report = about(delivery, at, { status: status.ended, when: { hangup_cause: null }, details })
      return Effect.map(store.report(report), () => active.remove(delivery))
    })
    return ringing?.isOpen === true
      ? Effect.andThen(resolve(delivery, outcomeOf(event, ringing, details), ends), stored)
      : stored
  }

  return (event) => Effect.flatMap(active.ringing(event.delivery), (ringing) => record(event, ringing))
})

/** A call without a stored ringing is charged only when it was answered. */
const outcomeOf = ({ answeredAt }: Ended, { mayHaveRung }: Ringing, details: Details) =>
  answeredAt === null
    ? rejected(interrupted(), mayHaveRung ? { ...details, [INTERRUPTED]: true } : details)
    : accepted([], details)

const interrupted = () => new TemporaryUnavailable({ message: "The service stopped in the middle of this call." })

const ends = { pending: status.pending, accepted: status.ended, failed: status.failed }
