/**
 * A simulated carrier for the sandbox. The last digits of a number choose the outcome, see
 * `@watchword/send/SandboxNumber`; a receipt for each part follows a second after the outcome is on the record.
 */
import { EventHub } from "@watchword/gateway/EventHub"
import { TemporaryUnavailable } from "@watchword/schemas/Errors"
import type { SmsStatus } from "@watchword/schemas/Sms"
import * as Background from "@watchword/send/Background"
import { type Predetermined, accepted, answered, predetermined, rejected } from "@watchword/send/Outcome"
import { type Scenario, refusalOf, scenarioOf } from "@watchword/send/SandboxNumber"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import type { Message, Service, SmsEvent } from "./SmsGateway.ts"

/** After how many milliseconds a receipt follows, and follows again when it could not be handled. */
const RECEIPT_DELAY = 1_000
/** How many receipts may be due at a time. Messages beyond it are rejected, and failed receipts not repeated. */
const CAPACITY = 100_000

/** A gateway that lives as long as the scope. */
export const make: Effect.Effect<Service, never, Scope> = Effect.gen(function* () {
  const hub = new EventHub<SmsEvent, StoreError>()
  const due = (yield* Background.BackgroundAllowed) ? yield* makeQueue(hub) : yield* onRequest(hub)

  const predetermine = (message: Message): Predetermined => {
    const scenario = scenarioOf(message.to)
    const refusal = due.isFull() ? busy() : refusalOf(scenario, WORDS)
    if (refusal !== null) return predetermined(rejected(refusal))
    const refs = message.text.parts.map((_, index) => `sandbox-${message.delivery}-${index + 1}`)
    if (scenario === "silent") return predetermined(accepted(refs))
    const receipt = receipts[scenario] ?? delivered
    return predetermined(accepted(refs), due.publish(refs.map((ref) => receiptEvent(message, ref, receipt))))
  }

  return {
    predetermine,
    send: (message) => answered(predetermine(message)),
    events: (handle) => hub.subscribe(handle),
    health: Effect.succeed([])
  }
})

/** Publishes events after the delay, again until they are handled. */
interface Due {
  readonly publish: (events: ReadonlyArray<SmsEvent>) => Effect.Effect<void>
  readonly isFull: () => boolean
}

type Hub = EventHub<SmsEvent, StoreError>

/** Runs in what each request leaves running, for hosts where nothing runs by itself. */
const onRequest = (hub: Hub): Effect.Effect<Due, never, Scope> =>
  Effect.map(Effect.scope, (scope) => ({
    isFull: () => false,
    publish: (events) => {
      const handled = Effect.forEach(events, (event) => Effect.retry(Effect.sandbox(hub.publish(event)), again), {
        discard: true
      })
      return Background.fork(Effect.delay(handled, RECEIPT_DELAY), scope)
    }
  }))

/** All events wait equally long, so one fiber takes them in their order. */
const makeQueue = Effect.fnUntraced(function* (hub: Hub): Effect.fn.Return<Due, never, Scope> {
  const queue = yield* Queue.dropping<{ readonly at: number; readonly event: SmsEvent }>(CAPACITY)
  const publishNext = Effect.gen(function* () {
    const { at, event } = yield* Queue.take(queue)
    const early = at - (yield* Clock.currentTimeMillis)
    if (early > 0) yield* Effect.sleep(early)
    hub.offer(event, (handled) => {
      if (Exit.isFailure(handled)) Queue.offerUnsafe(queue, { at: at + RECEIPT_DELAY, event })
    })
  })
  yield* Effect.forkScoped(Effect.forever(publishNext))
  return {
    isFull: () => Queue.isFullUnsafe(queue),
    publish: (events) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        for (const event of events) Queue.offerUnsafe(queue, { at: now + RECEIPT_DELAY, event })
      })
  }
})

interface Receipt {
  readonly status: SmsStatus
  readonly carrierStatus: string
}

const delivered: Receipt = { status: "delivered", carrierStatus: "DELIVRD" }

const receipts: { readonly [S in Scenario]?: Receipt } = {
  undelivered: { status: "undelivered", carrierStatus: "UNDELIV" },
  expired: { status: "undelivered", carrierStatus: "EXPIRED" }
}

const busy = () => new TemporaryUnavailable({ message: "The sandbox's carrier is too busy to take the message." })

const WORDS = { gateway: "carrier" }

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
