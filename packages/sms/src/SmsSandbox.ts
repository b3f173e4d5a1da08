/**
 * The sandbox's SMS gateway: no carrier, every outcome on demand. The number's last digits choose it, see
 * `@watchword/send/SandboxNumber`; a receipt for each part follows a second after the outcome is on the record.
 */
import { EventHub } from "@watchword/gateway/EventHub"
import { ServiceUnavailable, TemporaryUnavailable } from "@watchword/schemas/Errors"
import type { SmsStatus } from "@watchword/schemas/Sms"
import * as Background from "@watchword/send/Background"
import { type Predetermined, accepted, answered, predetermined, rejected } from "@watchword/send/Outcome"
import { type Scenario, scenarioOf } from "@watchword/send/SandboxNumber"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import type { Message, Service, SmsEvent } from "./SmsGateway.ts"

/** In milliseconds: when a receipt follows, and when it comes again after it could not be handled. */
const RECEIPT_DELAY = 1_000

export interface Sandbox extends Service {
  /** What `send` would answer. */
  readonly predetermine: (message: Message) => Predetermined
}

/** A gateway that lives as long as the scope. */
export const make: Effect.Effect<Sandbox, never, Scope> = Effect.gen(function* () {
  const hub = new EventHub<SmsEvent, StoreError>()
  const later = yield* makeLater(hub)

  const predetermine = (message: Message): Predetermined => {
    const scenario = scenarioOf(message.to)
    const refusal = refusals[scenario]
    if (refusal !== undefined) return predetermined(rejected(refusal()))
    const refs = message.text.parts.map((_, index) => `sandbox-${message.delivery}-${index + 1}`)
    if (scenario === "silent") return predetermined(accepted(refs))
    const receipt = receipts[scenario] ?? delivered
    return predetermined(accepted(refs), later(refs.map((ref) => receiptEvent(message, ref, receipt))))
  }

  return {
    predetermine,
    send: (message) => answered(predetermine(message)),
    events: (handle) => hub.subscribe(handle),
    links: Effect.succeed([])
  }
})

interface Due {
  readonly at: number
  readonly event: SmsEvent
}

/** Has events handled after the delay, again and again until they are. */
const makeLater = Effect.fnUntraced(function* (
  hub: EventHub<SmsEvent, StoreError>
): Effect.fn.Return<(events: ReadonlyArray<SmsEvent>) => Effect.Effect<void>, never, Scope> {
  const scope = yield* Effect.scope
  const untilHandled = (event: SmsEvent) => Effect.ignore(Effect.retry(hub.publish(event), again))

  // What nothing may run for by itself is done by what each request leaves running.
  if (!(yield* Background.BackgroundAllowed)) {
    return (events) => {
      const all = Effect.forEach(events, untilHandled, { discard: true })
      return Background.fork(Effect.delay(all, RECEIPT_DELAY), scope)
    }
  }

  // All wait equally long, so one fiber can take them in the order they came, and a receipt that waits is one entry.
  const waiting = yield* Queue.unbounded<Due>()
  const next = Effect.gen(function* () {
    const { at, event } = yield* Queue.take(waiting)
    const early = at - (yield* Clock.currentTimeMillis)
    if (early > 0) yield* Effect.sleep(early)
    hub.offer(event, (handled) => {
      if (Exit.isFailure(handled)) Queue.offerUnsafe(waiting, { at: at + RECEIPT_DELAY, event })
    })
  })
  yield* Effect.forkIn(Effect.forever(next), scope)
  return (events) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      for (const event of events) Queue.offerUnsafe(waiting, { at: now + RECEIPT_DELAY, event })
    })
})

interface Receipt {
  readonly status: SmsStatus
  readonly carrierStatus: string
}

const delivered: Receipt = { status: "delivered", carrierStatus: "DELIVRD" }

const receipts: { readonly [F in Scenario]?: Receipt } = {
  undelivered: { status: "undelivered", carrierStatus: "UNDELIV" },
  expired: { status: "undelivered", carrierStatus: "EXPIRED" }
}

const refusals: { readonly [F in Scenario]?: () => TemporaryUnavailable | ServiceUnavailable } = {
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

const again = Schedule.spaced(RECEIPT_DELAY)
