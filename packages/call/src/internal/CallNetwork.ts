/**
 * The simulated network of calls, as phones see it. The end of a call is written by the process that is asked, whichever has
 * the call: it looks no further once its record has ended.
 */
import type { Network } from "@watchword/send/sandbox"
import type { CallEvent } from "@watchword/schemas/SandboxPhone"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Sandbox, causeOf } from "./CallSandbox.ts"
import type { Service as ActiveCalls } from "./ActiveCalls.ts"
import type { Handle } from "./CallEvents.ts"
import * as CallRecord from "./CallRecord.ts"
import { status } from "./CallStatus.ts"

const EVENTS: ReadonlyArray<CallEvent> = ["answer", "decline", "hangup"]

export const networkOf = (sandbox: Sandbox, active: ActiveCalls, handle: Handle): Network => ({
  events: EVENTS,
  accepts: (call) => (call.status.name === status.ringing.name ? EVENTS : []),
  post: Effect.fnUntraced(function* (call, event) {
    const { id: delivery } = call
    const endedAt = yield* Clock.currentTimeMillis
    if (!active.has(delivery)) {
      active.add(delivery)
      active.ring(delivery, { rangAt: CallRecord.rangAt(call), isOpen: false, mayHaveRung: true })
    }
    sandbox.forget(delivery)
    const answeredAt = event === "answer" ? endedAt : null
    yield* handle({ _tag: "Ended", delivery, cause: causeOf(event), answeredAt, endedAt })
  }),
  // A call does not wait for a phone.
  settle: () => Effect.void
})
