/**
 * The sandbox's SMS gateway: no carrier, every outcome on demand. The number's last digits choose it, see
 * `@watchword/send/SandboxNumber`; a receipt for each part follows a second later.
 */
import { ServiceUnavailable, TemporaryUnavailable } from "@watchword/schemas/Errors"
import type { SmsStatus } from "@watchword/schemas/Sms"
import * as Background from "@watchword/send/Background"
import { type Outcome, accepted, rejected } from "@watchword/send/Outcome"
import { type Fate, fateOf } from "@watchword/send/SandboxNumber"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import { type Message, type Service, type SmsEvent, SmsGateway } from "./SmsGateway.ts"
import { Inbox, subscribe } from "./SmsInbox.ts"

const RECEIPT_DELAY = "1 second"

/** A gateway that lives as long as the scope. */
export const make: Effect.Effect<Service, never, Scope> = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const inbox = new Inbox()

  const handled = (event: SmsEvent): Effect.Effect<boolean> =>
    Effect.callback((resume) => inbox.offer(event, (success) => resume(Effect.succeed(success))))

  const deliver = (message: Message, refs: ReadonlyArray<string>, receipt: Receipt) =>
    Effect.forEach(
      refs,
      (ref) => Effect.repeat(handled(receiptEvent(message, ref, receipt)), { until: Boolean, schedule: again }),
      { discard: true }
    )

  const send = (message: Message): Effect.Effect<Outcome> =>
    Effect.suspend(() => {
      const fate = fateOf(message.to)
      const refusal = refusals[fate]
      if (refusal !== undefined) return Effect.succeed(rejected(refusal()))
      const refs = message.text.parts.map((_, index) => `sandbox-${message.delivery}-${index + 1}`)
      if (fate === "silent") return Effect.succeed(accepted(refs))
      const later = Effect.delay(deliver(message, refs, receipts[fate] ?? delivered), RECEIPT_DELAY)
      return Effect.as(Background.goOn(later, scope), accepted(refs))
    })

  return SmsGateway.of({ send, events: (handle) => subscribe(inbox, handle), links: Effect.succeed([]) })
})

interface Receipt {
  readonly status: SmsStatus
  readonly carrierStatus: string
}

const delivered: Receipt = { status: "delivered", carrierStatus: "DELIVRD" }

const receipts: { readonly [F in Fate]?: Receipt } = {
  undelivered: { status: "undelivered", carrierStatus: "UNDELIV" },
  expired: { status: "undelivered", carrierStatus: "EXPIRED" }
}

const refusals: { readonly [F in Fate]?: () => TemporaryUnavailable | ServiceUnavailable } = {
  "temporarily-unavailable": () =>
    new TemporaryUnavailable({ message: "The sandbox's carrier is unreachable for the moment." }),
  unavailable: () => new ServiceUnavailable({ message: "The sandbox's carrier is disconnected." })
}

const receiptEvent = (message: Message, ref: string, receipt: Receipt): SmsEvent => ({
  _tag: "Receipt",
  refs: [ref],
  to: message.to,
  reference: message.reference,
  status: receipt.status,
  carrierStatus: receipt.carrierStatus,
  carrierError: null
})

const again = Schedule.spaced("1 second")
