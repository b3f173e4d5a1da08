/**
 * A simulated carrier for the sandbox. The phone of a number chooses the outcome, and without one its last digits do, see
 * `@watchword/send/sandbox`; a receipt for each part follows a second after the outcome is on the record, or when the
 * phone says.
 */
import type { OnPhones } from "@watchword/send/channel/Gateways"
import {
  type Fate,
  type Network,
  type Scenario,
  keptDetails,
  makeSandboxEvents,
  receiveOnPhone,
  receptionOf,
  refusalOf,
  scenarioOf,
  unhandled,
  waitForPhones
} from "@watchword/send/sandbox"
import { EventHub } from "@watchword/send/gateway"
import { TemporaryUnavailable } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { PhoneSettings } from "@watchword/schemas/SandboxPhone"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { SmsStatus } from "@watchword/schemas/Sms"
import { type Predetermined, accepted, answered, predetermined, rejected } from "@watchword/send/Outcome"
import type { Settings } from "@watchword/store/Settings"
import type { Delivery } from "@watchword/store/Delivery"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import type { Message, Service, SmsEvent } from "../SmsGateway.ts"

/** The carrier, and the receipts that it makes again. */
export interface Sandbox extends Service, OnPhones<Service> {
  /** Gives the receipts of a record that has none yet to the handler of events. */
  readonly resume: (delivery: Delivery) => Effect.Effect<void, StoreError>
  readonly network: Network
}

/** A gateway that lives as long as the scope. */
export const make: Effect.Effect<Sandbox, never, Settings | Store | Scope> = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const hub = new EventHub<SmsEvent, StoreError>()
  const due = yield* makeSandboxEvents(hub)

  const predetermine = (message: Message): Predetermined => {
    const scenario = scenarioOf(message.to)
    const refusal = due.isFull() ? busy() : refusalOf(scenario, WORDS)
    if (refusal !== null) return predetermined(rejected(refusal))
    const refs = refsOf(message.delivery, message.text.parts.length)
    if (scenario === "silent") return predetermined(accepted(refs))
    return predetermined(accepted(refs), due.publish(receiptsOf(message, refs, receipts[scenario] ?? delivered)))
  }

  /** Reports the same of all parts of a text. */
  const report = ({ id, parts, reference, to }: Delivery, receipt: Receipt) => {
    if (!isE164(to)) return Effect.void
    const events = receiptsOf({ to, reference: reference ?? 0 }, refsOf(id, parts), receipt)
    return Effect.mapError(
      Effect.forEach(events, (event) => hub.publish(event), { discard: true }),
      unhandled
    )
  }

  const waiting = yield* waitForPhones("sms", (delivery, fate) => report(delivery, receiptOf(fate)))

  const resume = (delivery: Delivery) => {
    if (receptionOf(delivery) !== null) return waiting.resume(delivery)
    const scenario = isE164(delivery.to) ? scenarioOf(delivery.to) : "silent"
    return scenario === "silent" ? Effect.void : report(delivery, receipts[scenario] ?? delivered)
  }

  const toPhone =
    (phone: PhoneSettings) =>
    (message: Message): Predetermined => {
      if (due.isFull() || waiting.isFull()) return predetermined(rejected(busy()))
      const fate = phone.sms === "undelivered" ? "undelivered" : "delivered"
      const delay = typeof phone.sms === "string" ? 0 : phone.sms.delay * 1000
      const reception = receiveOnPhone(phone, fate, clock.currentTimeMillisUnsafe(), delay)
      const refs = refsOf(message.delivery, message.text.parts.length)
      const [ref = ""] = refs
      const isAtOnce = reception.dueAt !== null && !reception.isKept
      const later = isAtOnce
        ? due.publish(receiptsOf(message, refs, receiptOf(fate)))
        : waiting.afterwards(ref, reception)
      return predetermined(accepted(refs, keptDetails(reception)), later)
    }

  const through = (predetermine: (message: Message) => Predetermined): Service => ({
    predetermine,
    send: (message) => answered(predetermine(message)),
    events: (handle) => hub.subscribe(handle),
    health: Effect.succeed([])
  })

  return {
    ...through(predetermine),
    onPhone: (phone) => through(toPhone(phone)),
    resume,
    network: {
      events: ["delivered", "failed"],
      accepts: ({ status }) => (status.name === "sent" ? ["delivered", "failed"] : []),
      post: (delivery, event) => report(delivery, event === "failed" ? undelivered : delivered),
      settle: waiting.settle
    }
  }
})

const isE164 = Schema.is(E164)

const refsOf = (delivery: DeliveryId, parts: number): ReadonlyArray<string> =>
  Array.from({ length: parts }, (_, index) => `sandbox-${delivery}-${index + 1}`)

interface Receipt {
  readonly status: SmsStatus
  readonly carrierStatus: string
}

const delivered: Receipt = { status: "delivered", carrierStatus: "DELIVRD" }

const undelivered: Receipt = { status: "undelivered", carrierStatus: "UNDELIV" }

const receiptOf = (fate: Fate): Receipt => (fate === "undelivered" ? undelivered : delivered)

const receipts: { readonly [S in Scenario]?: Receipt } = {
  undelivered,
  expired: { status: "undelivered", carrierStatus: "EXPIRED" }
}

const busy = () => new TemporaryUnavailable({ message: "The sandbox's carrier is too busy to take the message." })

const WORDS = { gateway: "carrier" }

const receiptsOf = (
  { reference, to }: Pick<Message, "to" | "reference">,
  refs: ReadonlyArray<string>,
  receipt: Receipt
): ReadonlyArray<SmsEvent> =>
  refs.map((ref) => ({ _tag: "Receipt", refs: [ref], to, reference, ...receipt, carrierError: null }))
